/** Text of scripts that only attackers write, whatever they start. */

import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { RUNNING } from '#inspect/windows/powershell.ts'
import { LIBRARY_RUNNERS, PROXIES, RECOVERY_REMOVAL, SHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { RUN_KEYS } from '#inspect/windows/registry.ts'
import { harmsInline } from './inline-programs.ts'
import { steals } from './thefts.ts'

const FETCHED = pattern`\b(?:curl|wget)\b[^\r\n]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:/bin/)?${UNIX_SHELLS}\b`.source
/** A line of the table of times, with code of a server. */
const CRON_LOADS = new RegExp(
  String.raw`(?:(?<![\d*/,-])(?:[\d*/,-]{1,12}\s{1,4}){5}|@(?:reboot|hourly|daily|weekly)\s)[^\r\n]{0,100}${FETCHED}`,
)
const FETCHED_BY_SERVICE = new RegExp(String.raw`\bExecStart=[^\r\n]{0,100}${FETCHED}`)
const FETCHED_BY_PROFILE = new RegExp(
  String.raw`\b(?:echo|printf)\s[^\r\n]{0,100}${FETCHED}[^\r\n]{0,100}>>\s{0,4}["']?[^\s"']{0,60}(?:\.bashrc|\.bash_profile|\.zshrc|\.zprofile|\.profile|/etc/profile|rc\.local)\b`,
)

/** Coded two times. */
const TWICE = String.raw`\|\s{0,4}base64\b(?!\s{1,4}-{1,2}d)[^|\r\n]{0,20}\|\s{0,4}base64\b(?!\s{1,4}-{1,2}d)`

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
  // Loads a library that nobody sees before it is decrypted.
  [/\bCreateDecryptor\s{0,4}\(/i, /\bReflection\.Assembly\]::\s{0,4}(?:\(|["']?Load["']?\s{0,4}\(\s{0,4}[$,([])/i],
  // Keeps no record of what it does, and is not searched.
  [/\bEnableScriptBlockLogging\b["']?[^\r\n]{0,60}?\s0\b/i, /\bAdd-MpPreference\b[^\r\n]{0,60}-Exclusion/i],
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
  // A shell of Windows or another system, whose input and output are a connection.
  [
    /\bsocket\.(?:socket|create_connection)\b/,
    /\.recv\s{0,4}\(/,
    anyCase`Popen\s{0,4}\(\s{0,4}\[?\s{0,4}["'](?:/bin/)?(?:${SHELLS}|${UNIX_SHELLS})\b`,
    /\bstdin\s{0,4}=\s{0,4}subprocess\.PIPE\b/,
  ],
  [
    /\bwebsockets?\.(?:connect|create_connection|WebSocketApp)\s{0,4}\(|\bsocketio\.(?:Async)?Client\s{0,4}\(/,
    /\b(?:getoutput|check_output|run|Popen)\s{0,4}\(\s{0,4}[a-z]\w{0,30}\s{0,4}(?:\)|,\s{0,4}shell\s{0,4}=\s{0,4}True)/,
    /\.recv\s{0,4}\(|\bon_message\b|\.on\s{0,4}\(/,
  ],
  // Runs what a message says.
  [
    /\btelebot\b|\btelegram\.ext\b|\bdiscord\b|\bslack_(?:bolt|sdk)\b/,
    /\b(?:getoutput|check_output|run|Popen|system)\s{0,4}\(\s{0,4}\w{1,40}\.(?:text|content)\b[^\n]{0,60}(?:shell\s{0,4}=\s{0,4}True|\.popen|\)\s{0,4}$)/m,
  ],
  [
    /\bsocat\b[^\r\n]{0,200}\b(?:tcp|udp|openssl)\d?(?:-connect)?:[^\r\n]{1,200}\bexec:|\bsocat\b[^\r\n]{0,200}\bexec:[^\r\n]{1,200}\b(?:tcp|openssl)\d?(?:-connect)?:/i,
  ],
  // Opens the way in for a key, and says where.
  [
    /\bauthorized_keys\b/,
    /\bssh-(?:rsa|ed25519)\s{1,4}AAAA/,
    /\b(?:curl|wget)\b[^\r\n]{0,300}(?:\$\(|\x60)(?:hostname|whoami|id|curl)\b/,
  ],
  [/\bld\.so\.preload\b/, /\b(?:curl|wget)\s[^\r\n]{0,300}https?:/],
  // Code of a server, given to an interpreter in a command line.
  [
    /\bpython\d?(?:\.\d{1,2})?\s{1,4}-c\s{1,4}["'][^\r\n]{0,600}\bexec\s{0,4}\([^\r\n]{0,80}\b(?:urlopen|requests\.get)\s{0,4}\(/,
  ],
  // A program without the mark of its origin.
  [/\bcurl\b[^\r\n]{0,300}\/tmp\//, /\bxattr\s{1,4}-(?:c|cr|rc)\b/, /\bchmod\s{1,4}(?:\+x|[0-7]{3,4})\b/],
  // A library or program that is kept as another file.
  [
    anyCase`\b(?:copy|ren|rename|move)\b[^\r\n]{0,60}\.(?:bin|dat|png|jpe?g|gif|txt|log|tmp|pdf|docx?|xlsx?)"?\s{1,4}"?[^\s"]{1,200}\.${RUNNABLE}\b[\s\S]{0,4000}\b${LIBRARY_RUNNERS}\b`,
  ],
  // A program that is kept as another file, and started.
  [
    anyCase`\b(?:copy|ren|rename|move)\b[^\r\n]{0,100}\.(?:bin|dat|png|jpe?g|gif|txt|log|tmp|pdf|docx?|xlsx?)"?\s{1,4}"?([^\s"&|]{3,200}\.${RUNNABLE})\b[\s\S]{0,2000}?\bstart\b[^\r\n]{0,60}?\1`,
  ],
  // Code of a server or of data beside it, given to an interpreter.
  [anyCase`\bfinger(?:\.exe)?\s{1,4}[^\s@|]{0,60}@[^\s|]{1,100}\s{0,4}(?:\|[^\r\n|]{0,60}){0,2}\|\s{0,4}${SHELLS}\b`],
  [
    /\bpythonw?\d?(?:\.exe)?["']?\s{1,4}-c\s{1,4}["'][^\r\n]{0,200}\bexec\s{0,4}\([^\r\n]{0,100}(?:b64decode|decompress|loads)\s{0,4}\([^\r\n]{0,60}\bopen\s{0,4}\(/,
  ],
  // A folder on the web, as a drive whose libraries run.
  [
    anyCase`\bnet\s{1,4}use\s{1,4}([a-z]):\s{1,4}"?\\\\[\w.-]{1,200}@(?:ssl|\d{1,5})[\\@][\s\S]{0,4000}?\b\1:\\[^\r\n]{1,200}\.${RUNNABLE}\b`,
  ],
  // Passwords of browsers, decrypted and sent.
  [
    /Login Data|\bLocal State\b/,
    /\bCryptUnprotectData\b|\bencrypted_key\b/,
    /\brequests\.(?:post|put)\b|\burlopen\b|\bsmtplib\b|\bftplib\b|\bwebhook/i,
  ],
  // Machine code of the script itself.
  [
    /\bctypes\b/,
    /\bVirtualAlloc(?:Ex)?\b/,
    /\bRtlMoveMemory\b|\bmemmove\b/,
    /\bCreate(?:Remote)?Thread\b|\bCFUNCTYPE\b/,
    /(?:\\x[\da-f]{2}){8}/i,
  ],
  // Encrypts what people keep, and asks for money.
  [
    /\bos\.walk\s{0,4}\(|\.rglob\s{0,4}\(/,
    /\.encrypt\s{0,4}\(/,
    /\bos\.(?:remove|unlink|rename)\s{0,4}\(|\.unlink\s{0,4}\(|\bopen\s{0,4}\([^\n]{0,80}["']wb["']/,
    /\b(?:BTC|bitcoin|monero|XMR|ransom)\b|files (?:have been|are|were) (?:encrypted|locked)/i,
  ],
  // Exchanges accounts of coins in what is copied.
  [
    /\bpyperclip\b|\bwin32clipboard\b/,
    /\bwhile\s{1,4}(?:True|1)\b/,
    /\bbc1q[a-z\d]{30,}|\b0x[\da-f]{40}\b|["'][13][a-km-zA-HJ-NP-Z1-9]{25,34}["']/i,
    /\bre\.(?:match|search|compile|fullmatch|sub)\b/,
  ],
  // Code of a server that starts with Windows.
  [
    anyCase`\bCurrentVersion\\{1,4}${RUN_KEYS}\b`,
    /\bSetValueEx\s{0,4}\(/,
    /\burlopen\b|\brequests\.get\b|\burlretrieve\b/,
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
  // Runs code of a server again and again, or whenever the computer or a shell starts.
  [/\bcrontab\b|\/etc\/cron|\/var\/spool\/cron/, CRON_LOADS],
  [/\bsystemctl\b|\/systemd\//, FETCHED_BY_SERVICE],
  [FETCHED_BY_PROFILE],
  // Reads the secrets of a build from the memory of its runner, or prints all of them coded, so that the log does not mask them.
  [/\/proc\/[^\n"']{0,40}\/mem\b|\bgcore\b/, /\bRunner\.Worker\b/],
  [/\bisSecret\W{1,12}true\b/, new RegExp(String.raw`\/mem\b|\bgcore\b|\bRunner\.Worker\b|${TWICE}`)],
  [new RegExp(String.raw`(?:\b(?:env|printenv)\b|\btoJSON\s{0,4}\(\s{0,4}secrets\b)[^\r\n]{0,200}${TWICE}`)],
  // Ends the programs of other attackers, and starts its own.
  [
    /\b(?:pkill|killall|kill\s{1,4}-9)\b/,
    /\b(?:xmrig|xmr-stak|kinsing|kdevtmpfsi|kthreaddi|watchbog|sysrv|minerd|cpuminer|ddgs|xmrigDaemon|cnrig|xmrigMiner)\b/,
    /\b(?:curl|wget)\s/,
    /\bchmod\b/,
    /\b(?:nohup|setsid|crontab|systemctl)\b/,
  ],
  // Starts a program of a server, and removes every trace of how.
  [
    /\b(?:curl|wget)\s/,
    /\bchmod\s{1,4}(?:\+x|u\+x|a\+x|[0-7]{3,4})\b/,
    /\b(?:nohup|setsid|disown)\b/,
    /\bhistory\s{1,4}-c\b|\bunset\s{1,4}HISTFILE\b|\bHISTFILE=\/dev\/null/,
    /\brm\s{1,4}(?:-\w{1,4}\s{1,4}){0,3}(?:--\s{1,4})?["']?\$(?:0\b|\{0\}|\{?BASH_SOURCE)/,
  ],
  // Digs for coins by a program of a server, or stays.
  [/stratum\+(?:tcp|ssl):\/\//i, /\b(?:curl|wget)\b/, /\bchmod\b/],
  [/stratum\+(?:tcp|ssl):\/\//i, anyCase`\b(?:crontab|nohup|systemctl|${PROXIES}|setsid)\b`],
]
const DESTROYS = RECOVERY_REMOVAL.map((source) => new RegExp(source, 'i'))
const DESTROYS_MIN = 2

export function doesHarm(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  return (
    HARMS.some((all) => all.every((each) => each.test(text))) ||
    DESTROYS.filter((each) => each.test(text)).length >= DESTROYS_MIN ||
    steals(text) ||
    harmsInline(text)
  )
}

/** Published overflows of the engine free an object while it is destroyed, and prepare machine code. */
const CORRUPTS = [/\bSub\s+Class_Terminate\b/i, /%u[\da-f]{4}%u[\da-f]{4}/i]

export function corruptsMemory(text: string): boolean {
  return CORRUPTS.every((each) => each.test(text))
}

const CHARACTER_WORK = 10
