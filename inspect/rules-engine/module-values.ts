/** Values of modules that are known without running the rule engine. */

import { createHash } from 'node:crypto'
import { NOTHING, UNDEFINED, UNKNOWN, type Value } from './condition-values.ts'
import type { Token } from './rule-tokens.ts'

/** A file that does not begin with these bytes is none of the module's, so that almost all its fields are undefined. */
const MAGIC: Readonly<Record<string, string>> = { pe: 'MZ', dotnet: 'MZ', elf: '\x7fELF' }
/** Defined for every file: constants, and the fields that say whether it is one of the module's. */
const ALWAYS_DEFINED = /^(?:[A-Z][A-Z0-9_]*|is_pe|is_dotnet)$/

type ModuleValue = (bytes: Uint8Array, args: () => readonly Value[]) => Value

/** `path` is everything after the name of the module. */
export function moduleValue(module: string, path: readonly Token[]): ModuleValue {
  const [dot, name = '', open] = path.map(({ text }) => text)
  if (dot === '.' && open === '(' && path.at(-1)?.text === ')') {
    if (module === 'hash' && HASHES.has(name))
      return (bytes, args) => overPart(name, args(), bytes, (part) => digest(name, part))
    if (module === 'math' && name === 'entropy') return (bytes, args) => overPart(name, args(), bytes, entropy)
  }
  const magic = MAGIC[module]
  if (magic === undefined || ALWAYS_DEFINED.test(name)) return () => UNKNOWN
  const otherwise = path.some(({ text }) => text === '(') ? NOTHING : UNDEFINED
  const codes = Buffer.from(magic, 'latin1')
  return (bytes) => (codes.every((code, index) => bytes[index] === code) ? UNKNOWN : otherwise)
}

const HASHES = new Set(['md5', 'sha1', 'sha256'])
const digest = (name: string, part: Uint8Array): string => createHash(name).update(part).digest('hex')

/** Several rules ask for the same value of the same stream. */
const computed = new WeakMap<Uint8Array, Map<string, Value>>()

/** The value of a function of an offset and a size. At the edges, only the rule engine knows what is defined. */
function overPart(
  name: string,
  [offset, size, ...more]: readonly Value[],
  bytes: Uint8Array,
  compute: (part: Uint8Array) => Value,
): Value {
  if (typeof offset !== 'number' || typeof size !== 'number' || more.length > 0) return UNKNOWN
  if (offset < 0 || size < 1 || offset + size > bytes.length) return UNKNOWN
  const known = computed.get(bytes) ?? new Map<string, Value>()
  computed.set(bytes, known)
  const key = `${name} ${offset} ${size}`
  const value = known.get(key) ?? compute(bytes.subarray(offset, offset + size))
  known.set(key, value)
  return value
}

function entropy(part: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const byte of part) counts[byte] = (counts[byte] as number) + 1
  let sum = 0
  for (const count of counts) if (count > 0) sum -= (count / part.length) * Math.log2(count / part.length)
  return sum
}
