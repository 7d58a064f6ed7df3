/** Command lines that people start from macros on purpose. */

import { charge } from '#inspect/core/work.ts'
import { foreignServers } from '../targets.ts'
import { GAP } from './values.ts'

/** `everyday`: a tool or a program of its own. `script`: a script or program whose content the macro does not show. */
type Grade = 'everyday' | 'script'

/** Programs of Windows that run others, anywhere in the command. */
const PROXIES =
  /(?<![\w.-])(?:mshta|regsvr32|certutil|bitsadmin|wmic|msiexec|schtasks|vssadmin|wbadmin|bcdedit|forfiles|cmstp|installutil|msbuild|iex)(?:\.exe)?(?![\w.-])|\breg(?:\.exe)? +(?:add|import|delete|load)\b/
/** A program in a folder where anyone may write. */
const LOOSE_PROGRAM =
  /(?:%(?:temp|tmp|appdata|localappdata|public|programdata|allusersprofile|userprofile)%|\\(?:users|programdata|windows\\temp)\\)[^"|&<>]{0,200}\.(?:exe|com|scr|pif|dll|ocx|cpl|bat|cmd|vb[es]|jse?|ws[fh]|hta|ps1|lnk|msi|jar|py)\b/
const LOOSE_FOLDER = /^(?:%(?!programfiles|windir|systemroot)\w|c:\\(?:users|programdata|windows\\temp|temp|tmp)\\)/
const START_FOLDER = /\\startup\b|\\xlstart\b|%startup%/
const PROTECTION = /msmpeng|defender|mcafee|sophos|symantec|kaspersky|\bavp\b|ekrn|sentinel|crowdstrike|csfalcon/
const PRINTER_DIALOG = /^rundll32(?:\.exe)? +(?:printui\.dll|user32\.dll) ?, ?\w+/
/** Alone, it is what tests of exploits start. */
const NEUTRAL = /^(?:echo|cd|chdir|pushd|popd|title|exit|set|rem|timeout)\b/
const COMMAND_WORK = 200
/** Nobody writes longer ones. */
export const COMMAND_MAX = 1_000

/** null: neither. The whole command must be known, except for arguments. */
export function gradeCommand(command: string): Grade | null {
  if (command.length > COMMAND_MAX) return null
  charge(command.length * COMMAND_WORK)
  const text = command.trim().toLowerCase()
  if (text === '' || PROXIES.test(text) || LOOSE_PROGRAM.test(text) || START_FOLDER.test(text)) return null
  if (PROTECTION.test(text) || /[\^`]\S|%\w+:~/.test(text) || foreignServers(text).includes(true)) return null
  const pieces = piecesOf(withoutShell(text))
  const grades = pieces.filter((piece) => !NEUTRAL.test(piece)).map(gradePiece)
  if (grades.length === 0 || grades.includes(null)) return null
  return grades.includes('script') ? 'script' : 'everyday'
}

/** `cmd /c "…"`. */
function withoutShell(text: string): string {
  const inner = /^"?(?:%comspec%|(?:\S{0,60}\\)?cmd(?:\.exe)?)"?(?: +\/[a-z](?::\w+)?)* +\/[ckr] *(.*)$/s.exec(
    text,
  )?.[1]
  if (inner === undefined) return text
  return /^"[^"]*"$|^".*".*"$/s.test(inner) && !/^"[^"]*" /.test(inner) ? inner.slice(1, -1) : inner
}

/** Commands that are joined, outside quotes. Output to a file is left out. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    if (at < text.length && (isQuoted || (character !== '&' && character !== '|'))) continue
    const piece = text.slice(from, at).trim()
    if (piece !== '') pieces.push(piece.replace(/^[(@]+/, '').replace(/ *[12]?>>? *(?:"[^"]*"|\S+)$/, ''))
    from = at + 1
  }
  return pieces
}

/** The first word or quoted path, and the rest. */
function split(piece: string): [program: string, rest: string] {
  const quoted = /^"([^"]*)" ?(.*)$/s.exec(piece)
  if (quoted !== null) return [quoted[1] ?? '', quoted[2] ?? '']
  const path = /^([a-z]:\\[^"<>|*?]{0,200}?\.(?:exe|com|bat|cmd))(?: (.*))?$/s.exec(piece)
  if (path !== null) return [path[1] ?? '', path[2] ?? '']
  const at = piece.search(/\s/)
  return at === -1 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1).trim()]
}

function gradePiece(piece: string): Grade | null {
  if (PRINTER_DIALOG.test(piece)) return 'everyday'
  const [program, rest] = split(piece)
  const name = (program.split('\\').at(-1) ?? '').replace(/\.(?:exe|com)$/, '')
  const isSystem = !program.includes('\\') || /^(?:%windir%|%systemroot%|[a-z]:\\windows)\\(?!temp\\)/.test(program)
  if (isSystem || isInstalled(program)) {
    const grade = gradeTool(name, rest)
    if (grade !== null) return grade
  }
  if (program.includes(GAP) || LOOSE_FOLDER.test(program)) return null
  if (isInstalled(program)) return 'everyday'
  if (program.startsWith('\\\\')) return 'script'
  return /^[a-z]:\\(?!windows\\)[^\\]/.test(program) ? 'everyday' : null
}

const isInstalled = (program: string): boolean =>
  /^(?:[a-z]:\\program files(?: \(x86\))?\\|%programfiles(?:\(x86\))?%\\)/.test(program)

function gradeTool(name: string, rest: string): Grade | null {
  return TOOLS.get(name)?.(rest) ?? null
}

function isPlain(rest: string): boolean {
  return !/(?:https?|ftp):/.test(rest)
}

/** Of a server with a name. */
const isNamedPage = (rest: string): boolean =>
  /^(?:-\S+ +)*"?https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/"?#:]|$)/.test(rest) &&
  !/\.(?:exe|hta|js|vbs|lnk)\b/.test(rest)

/** Commands in the arguments, and windows that nobody sees. */
const HOST_OPTIONS = /(?:^| )[-/](?:c|co\w*|e|en\w*|ec|w|wi\w*)(?= |$)/

/** A script in a file, not a command. Where it is was checked before. */
function isScriptFile(rest: string, forbidden: RegExp): boolean {
  return isPlain(rest) && !forbidden.test(rest) && /\.(?:py|pyw|js|jar|pl|php|rb|ps1|vbs|wsf)\b/.test(rest)
}

function gradeStarted(rest: string): Grade | null {
  const target = rest
    .replace(/^(?:""|"[^"]*"(?= ))? *(?:\/(?:min|max|b|wait|normal|d +\S+) *)*/, '')
    .replace(/^""? */, '')
  if (target === '') return null
  if (/^"?[a-z]:\\[^"]*\.(?:pdf|docx?|xls[xmb]?|txt|csv|html?|png|jpg)"?$/.test(target)) return 'everyday'
  return isNamedPage(target) ? 'everyday' : gradePiece(target)
}

const DATA_OUTPUT =
  /(?:^| )-(?:o|-output|-?output-document) ?"?[^"|&]{0,200}?\.(?:json|csv|tsv|xml|txt|html?|pdf|xlsx?|png|jpe?g|gif)"?(?: |$)/

function gradeDownload(rest: string): Grade | null {
  const isNamed = /https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/"?#:\s]|$)/.test(rest)
  return isNamed && DATA_OUTPUT.test(rest) ? 'everyday' : null
}

type GradeRest = (rest: string) => Grade | null

const graded =
  (test: (rest: string) => boolean, grade: Grade = 'everyday'): GradeRest =>
  (rest) =>
    test(rest) ? grade : null
const named = (names: string, grade: GradeRest): (readonly [string, GradeRest])[] =>
  names.split(/\s+/).map((name) => [name, grade])

const TOOLS: ReadonlyMap<string, GradeRest> = new Map([
  ...named(
    `xcopy robocopy copy move ren rename md mkdir dir type hostname ipconfig ping subst tasklist taskkill git svn hg 7z 7za 7zg
    zip tar rar winrar sqlcmd bcp osql sqlplus psql mysql mysqldump pg_dump gpg winscp pscp psftp sftp ftp pdftk pdftotext
    gswin32c gswin64c magick ffmpeg soffice libreoffice winword excel powerpnt msaccess outlook visio acrobat acrord32
    sumatrapdf foxitreader notepad++ code snippingtool mstsc dotnet rscript matlab`,
    graded(isPlain),
  ),
  // Alone, they are what tests of exploits start.
  ...named(
    'explorer notepad write wordpad mspaint',
    graded((rest) => rest !== '' && isPlain(rest)),
  ),
  ...named(
    'chrome msedge firefox iexplore',
    graded((rest) => isPlain(rest) || isNamedPage(rest)),
  ),
  ...named(
    'python python3 pythonw py node java javaw perl php ruby',
    graded((rest) => isScriptFile(rest, /^-(?:[cerm]|-eval)\b/)),
  ),
  ...named(
    'powershell pwsh wscript cscript',
    graded((rest) => isScriptFile(rest, HOST_OPTIONS), 'script'),
  ),
  ...named(
    'net',
    graded((rest) => /^(?:use|time)\b/.test(rest) && isPlain(rest)),
  ),
  ...named(
    'del erase',
    graded((rest) => !/\/s\b|\\?\*(?:\.\*)?"?(?:\s|$)/.test(rest)),
  ),
  ['call', gradePiece],
  ['if', (rest) => gradePiece(rest.replace(/^(?:not +)?exist +(?:"[^"]*"|\S+) */, ''))],
  ['start', gradeStarted],
  ...named('curl wget', gradeDownload),
])
