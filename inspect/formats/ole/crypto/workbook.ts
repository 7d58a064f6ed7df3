/** Workbooks of Excel 5 to 2003: detects password protection and decrypts those under the default password or a given one. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { type BlockCipher, decryptBlocks, unlockRc4, unlockXor } from './ciphers.ts'
import { DEFAULT_PASSWORD } from './default-password.ts'
import { decryptProperties, PROPERTIES } from './properties.ts'

/** Streams encrypted with the workbook that are not decrypted here: pivot caches and revisions. */
const OTHER_ENCRYPTED = new Set(['_sx_db_cur', '_sx_db', 'revision log', 'user names'])
/** RC4 uses a new key for every block. */
const BLOCK_BYTES = 1024

/** Sheets of a protected workbook. Excel becomes slow with fewer. */
export const SHEETS_MAX = 10_000

const FILE_PASS = 0x002f
const BOUND_SHEET = 0x0085
const BOF = 0x0809
const BOF_VERSIONS = new Set([0x0009, 0x0209, 0x0409, BOF])
const HEADER_BYTES = 4
/** The offset of a sheet, at the start of its BoundSheet, is not encrypted. */
const OFFSET_BYTES = 4

/** BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo, RRDHead. */
const UNENCRYPTED = new Set([BOF, FILE_PASS, 0x0194, 0x0195, 0x00e1, 0x0196, 0x0138])

const EXCEL_5 = 0x0500
const EXCEL_97 = 0x0600

export function isWorkbook(streamName: string): boolean {
  return /^(?:work)?book$/i.test(streamName)
}

/** Searches the whole stream, because FilePass may follow other records. Record headers are never encrypted. */
export function hasFilePass(book: Buffer): boolean {
  if (book.length < HEADER_BYTES || !BOF_VERSIONS.has(book.readUInt16LE(0))) return false
  return !recordsOf(book, FILE_PASS).next().done
}

/** Inspects the decrypted workbook. false: the stream is no workbook, or something remains encrypted. */
export function inspectWorkbook(
  item: Item,
  compound: Compound,
  context: Context,
  name: string,
  book: Uint8Array,
): boolean {
  if (!isWorkbook(name)) return false
  if (!context.budget.has(book.length)) {
    context.addObstacle(item, 'too_complex', exceedsBudget(context.budget.remaining()))
    return false
  }
  const decrypted = decryptWorkbook(view(book), context.passwordsFor(item))
  if (decrypted === null) return false
  context.budget.spend(decrypted.length, 'stream')
  context.inspectMember(item, name, decrypted)
  if (compound.entries.some((entry) => OTHER_ENCRYPTED.has(entry.name.toLowerCase()))) return false
  return inspectProperties(item, compound, context, view(book))
}

/** false: they cannot be decrypted. */
function inspectProperties(item: Item, compound: Compound, context: Context, book: Buffer): boolean {
  const [entry, another] = compound.entries.filter(({ name }) => name.toLowerCase() === PROPERTIES.office)
  if (entry === undefined) return true
  const cipher = blockCipherOf(book, context.passwordsFor(item))
  const streams = cipher && decryptProperties(view(compound.read(entry).bytes), cipher)
  if (!streams || another !== undefined) return false
  for (const stream of streams) {
    if (!context.countEntry(item) || !context.chargeBytes(item, stream.size, 'stream')) return true
    context.inspectMember(item, safeName(stream.name), stream.read())
  }
  return true
}

function blockCipherOf(book: Buffer, passwords: readonly string[]): BlockCipher | null {
  const [passAt = book.length] = recordsOf(book, FILE_PASS)
  const info = book.subarray(passAt + HEADER_BYTES + 2, endOf(book, passAt))
  for (const password of [DEFAULT_PASSWORD, ...passwords]) {
    const cipher = unlockRc4(info, password)
    if (cipher !== null) return cipher
  }
  return null
}

/** null: no password opens it. */
export function decryptWorkbook(book: Buffer, passwords: readonly string[] = []): Buffer | null {
  const [passAt, second] = recordsOf(book, FILE_PASS)
  if (passAt === undefined || second !== undefined || !hasSheetsAtRecords(book)) return null
  const decrypt = recordCipher(book, book.subarray(passAt + HEADER_BYTES, endOf(book, passAt)), passwords)
  if (decrypt === null) return null
  const copy = Buffer.from(book)
  for (let at = passAt; at + HEADER_BYTES <= book.length; at = endOf(book, at)) {
    const id = book.readUInt16LE(at)
    if (UNENCRYPTED.has(id)) continue
    const from = at + HEADER_BYTES + (id === BOUND_SHEET ? OFFSET_BYTES : 0)
    decrypt(copy, from, Math.min(endOf(book, at), book.length), book.readUInt16LE(at + 2))
  }
  return copy
}

/** Offsets of the records with this id. */
function* recordsOf(book: Buffer, id: number): Generator<number> {
  for (let at = 0; at + HEADER_BYTES <= book.length; at = endOf(book, at)) if (book.readUInt16LE(at) === id) yield at
}

function endOf(book: Buffer, at: number): number {
  return at + HEADER_BYTES + book.readUInt16LE(at + 2)
}

/** Excel finds sheets by offset. Offsets inside other records would make it read different data. */
function hasSheetsAtRecords(book: Buffer): boolean {
  const offsets = new Set<number>()
  for (const at of recordsOf(book, BOUND_SHEET)) {
    if (at + HEADER_BYTES + OFFSET_BYTES > book.length || offsets.size === SHEETS_MAX) return false
    offsets.add(book.readUInt32LE(at + HEADER_BYTES))
  }
  for (const at of recordsOf(book, BOF)) offsets.delete(at)
  return offsets.size === 0
}

/** Decrypts the data of a record, or part of it, in place. */
type RecordCipher = (copy: Buffer, from: number, to: number, recordBytes: number) => void

function recordCipher(book: Buffer, info: Buffer, passwords: readonly string[]): RecordCipher | null {
  if (book.length < 8 || book.readUInt16LE(0) !== BOF || info.length < 4) return null
  const version = book.readUInt16LE(4)
  const unlock = methodOf(version, info)
  if (unlock === null) return null
  for (const password of [DEFAULT_PASSWORD, ...passwords]) {
    const decrypt = unlock(book, password)
    if (decrypt !== null) return decrypt
  }
  return null
}

type Unlock = (book: Buffer, password: string) => RecordCipher | null

/** null: unsupported. */
function methodOf(version: number, info: Buffer): Unlock | null {
  const xor =
    (header: Buffer): Unlock =>
    (_book, password) =>
      unlockXor(header, password)
  if (version === EXCEL_5) return xor(info)
  if (version !== EXCEL_97) return null
  const type = info.readUInt16LE(0)
  if (type === 0) return xor(info.subarray(2))
  if (type !== 1) return null
  return (book, password) => {
    const cipher = unlockRc4(info.subarray(2), password)
    return cipher && fromWhole(book, cipher)
  }
}

/** RC4 runs over the whole stream: unencrypted parts consume key stream as well. */
function fromWhole(book: Buffer, cipher: BlockCipher): RecordCipher {
  const plain = decryptBlocks(cipher, book, BLOCK_BYTES)
  return (copy, from, to) => plain.copy(copy, from, from, to)
}
