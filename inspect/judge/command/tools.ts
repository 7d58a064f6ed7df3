/** Tools that macros start on purpose, and the arguments with which they do nothing but their work. */

import { baseName, isInstalled, isLoose, isOption } from '#inspect/commands/parse.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { classifyTarget, foreignServers, isBareAddress, reachOf } from '#inspect/targets/targets.ts'
import { HOST_SCRIPTS, LIBRARIES, OPENED } from '#inspect/windows/extensions.ts'
import { SYSTEM } from '#inspect/windows/folders.ts'
import { POWERSHELLS, SCRIPT_HOSTS } from '#inspect/windows/programs.ts'
import { isDangerousName, isDataName } from '../extensions.ts'
import { type Grade, type GradeArguments, HOSTILE, hasStream, isPlainValue, named } from './grades.ts'
import { INTERPRETERS } from './interpreters.ts'

/** With these options and plain values, nothing else is run. */
const tool =
  (options: RegExp, isValue: (value: string) => boolean = isPlainValue): GradeArguments =>
  (args) => {
    if (args.some((argument) => HOSTILE.test(argument))) return 'hostile'
    return args.every((argument) => (isOption(argument) ? options.test(argument) : isValue(argument)))
      ? 'ordinary'
      : 'script'
  }

const ANY_OPTION = /^[-/]{1,2}[\w+-]+(?:[:=,].*)?$/
const required =
  (grade: GradeArguments): GradeArguments =>
  (args) =>
    args.length === 0 ? null : grade(args)

const LIBRARY = pattern`\.${LIBRARIES}$`
const LOADED = pattern`\.(?:${LIBRARIES}|lnk|url)$`
const HOST_SCRIPT = pattern`\.${HOST_SCRIPTS}$`

/** A document, or a file whose kind is unknown. */
const isDocument = (value: string): boolean =>
  isPlainValue(value) && !LOADED.test(value) && (/^[\w.+-]+@[\w.-]+$/.test(value) || !isDangerousName(value))
const document = (options: string): GradeArguments => {
  const grade = tool(new RegExp(`^[-/]{1,2}(?:${options})$`), isDocument)
  return (args) => (args.some((argument) => LIBRARY.test(argument)) ? 'hostile' : grade(args))
}

const folder = tool(/^\/(?:e|n|root|select)?,.*$|^\/[en]$/, isDocument)

/** Of a server with a name, or of the company. */
export function isKnownPage(address: string): boolean {
  const { kind, host } = classifyTarget(address)
  return (
    kind === 'web' &&
    (/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(host) || reachOf(host) === 'company') &&
    !isDangerousName(address.replace(/^\w+:\/\/[^/]*/, ''))
  )
}

const browser = tool(
  /^--?(?:new-window|new-tab|kiosk|incognito|inprivate|private(?:-window)?|start-maximized|start-fullscreen|profile-directory=.*|url|nohome|noframemerging|k|app=https?:\/\/[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/.*)?)$/,
  (value) => isDocument(value) || isKnownPage(value),
)

/** Commands in the arguments, and windows that nobody sees. */
const HOST_OPTIONS = /^[-/](?:c|co\w*|e|en\w*|ec|w|wi\w*)$/

/** Scripts of Windows. */
const host: GradeArguments = (args) =>
  !args.some((argument) => HOST_OPTIONS.test(argument) || /^(?:https?|ftp):/.test(argument)) &&
  args.some((argument) => HOST_SCRIPT.test(argument))
    ? 'script'
    : null

const DATA_OPTIONS =
  /^-{1,2}(?:[sslkfgi]{1,5}|silent|show-error|location|insecure|fail|compressed|max-time|connect-timeout|m|h|header|u|user|a|user-agent|x|request|get|q|quiet|no-check-certificate|nv|o.*|output.*|http1\.1|retry|ssl-no-revoke)$/

