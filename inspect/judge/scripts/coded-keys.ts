/** Keys of a script, and the texts that they make of its coded data. */

import { charge, keep } from '#inspect/core/work.ts'

export const NUMBER = String.raw`(?:0x[\da-f]{1,2}|\d{1,3})`
/** Operators by which a key is applied, and functions that turn the result into a character. */
const KEYED = /-bxor\b|\bxor\b|\^|[-+]\s*(?:0x)?\d|\bchr\b|\[(?:char|byte)\]|fromcharcode/i
const KEY = new RegExp(String.raw`(?<![\w.,])${NUMBER}(?![\w.,])|["']([^"'\r\n]+)["']`, 'gi')
const LIST = new RegExp(String.raw`${NUMBER}(?:\s*,\s*${NUMBER})+`, 'gi')
/** Characters that a key has to make readable. Fewer may be readable by accident. */
const CHARACTERS_MIN = 20
export const IS_TEXT = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\x20-\x7e\s]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** For each key, for each text, and for each key of several bytes that is tried on one and each byte that it makes readable. */
const KEY_WORK = 500
const KEY_BYTES = 150
const TEXT_WORK = 1_000
const PAIR_WORK = 20
const PAIR_BYTE_WORK = 10

export interface Keys {
  /** One bit for each key of one byte. */
  bytes: Uint32Array
  /** Of several bytes: those of ASCII characters, and others. */
  plain: readonly Buffer[]
  others: readonly Buffer[]
}

/** Only a key of one byte is subtracted or added. */
const WAYS: readonly ((byte: number, key: number) => number)[] = [
  (byte, key) => byte ^ key,
  (byte, key) => (byte - key) & 0xff,
  (byte, key) => (byte + key) & 0xff,
]
const WORDS = 256 / 32
/** For each way and byte, one bit for each key that makes a character of a text of it. */
type Readable = readonly (readonly Uint32Array[])[]
let known: Readable | undefined

/** Made when a script first needs it, because every start of a worker would take longer. */
function readableBy(): Readable {
  known ??= WAYS.map((apply) =>
    Array.from({ length: 256 }, (_, byte) => bitsOf((key) => IS_TEXT[apply(byte, key)] === 1)),
  )
  return known
}

function bitsOf(isSet: (key: number) => boolean): Uint32Array {
  const bits = new Uint32Array(WORDS)
  for (let key = 0; key < 256; key++) if (isSet(key)) bits[key >> 5] = (bits[key >> 5] as number) | (1 << (key & 31))
  return bits
}

const hasBit = (bits: Uint32Array, key: number): boolean => (((bits[key >> 5] as number) >>> (key & 31)) & 1) === 1

export function numbersIn(list: string): Buffer {
  return Buffer.from((list.match(/0x[\da-f]+|\d+/gi) ?? []).map(Number))
}

/** Numbers, lists of them and texts in quotes. None in a script that computes no characters. */
export function keysIn(source: string): Keys {
  const keys = new Map<string, Buffer>()
  const add = (key: Buffer): void => {
    charge(KEY_WORK + key.length)
    keep(KEY_BYTES + key.length)
    keys.set(key.toString('latin1'), key)
  }
  if (KEYED.test(source)) {
    for (const [found, text] of source.matchAll(KEY))
      add(text === undefined ? Buffer.from([Number(found)]) : Buffer.from(text, 'latin1'))
    for (const [list] of source.matchAll(LIST)) add(numbersIn(list))
  }
  const all = [...keys.values()]
  const single = new Set(all.filter(({ length }) => length === 1).map(([byte]) => byte))
  const isPlain = (key: Buffer): boolean => key.every((byte) => byte < 0x80)
  const longer = all.filter(({ length }) => length > 1)
  return {
    bytes: bitsOf((key) => key > 0 && single.has(key)),
    plain: longer.filter(isPlain),
    others: longer.filter((key) => !isPlain(key)),
  }
}

/** The texts that the keys make of the bytes. */
export function* keyed(bytes: Buffer, keys: Keys): Generator<Uint8Array> {
  charge(TEXT_WORK)
  for (const [way, apply] of WAYS.entries())
    for (const key of bytesFor(bytes, keys.bytes, way)) yield bytes.map((byte) => apply(byte, key))
  // A character of ASCII under a key of ASCII is one again.
  const isPlain = bytes.subarray(0, CHARACTERS_MIN).every((byte) => byte < 0x80)
  for (const list of isPlain ? [keys.plain, keys.others] : [keys.others])
    for (const key of list) if (fits(key, bytes)) yield bytes.map((byte, i) => byte ^ (key[i % key.length] as number))
}

/** Keys of one byte that make the beginning readable. */
function bytesFor(bytes: Buffer, keys: Uint32Array, way: number): number[] {
  const left = keys.slice()
  const end = Math.min(bytes.length, CHARACTERS_MIN)
  let isAny = true
  for (let i = 0; i < end && isAny; i++) {
    const readable = readableBy()[way]?.[bytes[i] as number] as Uint32Array
    for (let word = 0; word < WORDS; word++) left[word] = (left[word] as number) & (readable[word] as number)
    isAny = left.some((bits) => bits !== 0)
  }
  const found = isAny ? Array.from({ length: 256 }, (_, key) => key).filter((key) => hasBit(left, key)) : []
  // In UTF-16, the second byte becomes zero.
  const wide = way === 2 ? (256 - (bytes[1] ?? 0)) & 0xff : (bytes[1] ?? 0)
  return hasBit(keys, wide) ? [...found, wide] : found
}

/** Whether the key makes the beginning readable, as Latin-1 or UTF-16. */
function fits(key: Buffer, bytes: Buffer): boolean {
  const { length } = key
  const isWide = bytes[1] === key[1]
  const end = Math.min(bytes.length, isWide ? CHARACTERS_MIN * 2 : CHARACTERS_MIN)
  let i = 0
  for (let at = 0; i < end; i++) {
    const byte = (bytes[i] as number) ^ (key[at] as number)
    if (isWide && (i & 1) === 1 ? byte !== 0 : IS_TEXT[byte] === 0) break
    at = at + 1 === length ? 0 : at + 1
  }
  charge(PAIR_WORK + i * PAIR_BYTE_WORK)
  return i === end
}
