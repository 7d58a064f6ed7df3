/** The PHC string of an Argon2id hash, parsed strictly so that an invalid row cannot demand excessive work. */

export interface Cost {
  memoryKib: number
  passes: number
  parallelism: number
}

export interface PasswordHash extends Cost {
  salt: Buffer
  tag: Buffer
}

/** The OWASP recommendation for Argon2id. */
export const CURRENT_COST: Readonly<Cost> = { memoryKib: 19_456, passes: 2, parallelism: 1 }
export const SALT_BYTES = 16
export const TAG_BYTES = 32

/** Just large enough for the server parameters that OWASP and RFC 9106 recommend. */
export const MEMORY_KIB_MAX = 65_536
export const PASSES_MAX = 5
export const PARALLELISM_MAX = 4
export const SALT_BYTES_MIN = 8
export const SALT_BYTES_MAX = 64
/** A shorter tag could match by chance. */
export const TAG_BYTES_MIN = 16
export const TAG_BYTES_MAX = 64

/** A minimum of Argon2 itself. */
const MEMORY_KIB_PER_LANE_MIN = 8

const NUMBER = '([1-9][0-9]{0,5})'
const BASE64 = '([A-Za-z0-9+/]{1,100})'
const FORM = new RegExp(`^\\$argon2id\\$v=19\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}\\$${BASE64}\\$${BASE64}$`)

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '')

export function formatHash({ memoryKib, passes, parallelism, salt, tag }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

function isBounded({ memoryKib, passes, parallelism, salt, tag }: PasswordHash): boolean {
  return (
    memoryKib <= MEMORY_KIB_MAX &&
    memoryKib >= MEMORY_KIB_PER_LANE_MIN * parallelism &&
    passes <= PASSES_MAX &&
    parallelism <= PARALLELISM_MAX &&
    salt.length >= SALT_BYTES_MIN &&
    salt.length <= SALT_BYTES_MAX &&
    tag.length >= TAG_BYTES_MIN &&
    tag.length <= TAG_BYTES_MAX
  )
}

/** Null for text that `formatHash` would not produce, and for parameters out of bounds. */
export function parseHash(text: string): PasswordHash | null {
  const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(text) ?? []
  const hash = {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
  // Base64 can encode the same bytes in several ways; only the canonical text is accepted.
  return isBounded(hash) && formatHash(hash) === text ? hash : null
}

export function hasCost(hash: PasswordHash, cost: Cost): boolean {
  return (
    hash.memoryKib === cost.memoryKib &&
    hash.passes === cost.passes &&
    hash.parallelism === cost.parallelism &&
    hash.salt.length === SALT_BYTES &&
    hash.tag.length === TAG_BYTES
  )
}
