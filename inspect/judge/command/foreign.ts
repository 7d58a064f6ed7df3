/** Commands that developers never put where they run by themselves: they run code of a server that nobody checks. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'

/** A server without a name, without encryption, or a window that nobody sees. */
const UNCHECKED =
  /http:\/\/(?!localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|host\.docker)|:\/\/(?!10\.|127\.|192\.168\.)\d{1,3}(?:\.\d{1,3}){3}|-w(?:in\w*)? {1,4}(?:h|1\b)/i

/** What is downloaded runs at once. */
const PIPED = anyCase`\|\s{0,9}(?:sudo )?${UNIX_SHELLS}\b`

/** A line that sends what the computer has in its variables. */
const SENDS_SECRETS = /process\.env\b(?![.[])[\s\S]{0,2000}(?:https?:|\.(?:get|request|lookup|resolve)\()/

/** A server without a name. */
const BARE = /:\/\/(?!10\.|127\.|192\.168\.|172\.)\d{1,3}(?:\.\d{1,3}){3}/

/** `opening`: any server is enough. Packages fetch parts of themselves when they are installed, and `build` does it on computers of its own. */
export type Occasion = 'opening' | 'installation' | 'build'

export function runsForeignCode(text: string, on: Occasion): boolean {
  const command = findCommand(text)
  if (command === null) return false
  if (command.isEncoded || SENDS_SECRETS.test(text)) return true
  if (!command.isRemote || on === 'opening') return command.isRemote
  return (command.kind !== 'download' || PIPED.test(text)) && (on === 'build' ? BARE : UNCHECKED).test(text)
}
