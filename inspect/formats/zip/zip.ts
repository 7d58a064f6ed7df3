/** Unpacks ZIP archives with listed and unlisted entries, and detects decompression bombs. */

import { BOMBS } from '#inspect/catalogue/bombs.ts'
import { ZIP } from '#inspect/catalogue/zip.ts'
import { type Directory, readDirectory } from '#inspect/codecs/zip-records.ts'
import { view } from '#inspect/core/bytes.ts'
import { RATIO_BOMB } from '#inspect/core/findings.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { decodeName } from '#inspect/core/names.ts'
import { isFragmented } from '#inspect/detect/fragmented.ts'
import { isOle2, isZip } from '#inspect/detect/sniff.ts'
import { isReversedProgram } from '#inspect/judge/files.ts'
import { carve, holdsEntry, inspectDataAfter, inspectUnpacked, isInterrupted, LOCAL_HEADER } from './carve.ts'
import { lockOf } from './decrypt.ts'
import { type Entry, isLink, isStreamed, leavesFolder, otherName, readEntry } from './entries.ts'
import { staysInside } from './links.ts'
import { createOpener, type Opener } from './open.ts'
import { gaps, overlaps, type Range } from './ranges.ts'
import { isUnterminated } from './unterminated.ts'

const END_RECORD = mark(['PK\x05\x06'])

export const zip: Format = {
  among: { marks: [END_RECORD, LOCAL_HEADER], binary: true },
  // At any offset: a document of another type may also open as an archive.
  applies(item) {
    const { bytes, sniffed } = item
    if (isZip(bytes)) return true
    return !isUnterminated(bytes) && (sniffed.kind === 'zip' || hasDirectory(item) || holdsEntry(item))
  },
  analyse,
}

function hasDirectory(item: Item): boolean {
  if (!item.has(END_RECORD)) return false
  const directory = readDirectory(item.bytes, 1)
  return directory !== null && directory.entries.length > 0
}

/**
 * Whether the item itself is an archive, and not data with an archive inside, such as a Word theme. Oddities of an
 * embedded archive are not reported.
 */
function isPackage({ sniffed, bytes, path }: Item): boolean {
  if (isZip(bytes)) return true
  return path.length === 0 && (sniffed.kind === 'zip' || sniffed.kind === 'ooxml' || sniffed.kind === 'odf')
}

/** Whether an embedded archive is contiguous. One at the end of a compound file or a PDF was appended to it. */
function isContiguous(item: Item, { entries, end }: Directory): boolean {
  if (entries.length === 0 || !isInterrupted(item)) return entries.length > 0
  return end.end === item.bytes.length && (isOle2(item.bytes) || !isFragmented(item))
}

function analyse(item: Item, context: Context): void {
  if (containsItself(item, context)) return
  const { bytes } = item
  const remaining = context.limits.entriesMax + 1
  const directory = readDirectory(bytes, remaining)
  if (directory === null) {
    if (isPackage(item))
      context.addObstacle(item, 'damaged', 'The archive has no directory; it is truncated or damaged.')
    carve(item, [{ start: 0, end: bytes.length }], context, false)
    return
  }
  const reportsDamage = isPackage(item) || isContiguous(item, directory)
  if (directory.fault !== null && reportsDamage)
    context.addObstacle(item, 'damaged', `The archive cannot be read: ${directory.fault}.`)
  const entries = directory.entries.map((entry) => readEntry(bytes, entry, directory))
  // A bomb need not be unpacked: the verdict is final.
  if (isOverlapBomb(item, entries, context)) return
  findDuplicates(item, entries, context)
  const alone = entries.filter(({ central }) => central.unpacked > 0).length === 1
  const nextAfter = nextStart(entries, directory)
  const archive = { alone, reportsDamage, open: createOpener(item, context) }
  const links = new Set(entries.filter(({ central }) => isLink(central)).map(({ name }) => name))
  for (const entry of entries) {
    if (!context.countEntry(item)) return
    judgeLink(item, entry, inspectEntry(item, entry, archive, context), links, context)
    if (isEmptyStream(entry) && entry.local !== null)
      inspectDataAfter(item, entry.local, entry.name, nextAfter(entry), context)
  }
  inspectGaps(item, directory, entries, context)
}

function containsItself(item: Item, context: Context): boolean {
  for (let outer = item.parent; outer !== null; outer = outer.parent) {
    if (outer.bytes.length !== item.bytes.length || !view(outer.bytes).equals(view(item.bytes))) continue
    // A harmless archive may contain a quine as a specimen. It is not unpacked further, so it is not clean either.
    if (outer.path.length === 0) context.addFinding(item, BOMBS.quine)
    else context.addFinding(item, ZIP.innerQuine)
    context.addObstacle(item, 'too_complex', 'The archive contains itself.')
    return true
  }
  return false
}

