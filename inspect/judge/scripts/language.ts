/** Tells scripts from prose and data, and their languages from each other. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { SCRIPT_LANGUAGES, type ScriptLanguage } from '#inspect/windows/extensions.ts'
import { DOWNLOADERS, PROXIES, SHELLS, STARTERS } from '#inspect/windows/programs.ts'

export type Language = ScriptLanguage

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  SCRIPT_LANGUAGES.flatMap(([language, extensions]) => extensions.map((extension) => [extension, language] as const)),
)

/** Members that are read, not run. */
const READ = new Set(
  'txt md rst markdown adoc csv tsv json yml yaml log xml html htm xhtml svg css tex po c h cpp cs java rb go rs'.split(
    ' ',
  ),
)

/** Windows ignores dots and spaces at the end of a name. */
function extensionOf(name: string): string {
  return /\.([a-z0-9]+)[.\s]*$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

export function isRead(name: string): boolean {
  return READ.has(extensionOf(name))
}

/** The language in which Windows or a shell runs a file of the name. */
export function namedLanguage(name: string | null): Language | null {
  return LANGUAGES.get(extensionOf(name ?? '')) ?? null
}

/** Lines of a text that are looked at. */
const LINES_MAX = 400
/** For each of their characters: some ten patterns search them. */
const CHARACTER_WORK = 12

/** Those in which a text is read: by its name, and by its content, because anybody can rename a file. */
export function languagesOf(name: string | null, text: string): Language[] {
  const found = [namedLanguage(name), languageOf(text)].filter((language) => language !== null)
  return [...new Set(found)]
}

/** Data begins with a name in braces, at which the hosts of JavaScript, VBScript and PowerShell stop: they read a script before they run it. */
const JSON_START = /^(?:\xef\xbb\xbf|\ufeff)?\s*\{\s*"[^"\\]*"\s*:/

/** By the text, which must be code from beginning to end. null: not a script. */
export function languageOf(text: string): Language | null {
  if (JSON_START.test(text)) return null
  if (/^#!\s{0,4}\/\S{0,60}\b(?:env )?(?:ba|z|da|k)?sh\b/.test(text)) return 'shell'
  if (
    /^#!\s{0,4}\/\S{0,60}(?:\benv )?python|^(?:#[^\n]*\n|\s)*(?:import|from) [\w.]+(?: import \w+)?(?:, ?\w+)*[;\r\n]/.test(
      text,
    )
  )
    return 'python'
  if (HELP.test(text)) return 'powershell'
  const lines = text
    .replace(/<#[\s\S]*?(?:#>|$)/g, '')
    .split(/\r?\n|\r/, LINES_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  charge(lines.reduce((sum, { length }) => sum + length, 0) * CHARACTER_WORK)
  const comments = hasHashComments(lines) ? lines.filter((line) => /^# /.test(line)).length : 0
  if (lines.length === 0 || (lines.filter(isProse).length - comments) * PROSE_SHARE > lines.length) return null
  const first = lines.find((line) => !COMMENT.test(line) && !isProse(line)) ?? ''
  if (/^function\b/i.test(first) && isPowerShell(lines)) return 'powershell'
  const found = TELLING.find(
    ([language, pattern]) =>
      // A sentence may contain the creation of an object, too.
      ((language !== 'javascript' && pattern.test(first)) || FIRST[language].test(first)) &&
      lines.some((line) => pattern.test(line)),
  )
  return found?.[0] ?? null
}

/** The description at the start of a PowerShell script or module. */
const HELP = /^\s*<#(?!@)\s{0,200}\.(?:synopsis|description|notes|version|example)\b/i
/** Lines that say nothing about the language. */
const NEUTRAL = /^(?:# |#$|#(?:end)?region\b|[{}()[\]\s,;]*$|(?:else|try|finally|return|break|continue)\b[\s{]*$)/i

/** PowerShell writes comments as Markdown writes headings. */
function hasHashComments(lines: readonly string[]): boolean {
  const others = lines.filter((line) => !NEUTRAL.test(line))
  return others.filter((line) => POWERSHELL_LINE.test(line)).length * 2 > others.length
}

/** Both languages declare functions with the same word. */
function isPowerShell(lines: readonly string[]): boolean {
  const of = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length
  return of(POWERSHELL_LINE) > of(JAVASCRIPT_LINE)
}

const POWERSHELL_LINE =
  /^(?:function\s+[\w:-]+\s*\{|param\s*\(|\$[\w:]+\s*=[^=]|[a-z]+-[a-z]+(?:\s|$))|\[[\w.]+\]::|^\[[\w.]+\]\.|^&\s*\(|\s-(?:eq|ne|gt|lt|match|like|f)\s|^(?:iex|iwr|irm)\b/i
const JAVASCRIPT_LINE =
  /^(?:var|let|const)\s|^function(?:\s+[\w$]+)?\s*\([\w$,\s]*\)\s*\{|[);]\s*;$|===|=>|\bnew\s+ActiveXObject/

/** One line in eight may be a comment or a sentence. */
const PROSE_SHARE = 8

const COMMENT = /^(?:'|\/\/|\/\*|\*|#|rem\b|::)/i
const CODE =
  /[=(){};[\]]|&\s|^\s*(?:set|dim|sub|end|if|else|next|for|loop|on error|echo|goto|call|function|option|const|wscript|start)\b/i

/** Words without the signs of code, or a heading, list or table of a document. */
export function isProse(line: string): boolean {
  if (/^(?:[-*+] |#{1,6} |\d+\. |\||```|<)/.test(line)) return true
  if (COMMENT.test(line)) return false
  return !CODE.test(line.slice(0, 400)) && /\w \w+ \w+ \w/.test(line.slice(0, 400))
}

/** Obfuscated files put carets between letters. */
const COMMANDS_WITH_CARETS = [...STARTERS, ...DOWNLOADERS].map((name) => [...name].join('\\^?')).join('|')

const TELLING: readonly (readonly [keyof typeof FIRST, RegExp])[] = [
  [
    'vbscript',
    /^(?:set\s+\w+\s*=\s*(?:createobject|getobject)\b|dim\s+\w+|on error resume next|(?:private |public )?sub\s+\w+\s*\(|option explicit|createobject\s*\(|wscript\.\w+\b|execute(?:global)?\s*[("])|:\s*execute(?:global)?\s*[("]/i,
  ],
  [
    'javascript',
    /\bnew\s+ActiveXObject\s*\(|^(?:var|let|const)\s+[\w$]+\s*=|^function\s+(?:[\w$]+\s*)?\(|WScript\.CreateObject\s*\(|^\(function\b/,
  ],
  [
    'batch',
    anyCase`^@?echo\s+off\b|^setlocal\b|^goto\s+\w+$|^@?["']?(?:[a-z]:[\w\\]*\\|%\w+%[\w\\]*\\)?(?:start|${COMMANDS_WITH_CARETS})(?:\.exe)?["']? `,
  ],
  [
    'powershell',
    /^\$[\w:]+\s*=|^[&.]\s*\(|^(?:invoke|start|new|set|add|get|iex|iwr|irm)(?:-\w+)?\b|\[(?:system\.)?(?:convert|net|text)\b/i,
  ],
]

/** The first statement. Lists of rules and settings quote commands, but begin otherwise. */
const FIRST: Readonly<Record<Exclude<Language, 'shell' | 'python'>, RegExp>> = {
  vbscript:
    /^(?:set|dim|on|sub|function|private|public|option|const|if|for|do|while|with|class|call|randomize|attribute)\s|^[\w.]+\s*[=(]|^\w+\.\w+|^execute/i,
  javascript:
    /^(?:var|let|const|function|try|if|for|while|with|do|new|return|switch|import|export|async|class|throw)\b|^["'([{!;+~/$-]|^[\w$.[\]'"]+\s*[=([,;]/,
  batch: anyCase`^[@:%(">]|^(?:set|if|for|cd|call|title|color|mode|chcp|cls|pushd|md|mkdir|del|copy|xcopy|move|ren|echo|ping|timeout|reg|net|sc|taskkill|attrib|type|${PROXIES}|${SHELLS})\b`,
  powershell: anyCase`^[$&.]|^\[(?:[\w.]+\](?:::|[.$ ])|\w+\()|^\w+-\w+|^(?:function|param|if|for|foreach|while|do|try|using|trap|switch|echo|cd|net|reg|sc|set|mkdir|${SHELLS})\b`,
}
