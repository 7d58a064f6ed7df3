/** Text of scripts that only attackers write, whatever they start. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { RUNNING } from '#inspect/windows/powershell.ts'
import { PROXIES, RECOVERY_REMOVAL, SHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { harmsInline } from './other-languages.ts'

/** Each list is one kind of attack: all of its patterns occur. */
const HARMS: readonly (readonly RegExp[])[] = [
  // Switches off the scanner of scripts.
  [/\bamsi(?:utils|initfailed|scanbuffer)\b/i],
  // Gives a shell to another computer.
  [/\b(?:ba|z|da|k)?sh\s+-i\b[^\r\n]{0,20}\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\s]{1,80}\s{1,4}0[<>]&1/],
  [/\bmkfifo\b/, /\bsh\b/, /\b(?:nc|ncat|telnet|openssl s_client)\b/],
  [anyCase`\b(?:nc|ncat)(?:\.exe)?\s[^\r\n]{0,80}-[ec]\s+["']?(?:/bin/)?(?:${UNIX_SHELLS}|${SHELLS})\b`],
  [/\bexec\s+\d{1,2}<>\s{0,4}\/dev\/(?:tcp|udp)\/(?!localhost|127\.)/, /\bwhile\s+read\b[^\r\n]{0,120}\$\w{1,40}/],
  [
    /\bsocket\.(?:socket|create_connection)\b/,
    /\bos\.dup2\s{0,4}\(|\bpty\.spawn\s{0,4}\(|\(\s{0,4}\[\s{0,4}["']\/bin\/(?:ba|z|da)?sh/,
  ],
  [
    /\bsocket\.(?:socket|create_connection)\b/,
    /\.connect\s{0,4}\(/,
    /\.recv\s{0,4}\(/,
    /shell\s{0,4}=\s{0,4}True|\bos\.popen\b|\bexec\s{0,4}\(/,
  ],
  [/\bNet\.Sockets\.TCPClient\b/i, /\bGetStream\b/i, anyCase`\b${RUNNING}\b`],
  [/\buse\s+Socket\b|\bfsockopen\s{0,4}\(/, /\bexec\b[^\r\n]{0,20}\/bin\/(?:ba|z|da)?sh/],
  // Runs bytes of a server in memory.
  [
    /\bctypes\b/,
    /\bVirtualAlloc(?:Ex)?\b/,
    /\bRtlMoveMemory\b|\bmemmove\b/,
    /\bCreate(?:Remote)?Thread\b/,
    /\burlopen\b|\brequests\.get\b|b64decode/,
  ],
  [
    /\bexec\s{0,4}\(\s{0,4}(?:zlib\.decompress\s{0,4}\(\s{0,4}|base64\.b64decode\s{0,4}\(\s{0,4}|marshal\.loads\s{0,4}\(\s{0,4}){1,4}(?:urllib\.request\.)?(?:urlopen|requests\.get)\b/,
  ],
  // Sends every key that is pressed.
  [
    /\bpynput\b|\bkeyboard\.on_(?:press|release)\b/,
    /\bon_press\b|\bon_release\b/,
    /\brequests\.post\b|\burlopen\b|\bsmtplib\b/,
  ],
  // Sends keys of accounts away.
  [
    /~\/\.ssh\b|\$HOME\/\.ssh\b|\/\.ssh\/id_/,
    /\bcurl\b[^\r\n]{0,200}(?:--data-binary|--upload-file|-T\b|-F\b|-d\b)[^\r\n]{0,200}https?:\/\/(?!localhost)/,
  ],
  [
    /\.cache\/huggingface\/token|\.aws\/credentials|\.ssh\/id_|\.git-credentials|\.kube\/config|\.docker\/config\.json|application_default_credentials|\.pypirc|\.npmrc/,
    /\b(?:requests|httpx|session|client)\.(?:post|put)\s{0,4}\([^)\n]{0,200}\b(?:files|data|content)\s{0,4}=[^\n]{0,80}\bopen\s{0,4}\(/,
  ],
  // Sends all variables of the computer away.
  [
    /\bdict\s{0,4}\(\s{0,4}os\.environ\b|\b(?:dumps|urlencode|str)\s{0,4}\(\s{0,4}(?:dict\s{0,4}\(\s{0,4})?os\.environ\b(?![.[])/,
    /\burlopen\b|\brequests\.(?:post|get)\b|\bhttp\.client\b|\bsocket\.socket\b/,
    /\bgethostname\b|\bgetuser\b|\bgetlogin\b|\bplatform\.node\b/,
  ],
  // Asks for the password of the account, and sends what it finds.
  [/display dialog[^\r\n]{0,400}hidden answer/i, /\bcurl\b|\bsecurity\s|\bdscl\b/i],
  // Passwords of browsers, and the services that receive them.
  [
    /Login Data|logins\.json|key4\.db|\bLocal State\b|wallet\.dat|exodus\.wallet|leveldb/i,
    /discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot|https?:\/\/(?:[^\s/?#@]{0,200}@)?\d{1,3}\.\d/i,
  ],
  // Digs for coins, and stays.
  [/stratum\+(?:tcp|ssl):\/\//i, anyCase`\b(?:crontab|nohup|systemctl|${PROXIES}|setsid)\b`],
]
const DESTROYS = RECOVERY_REMOVAL.map((source) => new RegExp(source, 'i'))
const DESTROYS_MIN = 2

export function doesHarm(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  return (
    HARMS.some((all) => all.every((each) => each.test(text))) ||
    DESTROYS.filter((each) => each.test(text)).length >= DESTROYS_MIN ||
    harmsInline(text)
  )
}

/** Published overflows of the engine free an object while it is destroyed, and prepare machine code. */
const CORRUPTS = [/\bSub\s+Class_Terminate\b/i, /%u[\da-f]{4}%u[\da-f]{4}/i]

export function corruptsMemory(text: string): boolean {
  return CORRUPTS.every((each) => each.test(text))
}

const CHARACTER_WORK = 10
