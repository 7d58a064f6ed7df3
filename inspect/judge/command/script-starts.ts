/** Commands that scripts of administrators and builds start, and those that only attackers start that way. */

import { findCommand } from '#inspect/commands/find.ts'
import {
  argumentsOf,
  innerOf,
  isInstalled,
  piecesOf,
  splitProgram,
  toolName,
  withoutShell,
} from '#inspect/commands/parse.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { isIpAddress, reachOf } from '#inspect/targets/targets.ts'
import { FETCH_CLASSES, WRITE_CLASSES } from '#inspect/windows/classes.ts'
import { DISGUISES, PATH_FILES } from '#inspect/windows/extensions.ts'
import { SHARED } from '#inspect/windows/folders.ts'
import { FETCHING_METHODS, RUNNING } from '#inspect/windows/powershell.ts'
import {
  CALCULATORS,
  HARMLESS_CALL,
  HOUSEKEEPING,
  POWERSHELLS,
  PRINTER_CONNECTION,
  QUESTIONS,
  SCRIPT_HOSTS,
  TOOLS,
} from '#inspect/windows/programs.ts'
import type { Grade } from './grades.ts'
import { hidesText } from './hidden.ts'

/** Commands of tools that can do harm as well, which only ask. */
const QUESTION = new RegExp(QUESTIONS, 'i')
/** Demonstrations of attacks start the calculator, or print a line in a window that closes. */
const PRINTING = /^echo [^>]*$/i
const DEMONSTRATION = anyCase`(?:^|[\\/ "'])${CALCULATORS}(?:\.exe)?["']?(?:$|\s)`
const MAIL_ADDRESS = /^"?mailto:[\w.+-]+@[\w.-]+(?:\?[^"]*)?"?$/i
/** Folders that every program can write to. */
const DROP_FOLDER = anyCase`${SHARED}`

/** `ordinary`: a tool that copies, packs, builds or shows. `script`: another program of the computer. `source`: in lower case. */
export function gradeScriptStart(command: string, source: string): Grade {
  if (hidesText(command, source)) return 'hostile'
  const parts = partsOf(command)
  const grades = parts.map((part) => gradePlain(part, source) ?? gradePart(part))
  if (grades.includes('hostile') || parts.every((part) => PRINTING.test(part))) return 'hostile'
  return grades.includes('script') ? 'script' : 'ordinary'
}

/** The commands that an interpreter is given, otherwise the command itself. */
function partsOf(command: string): string[] {
  const text = command.replace(/\s+/g, ' ').trim().toLowerCase()
  const inner = withoutShell(text)
  if (inner === text) return text === '' ? [] : [text]
  return piecesOf(inner).map(({ text: piece, outputs }) => {
    const [program, rest] = splitProgram(piece)
    return [innerOf(program, rest) ?? piece, ...outputs.map((file) => `> ${file}`)].join(' ')
  })
}

/** The shares of a Windows domain, for its logon scripts. An attacker can choose such a name, but no address as one. */
const LOGON_SHARE = /\\\\([\w.-]+)(?=\\(?:netlogon|sysvol)\\)/gi

function keepAddress(server: string, host: string): string {
  return isIpAddress(host) ? server : ''
}

const DRIVE = /^net(?:\.exe)? use ([a-z]:) "?\\\\([\w-]+(?:\.[\w-]+)+)\\[^@" ]{1,200}"?(?: \/\S{1,60}){0,5}$/i

/** Only administrators of the domain write there. */
const OWN_LOGON = anyCase`^"?(?:%logonserver%|\\\\[\w-]+)\\(?:netlogon|sysvol)\\[\w\\. -]+\.(?:${PATH_FILES}|vbs)\b`

/** A drive for the reader, on a named server, from which the script itself starts nothing. */
function connectsDrive(part: string, source: string): boolean {
  const [, drive, host] = DRIVE.exec(part) ?? []
  if (drive === undefined || host === undefined || isIpAddress(host)) return false
  return !new RegExp(`${drive}(?! *(?:"|\\\\\\\\|/d))`, 'i').test(source)
}

/** A program that somebody has installed, by a script that brings no files. */
function startsInstalled(part: string, source: string): boolean {
  const [program, rest] = splitProgram(part)
  const isPlain = argumentsOf(rest).every((value) => /^[\w\\:. /-]{0,200}$/.test(value) && !/:\/\//.test(value))
  return (
    isInstalled(program) && program.endsWith('.exe') && isPlain && !BRINGS.test(source) && findCommand(part) === null
  )
}

const BRINGS = anyCase`${WRITE_CLASSES}|(?:${FETCH_CLASSES})|urldownload`

const PRINTER = new RegExp(PRINTER_CONNECTION, 'i')
const HARMLESS = new RegExp(HARMLESS_CALL, 'i')
const OLD_FILES = new RegExp(HOUSEKEEPING, 'i')

function gradePlain(part: string, source: string): Grade | null {
  if (MAIL_ADDRESS.test(part) || OLD_FILES.test(part)) return 'ordinary'
  if (startsInstalled(part, source)) return 'ordinary'
  return connectsDrive(part, source) ? 'script' : null
}

function gradePart(part: string): Grade {
  if (DEMONSTRATION.test(part)) return 'hostile'
  const command = findCommand(part)
  const reach = serversIn(part, command)
  if (reach === 'internet') return 'hostile'
  if (QUESTION.test(part) || PRINTER.test(part) || HARMLESS.test(part)) return reach === 'zone' ? 'script' : 'ordinary'
  const program = toolName(splitProgram(part)[0])
  if (command?.isEncoded || command?.isObfuscated) return 'hostile'
  if (TOOLS.includes(program)) return 'ordinary'
  if (DROP_FOLDER.test(part)) return 'hostile'
  if (OWN_LOGON.test(part) || LOGON_SCRIPT.test(part)) return 'ordinary'
  if (command !== null) return isOwnScript(command.program, part) ? 'script' : 'hostile'
  return gradeOther(program)
}

function gradeOther(program: string): Grade {
  return /^[\w .()+-]+$/.test(program) ? 'script' : 'hostile'
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

const OWN_HOSTS = [...SCRIPT_HOSTS, ...POWERSHELLS, 'java', 'javaw', 'python', 'pythonw']
const NO_OWN_SCRIPT = anyCase`-w(?:in\w*)? (?:h|1)|-c(?:ommand)? |${FETCHING_METHODS}|\b${RUNNING}\b|\.${DISGUISES}\b`

/** A script of the domain in a window that nobody sees, as administrators start what is not for users. */
const LOGON_SCRIPT = anyCase`^${POWERSHELLS}(?:\.exe)? (?:-(?:nop\w*|noni\w*|nologo|(?:ep|ex\w*) \w+|w(?:in\w*)? (?:hidden|h|1)) ){0,6}-f(?:ile)? "?(?:%logonserver%|\\\\[\w-]+)\\(?:netlogon|sysvol)\\[\w\\. -]+\.ps1\b`

/** A script beside this one, run by its interpreter. */
function isOwnScript(program: string, part: string): boolean {
  return OWN_HOSTS.includes(program) && !NO_OWN_SCRIPT.test(part)
}
