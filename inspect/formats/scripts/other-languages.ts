/** Scripts in languages that are not evaluated, which give a shell to another computer, run what they are sent, or send secrets away. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { SHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { isRead } from './language.ts'

interface Language {
  /** How a script in it begins, apart from comments. */
  starts: RegExp
  /** Those that run code which a command line gives them. */
  programs?: RegExp
  /** Bundles of libraries are longer than this, and have the words of all attacks. */
  bytesMax?: number
  /** Each list is one attack: all of its patterns occur. */
  harms: readonly (readonly RegExp[])[]
}

export const NODE_BYTES_MAX = 64_000
const SHELL = pattern`["'\x60](?:/bin/)?${UNIX_SHELLS}\b|["'\x60]${SHELLS}(?:\.exe)?\b`.source

/** Runs a text that it has collected from a server, or waited for. */
const RUNS_RECEIVED =
  /\b([\w$]{1,40})\s{0,4}\+=\s{0,4}[\w$.()]{1,40}[\s\S]{0,600}?(?:\beval|\bFunction|\brunIn(?:This|New)Context|\bScript)\s{0,4}\(\s{0,4}(?:["'][\w,\s]{0,40}["']\s{0,4},\s{0,4})?\1\s{0,4}[,)]|\.then\s{0,4}\(\s{0,4}(?:eval\s{0,4}\)|\(?([\w$]{1,40})\)?\s{0,4}=>\s{0,4}\{?\s{0,4}(?:eval|(?:new )?Function|vm\.\w{1,30})\s{0,4}\(\s{0,4}\2(?:\.data)?\s{0,4}[,)])|\b(?:eval|Function)\s{0,4}\(\s{0,4}(?:await\s{0,4})?\(?\s{0,4}await\s{1,4}\(?\s{0,4}(?:await\s{1,4})?(?:fetch|axios)/
/** A server whose address is coded, that has no name, or that anybody can answer for. */
const UNSEEN_SERVER =
  /\bBuffer\.from\s{0,4}\(\s{0,4}["'\x60][\w+/=]{12,2000}["'\x60]\s{0,4},\s{0,4}["'](?:hex|base64)["']|\batob\s{0,4}\(|http:\/\/(?!localhost|127\.)|:\/\/\d{1,3}(?:\.\d{1,3}){3}/

const LANGUAGES: readonly Language[] = [
  // PHP
  {
    programs: /^php$/,
    starts: /^(?:\xef\xbb\xbf)?\s{0,200}<\?(?:php\b|=|\s)/i,
    harms: [
      [
        /\b(?:system|exec|shell_exec|passthru|popen|proc_open|assert|eval)\s{0,4}\(\s{0,4}(?:(?:base64_decode|stripslashes|urldecode|gzinflate|str_rot13)\s{0,4}\(\s{0,4}){0,3}@?\$_(?:GET|POST|REQUEST|COOKIE)\b/i,
      ],
      [
        /\bfsockopen\s{0,4}\(/i,
        new RegExp(String.raw`\b(?:proc_open|exec|shell_exec|system|popen)\s{0,4}\(\s{0,4}(?:${SHELL})`, 'i'),
      ],
    ],
  },
  // Perl
  {
    programs: /^perl$/,
    starts: /^(?:#[^\n]{0,500}\n|\s){0,40}(?:use |require |my |\$|print)|^#!\s{0,4}\S{0,60}perl\b/,
    harms: [
      [
        /\bsocket\s{0,4}\(|\bIO::Socket::INET\b/,
        /\bconnect\s{0,4}\(|PeerAddr/,
        /\bopen\s{0,4}\(\s{0,4}STDIN\b|STDIN->fdopen/,
        /\bexec\b|\bsystem\b/,
      ],
    ],
  },
  // Ruby
  {
    programs: /^ruby$/,
    starts: /^(?:#[^\n]{0,500}\n|\s){0,40}require\s{1,4}["']|^#!\s{0,4}\S{0,60}ruby\b/,
    harms: [
      [
        /\bTCPSocket\.(?:new|open)\b/,
        /\.gets\b|\.recv\b/,
        /\bIO\.popen\s{0,4}\(?\s{0,4}[a-z_]\w{0,40}\s{0,4}[,)]|\bexec\b[^\n]{0,80}\/bin\/sh/,
      ],
    ],
  },
  // Lua
  {
    programs: /^lua$/,
    starts: /^(?:--[^\n]{0,500}\n|\s){0,40}local\b/,
    harms: [
      [
        /\brequire\s{0,4}\(?\s{0,4}["']socket["']/,
        /:connect\s{0,4}\(/,
        /:receive\s{0,4}\(/,
        /\bio\.popen\s{0,4}\(\s{0,4}[a-z_]\w{0,40}\s{0,4}[,)]|\bos\.execute\s{0,4}\(\s{0,4}[a-z_]/,
      ],
    ],
  },
  // JavaScript of Node
  {
    programs: /^(?:node|nodejs|bun|deno)$/,
    bytesMax: NODE_BYTES_MAX,
    starts: /^(?:\/\/[^\n]{0,500}\n|#![^\n]{0,200}\n|["']use strict["'];?|\s){0,40}(?:const|let|var|import|require)\b/,
    harms: [
      [
        /\bnet\b/,
        /\.connect\s{0,4}\(|\bcreateConnection\s{0,4}\(/,
        new RegExp(String.raw`\b(?:spawn|exec|execFile)\s{0,4}\(\s{0,4}(?:${SHELL})`),
        /\.pipe\s{0,4}\(\s{0,4}\w{1,40}\.stdin\s{0,4}\)/,
      ],
      [
        /\bchild_process\b/,
        /\bnet\.(?:connect|createConnection)\s{0,4}\(/,
        /\.on\s{0,4}\(\s{0,4}["']data["']\s{0,4},[^;\n]{0,60}\bexec(?:Sync)?\s{0,4}\(\s{0,4}\w{1,40}(?:\.toString\s{0,4}\(\s{0,4}\))?\s{0,4}[,)]/,
      ],
      [
        /\bJSON\.stringify\s{0,4}\([^;\n]{0,80}\bprocess\.env\b(?![.[\w])/,
        /\b(?:https?|axios)\.(?:request|post)\s{0,4}\(|\bfetch\s{0,4}\(/,
        /\bos\.(?:hostname|userInfo|networkInterfaces)\s{0,4}\(/,
      ],
      // Keys of more than one service, for a server.
      [
        /\.npmrc\b|\.git-credentials\b|\bgh\/hosts\.yml/,
        /\.aws\b|\bgcloud\b|\.ssh\b|\.kube\b|\.docker\b|Login Data|\.electrum\b|\bExodus\b/,
        /\b(?:https?|axios)\.(?:request|post)\s{0,4}\(|\bfetch\s{0,4}\(/,
        /\bos\.(?:hostname|userInfo)\s{0,4}\(/,
      ],
      [
        /\brequire\s{0,4}\(\s{0,4}["'](?:node:)?(?:https?|axios|node-fetch|request|got|child_process|vm)["']/,
        RUNS_RECEIVED,
        UNSEEN_SERVER,
      ],
      // Code of a server that may load modules.
      [
        /\bFunction(?:\.constructor)?\s{0,4}\)?\s{0,4}\(\s{0,4}["']require["']\s{0,4},\s{0,4}\w{1,40}\s{0,4}\)/,
        /\baxios\.(?:get|post)\s{0,4}\(|\bhttps?\.get\s{0,4}\(|\bfetch\s{0,4}\(/,
      ],
    ],
  },
  // AutoIt and AutoHotkey
  {
    starts: /^(?:;[^\n]{0,500}\n|\s){0,40}#(?:NoTrayIcon|Region|include|NoEnv|SingleInstance|Persistent)\b/i,
    harms: [
      [
        /\bInetGet\s{0,4}\(|\bUrlDownloadToFile\b|\bDownload\s{0,4}\(/i,
        /\b(?:Run|RunWait|ShellExecute)\b[^\r\n]{0,40}(?:@TempDir|%?A_Temp%?|@AppDataDir|%?A_AppData%?)/i,
      ],
    ],
  },
]

/** Words without which none of them does harm. */
const MARK = mark(
  [
    ...['fsockopen', '$_GET', '$_POST', '$_REQUEST', '$_COOKIE', 'IO::Socket', 'socket(', 'socket (', 'TCPSocket'],
    ...[
      '"socket"',
      "'socket'",
      'child_process',
      'eval(',
      '(eval)',
      'InThisContext',
      'process.env',
      "'require'",
      '"require"',
      'InetGet',
      'UrlDownloadToFile',
      'Download(',
    ],
  ],
  { ignoresCase: true },
)
/** For each character at the beginning, and of a text in one of the languages. */
const START_WORK = 10
const CHARACTER_WORK = 30
/** Characters in which a script in any of the languages begins: forty lines of comments. */
const START_MAX = 24_000

export const otherScripts: Format = {
  among: { marks: [MARK] },
  applies: (item) =>
    item.sniffed.kind === 'text' && item.has(MARK) && !isRead((item.path.at(-1) ?? '').replace(/\.rb$/i, '')),
  analyse(item, context) {
    const { length } = item.bytes
    const start = view(item.bytes.subarray(0, START_MAX)).toString('latin1')
    charge(start.length * START_WORK)
    const languages = LANGUAGES.filter(({ starts, bytesMax = length }) => length <= bytesMax && starts.test(start))
    if (languages.length === 0) return
    charge(length * CHARACTER_WORK)
    const text = view(item.bytes).toString('latin1')
    if (languages.some(({ harms }) => harms.some((all) => all.every((each) => each.test(text)))))
      context.addFinding(item, { ...SCRIPTS.remoteControl, detail: null })
  },
}

/** Code for an interpreter in a command line. */
const INLINE =
  /\b(node|nodejs|bun|php|perl|ruby|lua)\s{1,4}(?:-e|-r|--eval|-p)\s{1,4}(?:"((?:[^"\\]|\\[\s\S])*)(?:"|$)|'([^']*)(?:'|$))/g

/** Whether a command line gives an interpreter code that does such harm. */
export function harmsInline(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  for (const [, program = '', double, single] of text.matchAll(INLINE)) {
    const code = double?.replace(/\\(["$`\\])/g, '$1') ?? single ?? ''
    charge(code.length * CHARACTER_WORK)
    const languages = LANGUAGES.filter(({ programs }) => programs?.test(program))
    if (languages.some(({ harms }) => harms.some((all) => all.every((each) => each.test(code))))) return true
  }
  return false
}
