/** Moves, copies or removes the file that was scanned, and no other that has its name by now. */
import { constants } from 'node:fs'
import { chmod, chown, copyFile, link, lstat, mkdir, open, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { type Identity, identityOf, isSame, isSameContent } from './files.ts'
import { inOpenFolder } from './open-folder.ts'

/** Why a file stays where it is. Follows "not moved," in a sentence. */
export class NotDisplaced extends Error {
  override readonly name = 'NotDisplaced'
}

const IS_LINK = 'because it is a link'
const CHANGED = 'because it has changed since the scan'
const NAMES_MAX = 1_000
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Owners of folders above could else make them links, and have another file of this name moved or removed. */
export async function inItsFolder<T>(
  file: string | Buffer,
  use: (name: Buffer, folder: string) => Promise<T>,
): Promise<T> {
  return await inOpenFolder(file, use).catch((error) => {
    throw ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error))) ? new NotDisplaced(CHANGED) : error
  })
}

/** Throws `NotDisplaced` unless the name still stands for the file that was scanned. */
async function checkUnchanged(file: string | Buffer, scanned: Identity | null): Promise<void> {
  const now = await lstat(file, { bigint: true }).catch(() => null)
  if (now?.isSymbolicLink()) throw new NotDisplaced(IS_LINK)
  if (now === null || scanned === null || !isSame(identityOf(now), scanned)) throw new NotDisplaced(CHANGED)
}

/** Makes a folder that only its owner can enter, and those around it. Throws if there is something else. */
export async function makePrivateFolder(folder: string): Promise<void> {
  // Not `recursive` of Node, which never ends in folders such as /proc, where nothing can be made.
  if (await isFolder(folder)) return
  const around = path.dirname(folder)
  if (around !== folder) await makePrivateFolder(around)
  await mkdir(folder, { mode: PRIVATE_FOLDER }).catch(async (error) => {
    if (!(await isFolder(folder))) throw error
  })
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => null))?.isDirectory() === true
}

/** The first of `name`, `name.001`, … that does not exist, made as an empty file. */
export async function reserve(folder: string, name: string): Promise<string> {
  for (let i = 0; i < NAMES_MAX; i++) {
    const file = path.join(folder, i === 0 ? name : `${name}.${String(i).padStart(3, '0')}`)
    try {
      await (await open(file, 'wx', PRIVATE_FILE)).close()
      return file
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  throw new NotDisplaced(`because ${folder} has ${NAMES_MAX} files of this name`)
}

/** `file` is in an open folder; `target` exists and is empty. It is looked at again afterwards: the name may have changed hands just before the move. */
export async function moveOver(file: string | Buffer, target: string, scanned: Identity | null): Promise<void> {
  await checkUnchanged(file, scanned)
  try {
    await rename(file, target)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    return await moveAcross(file, target, scanned)
  }
  if (scanned !== null && isSameContent(identityOf(await lstat(target, { bigint: true })), scanned)) return
  await giveBack(target, file)
  throw new NotDisplaced(CHANGED)
}

async function giveBack(from: string, to: string | Buffer): Promise<void> {
  // Never over a file that has come meanwhile.
  await link(from, to)
  await unlink(from)
}

/** To another file system: complete and on disk before the original is removed. */
async function moveAcross(file: string | Buffer, target: string, scanned: Identity | null): Promise<void> {
  await copyFile(file, target)
  await sync(target)
  await checkUnchanged(file, scanned)
  await keepAttributes(file, target)
  await unlink(file)
}

async function keepAttributes(from: string | Buffer, to: string): Promise<void> {
  const { mode, uid, gid, atime, mtime } = await lstat(from)
  // Only root may give files away.
  await chown(to, uid, gid).catch(() => {})
  await chmod(to, mode & 0o7777)
  await utimes(to, atime, mtime)
}

async function sync(file: string): Promise<void> {
  await using handle = await open(file, 'r')
  await handle.sync()
}

/** Throws `NotDisplaced` where the file stays, with nothing left in the folder. */
export async function moveInto(folder: string, file: string | Buffer, scanned: Identity | null): Promise<string> {
  const target = await reserve(folder, path.basename(file.toString()))
  try {
    await inItsFolder(file, (name) => moveOver(name, target, scanned))
    return target
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

export async function copyInto(folder: string, file: string | Buffer, scanned: Identity | null): Promise<string> {
  const target = await reserve(folder, path.basename(file.toString()))
  try {
    await inItsFolder(file, async (name) => {
      await checkUnchanged(name, scanned)
      await copyFile(name, target, constants.COPYFILE_FICLONE)
      await checkUnchanged(name, scanned)
    })
    await chmod(target, PRIVATE_FILE)
    return target
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

export async function removeFile(file: string | Buffer, scanned: Identity | null): Promise<void> {
  await inItsFolder(file, async (name) => {
    await checkUnchanged(name, scanned)
    await unlink(name)
  })
}
