/** Looks into a protected workbook of Excel 5 to 2003, where the default password fits. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { isBook } from './encryption.ts'
import { openWorkbook } from './workbook.ts'

/** Encrypted together with the workbook, and not opened here: pivot caches, what others changed, embedded objects. */
const LOCKED_BESIDE = new Set(['_sx_db_cur', '_sx_db', 'revision log', 'user names', 'encryption'])

/** Whether it is a workbook, and all of it could be opened. What the stream shows without a password is looked at elsewhere. */
export function openBook(item: Item, { entries }: Compound, context: Context, name: string, book: Uint8Array): boolean {
  if (!isBook(name)) return false
  if (!context.budget.has(book.length)) {
    context.addObstacle(item, 'too_complex', exceedsBudget(context.budget.remaining()))
    return false
  }
  const open = openWorkbook(view(book))
  if (open === null) return false
  context.budget.spend(open.length, 'stream')
  context.inspectMember(item, name, open)
  return !entries.some((entry) => LOCKED_BESIDE.has(entry.name.toLowerCase()))
}
