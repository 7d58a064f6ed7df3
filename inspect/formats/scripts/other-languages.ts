/** Scripts in languages that are not evaluated, which give a shell to another computer, run what they are sent, or send secrets away. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { decodedView } from '#inspect/commands/encoded-literals.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { doesHarm } from '#inspect/judge/scripts/inline-programs.ts'
import { isRead } from '#inspect/judge/scripts/language.ts'
import { theftIn } from '#inspect/judge/scripts/page-thefts.ts'
import { actingPython } from '#inspect/judge/scripts/python.ts'
import { runsRequests } from '#inspect/judge/scripts/requests.ts'
import { SCRIPTING_LANGUAGES } from '#inspect/judge/scripts/scripting-languages.ts'
import { testedTexts } from '#inspect/judge/scripts/test-code.ts'
import { drainsByItself } from '#inspect/judge/scripts/wallets.ts'
import { readScript, textsIn } from '#inspect/programs/javascript/javascript.ts'
import { ADDRESS_READERS, POWERSHELLS } from '#inspect/windows/programs.ts'

/** Words without which none of them does harm. */
const MARK = mark(
  [
    ...['fsockopen', '$_GET', '$_POST', '$_REQUEST', '$_COOKIE', 'IO::Socket', 'socket(', 'socket (', 'TCPSocket'],
    ...['"socket"', "'socket'", '[socket', 'socketConnection', 'net.Dial', 'TcpStream', 'file_get_contents(', 'LWP::'],
    ...[
      'child_process',
      'windowsHide',
      '__filename',
      'detached',
      '_compile(',
      'new Function(',
      'eval(',
      '(eval)',
      'instance_eval',
      'InThisContext',
      'process.env',
      "'require'",
      '"require"',
    ],
    ...[
      'InetGet',
      'UrlDownloadToFile',
      'Download(',
      'do shell script',
      'ethereum.request',
      'hostname()',
      'userInfo()',
      'Local Extension',
      'nkbihfbe',
      'os.execute',
      'io.popen',
      'axios',
      'socket.io',
      'ObjC.import',
      'NSTask',
      'doShellScript',
      'do script',
      'eth_request',
      'cookies.getAll',
      'signTransaction(',
      'getSigner(',
      'signTypedData',
      'requestAccounts',
      'Login Data',
    ],
    ...[...POWERSHELLS, ...ADDRESS_READERS].map((name) => `${name} `),
    ...['base64 -', '/dev/tcp/', '|sh', '| sh', '| bash'],
    ...[
      '\\x63\\x68',
      'leveldb',
      'decode_base64',
      'create_function',
      'REMOTE_ADDR',
      'Download "',
      'VirtualAlloc',
      'TcpClient',
      'new Socket(',
      'Process.Start(',
      // Cards and accounts in scripts of pages.
      'clipboardData',
      'sendBeacon',
      'new Image',
      'no-cors',
      'new WebSocket',
      'createTreeWalker',
      'MutationObserver',
      'checkout',
      'iban',
      '{40}',
      'innerHTML.replace',
    ],
  ],
  { ignoresCase: true },
)
/** Scripts of servers. */
const SERVED = mark(
  [
    ...['<?php', '<?=', '<? ', '<%@', '<%!', '<% ', '<%\r\n', '<%eval', '<%execute', '<%if', '<cfexecute', '<jsp:'],
    ...['use CGI', 'CGI.new', 'QUERY_STRING', 'FieldStorage', 'HTTPRequestHandler', 'parse_qs', 'request.args'],
    ...[
      'request.form',
      'request.values',
      'request.GET',
      'request.POST',
      'req.query',
      'req.body',
      'req.url',
      'req.headers',
    ],
    ...['request.query', 'request.json', 'request.headers', 'get_json(', 'params['],
  ],
  { ignoresCase: true },
)
const PYTHON = /\.pyw?$/i
/** Longer ones are libraries. */
const SERVED_MAX = 200_000
/** For each character at the beginning, and of a text in one of the languages. */
const START_WORK = 10
/** Characters in which a script in any of the languages begins: forty lines of comments. */
const START_MAX = 24_000
/** Sources of programs, which are read and also run. */
const SOURCE = /\.(?:rb|go|rs|cs|java)$/i

