/** Assesses command lines: what they do, by whom they are started. */

import {
  argumentsOf,
  baseName,
  GAP,
  innerOf,
  isInstalled,
  isLoose,
  isOption,
  isUserInstalled,
  type Piece,
  piecesOf,
  programName,
  splitProgram,
  withoutShell,
} from '#inspect/commands/parse.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { foreignServers } from '#inspect/targets/targets.ts'
import { INSTALLED_SCRIPTS, LIBRARIES, OPENED, PATH_FILES, RUNNABLE } from '#inspect/windows/extensions.ts'
import { LOOSE, START_UP, SYSTEM, SYSTEM_FOLDERS } from '#inspect/windows/folders.ts'
import {
  BUILT_IN,
  INTERPRETERS,
  NEUTRAL,
  PRINTER_COMMAND,
  PROXIES,
  SCANNERS,
  SYSTEM_PROCESSES,
} from '#inspect/windows/programs.ts'
import { isDangerousName, isDataName } from '../extensions.ts'
import { type Grade, hasStream, isPlainValue } from './grades.ts'
import { gradeScriptStart } from './script-starts.ts'
import { isKnownPage, TOOLS } from './tools.ts'
import { findWritten, type Written, writtenByPieces } from './written.ts'

/** Programs of Windows that run others, anywhere in the command. */
const PROXY = pattern`(?<![\w.-])(?:${PROXIES}|iex)(?:\.exe)?(?![\w.-])|\breg(?:\.exe)? +(?:add|import|delete|load)\b`
/** A program in a folder where anyone may write, in the arguments of another. */
const LOOSE_PROGRAM = pattern`${LOOSE}[^"|&<>]{0,200}\.${RUNNABLE}\b`
const START_FOLDER = pattern`${START_UP}`
const PROTECTION = pattern`${SCANNERS}|\bavp\b`
/** Carets, parts of variables, and addresses with slashes. */
const OBSCURE = /[\^`]\S|%\w+:~|(?:^|[\s"=])\/\/[\w.-]+\//
const PRINTER_DIALOG = new RegExp(PRINTER_COMMAND)
/** Alone, it is what tests of exploits start. */
const NEUTRAL_COMMAND = pattern`^${NEUTRAL}\b`
const COMMAND_WORK = 400
/** Nobody writes longer ones. */
export const COMMAND_MAX = 1_000

/** A macro with the files that it writes elsewhere, or a script with its text in lower case. */
type Situation = { by: 'macro'; written?: readonly Written[] } | { by: 'script'; source: string }

/** null: unknown. */
export function assess(command: string, situation: Situation): Grade | null {
  return situation.by === 'script'
    ? gradeScriptStart(command, situation.source)
    : gradeMacroStart(command, situation.written)
}

/** The whole command must be known. */
function gradeMacroStart(command: string, written: readonly Written[] = []): Grade | null {
  if (command.length > COMMAND_MAX) return null
  charge(command.length * (COMMAND_WORK + written.length))
  const text = command.trim().toLowerCase()
  if (text === '' || PROXY.test(text) || START_FOLDER.test(text) || PROTECTION.test(text) || OBSCURE.test(text))
    return null
  const pieces = piecesOf(withoutShell(text))
  const all = writtenByPieces(pieces, written)
  const neutral = pieces.filter(({ text: piece }) => NEUTRAL_COMMAND.test(piece))
  if (neutral.length === pieces.length) return neutral.some(writesProgram) ? 'hostile' : null
  return worst(pieces.map((piece) => gradePiece(piece, all)))
}

/** Files that the pieces of a command write. */
export function writtenByCommand(command: string): Written[] {
  if (command.length > COMMAND_MAX) return []
  charge(command.length * COMMAND_WORK)
  return writtenByPieces(piecesOf(withoutShell(command.trim().toLowerCase())))
}

function worst(grades: readonly (Grade | null)[]): Grade | null {
  if (grades.includes('hostile')) return 'hostile'
  if (grades.length === 0 || grades.includes(null)) return null
  return grades.includes('script') ? 'script' : 'ordinary'
}

const writesProgram = ({ outputs }: Piece): boolean => outputs.some((file) => isDangerousName(file) || hasStream(file))

function gradePiece(piece: Piece, written: readonly Written[]): Grade | null {
  if (writesProgram(piece)) return 'hostile'
  if (NEUTRAL_COMMAND.test(piece.text)) return gradeFolder(piece.text)
  return gradeText(piece.text, piece.isFed, written)
}

/** Programs and scripts of the folder are meant by their names alone. */
function gradeFolder(text: string): Grade {
  const [command, rest] = splitProgram(text)
  const folder = argumentsOf(rest).find((argument) => !isOption(argument)) ?? ''
  return /^(?:cd|chdir|pushd)$/.test(command) && isLoose(`${folder}\\`) ? 'script' : 'ordinary'
}

function gradeText(text: string, isFed: boolean, written: readonly Written[]): Grade | null {
  if (PRINTER_DIALOG.test(text)) return 'ordinary'
  const [word, rest] = splitProgram(text)
  const program = /^[a-z]:\//.test(word) ? word.replaceAll('/', '\\') : word
  const name = programName(program)
  const inner = innerOf(program, rest)
  if (inner !== undefined) return gradeInner(inner, isFed, written)
  const grade = gradeProgram(program, name, rest, isFed)
  if (BUILT_IN.includes(program) || FILE_TOOLS.includes(name)) return grade
  return worst([grade, gradeOwn(program, argumentsOf(rest), written)])
}

const FILE_TOOLS = ['xcopy', 'robocopy', 'attrib', 'curl', 'wget', 'expand']

/** Files that the macro writes. */
function gradeOwn(program: string, args: readonly string[], written: readonly Written[]): Grade {
  const isKnown = isInstalled(program) || !program.includes('\\')
  const started = [...(isKnown ? [] : [program]), ...args.filter((argument) => RUN_NAME.test(argument))]
  const script = INTERPRETERS.includes(programName(program))
    ? args.filter((argument) => !isOption(argument)).slice(0, 1)
    : []
  const found = [...started, ...script].map((path) => findWritten(path, written)).filter((file) => file !== null)
  if (found.some(({ isForeign }) => isForeign)) return 'hostile'
  return found.length > 0 ? 'script' : 'ordinary'
}

const RUN_NAME = pattern`\.(?:${OPENED}|${INSTALLED_SCRIPTS})$`

function gradeInner(target: string, isFed: boolean, written: readonly Written[]): Grade | null {
  if (target === '') return null
  const path = target.replaceAll('"', '')
  if (/^[a-z]:\\/.test(path) && isDataName(path)) return 'ordinary'
  if (isKnownPage(path)) return 'ordinary'
  const pieces = piecesOf(withoutShell(target))
  return worst(pieces.map((piece) => gradePiece({ ...piece, isFed: piece.isFed || isFed }, written)))
}

const SYSTEM_FOLDER = pattern`^${SYSTEM}\\${SYSTEM_FOLDERS}?[^\\]+$`
const UNDER_SYSTEM = pattern`^${SYSTEM}\\`

type Place = 'system' | 'user' | 'own'

/** null: nowhere where programs should be, or not known. */
function placeOf(program: string): Place | null {
  if (/\.\.|[*?/]/.test(program) || hasStream(program)) return null
  if (isUserInstalled(program)) return 'user'
  if (!program.includes('\\') || SYSTEM_FOLDER.test(program)) return 'system'
  if (program.includes(GAP) || isLoose(program) || foreignServers(program).includes(true)) return null
  if (SYSTEM_PROCESSES.some((name) => baseName(program) === `${name}.exe`) && !isInstalled(program)) return null
  return UNDER_SYSTEM.test(program) ? null : 'own'
}

/** They may have a server on the internet as their target. */
const COPIES = /^(?:copy|xcopy|robocopy|move)$/

function gradeProgram(program: string, name: string, rest: string, isFed: boolean): Grade | null {
  const args = argumentsOf(rest)
  const grade = BUILT_IN.includes(name) && program !== name ? undefined : TOOLS.get(name)?.(args)
  if (grade === 'hostile' || (isFed && INTERPRETERS.includes(name))) return 'hostile'
  const place = placeOf(program)
  if (place === null || LOOSE_PROGRAM.test(rest)) return null
  if (!COPIES.test(name) && foreignServers(rest).includes(true)) return null
  if (place === 'system') return grade ?? null
  const other = grade === undefined ? gradeOther(program, args) : grade
  return place === 'user' ? worst(['script', other]) : other
}

const PATH_NAME = pattern`\.${PATH_FILES}$|\\[^\\.]+$`
/** Opened by something else, or loaded. */
const NO_PROGRAM = pattern`\.(?:${LIBRARIES}|lnk|url|hta|scr|pif|scf)$`

/** A program of its own: where it is and how it is called. */
function gradeOther(program: string, args: readonly string[]): Grade | null {
  const isPlain = args.every((argument) =>
    isOption(argument) ? !/:\/\/|[;`$<>|{}']/.test(argument) : isPlainValue(argument) && !RUN_NAME.test(argument),
  )
  if (isDataName(program) && args.length === 0) return 'ordinary'
  if (NO_PROGRAM.test(program)) return null
  const isOwn = isInstalled(program) || /^[a-z]:\\(?!windows\\)[^\\]+\\/.test(program)
  if (!isOwn && !program.startsWith('\\\\') && !isUserInstalled(program) && !/^[a-z]:\\[^\\]+$/.test(program))
    return null
  return isOwn && isPlain && PATH_NAME.test(program) ? 'ordinary' : 'script'
}
