/** Workbooks of Excel 5 to 2003 as records: whether a password protects them, and their content where it is the default. */

import type { Decrypt } from './default-password.ts'
import { openRc4 } from './xls-rc4.ts'
import { opensXor, undoXor } from './xls-xor.ts'

/** Sheets of a protected workbook. Excel itself becomes slow before. */
export const SHEETS_MAX = 10_000

const FILE_PASS = 0x002f
const BOUND_SHEET = 0x0085
const BEGINNING = 0x0809
const BEGINNINGS = new Set([0x0009, 0x0209, 0x0409, BEGINNING])
const HEADER_BYTES = 4
/** The place of a sheet, at the start of its BoundSheet. It stays readable. */
const PLACE_BYTES = 4

/** BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo, RRDHead. */
const PLAIN = new Set([BEGINNING, FILE_PASS, 0x0194, 0x0195, 0x00e1, 0x0196, 0x0138])

const EXCEL_5 = 0x0500
const EXCEL_97 = 0x0600

/** Undoes the encryption of the data of a record, or of a part of it, in place. */
type Undo = (copy: Buffer, from: number, to: number, recordBytes: number) => void

/** The record should stand among the first ones, because all after it are encrypted. Their headers never are. */
export function hasFilePass(book: Buffer): boolean {
  if (book.length < HEADER_BYTES || !BEGINNINGS.has(book.readUInt16LE(0))) return false
  for (let at = 0; at + HEADER_BYTES <= book.length; at = endOf(book, at))
    if (book.readUInt16LE(at) === FILE_PASS) return true
  return false
}

/** The stream as it was before it was encrypted; or null, if the default password does not open it. */
export function openWorkbook(book: Buffer): Buffer | null {
  const passAt = passOf(book)
  if (passAt === null || !leadsToSheets(book)) return null
  const undo = undoOf(book, book.subarray(passAt + HEADER_BYTES, endOf(book, passAt)))
  if (undo === null) return null
  const copy = Buffer.from(book)
  for (let at = passAt; at + HEADER_BYTES <= book.length; at = endOf(book, at)) {
    const id = book.readUInt16LE(at)
    if (PLAIN.has(id)) continue
    const from = at + HEADER_BYTES + (id === BOUND_SHEET ? PLACE_BYTES : 0)
    undo(copy, from, Math.min(endOf(book, at), book.length), book.readUInt16LE(at + 2))
  }
  return copy
}

function endOf(book: Buffer, at: number): number {
  return at + HEADER_BYTES + book.readUInt16LE(at + 2)
}

/** Where the only FilePass is. */
function passOf(book: Buffer): number | null {
  let pass: number | null = null
  for (let at = 0; at + HEADER_BYTES <= book.length; at = endOf(book, at)) {
    if (book.readUInt16LE(at) !== FILE_PASS) continue
    if (pass !== null) return null
    pass = at
  }
  return pass
}

/** Excel goes to the sheets by their places. Were these inside our records, it would read other ones. */
function leadsToSheets(book: Buffer): boolean {
  const places = new Set<number>()
  for (let at = 0; at + HEADER_BYTES <= book.length; at = endOf(book, at)) {
    if (book.readUInt16LE(at) !== BOUND_SHEET) continue
    if (at + HEADER_BYTES + PLACE_BYTES > book.length || places.size === SHEETS_MAX) return false
    places.add(book.readUInt32LE(at + HEADER_BYTES))
  }
  for (let at = 0; at + HEADER_BYTES <= book.length; at = endOf(book, at))
    if (book.readUInt16LE(at) === BEGINNING) places.delete(at)
  return places.size === 0
}

function undoOf(book: Buffer, info: Buffer): Undo | null {
  if (book.length < 8 || book.readUInt16LE(0) !== BEGINNING || info.length < 4) return null
  const version = book.readUInt16LE(4)
  if (version === EXCEL_5) return opensXor(info) ? undoXor : null
  if (version !== EXCEL_97) return null
  const type = info.readUInt16LE(0)
  if (type === 0) return opensXor(info.subarray(2)) ? undoXor : null
  const decrypt = type === 1 ? openRc4(info.subarray(2)) : null
  return decrypt === null ? null : fromWhole(book, decrypt)
}

/** The stream is encrypted as one; what is to be readable was put back, and still used up its part of the key. */
function fromWhole(book: Buffer, decrypt: Decrypt): Undo {
  const open = decrypt(book)
  return (copy, from, to) => open.copy(copy, from, from, to)
}
