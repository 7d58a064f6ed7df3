/** Decides what it means that a macro starts a command: its words and where its program is decide. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { keep } from '#inspect/core/work.ts'
import type { BasicEffect, BasicReading } from '#inspect/programs/basic/basic.ts'
import { GAP, hasPartFrom, startsWithPartFrom, withoutGaps } from '#inspect/programs/basic/values.ts'
import { classifyTarget, foreignServers } from '#inspect/targets/targets.ts'
import { ADD_INS, BATCH_FILES, IMAGES, RUNNABLE } from '#inspect/windows/extensions.ts'
import { INSTALLED, LOOSE, SYSTEM, WRITABLE_VARIABLE } from '#inspect/windows/folders.ts'
import { SCREEN } from '#inspect/windows/libraries.ts'
import { BROWSERS, EDITORS, STARTED_BY_EXPLOITS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { assess, writtenByCommand } from '../command/assess.ts'
import { mappedDrive, type Written } from '../command/written.ts'
import { isDataName, kindOfExtension } from '../extensions.ts'
import { namesProgram } from './web-address.ts'

const MACRO = { by: 'macro' } as const

/** Characters of the name of a program. */
const NAME_MAX = 100

const HIDDEN_WINDOW = /-w(?:in\w*)? +(?:h(?:id\w*)?|1)\b/i

const WINDOW_STYLE = / -w(?:in\w*)? +\w+/i

export function judgeStart(effect: BasicEffect, reading: BasicReading, isObfuscated: boolean): Definition | null {
  const { text, isAutomatic, name } = effect
  const command = findCommand(text)
  const hostile = command?.isWindows === true ? judgeCommand(effect, command) : null
  if (hostile !== null) return hostile
  if (!isAutomatic) return name === 'create' ? MACROS.wmi : MACROS.execute
  const target = judgeTarget(text) ?? judgeOwn(text, reading)
  if (target !== null) return target
  // A process of WMI does not appear as started by Office.
  const grade =
    name === 'create' || opensUnknownFile(text, reading)
      ? null
      : assess(text, { by: 'macro', written: writtenIn(reading) })
  if (grade === 'hostile') return MACROS.autoProgram
  if (grade === 'ordinary') return MACROS.autoCommand
  if (isObfuscated) return MACROS.autoProgram
  return grade === 'script' ? MACROS.autoExecute : judgeProgram(effect, command !== null)
}

/** Not even the name of the program is known. A folder may be. */
const UNKNOWN_PROGRAM = new RegExp(`^"?[^\\s"\\\\/:]{0,${NAME_MAX}}${GAP}[^\\s"\\\\/]{0,${NAME_MAX}}(?:["\\s]|$)|^$`)

/** Whether a program is started without a click and out of sight, and nothing tells which one. */
export function startsConcealed({ kind, text, isAutomatic, needsUser, isConcealed }: BasicEffect): boolean {
  if (kind !== 'start' || !isAutomatic || needsUser === true || !UNKNOWN_PROGRAM.test(text)) return false
  return isConcealed === true || hasPartFrom('hidden', text)
}

/** A command from a place where nobody looks, or a file that the macro writes. null: neither. */
function judgeOwn(text: string, reading: BasicReading): Definition | null {
  if (hidesCommand(text)) return MACROS.autoProgram
  if (!startsOwnFile(text, reading)) return null
  return isOwnRoutine(text, reading) ? MACROS.autoCommand : MACROS.autoProgram
}

const WRITTEN = new WeakMap<BasicReading, Written[]>()

/** Files that a macro writes without a click. */
function writtenIn(reading: BasicReading): Written[] {
  const known = WRITTEN.get(reading)
  if (known !== undefined) return known
  const written = reading.effects.filter(({ isAutomatic }) => isAutomatic).flatMap(writtenBy)
  keep(written.length * WRITTEN_BYTES)
  WRITTEN.set(reading, written)
  return written
}

const WRITTEN_BYTES = 300

