/** The name that an owner gives to a key: shown in lists, exports and mails, so it holds nothing that misleads there. */
import { invalidField } from '#base/errors.ts'

export const NAME_LENGTH_MAX = 100
export const DEFAULT_NAME = 'API key'
/** Of the key that sessions scan with. */
export const DASHBOARD_NAME = 'Dashboard'
export const FIRST_NAME = 'Default'

/** Control characters, line separators, bidirectional controls and other invisible formatting. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

export function parseKeyName(given: string | undefined): string {
  if (given === undefined) return DEFAULT_NAME
  const name = given.normalize('NFC').trim()
  // Counted as JSON Schema counts them: an emoji is one.
  const { length } = [...name]
  if (length === 0 || length > NAME_LENGTH_MAX) {
    throw invalidField('name', `must have 1 to ${NAME_LENGTH_MAX} characters`)
  }
  if (MISLEADING.test(name)) throw invalidField('name', 'must not contain control or invisible characters')
  return name
}
