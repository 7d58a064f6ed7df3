/** Compound files (doc, xls, ppt, msg): inspects every stream and detects encryption. */

import { OBJECTS } from '#inspect/catalogue/objects.ts'
import { type Compound, readCompound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { inspectPackage } from './crypto/encrypted-package.ts'
import { encryptionOf, streamEncryptionOf } from './crypto/encryption.ts'
import { withSlidesDecrypted } from './crypto/slides.ts'
import { withWordDecrypted } from './crypto/word.ts'
import { inspectWorkbook } from './crypto/workbook.ts'
import { inspectHangul } from './hangul.ts'
import { judgeWordFields } from './links/word-fields.ts'
import { judgeObjects } from './objects.ts'
import { inspectVba } from './vba/vba.ts'

const CUTOFF_AT = 56
const CUTOFF = 4096
const SMALL_TABLE_AT = 60
const SECTOR_MAX = 0xfffffffa

export const ole: Format = {
  among: { binary: true },
  applies: ({ bytes }) => isOle2(bytes),
  analyse(item, context) {
    const stored = readCompound(item.bytes)
    if (stored === null) {
      context.addObstacle(item, 'damaged', 'The compound file structure is unreadable.')
      return
    }
    if (isAmbiguous(view(item.bytes)))
      context.addObstacle(item, 'damaged', 'The compound file declares an invalid size limit for small streams.')
    const passwords = context.passwordsFor(item)
    const compound = withSlidesDecrypted(withWordDecrypted(stored, passwords), passwords)
    const encryption = encryptionOf(compound)
    if (encryption !== null) context.addObstacle(item, encryption.reason, encryption.detail)
    inspectPackage(item, compound, context)
    inspectStreams(item, compound, context)
    inspectHangul(item, compound, context)
    inspectVba(item, compound, context)
    judgeObjects(item, compound, context)
    judgeWordFields(item, compound, context)
  },
}

/** Small streams are stored separately. Some readers use the size limit in the header, others always use 4,096. */
function isAmbiguous(bytes: Buffer): boolean {
  return bytes.readUInt32LE(CUTOFF_AT) !== CUTOFF && bytes.readUInt32LE(SMALL_TABLE_AT) <= SECTOR_MAX
}

function inspectStreams(item: Item, compound: Compound, context: Context): void {
  for (const entry of compound.entries) {
    if (entry.storage || entry.root || entry.size === 0) continue
    if (!context.countEntry(item)) return
    const { bytes, broken } = compound.read(entry)
    const name = safeName(entry.name)
    if (broken) context.addFinding(item, { ...OBJECTS.brokenStream, path: [...item.path, name] })
    // Entries may share sectors, so all streams together can be larger than the file.
    if (!context.chargeBytes(item, bytes.length, 'stream')) return
    const encryption = streamEncryptionOf(entry.name, bytes)
    if (encryption !== null && !inspectWorkbook(item, compound, context, name, bytes))
      context.addObstacle(item, 'locked', encryption)
    if (entry.name !== 'EncryptedPackage') context.inspectMember(item, name, bytes)
  }
}
