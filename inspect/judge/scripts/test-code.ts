/** Tests and rules of scanners list commands of attackers, which nothing in them starts. */

import { findCommand } from '#inspect/commands/find.ts'
import { charge } from '#inspect/core/work.ts'

const TOKEN =
  /#[^\r\n]*|[rbf]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?)/gi
const TEST = /^[ \t]{0,16}(?:async[ \t]{1,4})?def[ \t]{1,4}test_\w/m
/** What a line without indentation does in a file that only defines something. */
const DEFINES =
  /^(?:import\s|from\s|class\s|(?:async\s{1,4})?def\s{1,4}\w{1,80}\([^()]{0,400}\)[^()]{0,80}:|@\w|[)\]}]|""|\w{1,80}(?:\s{0,4}:[^=()]{0,80})?\s{0,4}=(?!=)|if\s{1,4}__name__\s{0,4}==)/
/** Modules that run, open, send and store nothing; a file that imports no others cannot do anything with its texts. */
const QUIET =
  /^(?:\s{0,40}(?:from\s{1,4}(?:\.[\w.]{0,80}|(?:__future__|abc|base64|collections|copy|dataclasses|datetime|enum|functools|hashlib|itertools|json|logging|math|re|string|textwrap|typing|unicodedata)(?:\.\w{1,40})?)\s{1,4}import\b[^\r\n]*|import\s{1,4}(?:abc|base64|collections|copy|dataclasses|datetime|enum|functools|hashlib|itertools|json|logging|math|re|string|textwrap|typing|unicodedata|[ ,]){1,20})|(?![ \t]{0,40}(?:import|from)\s)[^\r\n]*)$/
/** Makes objects of bytes, which may run something. */
const LOADS = /\b(?:pickle|marshal|shelve|dill|joblib|ctypes|cffi|pty|winreg|yaml)\b|\bopen\s{0,4}\(/
/** Texts with code in them. */
const FORMATTED = /^r?f/i
const INNER = /\{[^{}]{0,400}\}/g
/** For each character: it is searched twice, and literals are joined. */
const CHARACTER_WORK = 15

/** A name by which a script gets at what acts. */
const isName = (literal: string): boolean => /^[^\s"']{0,4}["'][\w.]*["']$/.test(literal)

/** A token without what only says something. */
function codeOf(token: string): string {
  if (token.startsWith('#')) return ''
  if (isName(token)) return token
  return FORMATTED.test(token) ? `""${(token.match(INNER) ?? []).join(' ')}` : '""'
}

/** The code of such a file in Python without its texts; null: it is none. */
export function testedCode(text: string): string | null {
  charge(text.length)
  const isTest = TEST.test(text)
  charge(text.length * CHARACTER_WORK)
  if (!isTest && !text.split(/\r?\n/).every((line) => QUIET.test(line))) return null
  const code = text.replace(TOKEN, codeOf)
  if (LOADS.test(code) && !isTest) return null
  const lines = code.split(/\r?\n/)
  return lines.every((line) => line === '' || /^\s/.test(line) || DEFINES.test(line)) ? code : null
}

interface Framework {
  /** Every pattern occurs in a test. */
  signs: readonly RegExp[]
  /** Runs or asks for something, also by a name in a variable. */
  acts: RegExp
  /** Modules are loaded by names in quotes. */
  isNamed?: boolean
}

const FRAMEWORKS: readonly Framework[] = [
  // PHPUnit
  {
    signs: [/\bextends\s{1,4}\w{0,40}TestCase\b/, /\bfunction\s{1,4}test\w|@test\b|#\[Test\b/],
    acts: /`|\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|create_function|call_user_func\w{0,10}|array_map|array_filter|usort|preg_replace|unserialize|extract|include\w{0,5}|fsockopen|curl_exec|file_put_contents|header|mail)\s{0,4}\(|\$\w{1,60}\s{0,4}\(|\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\b/i,
  },
  // RSpec and Minitest
  {
    signs: [
      /\bRSpec\.describe\b|^\s{0,40}describe\b[^\r\n]{0,200}\bdo\s{0,4}$|<\s{0,4}Minitest::Test\b/m,
      /\bexpect\b|\bassert/,
    ],
    acts: /`|%x|\b(?:system|exec|spawn|popen\w{0,4}|eval|\w{1,10}_eval|\w{0,10}send|Kernel|IO|Process|Open3|TCPSocket|Socket|Net|URI|Marshal|load|fork|syscall|method)\b/,
  },
  // Pester
  {
    signs: [/^\s{0,40}Describe\s{1,4}["'][^\r\n]{0,200}\{\s{0,4}$/im, /\|\s{0,4}Should\b/i],
    acts: /\biex\b|invoke|\b(?:start|new|set|add|import|out|register)-\w|::|\.create\b|\$executioncontext|(?:^|[\s;|{(])(?:&|\.(?!\s{0,4}["']?\$PSScriptRoot\b))\s{0,4}["'$(]/im,
  },
  // Tests in JavaScript
  {
    isNamed: true,
    signs: [/^\s{0,40}(?:describe|test|it)\s{0,4}\(|\)\s{0,4}test\s{0,4}\(/m, /\bassert\b|\bexpect\s{0,4}\(/],
    acts: /\b(?:eval|Function|constructor|child_process|vm|worker_threads|execSync|spawn\w{0,4}|fetch|https?|axios|net|dns|dgram|process|global|globalThis|ActiveXObject|WScript|setTimeout|setInterval)\b|\bimport\s{0,4}\(|\brequire\s{0,4}\(\s{0,4}(?!["'])/,
  },
]
const LITERAL = /"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?/g
const INSERTED = /[$#]\{[^{}]{0,400}\}|\$\([^()]{0,400}\)/g

/** The same for a test in another language: without the texts, it starts nothing. */
export function testedTexts(text: string): string | null {
  charge(text.length * FRAMEWORKS.length)
  const framework = FRAMEWORKS.find(({ signs }) => signs.every((sign) => sign.test(text)))
  if (framework === undefined) return null
  charge(text.length * CHARACTER_WORK)
  const code = text.replace(LITERAL, (literal) =>
    framework.isNamed && isName(literal) ? literal : `""${(literal.match(INSERTED) ?? []).join(' ')}`,
  )
  return framework.acts.test(code) || findCommand(code) !== null ? null : code
}