function writtenBy({ kind, text, name }: BasicEffect): Written[] {
  if (kind === 'start') return writtenByCommand(text)
  if (kind === 'drive') return [mappedDrive(text.slice(0, 2), text.slice(3))]
  if (kind === 'save')
    return text.startsWith(GAP) && text.endsWith('\\') ? [] : [{ path: text.toLowerCase(), isForeign: true }]
  if (kind !== 'fetch' || !name.startsWith('urldownload')) return []
  return [{ path: text.slice(text.indexOf(' ') + 1).toLowerCase(), isForeign: true }]
}

function hidesCommand(text: string): boolean {
  return hasPartFrom('coded', text) || startsWithPartFrom('hidden', text)
}

/** Neither hidden nor everyday. */
function judgeProgram({ text, name, needsUser }: BasicEffect, isCommand: boolean): Definition | null {
  if (!isCommand && name !== 'declare' && !isProgram(text)) return isDocumentPath(text) ? null : MACROS.autoExecute
  const isLoose = (LIBRARY_CALL.test(text.trim()) && !SCREEN_CALL.test(text.trim())) || LOOSE_PROGRAM.test(text)
  if (needsUser === true && !isLoose) return MACROS.execute
  const isHostile = isCommand || isLoose || name === 'create' || PIPED.test(text) || SYSTEM_PROGRAM.test(text.trim())
  return isHostile ? MACROS.autoProgram : MACROS.autoExecute
}

/** Into an interpreter. */
const PIPED = anyCase`\|\s{0,4}(?:sudo )?(?:python\d?|perl|ruby|php|node|osascript|${UNIX_SHELLS})\b`

/** An address, which the browser or the mail program shows, or text of a server. null: neither. */
function judgeTarget(text: string): Definition | null {
  if (startsWithPartFrom('fetched', text)) return MACROS.downloader
  const { kind, severity } = classifyTarget(text)
  if (kind === 'handler' && severity !== 'notice') return MACROS.autoProgram
  if (kind === 'mail') return MACROS.network
  if (kind !== 'web' && kind !== 'webIp') return null
  if (namesProgram(text)) return MACROS.downloader
  return kind === 'webIp' ? MACROS.autoExecute : MACROS.network
}

