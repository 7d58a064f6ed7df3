/** Files that are a text encoding of another file from beginning to end, which archive programs open. */

import { base85 } from '#inspect/codecs/text-codecs.ts'
import { decodeBase64Variants, hexDigit } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import { createSurvey } from '#inspect/core/matcher/classes.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Fewer digits cannot be a file. */
const DIGITS_MIN = 24
const MARK_BYTES = 3
/** Work for each byte and for each line of Intel HEX, and memory for each line. */
const DECODE_WORK = 30
const RECORD_WORK = 400
const RECORD_BYTES = 250
const DOS_END = 0x1a
const BASE64 = /[A-Za-z0-9+/=_\s-]/
const BASE64_BYTES = table(BASE64)
const surveyOf = createSurvey([BASE64])
/** Enough to tell most other files. */
const HEAD_BYTES = 256
const BASE32_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE32 = table(/[A-Z2-7=\s]/)
const BASE85_START = '<~'
const COLON = 0x3a
const LETTER_S = 0x53
/** Length, address, type and checksum. */
const INTEL_BYTES = 5
/** Only the length. */
const MOTOROLA_BYTES = 1

function table(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
}

/** null: it decodes to more than the remaining bytes. */
export function wholeFilesOf(source: Uint8Array, remaining: number): Uint8Array[] | null {
  const bytes = source[0] === 0xef && source[1] === 0xbb ? source.subarray(MARK_BYTES) : source
  if (bytes.length < DIGITS_MIN) return []
  const text = withoutPadding(bytes)
  if (consistsOf(text.subarray(0, HEAD_BYTES), BASE64_BYTES) && surveyOf(text).isComplete) {
    charge(text.length * DECODE_WORK)
    return [
      ...decodeBase64Variants(standardDigits(text)),
      ...(consistsOf(text, BASE32) ? [base32Of(text)] : []),
      ...joined(motorolaRecordsOf(text)),
    ]
  }
  if (view(text).toString('latin1', 0, BASE85_START.length) === BASE85_START) {
    charge(text.length * DECODE_WORK)
    const decoded = base85(text, remaining)
    return decoded === 'too_large' ? null : [decoded.bytes]
  }
  return joined(intelRecordsOf(text))
}

/** Zeros and the end-of-file character of DOS. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (bytes[end - 1] === 0 || bytes[end - 1] === DOS_END) end -= 1
  return bytes.subarray(0, end)
}

function consistsOf(bytes: Uint8Array, digits: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (digits[bytes[at] as number] === 0) return false
  return true
}

function base32Of(bytes: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 5) / 8))
  let [length, held, bits] = [0, 0, 0]
  for (const byte of bytes) {
    const value = BASE32_DIGITS.indexOf(String.fromCharCode(byte))
    if (value === -1) continue
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    out[length++] = (held >> bits) & 0xff
  }
  return out.subarray(0, length)
}

/** URLs and file names use two other digits. */
function standardDigits(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x2d) && !bytes.includes(0x5f)) return bytes
  const standard = Buffer.from(bytes)
  for (let at = 0; at < standard.length; at++)
    if (standard[at] === 0x2d) standard[at] = 0x2b
    else if (standard[at] === 0x5f) standard[at] = 0x2f
  return standard
}

interface HexRecord {
  address: number
  data: Uint8Array
}

/** The data in the order of the file, and in the order of the addresses where that differs. */
function joined(records: readonly HexRecord[]): Uint8Array[] {
  if (records.length === 0) return []
  const inOrder = [...records].sort((one, other) => one.address - other.address)
  const join = (list: readonly HexRecord[]): Uint8Array => Buffer.concat(list.map(({ data }) => data))
  const isSorted = inOrder.every((record, i) => record === records[i])
  return isSorted ? [join(records)] : [join(records), join(inOrder)]
}

/** Intel HEX, up to the first line that is another text. */
function intelRecordsOf(bytes: Uint8Array): HexRecord[] {
  const records: HexRecord[] = []
  let base = 0
  for (let at = spacesEnd(bytes, 0); bytes[at] === COLON; at = spacesEnd(bytes, at)) {
    const record = octets(bytes, at + 1, INTEL_BYTES)
    if (record === null) break
    charge(RECORD_WORK + record.length * DECODE_WORK)
    keep(RECORD_BYTES + record.length)
    const [length = 0, high = 0, low = 0, type = 0] = record
    const data = record.subarray(4, 4 + length)
    if (type === 0) records.push({ address: base + high * 256 + low, data })
    if (type === 2 || type === 4) base = ((data[0] ?? 0) * 256 + (data[1] ?? 0)) * (type === 2 ? 16 : 65_536)
    at += 1 + record.length * 2
  }
  return records
}

/** Motorola S-records with addresses of two to four bytes. Other records contain no data. */
function motorolaRecordsOf(bytes: Uint8Array): HexRecord[] {
  const records: HexRecord[] = []
  for (let at = 0; bytes[at] === LETTER_S; at = spacesEnd(bytes, at)) {
    const record = octets(bytes, at + 2, MOTOROLA_BYTES)
    if (record === null) break
    charge(RECORD_WORK + record.length * DECODE_WORK)
    keep(RECORD_BYTES + record.length)
    const type = hexDigit(bytes[at + 1])
    const address = view(record.subarray(1, 2 + type)).toString('hex')
    if (type >= 1 && type <= 3)
      records.push({ address: Number.parseInt(address, 16), data: record.subarray(2 + type, -1) })
    at += 2 + record.length * 2
  }
  return records
}

function spacesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while ((bytes[at] ?? 0xff) <= 0x20) at += 1
  return at
}

/** The length and as many bytes; `further` bytes are not included in the length. */
function octets(bytes: Uint8Array, from: number, further: number): Uint8Array | null {
  const length = octet(bytes, from)
  if (length < 0) return null
  const record = new Uint8Array(length + further)
  for (let i = 0; i < record.length; i++) {
    const value = octet(bytes, from + i * 2)
    if (value < 0) return null
    record[i] = value
  }
  return record
}

function octet(bytes: Uint8Array, at: number): number {
  return hexDigit(bytes[at]) * 16 + hexDigit(bytes[at + 1])
}
