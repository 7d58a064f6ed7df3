/** The password that Excel tries by itself, and what makes it slow to try. */

import { hash } from 'node:crypto'

/** Excel protects a workbook with it when only the structure is locked, and opens it again without asking. */
export const DEFAULT_PASSWORD = 'VelvetSweatshop'

export type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export const DIGEST_BYTES: Readonly<Record<Digest, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** How the data of a document is decrypted. */
export type Decrypt = (data: Buffer) => Buffer

/** A protected document whose header could be read. */
export interface Lock {
  /** Rounds of hashing that one password costs. */
  rounds: number
  /** null: the default password is not the right one. */
  open(): Decrypt | null
}

export function digest(name: Digest | 'md5', ...parts: Uint8Array[]): Buffer {
  return hash(name, Buffer.concat(parts), 'buffer')
}

/** A number as the formats hash it. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Hashes the password again and again, each time behind the number of the round. */
export function stretch(name: Digest, salt: Uint8Array, rounds: number): Buffer {
  const first = digest(name, salt, Buffer.from(DEFAULT_PASSWORD, 'utf16le'))
  const input = Buffer.concat([int32(0), first])
  for (let round = 0; round < rounds; round++) {
    input.writeUInt32LE(round)
    hash(name, input, 'buffer').copy(input, 4)
  }
  return input.subarray(4)
}
