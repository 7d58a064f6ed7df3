/** Decrypts an Office package in a compound file if the default password or a given one opens it. */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { isZip } from '#inspect/detect/sniff.ts'
import { agileProtection } from './agile.ts'
import { DEFAULT_PASSWORD, type Decrypt, PASSWORD_PROTECTED, type Protection } from './default-password.ts'
import { standardProtection } from './standard.ts'

/** Each takes up to a quarter of the hash rounds of a document. */
export const ATTEMPTS_MAX = 3
/** The declared size, stored before the package. */
const SIZE_BYTES = 8
/** Padding after the package. More could contain a second document that some reader opens. */
export const SLACK_MAX = 4096
/** The version, and for agile encryption a constant. */
const AGILE_PREFIX_BYTES = 8
const STANDARD_PREFIX_BYTES = 4

export function inspectPackage(item: Item, compound: Compound, context: Context): void {
  const packages = named(compound, 'encryptedpackage')
  const infos = named(compound, 'encryptioninfo')
  const [source] = packages
  const [info] = infos
  if (source === undefined) return
  // With several, the storage decides which one a reader uses.
  const isUnique = packages.length === 1 && infos.length === 1 && info !== undefined
  const protection = isUnique ? protectionOf(read(compound, info)) : null
  if (protection === null) {
    context.addObstacle(item, 'encrypted', PASSWORD_PROTECTED)
    return
  }
  for (const password of [DEFAULT_PASSWORD, ...context.passwordsFor(item)].slice(0, ATTEMPTS_MAX)) {
    if (!context.chargeHashRounds(item, protection.rounds)) return
    const decrypt = protection.unlock(password)
    if (decrypt === null) continue
    inspectDecrypted(item, context, source.name, read(compound, source), decrypt)
    return
  }
  context.addObstacle(item, 'locked', PASSWORD_PROTECTED)
}

function named({ entries }: Compound, name: string): OleEntry[] {
  return entries.filter((entry) => !entry.storage && !entry.root && entry.name.toLowerCase() === name)
}

function read(compound: Compound, entry: OleEntry): Buffer {
  return view(compound.read(entry).bytes)
}

function protectionOf(info: Buffer): Protection | null {
  if (info.length < AGILE_PREFIX_BYTES) return null
  const major = info.readUInt16LE(0)
  const minor = info.readUInt16LE(2)
  if (major === 4 && minor === 4) return agileProtection(info.subarray(AGILE_PREFIX_BYTES))
  if (major >= 2 && major <= 4 && minor === 2) return standardProtection(info.subarray(STANDARD_PREFIX_BYTES))
  return null
}

function inspectDecrypted(item: Item, context: Context, name: string, source: Buffer, decrypt: Decrypt): void {
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
