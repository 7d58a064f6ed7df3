/** Mailboxes: exactly one plain address each, so that input cannot add headers or recipients. */

export interface Mailbox {
  /** Can be empty. */
  name: string
  address: string
}

export const ADDRESS_LENGTH_MAX = 254
const LOCAL_PART_LENGTH_MAX = 64
export const SENDER_NAME_LENGTH_MAX = 100

/** As strict as sign-up, except that the domain may lack a dot, as in `no-reply@localhost`. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    text.length <= ADDRESS_LENGTH_MAX &&
    at <= LOCAL_PART_LENGTH_MAX &&
    LOCAL_PART.test(text.slice(0, Math.max(at, 0))) &&
    DOMAIN.test(text.slice(at + 1))
  )
}

/** Excludes characters that need quotes, are invisible or could end the name. */
const UNQUOTED = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>"\\,;:@()[\]]*$/u
const QUOTED = /^"([^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>"\\]*)"$/u

/** Accepts `Name <address>`, `"Name, quoted" <address>` or the address alone. */
export function parseMailbox(text: string): Mailbox | null {
  if (isAddress(text)) return { name: '', address: text }
  const [, before = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? []
  const shown = before.trim()
  const name = QUOTED.exec(shown)?.[1] ?? (UNQUOTED.test(shown) ? shown : null)
  if (name === null || [...name].length > SENDER_NAME_LENGTH_MAX || !isAddress(address)) return null
  return { name, address }
}