/** Lines without text, which push code out of a window. */
const GAPS = /\n\s{3,}/g
const GAP_WORK = 3
/** Between the pieces of a text. */
const JOINTS = /["'\x60]\s{0,4}[+&,]\s{0,4}["'\x60]/g
const FETCHER = /\b(?:curl|wget)\b/

const BACKWARDS = /\s(?:lruc|tegw)\b[\s\S]{0,200}\breverse\b/

/** Whether only the pieces of its texts, or those read backwards, name what fetches code. */
function partsFetcher(text: string): boolean {
  if (FETCHER.test(text)) return false
  charge(text.length * GAP_WORK)
  return BACKWARDS.test(text) || /\b(?:curl|wget)\s/.test(text.replace(JOINTS, ''))
}

/** Runs a text that is no literal. */
const COMPUTES =
  /\b(?:eval|Function|_compile|Script|runIn(?:This|New)Context)\s{0,4}\(\s{0,4}(?:["'][\w$, ]{0,80}["']\s{0,4},\s{0,4}){0,6}(?!["')]|function\b|\x60[^$\x60]{0,2000}\x60)\S/
const RUNNERS = /(?:^|\.)(?:_compile|Script|runIn(?:This|New)Context)$/
/** Longer ones are bundles, whose build puts modules into texts. */
const COMPUTES_MAX = 64_000

/** Code that a script for Node puts together only to run it. */
function computedIn(text: string): string[] {
  if (text.length > COMPUTES_MAX || !COMPUTES.test(text)) return []
  const { evaluated, calls } = readScript(text)
  const run = calls.filter(({ name }) => RUNNERS.test(name)).flatMap(({ args }) => textsIn(args))
  return [...evaluated.filter(({ isBuilt }) => isBuilt).map((each) => each.text), ...run]
}

/** Without the texts of tests and of rules, which nothing runs. */
function actingTextOf(written: string, { name }: Item): string {
  return PYTHON.test(name ?? '') ? actingPython(written) : (testedTexts(written) ?? written)
}

/** Languages that a text of so many bytes may be in. */
function languagesOf(text: string, length: number) {
  const start = text.slice(0, START_MAX)
  charge(start.length * START_WORK)
  return SCRIPTING_LANGUAGES.filter(({ starts, bytesMax = length }) => length <= bytesMax && starts.test(start))
}

export const otherScripts: Format = {
  among: { marks: [MARK, SERVED] },
  applies: (item) =>
    item.sniffed.kind === 'text' &&
    (item.has(MARK) || item.has(SERVED)) &&
    !isRead((item.path.at(-1) ?? '').replace(SOURCE, '')),
  analyse(item, context) {
    const { length } = item.bytes
    charge(length * GAP_WORK)
    const written = view(item.bytes).toString('latin1')
    const isServed = length <= SERVED_MAX && item.has(SERVED)
    // Most texts are in none, which their beginning tells.
    if (!isServed && languagesOf(written.replace(GAPS, '\n'), length).length === 0) return
    const text = actingTextOf(written, item).replace(GAPS, '\n')
    const languages = languagesOf(text, length)
    if (languages.length === 0 && !isServed) return
    const isNode = languages.some(({ programs }) => programs?.test('node'))
    const program = decodedView(isNode ? [text, ...computedIn(text)].join('\n') : text)
    const theft = isNode ? theftIn(program.text) : null
    if (theft !== null) context.addFinding(item, { ...theft, detail: null })
    if (isNode && drainsByItself(program.text)) context.addFinding(item, { ...WEB.wallet, detail: null })
    const isHidden = languages.some(({ executes }) => executes.test(text)) && partsFetcher(text)
    const isHarm = isHidden || languages.some((language) => doesHarm(language, program))
    if (isHarm || (isServed && runsRequests(program.text)))
      context.addFinding(item, { ...SCRIPTS.remoteControl, detail: null })
  },
}
