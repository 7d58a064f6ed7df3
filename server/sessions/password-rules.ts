/** Password rules: any characters, but no password that an attacker would try first. */
import { readFileSync } from 'node:fs'
import { invalidField } from '#base/errors.ts'

/** In code points, so that an emoji counts as one. */
export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 256
/** With more characters around it, the product name no longer makes a password weak. */
export const PRODUCT_AFFIX_MAX = 8

const PRODUCT_NAME = /d[o0]cv[e3]t/g
const ALLOWED = `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`
const CHOOSE = `choose ${ALLOWED} that are harder to guess`

/** Most common first, in lower case. Lines starting with `#` are comments. */
export function readCommonPasswords(): string[] {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const COMMON: ReadonlySet<string> = new Set(readCommonPasswords())

/** True for the product name with only digits and punctuation around it, such as `Docvet2026!`. */
function isProductName(lowerCase: string): boolean {
  const affix = lowerCase.replace(PRODUCT_NAME, '')
  return affix !== lowerCase && !/\p{L}/u.test(affix) && [...affix].length <= PRODUCT_AFFIX_MAX
}

function faultOf(password: string, email: string): string | null {
  const { length } = [...password]
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) return `must have ${ALLOWED}`
  // Unpaired surrogates all encode to the same bytes, so different passwords would have the same hash.
  if (!password.isWellFormed()) return `must have ${ALLOWED} of well-formed Unicode`
  const lowerCase = password.toLowerCase()
  if (COMMON.has(lowerCase)) return `is too common: ${CHOOSE}`
  const address = email.trim().toLowerCase()
  if (lowerCase === address || lowerCase === address.split('@', 1)[0]) {
    return `must not be taken from the e-mail address: ${CHOOSE}`
  }
  return isProductName(lowerCase) ? `must not be the name of this service: ${CHOOSE}` : null
}

/** Checks the password exactly as received: it is neither trimmed nor normalised, here or when it is hashed. */
export function checkPassword(password: string, email: string, field = 'password'): void {
  const fault = faultOf(password, email)
  if (fault !== null) throw invalidField(field, fault)
}
