/** Which passwords are taken: any characters, but not one that an attacker would try first. */
import { readFileSync } from 'node:fs'
import { invalidField } from '#base/errors.ts'

/** Code points, so that an emoji counts as one. */
export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 256
/** With more than this around it, the product's name is no longer what makes a password. */
export const PRODUCT_DRESSING_MAX = 8

const PRODUCT_NAME = /d[o0]cv[e3]t/g
const ALLOWED = `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`

/** Most common first, in lower case. Lines that begin with `#` tell where the list comes from. */
export function readCommonPasswords(): string[] {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const COMMON: ReadonlySet<string> = new Set(readCommonPasswords())

/** Whether it is the product's name, perhaps repeated, with only digits and signs around it: `Docvet2026!`. */
function isProductName(lowerCase: string): boolean {
  const dressing = lowerCase.replace(PRODUCT_NAME, '')
  return dressing !== lowerCase && !/\p{L}/u.test(dressing) && [...dressing].length <= PRODUCT_DRESSING_MAX
}

/** Looks at the password exactly as it was received: nothing is trimmed or normalised, here or when it is hashed. */
export function checkPassword(password: string, email: string): void {
  const { length } = [...password]
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    throw invalidField('password', `must have ${ALLOWED}`)
  }
  // Half of a surrogate pair has no bytes in UTF-8: all such strings would be hashed as one and the same.
  if (!password.isWellFormed()) throw invalidField('password', `must have ${ALLOWED}, all of them whole in Unicode`)
  const lowerCase = password.toLowerCase()
  if (COMMON.has(lowerCase)) {
    throw invalidField('password', `is among the most common ones: take ${ALLOWED} that are harder to guess`)
  }
  const address = email.trim().toLowerCase()
  if (lowerCase === address || lowerCase === address.split('@', 1)[0]) {
    throw invalidField(
      'password',
      `must not be taken from the e-mail address: take ${ALLOWED} that are harder to guess`,
    )
  }
  if (isProductName(lowerCase)) {
    throw invalidField('password', `must not be the name of this service: take ${ALLOWED} that are harder to guess`)
  }
}