function isOverlapBomb(item: Item, entries: readonly Entry[], context: Context): boolean {
  // With contradictory headers the ranges are guesses, and the archive is damaged anyway.
  const sure = entries.filter(({ conflict, start, end }) => conflict === null && end > start)
  const [pair] = overlaps(sure)
  if (pair === undefined) return false
  const kind = pair[0].start === pair[1].start ? BOMBS.shared : BOMBS.overlap
  context.addFinding(item, { ...kind, detail: `${pair[0].name} and ${pair[1].name}` })
  return true
}

/** Programs choose different ones. Folders, and files that were added twice as they are, make no difference. */
function findDuplicates(item: Item, entries: readonly Entry[], context: Context): void {
  const contents = new Map<string, string>()
  for (const { name, central } of entries) {
    const content = `${central.unpacked} ${central.crc}`
    if ((contents.get(name) ?? content) !== content) context.addFinding(item, { ...ZIP.duplicate, detail: name })
    contents.set(name, content)
  }
}

function findOddities(item: Item, entry: Entry, path: readonly string[], context: Context): void {
  if (leavesFolder(entry.name)) context.addFinding(item, { ...ZIP.traversal, detail: null, path })
  if (isReversedProgram(decodeName(entry.central.name)))
    context.addFinding(item, { ...ZIP.reversedName, detail: null, path })
  const localName = otherName(entry)
  if (localName !== null) context.addFinding(item, { ...ZIP.otherName, detail: `also named ${localName}`, path })
}

function judgeLink(
  item: Item,
  { name, central }: Entry,
  content: Uint8Array | null,
  links: ReadonlySet<string>,
  context: Context,
): void {
  if (isLink(central) && !staysInside(name, content, links))
    context.addFinding(item, { ...ZIP.link, detail: null, path: [...item.path, name] })
}

interface ArchiveView {
  alone: boolean
  reportsDamage: boolean
  open: Opener
}

/** Returns its content, as far as it is known. */
function inspectEntry(item: Item, entry: Entry, archive: ArchiveView, context: Context): Uint8Array | null {
  const { alone, reportsDamage, open } = archive
  const path = [...item.path, entry.name]
  const { central, local, name } = entry
  findOddities(item, entry, path, context)
  if (entry.conflict !== null && reportsDamage) context.addObstacle(item, 'damaged', entry.conflict, path)
  if (local === null) return null
  const isLocked = entry.conflict === null && entry.encrypted
  if (!isLocked && central.unpacked === 0 && central.packed === 0) return null
  const unpacked = open(entry)
  if (unpacked === null) {
    if (lockOf(item.bytes, entry) === null) context.addObstacle(item, 'encrypted', 'An entry is encrypted.', path)
    else context.addObstacle(item, 'locked', 'The archive is password-protected.', path)
    return null
  }
  context.budget.spend(unpacked.cost, 'archive')
  if (unpacked.bomb) context.addFinding(item, { ...RATIO_BOMB, detail: `${central.packed} bytes packed`, path })
  inspectUnpacked(item, unpacked, name, reportsDamage, context, alone)
  return unpacked.bytes
}

/** Empty according to the directory, but readers that follow local headers read the data after it. */
function isEmptyStream({ central, local }: Entry): boolean {
  return local !== null && isStreamed(local) && central.packed === 0 && central.unpacked === 0
}

/** The data of an entry ends at the next entry or at the directory. */
function nextStart(entries: readonly Entry[], { end }: Directory): (entry: Entry) => number {
  const starts = [...entries.map(({ start }) => start), end.directoryAt].sort((a, b) => a - b)
  return ({ start }) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) > start) high = middle
      else low = middle + 1
    }
    return starts[low] ?? 0
  }
}

/** Between entries, only data descriptors, padding and signatures are expected. */
function inspectGaps(item: Item, directory: Directory, entries: readonly Entry[], context: Context): void {
  const { end } = directory
  const listed: Range[] = entries.map((entry) => ({ start: entry.start, end: entry.end }))
  const known = [...listed, { start: end.directoryAt, end: end.end }]
  const unknown = gaps(known, item.bytes.length)
  // Unlisted entries mean nothing in data that embeds archives, or with a damaged directory.
  const judged = isPackage(item) && directory.fault === null
  carve(item, unknown, context, judged)
  if (!judged) return
  const first = Math.min(end.directoryAt, ...listed.slice(0, 1).map(({ start }) => start))
  const start = listed.reduce((least, range) => Math.min(least, range.start), first)
  if (start > 0 && unknown[0]?.start === 0 && !isMarker(item.bytes, start))
    context.addFinding(item, { ...ZIP.before, detail: `${start} bytes` })
  const bytesAfter = item.bytes.length - end.end
  if (bytesAfter > 0) context.addFinding(item, { ...ZIP.after, detail: `${bytesAfter} bytes` })
}

/** Archives prepared for splitting begin with a four-byte signature. */
function isMarker(bytes: Uint8Array, start: number): boolean {
  return start === 4 && isZip(bytes)
}
