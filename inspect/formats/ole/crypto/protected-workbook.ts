/** Looks into a protected workbook of Excel 5 to 2003, where the default password fits. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Item, Visit } from '#inspect/core/format.ts'
import { isBook } from './encryption.ts'
import { openWorkbook } from './workbook.ts'

/** Encrypted together with the workbook, and not opened here: pivot caches, what others changed, embedded objects. */
const LOCKED_BESIDE = new Set(['_sx_db_cur', '_sx_db', 'revision log', 'user names', 'encryption'])

/** Whether it is a workbook, and all of it could be opened. What the stream shows without a password is looked at elsewhere. */
export function openBook(item: Item, { entries }: Compound, visit: Visit, name: string, book: Uint8Array): boolean {
  if (!isBook(name)) return false
  if (book.length > visit.room()) {
    visit.hinder(item, 'too_complex', `The workbook is larger than the ${visit.room()} bytes that are left.`)
    return false
  }
  const open = openWorkbook(view(book))
  if (open === null) return false
  visit.spend(open.length, 'stream')
  visit.member(item, name, open)
  return !entries.some((entry) => LOCKED_BESIDE.has(entry.name.toLowerCase()))
}
