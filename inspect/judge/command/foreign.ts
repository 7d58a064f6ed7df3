/** Commands that developers never put where they run by themselves: they run code of a server that nobody checks. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { isInstallerOnly } from '../installers.ts'

/** A server without a name, without encryption, or a window that nobody sees. */
const UNCHECKED =
  /http:\/\/(?!localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|host\.docker)|:\/\/(?!10\.|127\.|192\.168\.)\d{1,3}(?:\.\d{1,3}){3}|-w(?:in\w*)? {1,4}(?:h|1\b)/i

/** What is downloaded runs at once. */
const PIPED = anyCase`\|\s{0,9}(?:sudo )?${UNIX_SHELLS}\b`

/** Saved, and made a program. */
const STARTED = /\s(?:-q?O|-o|--output)\s{0,4}(\S{2,100})[\s\S]{1,200}?\bchmod\s[^;&|]{1,40}\1/
/** What others can read as well. */
const PUBLISHED = /https:\/\/(?:raw\.githubusercontent\.com|github\.com|gitlab\.com|[\w.-]{1,60}\.github\.io)\//

/** A line that sends what the computer has in its variables. */
const SENDS_SECRETS = /process\.env\b(?![.[])[\s\S]{0,2000}(?:https?:|\.(?:get|request|lookup|resolve)\()/

/** A server without a name. */
const BARE = /:\/\/(?!10\.|127\.|192\.168\.|172\.)\d{1,3}(?:\.\d{1,3}){3}/

/**
 * `opening`: any server is enough. Packages fetch parts of themselves when they are installed, and `build` does it on computers of its own.
 * `package`: nobody asked for more than the package, which gives no shell what a server answers.
 */
export type Occasion = 'opening' | 'installation' | 'package' | 'build'

export function runsForeignCode(text: string, on: Occasion): boolean {
  const command = findCommand(text)
  if (command === null) return false
  if (command.isEncoded || SENDS_SECRETS.test(text)) return true
  if (!command.isRemote || on === 'opening') return command.isRemote
  if (on === 'package' && PIPED.test(text) && !isInstallerOnly(text) && !PUBLISHED.test(text)) return true
  const runs = command.kind !== 'download' || PIPED.test(text) || STARTED.test(text)
  return runs && (on === 'build' ? BARE : UNCHECKED).test(text)
}
