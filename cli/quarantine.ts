/** A folder of files that were moved away, each with a note from which it can be restored. */

import { chmod, lstat, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inItsFolder, makePrivateFolder, moveOver, reserve } from './displace.ts'
import type { Identity } from './files.ts'

const SUFFIX = '.quarantined'
const NOTE_SUFFIX = '.json'
export const PRIVATE_FILE = 0o600
const OTHERS = 0o077

/** A mistake of the user, which the message explains. */
export class QuarantineError extends Error {
  override readonly name = 'QuarantineError'
}

interface Note {
  version: 1
  /** Absolute, where the file was. */
  path: string
  /** Base64 of its bytes, where they are not UTF-8. */
  location?: string
  /** Where its folder really was. Older notes do not have it. */
  folder?: string
  threat: string
  sha256: string | null
  size: number
  uid: number
  gid: number
  mode: number
  mtimeMs: number
  quarantinedAt: string
}

/** `id` names its file in the folder. */
export interface Held extends Note {
  id: string
}

const noteOf = (folder: string, id: string): string => path.join(folder, `${id}${NOTE_SUFFIX}`)
export const fileOf = (folder: string, id: string): string => path.join(folder, `${id}${SUFFIX}`)

/** Makes the folder. Throws `QuarantineError` where others could reach into it. */
export async function openQuarantine(folder: string): Promise<void> {
  await makePrivateFolder(folder)
  const { mode, uid } = await stat(folder)
  if ((mode & OTHERS) !== 0) throw new QuarantineError(`Other users may enter ${folder}. Run chmod 700 ${folder}`)
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new QuarantineError(`${folder} belongs to another user.`)
}

interface Taken {
  /** As it is opened. */
  location: string | Buffer
  path: string
  threat: string
  sha256: string | null
  identity: Identity | null
}

/** Throws `NotDisplaced` where the file stays. */
export async function quarantine(folder: string, taken: Taken): Promise<Held> {
  return await inItsFolder(taken.location, (name, where) => take(folder, taken, name, where))
}

async function take(folder: string, taken: Taken, name: Buffer, where: string): Promise<Held> {
  const { location, threat, sha256, identity } = taken
  const { uid, gid, mode, size, mtimeMs } = await lstat(name)
  const target = await reserveIn(folder, sha256 ?? 'unread')
  const id = path.basename(target, SUFFIX)
  const note: Note = {
    version: 1,
    path: path.resolve(taken.path),
    ...(typeof location !== 'string' && { location: absolute(location).toString('base64') }),
    folder: where,
    ...{ threat, sha256, size, uid, gid, mode: mode & 0o7777, mtimeMs },
    quarantinedAt: new Date().toISOString(),
  }
  try {
    // First, and on disk: a file without its note could not be restored.
    await writeFile(noteOf(folder, id), `${JSON.stringify(note, null, 2)}\n`, { mode: PRIVATE_FILE, flush: true })
    await moveOver(name, target, identity)
  } catch (error) {
    await Promise.all([noteOf(folder, id), target].map((file) => rm(file, { force: true })))
    throw error
  }
  // Nobody shall start it there. Only its owner may change that.
  await chmod(target, PRIVATE_FILE).catch(() => {})
  return { ...note, id }
}

/** `<sha256>.quarantined`, or `<sha256>-2.quarantined` where the same document was found before. */
async function reserveIn(folder: string, sha256: string): Promise<string> {
  const names = new Set(await readdir(folder))
  for (let i = 1; ; i++) {
    const id = i === 1 ? sha256 : `${sha256}-${i}`
    if (names.has(`${id}${SUFFIX}`) || names.has(`${id}${NOTE_SUFFIX}`)) continue
    const reserved = await reserve(folder, `${id}${SUFFIX}`)
    if (path.basename(reserved) === `${id}${SUFFIX}`) return reserved
    // Somebody else was faster.
    await rm(reserved, { force: true })
  }
}

function absolute(location: Buffer): Buffer {
  return location[0] === 0x2f ? location : Buffer.concat([Buffer.from(`${process.cwd()}/`), location])
}

/** The oldest first. What a crash amid a move may leave is passed over: notes without a file, and parts of files. */
export async function listQuarantine(folder: string): Promise<Held[]> {
  const names = new Set(
    await readdir(folder).catch(() => {
      throw new QuarantineError(`${folder} cannot be read.`)
    }),
  )
  const ids = [...names].filter((name) => name.endsWith(SUFFIX)).map((name) => path.basename(name, SUFFIX))
  const held = await Promise.all(ids.filter((id) => names.has(`${id}${NOTE_SUFFIX}`)).map((id) => readHeld(folder, id)))
  return held.filter((each) => each !== null).sort((one, other) => (one.quarantinedAt < other.quarantinedAt ? -1 : 1))
}

async function readHeld(folder: string, id: string): Promise<Held | null> {
  const { size } = await stat(fileOf(folder, id))
  // The name is reserved before its note is written.
  if (size === 0) return null
  const note = await readNote(folder, id)
  return size === note.size ? { ...note, id } : null
}

async function readNote(folder: string, id: string): Promise<Note> {
  const note: Note = JSON.parse(await readFile(noteOf(folder, id), 'utf8'))
  if (note.version !== 1) throw new QuarantineError(`The note of ${id} is of another version of Docvet.`)
  return note
}

export async function remove(folder: string, { id }: Held): Promise<void> {
  await unlink(fileOf(folder, id))
  await unlink(noteOf(folder, id))
}
