/** Files that are a text encoding of another file from beginning to end, which archive programs open. */

import { decodeBase64Variants, hexDigit } from '#inspect/codecs/transfer-encodings.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Fewer digits cannot be a file. */
const DIGITS_MIN = 24
const MARK_BYTES = 3
/** Work for each byte and for each line of Intel HEX, and memory for each line. */
const DECODE_WORK = 30
const RECORD_WORK = 400
const RECORD_BYTES = 250
const BASE64 = table(/[A-Za-z0-9+/=_\s-]/)
const COLON = 0x3a

function table(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
}

export function wholeFilesOf(source: Uint8Array): Uint8Array[] {
  const bytes = source[0] === 0xef && source[1] === 0xbb ? source.subarray(MARK_BYTES) : source
  if (bytes.length < DIGITS_MIN) return []
  if (!isBase64(bytes)) return intelHexOf(bytes)
  charge(bytes.length * DECODE_WORK)
  return decodeBase64Variants(standardDigits(bytes))
}

function isBase64(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (BASE64[bytes[at] as number] === 0) return false
  return true
}

/** URLs and file names use two other digits. */
export function standardDigits(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x2d) && !bytes.includes(0x5f)) return bytes
  return bytes.map((byte) => (byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte))
}

interface HexRecord {
  address: number
  data: Uint8Array
}

/** Intel HEX: the data in the order of the file, and in the order of the addresses where that differs. */
function intelHexOf(bytes: Uint8Array): Uint8Array[] {
  const records = hexRecordsOf(bytes)
  if (records.length === 0) return []
  const inOrder = [...records].sort((one, other) => one.address - other.address)
  const join = (list: readonly HexRecord[]): Uint8Array => Buffer.concat(list.map(({ data }) => data))
  const isSorted = inOrder.every((record, i) => record === records[i])
  return isSorted ? [join(records)] : [join(records), join(inOrder)]
}

/** Up to the first line that is another text. */
function hexRecordsOf(bytes: Uint8Array): HexRecord[] {
  const records: HexRecord[] = []
  let base = 0
  for (let at = spacesEnd(bytes, 0); bytes[at] === COLON; at = spacesEnd(bytes, at)) {
    const record = octets(bytes, at + 1)
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

function spacesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while ((bytes[at] ?? 0xff) <= 0x20) at += 1
  return at
}

/** Length, address, type, data and checksum. */
function octets(bytes: Uint8Array, from: number): Uint8Array | null {
  const length = octet(bytes, from)
  if (length < 0) return null
  const record = new Uint8Array(length + 5)
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
