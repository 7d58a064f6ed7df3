/** Tells programs that scripts of administrators and builds start from those that only attackers start that way. */

import { hidesText } from '#inspect/judge/basic/obfuscation.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { isIpAddress, reachOf } from '#inspect/judge/targets.ts'

/** `ordinary`: a tool that copies, packs, builds or shows. `local`: another program of the computer. */
type StartKind = 'ordinary' | 'local' | 'threat'

/** Tools that do what their arguments say, and run no code of others. */
const TOOLS = new Set(
  `robocopy xcopy copy move del erase ren rename md mkdir rd rmdir dir type echo cd pushd popd attrib icacls cacls takeown subst
  compact fc find findstr sort more tree vol label date time ver cls pause exit title timeout sleep choice where whoami hostname
  7z 7za 7zr 7zg winrar rar unrar zip unzip tar gzip compress expand makecab extrac32 git svn hg npm npx yarn pnpm node tsc mvn
  mvnw gradle gradlew ant make nmake cmake ninja cl link devenv dotnet nuget vstest makensis iscc candle light wix signtool
  javac doxygen pandoc pdflatex latexmk notepad notepad++ wordpad write mspaint winword excel powerpnt outlook acrord32 acrobat
  ping ipconfig tracert pathping nslookup netstat arp route gpupdate gpresult tasklist systeminfo driverquery getmac chkdsk
  defrag cleanmgr sqlcmd osql bcp mysqldump pg_dump mysql psql sqlite3 mstsc print rundesk wmplayer vlc iisreset w32tm tzutil
  powercfg slmgr tf p4 cvs bzr fossil`.split(/\s+/),
)
/** Commands of tools that can do harm as well, which only ask. */
const QUESTIONS =
  /^(?:msbuild(?:\.exe)?"?(?: \/\S+)* "?[\w .\\-]+\.(?:sln|csproj|vbproj|vcxproj)\b|reg(?:\.exe)?"? (?:query|export|compare)\b|schtasks(?:\.exe)?"? \/query\b|sc(?:\.exe)?"? (?:\\\\\S+ )?(?:query|qc|queryex)\b|net(?:\.exe)?"? (?:use|time|view|user|start|stop|statistics|session|share|send)\b(?!.*\/add)|msiexec(?:\.exe)?"?(?: \/(?!i:|z)\S+)* \/(?:i|x|p|package|uninstall)\b|netsh(?:\.exe)?"? .*\bshow\b|wevtutil(?:\.exe)?"? (?:qe|gl|epl)\b|explorer(?:\.exe)?"?(?:$| "?[a-z]:\\))/i
/** Demonstrations of attacks start the calculator, or print a line in a window that closes. */
const PRINTING = /^echo [^>]*$/i
const DEMONSTRATION = /(?:^|[\\/ "'])calc(?:\.exe)?["']?(?:$|\s)/i
const MAIL_ADDRESS = /^"?mailto:[\w.+-]+@[\w.-]+(?:\?[^"]*)?"?$/i
/** Folders that every program can write to. */
export const DROP_FOLDER =
  /%(?:temp|tmp|appdata|localappdata|public|programdata)%|\\(?:temp|tmp|appdata|programdata|users\\public|perflogs)\\/i

export function classifyStart(command: string, source: string): StartKind {
  if (hidesText(command, source)) return 'threat'
  const parts = innerCommands(command)
  const kinds = parts.map((part) => classifyPlain(part, source) ?? classifyPart(part))
  if (kinds.includes('threat') || parts.every((part) => PRINTING.test(part))) return 'threat'
  return kinds.includes('local') ? 'local' : 'ordinary'
}

/** The commands that an interpreter is given, otherwise the command itself. */
function innerCommands(command: string): string[] {
  const plain = command.replace(/\s+/g, ' ').trim()
  const inner =
    /^"?(?:[^" ]*\\|%comspec%\\?)?(?:cmd(?:\.exe)?|%comspec%)"?(?: \/[dqsuv](?::\w+)?)* \/[ck] ?(.*)$/i.exec(plain)?.[1]
  if (inner === undefined) return plain === '' ? [] : [plain]
  return inner
    .replace(/^"(.*)"$/, '$1')
    .split(/&&?|\|\|?/)
    .map((part) => part.trim().replace(/^@?(?:call|start(?: ""| "[^"]*")?(?: \/\w+)*) /i, ''))
    .filter((part) => part !== '')
}

/** The shares of a Windows domain, for its logon scripts. An attacker can choose such a name, but no address as one. */
const LOGON_SHARE = /\\\\([\w.-]+)(?=\\(?:netlogon|sysvol)\\)/gi

function keepAddress(server: string, host: string): string {
  return isIpAddress(host) ? server : ''
}

const DRIVE = /^net(?:\.exe)? use ([a-z]:) "?\\\\([\w-]+(?:\.[\w-]+)+)\\[^@" ]{1,200}"?(?: \/\S{1,60}){0,5}$/i

/** Only administrators of the domain write there. */
const OWN_LOGON = /^"?(?:%logonserver%|\\\\[\w-]+)\\(?:netlogon|sysvol)\\[\w\\. -]+\.exe\b/i

/** A drive for the reader, on a named server, from which the script itself starts nothing. */
function connectsDrive(part: string, source: string): boolean {
  const [, drive, host] = DRIVE.exec(part) ?? []
  if (drive === undefined || host === undefined || isIpAddress(host)) return false
  return !new RegExp(`${drive}(?! *(?:"|\\\\\\\\|/d))`, 'i').test(source)
}

/** Connects a printer, or chooses the one for new documents. */
const PRINTER =
  /^rundll32(?:\.exe)? printui(?:\.dll)? ?, ?PrintUIEntry(?: \/(?:in|dn|y|q|ga|gd|n ?"?\\\\[\w.$ -]+\\[\w.$ -]+"?))+$/i

function classifyPlain(part: string, source: string): StartKind | null {
  if (MAIL_ADDRESS.test(part)) return 'ordinary'
  return connectsDrive(part, source) ? 'local' : null
}

function classifyPart(part: string): StartKind {
  if (DEMONSTRATION.test(part)) return 'threat'
  const command = findCommand(part)
  const reach = serversIn(part, command)
  if (reach === 'internet') return 'threat'
  if (QUESTIONS.test(part) || PRINTER.test(part)) return reach === 'zone' ? 'local' : 'ordinary'
  const program = programOf(part)
  if (command?.isEncoded || command?.isObfuscated) return 'threat'
  if (TOOLS.has(program)) return 'ordinary'
  if (DROP_FOLDER.test(part)) return 'threat'
  if (command !== null) return isOwnScript(command.program, part) ? 'local' : 'threat'
  return OWN_LOGON.test(part) ? 'ordinary' : localOrThreat(program)
}

function localOrThreat(program: string): StartKind {
  return /^[\w .()+-]+$/.test(program) ? 'local' : 'threat'
}

/** The farthest server that a command names. */
function serversIn(part: string, command: ReturnType<typeof findCommand>): ReturnType<typeof reachOf> {
  const isLogon = command === null || /^[wc]script$/.test(command.program)
  const named = isLogon ? part.replace(LOGON_SHARE, keepAddress) : part
  const hosts = [...named.matchAll(/\\\\([\w.-]+)(@?)/g)]
  if (/(?:https?|ftp):\/\//i.test(part) || hosts.some(([, host = '', at]) => at !== '' || reachOf(host) === 'internet'))
    return 'internet'
  return hosts.some(([, host = '']) => reachOf(host.toLowerCase()) === 'zone') ? 'zone' : 'company'
}

/** A script beside this one, run by its interpreter. */
function isOwnScript(program: string, part: string): boolean {
  return (
    /^(?:wscript|cscript|java|javaw|powershell|pwsh|python|pythonw)$/.test(program) &&
    !/-w(?:in\w*)? (?:h|1)|-c(?:ommand)? |downloadstring|\biex\b|\.(?:txt|dat|tmp|log|png|jpg)\b/i.test(part)
  )
}

function programOf(part: string): string {
  const word = /^"([^"]*)"|^(\S+)/.exec(part)
  const name = (word?.[1] ?? word?.[2] ?? '').split(/[\\/]/).at(-1) ?? ''
  return name.replace(/\.(?:exe|com|bat|cmd)$/i, '').toLowerCase()
}