/** A file that the macro writes or fetches, also if one of the two names is unknown. */
function startsOwnFile(text: string, { effects }: BasicReading): boolean {
  const name = /([^\\/"]{1,100}\.\w{2,4})"?(?:\s|$)/.exec(text.slice(0, PROGRAM_MAX).toLowerCase())?.[1]
  return effects.some(({ kind, text: path, isAutomatic, name: call }) => {
    if (!isAutomatic || (kind !== 'save' && !(kind === 'fetch' && call.startsWith('urldownload')))) return false
    if (!isProgram(text)) return false
    const saved = path.toLowerCase()
    return saved.endsWith(GAP) || (name !== undefined && saved.includes(name))
  })
}

const BATCH_FILE = anyCase`\.${BATCH_FILES}"?(?:\s|$)`

/** A batch file of everyday commands that the macro writes itself. What else it writes must be such a line as well. */
export function isOwnRoutine(text: string, { lines, effects }: BasicReading): boolean {
  if (lines === null || !BATCH_FILE.test(text.slice(0, PROGRAM_MAX))) return false
  if (effects.some(({ kind }) => kind === 'fetch' || kind === 'code')) return false
  const commands = lines.flatMap((line) => line.split(/[\r\n]+/)).filter((line) => !IDLE_LINE.test(line))
  return commands.length > 0 && commands.every((line) => assess(line.replace(/^\s*@/, ''), MACRO) === 'ordinary')
}

/** Lines of a batch file that start nothing. */
const IDLE_LINE =
  /^\s*(?:$|@?(?:echo|rem|set|cd|chdir|pushd|popd|title|exit|pause|cls|timeout|setlocal|endlocal)\b(?![^&|<>]*[&|<>])|::)/i

/** `explorer` and `start` with an unknown file, in a macro that writes files. */
function opensUnknownFile(text: string, { effects }: BasicReading): boolean {
  return (
    /\b(?:explorer|start)\b/i.test(text) &&
    text.includes(GAP) &&
    effects.some(({ kind, isAutomatic }) => kind === 'save' && isAutomatic)
  )
}

/** A text, picture or document for the program that shows it. */
function isDocumentPath(text: string): boolean {
  return (
    /^"?(?:[a-z]:|%\w+%|\ufffd)?\\[^"<>|*?]{1,250}"?$/i.test(text.trimEnd()) &&
    isDataName(withoutGaps(text).replace(/ ?\.\.\.$/, ''))
  )
}

/** null: it depends on the trigger. */
function judgeCommand(
  { text, isAutomatic }: BasicEffect,
  command: NonNullable<ReturnType<typeof findCommand>>,
): Definition | null {
  const { program, isRemote, isEncoded, isObfuscated } = command
  const isAway = isRemote && !staysInside(text)
  if (!isAway && !isEncoded && !isObfuscated && !HIDDEN_WINDOW.test(text)) return null
  const isReadable = !isEncoded && !isObfuscated
  // A script without its black window, by a click.
  if (!isAutomatic && !isAway && isReadable && assess(text.replace(WINDOW_STYLE, ''), MACRO) === 'script') return null
  if (program === 'powershell') return MACROS.powerShell
  if (isAutomatic) return /ordinary|script/.test(assess(text, MACRO) ?? '') ? null : MACROS.autoProgram
  return isAway ? MACROS.downloader : null
}

/** Every address is a file server inside a company. */
export function staysInside(text: string): boolean {
  const servers = foreignServers(text)
  return servers.length > 0 && !servers.includes(true) && !/(?:https?|ftp):/i.test(text)
}

/** Programs that show a file or a folder, and files of installed programs. */
const VIEWERS = anyCase`^"?(?:${SYSTEM}\\(?:system32\\)?)?(?:${EDITORS}|${BROWSERS}|outlook)(?:\.exe)?"? (?!.*(?:https?:|\\\\[\w.]+\\|\.${RUNNABLE}\b))`
const INSTALLED_PROGRAM = anyCase`^"?${INSTALLED}`
const PROGRAM_NAME = anyCase`\.${RUNNABLE}\b`

/** A program that is named: also without its extension and its path. */
export function isProgram(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '' || VIEWERS.test(trimmed) || INSTALLED_PROGRAM.test(trimmed)) return false
  if (/^(?:https?|mailto):/i.test(trimmed)) return false
  // Functions of libraries, called by Excel 4.
  if (LIBRARY_CALL.test(trimmed)) return true
  return PROGRAM_NAME.test(trimmed) || (DROP_FOLDER.test(trimmed) && !isDataName(trimmed)) || isBareProgram(trimmed)
}

const LIBRARY_CALL = /^=?(?:call|register)\s*\(/i
/** Functions of windows and the screen alone start nothing. */
const SCREEN_CALL = anyCase`^=?(?:call|register)\s*\(\s*"${SCREEN}(?:\.dll)?"`
/** Where macros write files that they start. */
const DROP_FOLDER = anyCase`^"?(?:${WRITABLE_VARIABLE}|c:\\(?:users\\public|programdata|windows\\temp))\\[^"]{1,200}\.\w{2,4}"?$`

/** A program anywhere that users may write, on the internet, or as a library. */
const LOOSE_PROGRAM = anyCase`${LOOSE}|\.(?:${ADD_INS}|cpl)\b|^\\\\`

/** Programs of Windows that no macro needs, and that tests of exploits start. */
const SYSTEM_PROGRAM = anyCase`^"?(?:${SYSTEM}\\(?:\w+\\)*)?${STARTED_BY_EXPLOITS}(?:\.${IMAGES})?"?(?:\s|$)`

/** Characters of the name of a program, with its path. */
const PROGRAM_MAX = 300

/** The first word, or a quoted path, without an extension or with that of a program. */
function isBareProgram(text: string): boolean {
  const start = text.slice(0, PROGRAM_MAX)
  const first = /^"([^"]*)"/.exec(start)?.[1] ?? start.split(/\s/)[0] ?? ''
  if (first.includes(GAP) || !/\w{2}$/.test(first)) return false
  const extension = /\.(\w{1,5})$/.exec(first)?.[1]
  return extension === undefined || kindOfExtension(extension.toLowerCase())?.kind === 'program'
}
