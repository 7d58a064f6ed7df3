/** Unpacks the compressed streams of Hangul documents (HWP). */

import type { Compound } from '#inspect/codecs/compound.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { safeName } from '#inspect/core/names.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { charge } from '#inspect/core/work.ts'

/** Work for each byte of a stream. */
const READ_WORK = 2
const HEADER = 'FileHeader'
const SIGNATURE = ascii('HWP Document File')
const FLAGS_AT = 36
const PROTECTED = 2
const FOR_DISTRIBUTION = 4

/** Most streams are raw deflate data, and nothing says which. */
export function inspectHangul(item: Item, compound: Compound, context: Context): void {
  const flags = flagsOf(compound)
  if (flags === null) return
  if (flags & PROTECTED) context.addObstacle(item, 'encrypted', 'The document is password-protected.')
  if (flags & FOR_DISTRIBUTION)
    context.addObstacle(item, 'too_complex', 'The text of a distribution document is not decrypted.')
  for (const entry of compound.entries) {
    if (entry.storage || entry.root || entry.size === 0) continue
    charge(Math.min(entry.size, item.bytes.length) * READ_WORK)
    if (!inspectDeflated(item, safeName(entry.name), compound.read(entry).bytes, context)) return
  }
}

/** null: another document. */
function flagsOf(compound: Compound): number | null {
  const entry = compound.entries.find(({ name }) => name === HEADER)
  const header = entry === undefined ? null : view(compound.read(entry).bytes)
  if (header === null || !startsWith(header, SIGNATURE)) return null
  return header.length < FLAGS_AT + 4 ? 0 : header.readUInt32LE(FLAGS_AT)
}

/** false: the budget is spent. */
function inspectDeflated(item: Item, name: string, bytes: Uint8Array, context: Context): boolean {
  const remaining = context.budget.remaining()
  const inflated = inflate(bytes, remaining, Math.min(bytes.length * 4, 1_048_576))
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return false
  }
  if (inflated.outcome === 'corrupt' || inflated.bytes.length === 0) return true
  context.budget.spend(inflated.bytes.length, 'archive')
  context.inspectMember(item, name, inflated.bytes)
  return true
}
