/** Tells programs that scripts of administrators and builds start from those that only attackers start that way. */

import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { hidesText } from '#inspect/judge/basic/obfuscation.ts'
import { findCommand } from '#inspect/judge/command/find.ts'
import { isIpAddress, reachOf } from '#inspect/judge/targets.ts'
import { DISGUISES, PATH_FILES } from '#inspect/windows/extensions.ts'
import { SHARED } from '#inspect/windows/folders.ts'
import { FETCHING_METHODS, RUNNING } from '#inspect/windows/powershell.ts'
import {
  CALCULATORS,
  POWERSHELLS,
  PRINTER_CONNECTION,
  QUESTIONS,
  SCRIPT_HOSTS,
  TOOLS,
} from '#inspect/windows/programs.ts'

/** `ordinary`: a tool that copies, packs, builds or shows. `local`: another program of the computer. */
type StartKind = 'ordinary' | 'local' | 'threat'

/** Commands of tools that can do harm as well, which only ask. */
const QUESTION = new RegExp(QUESTIONS, 'i')
/** Demonstrations of attacks start the calculator, or print a line in a window that closes. */
const PRINTING = /^echo [^>]*$/i
const DEMONSTRATION = anyCase`(?:^|[\\/ "'])${CALCULATORS}(?:\.exe)?["']?(?:$|\s)`
const MAIL_ADDRESS = /^"?mailto:[\w.+-]+@[\w.-]+(?:\?[^"]*)?"?$/i
/** Folders that every program can write to. */
export const DROP_FOLDER = anyCase`${SHARED}`

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

const PRINTER = new RegExp(PRINTER_CONNECTION, 'i')

function classifyPlain(part: string, source: string): StartKind | null {
  if (MAIL_ADDRESS.test(part)) return 'ordinary'
  return connectsDrive(part, source) ? 'local' : null
}

function classifyPart(part: string): StartKind {
  if (DEMONSTRATION.test(part)) return 'threat'
  const command = findCommand(part)
  const reach = serversIn(part, command)
  if (reach === 'internet') return 'threat'
  if (QUESTION.test(part) || PRINTER.test(part)) return reach === 'zone' ? 'local' : 'ordinary'
  const program = programOf(part)
  if (command?.isEncoded || command?.isObfuscated) return 'threat'
  if (TOOLS.includes(program)) return 'ordinary'
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

const OWN_HOSTS = [...SCRIPT_HOSTS, ...POWERSHELLS, 'java', 'javaw', 'python', 'pythonw']
const NO_OWN_SCRIPT = anyCase`-w(?:in\w*)? (?:h|1)|-c(?:ommand)? |${FETCHING_METHODS}|\b${RUNNING}\b|\.${DISGUISES}\b`

/** A script beside this one, run by its interpreter. */
function isOwnScript(program: string, part: string): boolean {
  return OWN_HOSTS.includes(program) && !NO_OWN_SCRIPT.test(part)
}

const PATH_NAME = pattern`\.${PATH_FILES}$`

function programOf(part: string): string {
  const word = /^"([^"]*)"|^(\S+)/.exec(part)
  const name = (word?.[1] ?? word?.[2] ?? '').split(/[\\/]/).at(-1) ?? ''
  return name.toLowerCase().replace(PATH_NAME, '')
}