/** Data of a server with a name, in a file. */
const download: GradeArguments = (args) => {
  const addresses = args.filter((argument) => /^[a-z]+:\/\//.test(argument))
  const at = args.findIndex((argument) => /^(?:-o|--output|--output-document)$/.test(argument))
  const output = at === -1 ? (args.find((argument) => /^(?:-o.|--output)/.test(argument)) ?? '') : (args[at + 1] ?? '')
  if (addresses.length === 0 || !addresses.every(isKnownPage)) return null
  if (!isDataName(output) || hasStream(output)) return null
  // In lower case, `-k` is also a file with options.
  const hasFile = args.some((argument, place) => argument === '-k' && /^\w(?!\w+:\/\/)/.test(args[place + 1] ?? ''))
  const isKnown = args.every((argument) => !isOption(argument) || DATA_OPTIONS.test(argument))
  return isKnown && !hasFile ? 'ordinary' : 'script'
}

const FILE_OPTION = /^\/[\w+-]{1,14}(?::.*)?$/
const PROGRAM_NAME = pattern`\.(?:${OPENED}|pyw?)$`
const USER_DATA = pattern`^(?:%(?:userprofile|appdata|localappdata)%|[a-z]:\\users\\)|\.(?:pst|ost|kdbx)$|\\\.ssh\b`

/** Copies of files: not of programs of Windows, and not under another kind of name. */
const transfer: GradeArguments = (args) => {
  const [source = '', target = '', ...names] = args.filter((argument) => !isOption(argument))
  if (copiesHidden(source, target, names)) return 'hostile'
  const isKnown = args.every((argument) =>
    isOption(argument) ? FILE_OPTION.test(argument) : isPlainValue(argument) && !WINDOWS.test(argument),
  )
  if (!isKnown || renamesProgram(source, target)) return 'script'
  return gradeServers(source, target)
}

const WINDOWS = pattern`^${SYSTEM}\\`

/** Programs of Windows or with unknown names, data that becomes a program, and streams. */
function copiesHidden(source: string, target: string, names: readonly string[]): boolean {
  if (hasStream(source) || hasStream(target)) return true
  const isProgram = [source, ...names].some((name) => PROGRAM_NAME.test(name))
  const isPattern = /[*?]/.test(source)
  if (WINDOWS.test(source) && (isProgram || isPattern)) return true
  if (isProgram) return /[*?]\w|\w[*?]|\?/.test(baseName(source).replace(/\.\w+$/, ''))
  return PROGRAM_NAME.test(target) && source !== ''
}

function renamesProgram(source: string, target: string): boolean {
  if (!PROGRAM_NAME.test(source)) return false
  return isInstalled(target) || (PROGRAM_NAME.test(target) && baseName(target) !== baseName(source))
}

/** A copy to a server with a name is a backup, unless it takes the files of a user. */
function gradeServers(source: string, target: string): Grade | null {
  if (foreignServers(`${source}\\`).includes(true)) return null
  if (!foreignServers(`${target}\\`).includes(true)) return 'ordinary'
  const isBare = target.includes('@') || isBareAddress(`http://${target.slice(2).split('\\')[0]}`)
  return isBare || USER_DATA.test(source) ? null : 'script'
}

const GIT_COMMANDS =
  /^(?:add|branch|checkout|commit|describe|diff|fetch|log|ls-files|pull|push|rev-list|rev-parse|show|stash|status|switch|tag|up|update|info|ci|cleanup)$/

const GIT_OPTION =
  /^-(?:[a-z]{1,2}|\d+|-(?:oneline|short|all|amend|quiet|verbose|porcelain|graph|stat|cached|force|hard|tags|abbrev\S*|version|no-\w+|prune|rebase|ff-only|(?:format|pretty|since|max-count|message|date|author)=.*|name-only|set-upstream|dirty|always|long|count))$/

const version: GradeArguments = (args) => {
  // In lower case, `-C` is a folder and `-c` a setting.
  if (args.some((argument, at) => argument === '-c' && args[at + 1]?.includes('='))) return 'hostile'
  const command = args.find((argument, at) => !isOption(argument) && args[at - 1] !== '-c') ?? ''
  return GIT_COMMANDS.test(command) || command === '' ? tool(GIT_OPTION)(args) : 'script'
}

/** Files to and from a server, without commands in a file. */
const remoteCopy = tool(
  /^-(?:batch|p|pw|i|r|q|n|a|v|[24]|sftp|scp|c)$/,
  (value) => isPlainValue(value.replace(/^[\w.-]+@[\w.-]+:|^[a-z][\w.-]+:/, '')) && !/@\d+(?:\.\d+){3}/.test(value),
)

export const TOOLS: ReadonlyMap<string, GradeArguments> = new Map([
  ...INTERPRETERS,
  ...[...POWERSHELLS, ...SCRIPT_HOSTS].flatMap((name) => named(name, host)),
  ...named('copy xcopy robocopy move ren rename', transfer),
  ...named(
    'md mkdir dir type hostname ipconfig ping subst tasklist taskkill find findstr more sort clip chcp cls ver',
    tool(FILE_OPTION),
  ),
  ...named('ping ipconfig', tool(ANY_OPTION)),
  ...named(
    'attrib',
    tool(/^(?:\/[sd]|-[rahs])$/, (value) => value === '+r' || (isPlainValue(value) && !value.startsWith('+'))),
  ),
  ...named('git svn hg', version),
  ...named('7z 7za 7zg zip rar winrar', tool(/^-(?!tt)[\w=@.:\\\ufffd-]*$/)),
  ...named('tar', tool(/^-(?:[acjktvxzfp]+|c|-exclude=.*|-directory)$/)),
  ...named(
    'sqlcmd bcp osql sqlplus psql mysql mysqldump pg_dump',
    tool(/^-{1,2}\w[\w-]*(?:[:=].*)?$/, (value) => !/:\/\/|[|`]/.test(value) && !PROGRAM_NAME.test(value)),
  ),
  ...named('gpg', tool(/^-(?!-?.*program|-exec|-photo)-?[\w-]+$/)),
  ...named('pscp psftp scp sftp', remoteCopy),
  ...named('winscp ftp', tool(/^[-/](?:n|i|v|d|g|log=.*|ini=.*)$/)),
  ...named('pdftk pdftotext magick ffmpeg acrobat acrord32 sumatrapdf foxitreader', tool(ANY_OPTION, isDocument)),
  ...named('notepad++', tool(/^-(?:n\d+|multiinst|nosession|ro)$/)),
  // They run scripts or commands of other computers.
  ...named('plink putty ssh nc ncat psexec psexec64 ngrok autohotkey autoit3', () => 'script'),
  ...named('gswin32c gswin64c', tool(/^-(?!dnosafer)(?:d\w+(?:=.*)?|s\w+=.*|o.*|f|q|r\d\S*|g\d+x\d+)$/)),
  ...named(
    'soffice libreoffice',
    tool(
      /^--?(?:headless|invisible|nologo|norestore|nofirststartwizard|convert-to|outdir|p|print-to-file|printer-name|pt|writer|calc|impress|view|n|o)$/,
    ),
  ),
  ...named('winword', document('[nwqaxfr]|safe|t.*|h|mfile\\d')),
  ...named('excel', document('[exrsnhp]|safe(?:mode)?|t.*|a|m')),
  ...named('powerpnt', document('[snpcb]|pt|safe')),
  ...named('msaccess', document('ro|x|cmd|runtime|nostartup|wrkgrp|excl|user|pwd|profile|repair|compact.*')),
  ...named('outlook', document('[cma]|select|recycle|safe|f|p|profile|cleanviews')),
  ...named('visio', document('\\w+')),
  ...named('snippingtool', tool(/^\/clip$/)),
  ...named(
    'mstsc',
    tool(/^\/(?:v:.*|f|admin|span|multimon|w:\d+|h:\d+|edit)$/, () => false),
  ),
  ...named('code', (args) =>
    args.includes('tunnel') ? 'hostile' : tool(/^-(?:n|r|g|w|a|d|-new-window|-reuse-window|-goto|-diff|-wait)$/)(args),
  ),
  ...named('git-bash', tool(/^--(?:cd=.*|no-cd)$/)),
  // Alone, they are what tests of exploits start.
  ...named('notepad write wordpad mspaint', required(tool(/^\/(?:p|pt|a|w)$/))),
  // It opens anything.
  ...named(
    'explorer',
    required((args) => (folder(args) === 'ordinary' && !args.some(isDangerousName) ? 'ordinary' : null)),
  ),
  ...named('chrome msedge firefox iexplore', browser),
  // Scripts in a help file run.
  ...named('hh', (args) =>
    args.length === 1 && /\.chm$/.test(args[0] ?? '') && isPlainValue(args[0] ?? '') && !isLoose(args[0] ?? '')
      ? 'script'
      : null,
  ),
  ...named('net', (args) => (/^(?:use|time)$/.test(args[0] ?? '') ? tool(/^\/[\w:]+$/)(args) : null)),
  ...named('del erase', (args) =>
    args.some((argument) => argument === '/s' || /(?:^|\\)\*(?:\.\*)?$/.test(argument) || WINDOWS.test(argument))
      ? null
      : tool(FILE_OPTION)(args),
  ),
  ...named('curl wget', download),
])
