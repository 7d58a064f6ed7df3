/** Unpacks cabinets (CAB) at any offset. Only the methods stored and MSZIP are supported. */

import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { exceedsBudget, unsupportedArchive } from '#inspect/core/obstacles.ts'
import { charge } from '#inspect/core/work.ts'
import { isCabinet } from '#inspect/detect/cabinet.ts'
import { isFragmented } from '#inspect/detect/fragmented.ts'
import { type Cabinet, type CabinetFile, type Folder, readCabinet } from './cabinet.ts'
import { unpackFolder } from './folder.ts'

const SIGNATURE = ascii('MSCF')
const MARK = mark(['MSCF'], { fits: (bytes, at) => isCabinet(bytes.subarray(at)) })
/** Work for each signature. */
const CANDIDATE_WORK = 1_000
const TYPE = 'application/vnd.ms-cab-compressed'

/** Cabinets in one item. Workbooks have one for each configured printer. */
export const CABINETS_MAX = 64

export const cab: Format = {
  among: { marks: [MARK] },
  // At any offset: workbooks embed cabinets with printer settings.
  applies: (item) => item.has(MARK),
  analyse(item, context) {
    let count = 0
    for (const { cabinet, at } of cabinets(item.bytes)) {
      count += 1
      if (count > CABINETS_MAX) {
        context.addObstacle(item, 'too_complex', `It contains more than ${CABINETS_MAX} cabinets.`)
        return
      }
      if (!inspectCabinet(item, cabinet, damageReporter(item, at, context), context)) return
    }
  },
}

function* cabinets(source: Uint8Array): Generator<{ cabinet: Cabinet; at: number }> {
  const bytes = view(source)
  for (let at = bytes.indexOf(SIGNATURE); at !== -1; at = bytes.indexOf(SIGNATURE, at + 1)) {
    charge(CANDIDATE_WORK)
    const cabinet = readCabinet(bytes.subarray(at))
    if (cabinet !== null) yield { cabinet, at }
  }
}

/** false: the budget is spent. */
function inspectCabinet(item: Item, cabinet: Cabinet, damaged: ReportDamage, context: Context): boolean {
  if (cabinet.fault !== null) damaged(cabinet.fault)
  if (cabinet.split) context.addObstacle(item, 'too_complex', 'The cabinet is one part of a multi-part archive.')
  const lengths = lengthsOf(cabinet.files)
  if (cabinet.folders.some((each) => each.blocks > 0 && !lengths.has(each))) damaged(UNLISTED)
  // Files are in the order of their folders, so only one folder is kept in memory.
  let folder: Folder | null = null
  let content: Uint8Array | null = null
  for (const file of cabinet.files) {
    if (!context.countEntry(item)) return false
    if (folder !== file.folder) content = contentOf(item, file.folder, lengths, damaged, context)
    folder = file.folder
    if (content === null || !inspectFile(item, file, content, damaged, context)) return false
  }
  return true
}

const UNLISTED = 'The cabinet contains data that belongs to no file.'

/** End of the last file of each folder. */
function lengthsOf(files: readonly CabinetFile[]): Map<Folder, number> {
  const lengths = new Map<Folder, number>()
  for (const { folder, start, length } of files) lengths.set(folder, Math.max(lengths.get(folder) ?? 0, start + length))
  return lengths
}

function inspectFile(
  item: Item,
  { name, start, length }: CabinetFile,
  content: Uint8Array,
  damaged: ReportDamage,
  context: Context,
): boolean {
  const bytes = content.subarray(start, start + length)
  if (bytes.length < length) damaged('A file in the cabinet is truncated.')
  if (!context.chargeBytes(item, bytes.length, 'archive')) return false
  if (bytes.length > 0) context.inspectMember(item, safeName(decodeName(name)), bytes)
  return true
}

/** null: the budget is spent. */
function contentOf(
  item: Item,
  folder: Folder,
  lengths: ReadonlyMap<Folder, number>,
  damaged: ReportDamage,
  context: Context,
): Uint8Array | null {
  const remaining = context.budget.remaining()
  const { bytes, outcome } = unpackFolder(folder, remaining)
  context.budget.spend(bytes.length, 'archive')
  if (outcome === 'unknown_method') context.addObstacle(item, 'too_complex', unsupportedArchive(TYPE))
  if (outcome === 'damaged') damaged('The cabinet is damaged.')
  if (bytes.length > (lengths.get(folder) ?? 0)) damaged(UNLISTED)
  if (outcome !== 'too_large') return bytes
  context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
  return null
}

type ReportDamage = (detail: string) => void

/**
 * Fragments of a cabinet in a compound file are not damage. But a stream that begins with a cabinet is one, as in
 * attachments.
 */
function damageReporter(item: Item, at: number, context: Context): ReportDamage {
  const cut = at > 0 && isFragmented(item)
  return (detail) => {
    if (!cut) context.addObstacle(item, 'damaged', detail)
  }
}
