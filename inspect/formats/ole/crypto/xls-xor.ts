/** XOR obfuscation of workbooks (method 1 of [MS-OFFCRYPTO] 2.3.7, as Excel really does it). */

import { DEFAULT_PASSWORD } from './default-password.ts'

/** What a file stores of the default password: 16 bits of a key, and 16 that tell whether a password fits. */
const DEFAULT_KEY = 0xb359
const DEFAULT_VERIFIER = 0x9a0a
/** Fills up a password of 15 characters. */
const FILLING = 0xbb

const MASK = maskOf(Buffer.from(DEFAULT_PASSWORD, 'latin1'))

function maskOf(password: Buffer): Uint8Array {
  return Uint8Array.from([...password, FILLING], (byte, i) =>
    rotateLeft(byte ^ (i % 2 === 0 ? DEFAULT_KEY & 0xff : DEFAULT_KEY >> 8), 2),
  )
}

/** `info` is the record FilePass behind its type. */
export function opensXor(info: Buffer): boolean {
  return info.length >= 4 && info.readUInt16LE(0) === DEFAULT_KEY && info.readUInt16LE(2) === DEFAULT_VERIFIER
}

/** Undoes it in place, for one record: the mask begins at a place that depends on where the record ends. */
export function undoXor(book: Buffer, from: number, to: number, recordBytes: number): void {
  for (let at = from; at < to; at++) book[at] = rotateLeft(book[at] ?? 0, 3) ^ (MASK[(at + recordBytes) % 16] ?? 0)
}

function rotateLeft(byte: number, bits: number): number {
  return ((byte << bits) | (byte >> (8 - bits))) & 0xff
}
