/** Presentations of PowerPoint 2002 and 2003: reads their streams decrypted if a password opens them ([MS-PPT] 2.3.7). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { type BlockCipher, unlockRc4 } from './ciphers.ts'
import { overlay, type Readers, siblings, withProperties } from './overlay.ts'
import { decryptPictures } from './pictures.ts'
import { PROPERTIES } from './properties.ts'

/** PowerPoint tries it before it asks for a password ([MS-OFFCRYPTO] 2.4.2.3). */
export const SLIDES_PASSWORD = '/01Hannes Ruescher/01'

/** Of a plain and of an encrypted presentation, in the stream Current User. */
const TOKEN = { plain: 0xe391c05f, encrypted: 0xf3d1c4df }
const TOKEN_AT = 12
const EDIT_AT = 16
const USER_BYTES = 20

const HEADER_BYTES = 8
const USER_EDIT = 0x0ff5
const PERSIST_DIRECTORY = 0x1772
const CRYPT_SESSION = 0x2f14
/** Of an edit: the one before it, the directory, and the object that describes the encryption. */
const EDIT = { previous: 8, directory: 12, session: 28, bytes: 32 }

const OBJECT_WORK = 10_000
const OBJECT_BYTES = 100
/** Work for each byte that is decrypted. */
const BYTE_WORK = 10

/** Offsets of the objects by their number, which is also that of their key. */
type Objects = ReadonlyMap<number, number>

interface Directory {
  /** The header of the encryption, and its object. */
  session: Buffer
  sessionId: number
  objects: Objects
  /** An object has several places, or earlier edits have others. PowerPoint does not write such encrypted presentations. */
  isAmbiguous: boolean
}

/** The streams of an encrypted presentation. */
interface LockedSlides extends Directory {
  user: OleEntry
  slides: OleEntry
}

/** By the mark that readers check first. */
export function isEncryptedPresentation(user: Buffer): boolean {
  return user.length >= EDIT_AT && user.readUInt32LE(TOKEN_AT) === TOKEN.encrypted
}

/** By the object that describes the encryption, whatever the mark says. */
export function lockedSlidesOf(compound: Compound): LockedSlides[] {
  return compound.entries.flatMap((user) => {
    if (user.storage || user.name.toLowerCase() !== 'current user' || user.size < USER_BYTES) return []
    const bytes = view(compound.read(user).bytes)
    if (bytes.length < USER_BYTES) return []
    return siblings(compound, user, 'powerpoint document').flatMap((slides) => {
      const found = readDirectory(view(compound.read(slides).bytes), bytes.readUInt32LE(EDIT_AT))
      return found === null ? [] : [{ user, slides, ...found }]
    })
  })
}

/** The compound file itself, unless it has exactly one encrypted presentation and a password opens all of it. */
export function withSlidesDecrypted(compound: Compound, passwords: readonly string[]): Compound {
  const [locked, another] = lockedSlidesOf(compound)
  if (locked === undefined || another !== undefined || locked.isAmbiguous) return compound
  for (const password of [SLIDES_PASSWORD, ...passwords]) {
    const cipher = unlockRc4(locked.session, password)
    if (cipher !== null) return decrypted(compound, locked, cipher)
  }
  return compound
}

function decrypted(compound: Compound, locked: LockedSlides, cipher: BlockCipher): Compound {
  const { user, slides } = locked
  const plain = decryptObjects(view(compound.read(slides).bytes), locked, cipher)
  const [pictures, morePictures] = siblings(compound, user, 'pictures')
  const shown = pictures && decryptPictures(view(compound.read(pictures).bytes), cipher)
  if (plain === null || shown === null || morePictures !== undefined) return compound
  const readers: Readers = new Map<OleEntry, (stored: Buffer) => Buffer>([
    [slides, () => plain],
    [user, withPlainToken],
  ])
  if (pictures !== undefined && shown !== undefined) readers.set(pictures, () => shown)
  const [properties] = siblings(compound, user, PROPERTIES.slides)
  return withProperties(overlay(compound, readers), properties, cipher)
}

function withPlainToken(user: Buffer): Buffer {
  const bytes = Buffer.from(user)
  bytes.writeUInt32LE(TOKEN.plain, TOKEN_AT)
  return bytes
}

/** null: not encrypted, or damaged. */
function readDirectory(stream: Buffer, editAt: number): Directory | null {
  const edit = recordAt(stream, editAt, USER_EDIT)
  if (edit === null || edit.length < EDIT.bytes) return null
  const directory = recordAt(stream, edit.readUInt32LE(EDIT.directory), PERSIST_DIRECTORY)
  if (directory === null) return null
  const { objects, isAmbiguous } = objectsOf(directory)
  const sessionId = edit.readUInt32LE(EDIT.session)
  const session = recordAt(stream, objects.get(sessionId) ?? stream.length, CRYPT_SESSION)
  if (session === null) return null
  return { session, sessionId, objects, isAmbiguous: isAmbiguous || edit.readUInt32LE(EDIT.previous) !== 0 }
}

function recordAt(stream: Buffer, at: number, type: number): Buffer | null {
  if (at + HEADER_BYTES > stream.length || stream.readUInt16LE(at + 2) !== type) return null
  const end = at + HEADER_BYTES + stream.readUInt32LE(at + 4)
  return end > stream.length ? null : stream.subarray(at + HEADER_BYTES, end)
}

/** Each entry has the first number and the count in one word; the offsets follow. */
function objectsOf(directory: Buffer): Pick<Directory, 'objects' | 'isAmbiguous'> {
  const objects = new Map<number, number>()
  let isAmbiguous = false
  for (let at = 0; at + 4 <= directory.length; ) {
    const head = directory.readUInt32LE(at)
    const [first, count] = [head & 0xfffff, head >>> 20]
    at += 4
    for (let index = 0; index < count && at + 4 <= directory.length; index++, at += 4) {
      keep(OBJECT_BYTES)
      charge(OBJECT_WORK)
      isAmbiguous ||= objects.has(first + index)
      objects.set(first + index, directory.readUInt32LE(at))
    }
  }
  return { objects, isAmbiguous }
}

/** null: objects overlap or end after the stream. */
function decryptObjects(stream: Buffer, { objects, sessionId }: Directory, decrypt: BlockCipher): Buffer | null {
  const plain = Buffer.from(stream)
  let end = 0
  for (const [id, at] of [...objects].sort(([, one], [, other]) => one - other)) {
    if (at < end || at + HEADER_BYTES > stream.length) return null
    const isSession = id === sessionId
    const stored = stream.subarray(at, at + HEADER_BYTES)
    end = at + HEADER_BYTES + (isSession ? stored : decrypt(id, stored)).readUInt32LE(4)
    if (end > stream.length) return null
    charge((end - at) * BYTE_WORK)
    // Without the header of the session, the presentation counts as decrypted.
    if (isSession) plain.fill(0, at, at + HEADER_BYTES)
    else decrypt(id, stream.subarray(at, end)).copy(plain, at)
  }
  return plain
}
