/** Opens an encrypted Office package in a compound file, where the default password fits. */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { isZip } from '#inspect/detect/sniff.ts'
import { agileLock } from './agile.ts'
import type { Decrypt, Lock } from './default-password.ts'
import { standardLock } from './standard.ts'

/** Where the length of the package ends and its bytes begin. */
const SIZE_BYTES = 8
/** Bytes behind the end of the package, which ciphers leave. More are a second document that some reader may see. */
export const SLACK_MAX = 4096
/** What stands in front of the descriptor of agile encryption: the version and a constant. */
const AGILE_HEAD_BYTES = 8
const STANDARD_HEAD_BYTES = 4

const LOCKED = 'The document is password-protected.'

/** Looks into the package, or says why not. Nothing, if there is none. */
export function openPackage(item: Item, compound: Compound, context: Context): void {
  const packages = named(compound, 'encryptedpackage')
  const infos = named(compound, 'encryptioninfo')
  const [source] = packages
  const [info] = infos
  if (source === undefined) return
  // Which of several a reader takes depends on the storage they are in.
  const lock = packages.length > 1 || infos.length > 1 || info === undefined ? null : lockOf(read(compound, info))
  if (lock === null) {
    context.addObstacle(item, 'encrypted', LOCKED)
    return
  }
  if (!context.chargeHashRounds(item, lock.rounds)) return
  const decrypt = lock.open()
  if (decrypt === null) context.addObstacle(item, 'encrypted', LOCKED)
  else unwrap(item, context, source.name, read(compound, source), decrypt)
}

function named({ entries }: Compound, name: string): OleEntry[] {
  return entries.filter((entry) => !entry.storage && !entry.root && entry.name.toLowerCase() === name)
}

function read(compound: Compound, entry: OleEntry): Buffer {
  return view(compound.read(entry).bytes)
}

function lockOf(info: Buffer): Lock | null {
  if (info.length < AGILE_HEAD_BYTES) return null
  const major = info.readUInt16LE(0)
  const minor = info.readUInt16LE(2)
  if (major === 4 && minor === 4) return agileLock(info.subarray(AGILE_HEAD_BYTES))
  if (major >= 2 && major <= 4 && minor === 2) return standardLock(info.subarray(STANDARD_HEAD_BYTES))
  return null
}

function unwrap(item: Item, context: Context, name: string, source: Buffer, decrypt: Decrypt): void {
  if (!context.countEntry(item)) return
  if (!context.chargeBytes(item, source.length, 'stream')) return
  const whole = decrypt(source.subarray(SIZE_BYTES))
  const size = source.length < SIZE_BYTES ? 0 : Number(source.readBigUInt64LE())
  const fits = size > 0 && size <= whole.length && size >= whole.length - SLACK_MAX
  const bytes = fits ? whole.subarray(0, size) : whole
  if (!fits) context.addObstacle(item, 'damaged', `The package declares ${size} bytes but has ${whole.length}.`)
  else if (!isZip(bytes)) context.addObstacle(item, 'damaged', 'The decrypted package is not an archive.')
  context.inspectMember(item, name, bytes)
}
