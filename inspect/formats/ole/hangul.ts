/** Unpacks the compressed streams of Hangul documents (HWP), and the compressed files in their XML form (HWPML). */

import type { Compound } from '#inspect/codecs/compound.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import { type Context, type Format, IN_BASE64, type Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { safeName } from '#inspect/core/names.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'
import { charge } from '#inspect/core/work.ts'

/** Work for each byte of a stream. */
const READ_WORK = 1
/** Of a text in which a word is searched. */
const SEARCH_WORK = 0.25
/** Names in compound files ignore case. */
const HEADER = 'fileheader'
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

const known = new WeakMap<Item, boolean>()

/** Searches each text once. A keyword would cost every other document more. */
function isHangulXml(item: Item): boolean {
  const before = known.get(item)
  if (before !== undefined) return before
  charge(item.bytes.length * SEARCH_WORK)
  const found = view(item.bytes).includes('<HWPML')
  known.set(item, found)
  return found
}

/** The files are in Base64, which is decoded elsewhere. */
export const hangulXml: Format = {
  among: { members: true },
  applies: ({ path, parent }) => parent !== null && path.at(-1) === IN_BASE64 && isHangulXml(parent),
  analyse(item, context) {
    inspectDeflated(item, '(inside)', item.bytes, context)
  },
}

/** null: another document. */
function flagsOf(compound: Compound): number | null {
  const entry = compound.entries.find(({ name }) => name.toLowerCase() === HEADER)
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
  const unpacked = inflated.outcome === 'corrupt' ? inflatePartial(bytes, remaining) : inflated.bytes
  if (unpacked.length === 0) return true
  context.budget.spend(unpacked.length, 'archive')
  context.inspectMember(item, name, unpacked)
  return true
}
