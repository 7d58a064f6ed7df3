/** Functions of `crypto.subtle` on keys and data that a script contains. */

import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { charge } from '#inspect/core/work.ts'
import { spend, store } from './budget.ts'
import {
  ITEM_BYTES,
  isComposite,
  isRecord,
  isUnknown,
  type ListValue,
  listOf,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

const BYTE_WORK = 40
/** Two blocks of a hash, and the most rounds: pages with a password of their reader have more. */
const ROUND_WORK = 1_500
const ROUNDS_MAX = 100_000

const HASHES: Readonly<Record<string, string>> = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
}

/** null: not known. */
export function bytesIn(value: Value): Buffer | null {
  const list = isUnknown(value) ? value.content : value
  if (!isComposite(list) || list.kind !== 'list' || list.any !== undefined) return null
  spend(list.items.length * BYTE_WORK)
  const { items } = list
  return items.every((item) => typeof item === 'number') ? Buffer.from(items) : null
}

export function listIn(bytes: Uint8Array): ListValue {
  spend(bytes.length * BYTE_WORK)
  store(bytes.length * ITEM_BYTES)
  return listOf([...bytes], true)
}

const parameter = (from: Value, name: string): Value => (isRecord(from) ? from.cells.get(name) : undefined)
const nameIn = (algorithm: Value): string =>
  (textOf(isRecord(algorithm) ? algorithm.cells.get('name') : algorithm) ?? '').toUpperCase()

/** The key itself: raw, or as JSON. */
export function importedKey([format, key]: readonly Value[]): Buffer | null {
  const coded = format === 'jwk' ? textOf(parameter(key, 'k') ?? UNKNOWN) : null
  return coded === null ? bytesIn(key) : Buffer.from(coded, 'base64url')
}

export function decrypted([algorithm, key, data]: Value[]): Value {
  const [secret, packed] = [bytesIn(key), bytesIn(data)]
  const iv = bytesIn(parameter(algorithm, 'iv')) ?? bytesIn(parameter(algorithm, 'counter'))
  const mode = /^AES-(CBC|CTR|GCM)$/.exec(nameIn(algorithm))?.[1]?.toLowerCase()
  if (secret === null || packed === null || iv === null || mode === undefined) return UNKNOWN
  spend(packed.length * BYTE_WORK)
  const tagBytes = mode === 'gcm' ? Number(parameter(algorithm, 'tagLength') ?? 128) / 8 : 0
  const added = bytesIn(parameter(algorithm, 'additionalData'))
  try {
    const decipher = createDecipheriv(`aes-${secret.length * 8}-${mode}`, secret, iv, {
      authTagLength: tagBytes,
    } as object)
    const end = packed.length - tagBytes
    if (mode === 'gcm') Object.assign(decipher).setAuthTag(packed.subarray(end))
    if (added !== null) Object.assign(decipher).setAAD(added)
    return listIn(Buffer.concat([decipher.update(packed.subarray(0, end)), decipher.final()]))
  } catch {
    // Another key or other data: a browser fails as well.
    return UNKNOWN
  }
}

export function digested([algorithm, data]: Value[]): Value {
  const [hash, bytes] = [HASHES[nameIn(algorithm)], bytesIn(data)]
  return hash === undefined || bytes === null ? UNKNOWN : listIn(createHash(hash).update(bytes).digest())
}

/** The key that is made of a password. `bits`: its length, or an algorithm that has it. */
export function derivedBytes([algorithm, key, wanted]: readonly Value[]): Buffer | null {
  const hash = HASHES[nameIn(parameter(algorithm, 'hash'))]
  const [password, salt] = [bytesIn(key), bytesIn(parameter(algorithm, 'salt'))]
  const rounds = parameter(algorithm, 'iterations')
  const bits = isRecord(wanted) ? wanted.cells.get('length') : wanted
  if (nameIn(algorithm) !== 'PBKDF2' || hash === undefined || password === null || salt === null) return null
  if (!(typeof rounds === 'number' && rounds >= 1 && rounds <= ROUNDS_MAX)) return null
  if (!(typeof bits === 'number' && bits >= 8 && bits <= 512)) return null
  charge(rounds * ROUND_WORK)
  return pbkdf2Sync(password, salt, Math.floor(rounds), Math.floor(bits / 8), hash)
}
