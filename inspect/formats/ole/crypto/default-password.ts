/** Excel's default password, and the hashing that key derivations share. */

import { hash } from 'node:crypto'

/** Excel encrypts with it when only the structure is protected, and opens such workbooks without a prompt. */
export const DEFAULT_PASSWORD = 'VelvetSweatshop'

export type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512'

export const DIGEST_BYTES: Readonly<Record<Digest, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

export type Decrypt = (data: Buffer) => Buffer

export const PASSWORD_PROTECTED = 'The document is password-protected.'

/** A supported encryption header. */
export interface Protection {
  /** Hash rounds to check one password. */
  rounds: number
  /** null: the password is wrong. */
  unlock(password: string): Decrypt | null
}

export function digest(name: Digest | 'md5', ...parts: Uint8Array[]): Buffer {
  return hash(name, Buffer.concat(parts), 'buffer')
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Hashes the password repeatedly, each time prefixed by the round number. */
export function stretch(name: Digest, salt: Uint8Array, rounds: number, password: string): Buffer {
  const first = digest(name, salt, Buffer.from(password, 'utf16le'))
  const input = Buffer.concat([int32(0), first])
  for (let round = 0; round < rounds; round++) {
    input.writeUInt32LE(round)
    hash(name, input, 'buffer').copy(input, 4)
  }
  return input.subarray(4)
}
