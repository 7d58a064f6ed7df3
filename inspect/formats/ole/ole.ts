/** Looks into compound files (doc, xls, ppt, msg): every stream, and whether a password is needed. */

import { type Compound, readCompound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { openPackage } from './crypto/encrypted-package.ts'
import { encryptionOf, streamEncryptionOf } from './crypto/encryption.ts'
import { openBook } from './crypto/protected-workbook.ts'

const CUTOFF_AT = 56
const CUTOFF = 4096
const SMALL_TABLE_AT = 60
const SECTOR_MAX = 0xfffffffa

export const ole: Format = {
  applies: ({ bytes }) => isOle2(bytes),
  analyse(item, context) {
    const compound = readCompound(item.bytes)
    if (compound === null) {
      context.addObstacle(item, 'damaged', 'The compound file structure is unreadable.')
      return
    }
    if (isAmbiguous(view(item.bytes)))
      context.addObstacle(item, 'damaged', 'The compound file declares an invalid size limit for small streams.')
    const encryption = encryptionOf(compound)
    if (encryption !== null) context.addObstacle(item, 'encrypted', encryption)
    openPackage(item, compound, context)
    streams(item, compound, context)
  },
}

/** Small streams lie elsewhere. Some readers go by the size that the header gives for them, others by what it always is. */
function isAmbiguous(bytes: Buffer): boolean {
  return bytes.readUInt32LE(CUTOFF_AT) !== CUTOFF && bytes.readUInt32LE(SMALL_TABLE_AT) <= SECTOR_MAX
}

function streams(item: Item, compound: Compound, context: Context): void {
  for (const entry of compound.entries) {
    if (entry.storage || entry.root || entry.size === 0) continue
    if (!context.countEntry(item)) return
    const { bytes, broken } = compound.read(entry)
    const name = safeName(entry.name)
    if (broken)
      context.addFinding(item, {
        id: 'Docvet.Ole.BrokenStream',
        severity: 'notice',
        title: 'Incomplete stream in the compound file',
        reason: 'A stream is shorter than the directory declares, so its end could not be inspected.',
        technique: null,
        detail: null,
        path: [...item.path, name],
      })
    // Many entries may name the same sectors, so streams cost budget although they are no larger than the file.
    if (!context.chargeBytes(item, bytes.length, 'stream')) return
    const encryption = streamEncryptionOf(entry.name, bytes)
    if (encryption !== null && !openBook(item, compound, context, name, bytes))
      context.addObstacle(item, 'encrypted', encryption)
    if (entry.name !== 'EncryptedPackage') context.inspectMember(item, name, bytes)
  }
}
