/** Commands that a text asks its reader to run, and those that only an attacker asks for. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { FETCHING, FETCHING_METHODS } from '#inspect/windows/powershell.ts'

/** Why the reader should run it. */
interface Pretext {
  /** Only code that nobody can read counts. */
  isNamedOnly: boolean
  isChecked: boolean
  isAny: boolean
}

export function commandIn(lines: readonly string[], pretext: Pretext): string | null {
  return lines.find((line) => line.length >= COMMAND_MIN && isAttack(line, pretext)) ?? null
}

/** Where a text that shows a command to others cuts it off, so that it does nothing. */
const CUT = /(?<!\S)[^\s.\u2026]{16,2000}(?:\.\.\.|\u2026)(?=[\s"')\]]|$)/g
/** What a command of a line acts on: a server by its name, or so much that it may be decoded. */
const SERVER =
  /(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,5}(?!(?:exe|com|dll|ps1|bat|cmd|vbs|js|hta|msi|txt|zip|webclient|webrequest)\b)[a-z]{2,10}(?![\w-]|\.\w)|\\\\\w/i
const ACTING_MIN = 80

function acts(line: string, program: string): boolean {
  const at = Math.max(0, line.toLowerCase().indexOf(program))
  const sign = line[at - 1] ?? ''
  const end = /["'`]/.test(sign) ? line.indexOf(sign, at) : -1
  const quoted = end === -1 ? '' : line.slice(at, end)
  // A quoted program has its arguments behind it, a quoted command has none.
  const command = quoted.includes(' ') ? quoted : line.slice(at)
  return command.length >= ACTING_MIN || SERVER.test(command)
}

function isAttack(written: string, { isChecked, isAny, isNamedOnly }: Pretext): boolean {
  const line = written.replace(CUT, ' ')
  const command = findCommand(line)
  if (command === null) return false
  if (isNamedOnly) return command.isEncoded && command.isRemote
  // Who explains a command to others does not encode it.
  if (command.isEncoded || (isChecked && command.isWindows && acts(line, command.program))) return true
  const isUnseen = [UNSEEN, DETACHED, SAVED, ANSWERED].some((each) => each.test(line))
  return (command.isRemote && (isAny || isUnseen)) || (command.isWindows && isUnseen && FETCHES.test(line))
}

const COMMAND_MIN = 8
const FETCHES = anyCase`\b(?:${FETCHING}|${FETCHING_METHODS})\b`

/** Saved where every program writes, and started so that it goes on without its window. */
const DETACHED =
  /\s(?:-o|-O|--output)\s{0,4}(\/(?:private\/)?(?:tmp|var\/tmp|dev\/shm|Users\/Shared)\/[\w./-]{1,80})[\s\S]{1,300}\b(?:nohup|setsid|disown)\b[\s\S]{0,60}\1/

/** Saved where every program of Windows writes, and started at once. */
const SAVED = anyCase`\s(?:-o|--output|-outfile|-destination)\s{1,4}["']?((?:%|\$env:)${WRITABLE_VARIABLES}%?\\[^\s"'&;|]{1,80})[\s\S]{1,200}?\1`

/** A loop over what a server answers, which is run. */
const ANSWERED = /\bin \(['"\x60]\s?(?:curl|finger|nslookup)\b[^()]{1,300}\) ?do (?:call |cmd \/c )?@?%{1,2}\w/i

/** Out of sight, or from a server without a name. */
const UNSEEN =
  /-w(?:in\w*)? {1,4}(?:h|1\b)|--headless|(?<![\w.])(?!(?:10|127|192\.168)\.)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|["')\s]#\s{0,200}[^\r\n]{0,80}(?:robot|captcha|verif|human|[a-z]:\\)/i

/** Whether a text has a command that needs nobody who asks for it. */
export const runsUnasked = (text: string): boolean => DETACHED.test(text) || ANSWERED.test(text)
