/** Accepts plain e-mail addresses only: no lookalikes, and nothing that could inject a mail header. */
import { invalidField } from '#base/errors.ts'

export const EMAIL_LENGTH_MAX = 254
const LOCAL_PART_LENGTH_MAX = 64

/** ASCII atoms joined by single dots; quoted local parts and internationalised names are rejected. */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

interface Email {
  /** As given, trimmed. */
  address: string
  /** In lower case: unique per account. */
  key: string
}

export function parseEmail(given: string): Email {
  const address = given.trim()
  if (address.length > EMAIL_LENGTH_MAX) throw invalidField('email', `must have at most ${EMAIL_LENGTH_MAX} characters`)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const labels = address.slice(at + 1).split('.')
  const valid =
    at > 0 &&
    local.length <= LOCAL_PART_LENGTH_MAX &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  if (!valid) throw invalidField('email', 'must be an e-mail address, for example "ada@example.com"')
  return { address, key: address.toLowerCase() }
}
