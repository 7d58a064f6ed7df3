/** Recovery codes: 100 random bits each, so that a plain hash protects them. */
import { hash, randomBytes } from 'node:crypto'

const CODES = 10
const GROUPS = 4
const GROUP_LENGTH = 5
/** Without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const FORM = /^[0-9A-Z]{20}$/
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }

function newCode(): string {
  const letters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    letters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join(''),
  )
  return groups.join('-')
}

/** Null if it cannot be a code. People type them in lower case, with spaces, and with letters for digits. */
export function codeHash(given: string): string | null {
  const letters = given
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/[OIL]/g, (letter) => LOOKALIKES[letter] ?? letter)
  return FORM.test(letters) ? hash('sha256', letters, 'hex') : null
}

export function newCodes(): { code: string; hash: string }[] {
  return Array.from({ length: CODES }, () => {
    const code = newCode()
    return { code, hash: hash('sha256', code.replaceAll('-', ''), 'hex') }
  })
}
