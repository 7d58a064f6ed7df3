/** Finds monikers ([MS-OSHARED] 2.3.7) in binary data: the targets of hyperlinks and linked objects. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'

interface Moniker {
  kind: 'url' | 'file' | 'script'
  /** Empty for a script moniker without a readable address. */
  target: string
}

const CLSID_BYTES = 16
const URL_MONIKER = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex')
const FILE_MONIKER = Buffer.from('0303000000000000c000000000000046', 'hex')
/** Windows script components, their factory, the new moniker and the SOAP moniker: each runs code. */
const SCRIPT_MONIKERS = [
  'd30b2906aa48d2118432006008c3fbfc',
  'd20b2906aa48d2118432006008c3fbfc',
  'c6afabec197fd211978e0000f8757e2a',
  'c7b0abec197fd211978e0000f8757e2a',
].map((hex) => Buffer.from(hex, 'hex'))

const MONIKER_WORK = 2_000
const BYTE_WORK = 3
const TARGET_BYTES_MAX = 4_096

/** Wherever they are: programs read monikers at positions that other fields determine, and so may an attacker. */
export function* monikersIn(source: Uint8Array): Generator<Moniker> {
  const bytes = view(source)
  charge(bytes.length * BYTE_WORK)
  for (const at of offsetsOf(bytes, URL_MONIKER)) yield { kind: 'url', target: urlAt(bytes, at + CLSID_BYTES) }
  for (const at of offsetsOf(bytes, FILE_MONIKER)) yield { kind: 'file', target: pathAt(bytes, at + CLSID_BYTES) }
  for (const clsid of SCRIPT_MONIKERS)
    for (const at of offsetsOf(bytes, clsid)) yield { kind: 'script', target: urlAt(bytes, at + CLSID_BYTES) }
}

function* offsetsOf(bytes: Buffer, clsid: Buffer): Generator<number> {
  for (let at = bytes.indexOf(clsid); at !== -1; at = bytes.indexOf(clsid, at + 1)) {
    charge(MONIKER_WORK)
    yield at
  }
}

/** The length in bytes, and text in UTF-16. */
function urlAt(bytes: Buffer, at: number): string {
  if (at + 4 > bytes.length) return ''
  const length = Math.min(bytes.readUInt32LE(at), TARGET_BYTES_MAX, bytes.length - at - 4)
  return untilZero(bytes.toString('utf16le', at + 4, at + 4 + (length & ~1)))
}

/** Levels up, an 8-bit path, 24 bytes, and optionally the same path in UTF-16, which is preferred. */
function pathAt(bytes: Buffer, at: number): string {
  if (at + 6 > bytes.length) return ''
  const shortEnd = at + 6 + Math.min(bytes.readUInt32LE(at + 2), bytes.length)
  const short = untilZero(bytes.toString('latin1', at + 6, Math.min(shortEnd, at + 6 + TARGET_BYTES_MAX)))
  const longAt = shortEnd + 24
  if (longAt + 10 > bytes.length || bytes.readUInt32LE(longAt) === 0) return short
  const length = Math.min(bytes.readUInt32LE(longAt + 4), TARGET_BYTES_MAX, bytes.length - longAt - 10)
  return untilZero(bytes.toString('utf16le', longAt + 10, longAt + 10 + (length & ~1))) || short
}

function untilZero(text: string): string {
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}
