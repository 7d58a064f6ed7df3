/** Decrypts archive entries with given passwords: ZipCrypto of PKWARE and AES of WinZip. */

import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto'
import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import { AES_METHOD, type Entry, isStreamed, isTraditional } from './entries.ts'

/** The packed data of an entry, and what it must unpack to. */
interface Plain {
  packed: Buffer
  method: number
  /** null: the data was authenticated instead. */
  crc: number | null
}

export interface Lock {
  /** Hash rounds to check one password. */
  rounds: number
  /** null: the password is wrong. A few wrong ones pass, so that the unpacked data has to be verified. */
  open(password: Buffer): Plain | null
}

/** null: encrypted by another method, or not consistently. */
export function lockOf(bytes: Uint8Array, entry: Entry): Lock | null {
  const { local, central } = entry
  if (local === null) return null
  const data = view(bytes.subarray(local.dataAt, entry.end))
  if (central.method === AES_METHOD) return aesLock(data, entry)
  if (!isTraditional(central) || !isTraditional(local) || data.length < HEADER_BYTES) return null
  // The last byte of the header repeats one of the checksum, or of the time if the checksum follows the data.
  const checks = [central.crc >>> 24]
  if (isStreamed(central) || isStreamed(local)) checks.push(view(bytes).readUInt8(local.at + TIME_AT + 1))
  const { method, crc } = central
  return {
    rounds: 0,
    open(password) {
      const packed = openTraditional(data, password, checks)
      return packed && { packed, method, crc }
    },
  }
}

const HEADER_BYTES = 12
/** In a local header. */
const TIME_AT = 10
/** Units of work per byte. */
const TRADITIONAL_WORK = 12
const AES_WORK = 4

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** APPNOTE 6.1. */
function openTraditional(data: Buffer, password: Buffer, checks: readonly number[]): Buffer | null {
  charge((password.length + HEADER_BYTES) * TRADITIONAL_WORK)
  const cipher = traditionalCipher(password)
  const header = cipher(data.subarray(0, HEADER_BYTES))
  if (!checks.includes(header[HEADER_BYTES - 1] ?? 0)) return null
  charge(data.length * TRADITIONAL_WORK)
  return cipher(data.subarray(HEADER_BYTES))
}

function traditionalCipher(password: Buffer): (data: Buffer) => Buffer {
  let [a, b, c] = [0x12345678, 0x23456789, 0x34567890]
  const update = (byte: number): void => {
    a = (a >>> 8) ^ (CRC_TABLE[(a ^ byte) & 0xff] ?? 0)
    b = (Math.imul(b + (a & 0xff), 134_775_813) + 1) | 0
    c = (c >>> 8) ^ (CRC_TABLE[(c ^ (b >>> 24)) & 0xff] ?? 0)
  }
  for (const byte of password) update(byte)
  return (data) => {
    const plain = Buffer.allocUnsafe(data.length)
    for (let at = 0; at < data.length; at++) {
      const key = c | 2
      const byte = (data[at] ?? 0) ^ ((Math.imul(key, key ^ 1) >>> 8) & 0xff)
      update(byte)
      plain[at] = byte
    }
    return plain
  }
}

const AES_FIELD = 0x9901
const AES_FIELD_BYTES = 7
const AE_VERSIONS = [1, 2]
const KEY_BYTES: Readonly<Record<number, number>> = { 1: 16, 2: 24, 3: 32 }
const AES_ROUNDS = 1_000
const CHECK_BYTES = 2
const CODE_BYTES = 10

interface AesField {
  version: number
  keyBytes: number
  method: number
}

/** The specification "AES Encryption Information" of WinZip: a salt, a check value, the data and an authentication code. */
function aesLock(data: Buffer, { central, local }: Entry): Lock | null {
  const field = aesFieldOf(central.extra)
  const other = local && aesFieldOf(local.extra)
  if (field === null || other === null || JSON.stringify(field) !== JSON.stringify(other)) return null
  const { version, keyBytes, method } = field
  const saltBytes = keyBytes / 2
  const dataAt = saltBytes + CHECK_BYTES
  if (data.length < dataAt + CODE_BYTES) return null
  const encrypted = data.subarray(dataAt, -CODE_BYTES)
  const crc = version === 1 ? central.crc : null
  return {
    rounds: AES_ROUNDS,
    open(password) {
      const keys = pbkdf2Sync(password, data.subarray(0, saltBytes), AES_ROUNDS, 2 * keyBytes + CHECK_BYTES, 'sha1')
      if (!keys.subarray(-CHECK_BYTES).equals(data.subarray(saltBytes, dataAt))) return null
      charge(data.length * AES_WORK)
      const code = createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes))
        .update(encrypted)
        .digest()
      if (!code.subarray(0, CODE_BYTES).equals(data.subarray(-CODE_BYTES))) return null
      return { packed: decryptAes(keys.subarray(0, keyBytes), encrypted), method, crc }
    },
  }
}

function aesFieldOf(extra: Uint8Array): AesField | null {
  const bytes = view(extra)
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUInt16LE(at + 2)) {
    const field = bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2))
    if (bytes.readUInt16LE(at) !== AES_FIELD || field.length < AES_FIELD_BYTES) continue
    const version = field.readUInt16LE(0)
    const keyBytes = KEY_BYTES[field.readUInt8(4)]
    if (!AE_VERSIONS.includes(version) || keyBytes === undefined) return null
    return { version, keyBytes, method: field.readUInt16LE(5) }
  }
  return null
}

const BLOCK_BYTES = 16
/** Counter blocks encrypted at once. */
const BATCH_BYTES = 65_536

/** Counter mode as node has it counts from the other end, so only the block cipher is used. */
function decryptAes(key: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
  const plain = Buffer.from(data)
  for (let from = 0; from < data.length; from += BATCH_BYTES) {
    const end = Math.min(BATCH_BYTES, data.length - from)
    const counters = Buffer.alloc(Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES)
    for (let at = 0; at < end; at += BLOCK_BYTES) counters.writeUInt32LE((from + at) / BLOCK_BYTES + 1, at)
    const stream = cipher.update(counters)
    for (let at = 0; at < end; at++) plain[from + at] = (plain[from + at] ?? 0) ^ (stream[at] ?? 0)
  }
  return plain
}
