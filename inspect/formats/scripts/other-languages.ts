/** Scripts in languages that are not evaluated, which give a shell to another computer, run what they are sent, or send secrets away. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { decodedView } from '#inspect/commands/encoded-literals.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { doesHarm } from '#inspect/judge/scripts/inline-programs.ts'
import { isRead } from '#inspect/judge/scripts/language.ts'
import { runsRequests } from '#inspect/judge/scripts/requests.ts'
import { SCRIPTING_LANGUAGES } from '#inspect/judge/scripts/scripting-languages.ts'
import { drainsByItself } from '#inspect/judge/scripts/wallets.ts'
import { ADDRESS_READERS, POWERSHELLS } from '#inspect/windows/programs.ts'

/** Words without which none of them does harm. */
const MARK = mark(
  [
    ...['fsockopen', '$_GET', '$_POST', '$_REQUEST', '$_COOKIE', 'IO::Socket', 'socket(', 'socket (', 'TCPSocket'],
    ...['"socket"', "'socket'", '[socket', 'socketConnection', 'net.Dial', 'TcpStream', 'file_get_contents(', 'LWP::'],
    ...['child_process', 'eval(', '(eval)', 'instance_eval', 'InThisContext', 'process.env', "'require'", '"require"'],
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
      'axios',
      'socket.io',
      'ObjC.import',
      'doShellScript',
      'do script',
      'eth_request',
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
/** Longer ones are libraries. */
const SERVED_MAX = 200_000
/** For each character at the beginning, and of a text in one of the languages. */
const START_WORK = 10
/** Characters in which a script in any of the languages begins: forty lines of comments. */
const START_MAX = 24_000
/** Sources of programs, which are read and also run. */
const SOURCE = /\.(?:rb|go|rs|cs|java)$/i

export const otherScripts: Format = {
  among: { marks: [MARK, SERVED] },
  applies: (item) =>
    item.sniffed.kind === 'text' &&
    (item.has(MARK) || item.has(SERVED)) &&
    !isRead((item.path.at(-1) ?? '').replace(SOURCE, '')),
  analyse(item, context) {
    const { length } = item.bytes
    const start = view(item.bytes.subarray(0, START_MAX)).toString('latin1')
    charge(start.length * START_WORK)
    const languages = SCRIPTING_LANGUAGES.filter(
      ({ starts, bytesMax = length }) => length <= bytesMax && starts.test(start),
    )
    const isServed = length <= SERVED_MAX && item.has(SERVED)
    if (languages.length === 0 && !isServed) return
    const program = decodedView(view(item.bytes).toString('latin1'))
    const isScript = languages.some(({ programs }) => programs?.test('node'))
    if (isScript && drainsByItself(program.text)) context.addFinding(item, { ...WEB.wallet, detail: null })
    if (languages.some((language) => doesHarm(language, program)) || (isServed && runsRequests(program.text)))
      context.addFinding(item, { ...SCRIPTS.remoteControl, detail: null })
  },
}
