/** Names of keys. They appear in lists, exports and mail, so they contain no invisible characters. */
import { invalidField } from '#base/errors.ts'

export const NAME_LENGTH_MAX = 100
export const DEFAULT_NAME = 'API key'
/** The key that meters scans of dashboard sessions. */
export const DASHBOARD_NAME = 'Dashboard'
export const FIRST_NAME = 'Default'

/** Controls, line separators, bidirectional controls and other invisible formatting. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

export function parseKeyName(given: string | undefined): string {
  if (given === undefined) return DEFAULT_NAME
  const name = given.normalize('NFC').trim()
  // In code points, as JSON Schema counts.
  const { length } = [...name]
  if (length === 0 || length > NAME_LENGTH_MAX) {
    throw invalidField('name', `must have 1 to ${NAME_LENGTH_MAX} characters`)
  }
  if (INVISIBLE.test(name)) throw invalidField('name', 'must not contain control or invisible characters')
  return name
}
