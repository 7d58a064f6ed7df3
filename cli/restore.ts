/** Brings a file of the quarantine back, to a folder where others may be able to write. */
import { createReadStream } from 'node:fs'
import { chmod, type FileHandle, link, open, rm } from 'node:fs/promises'
import { inOpenFolder } from './open-folder.ts'
import { fileOf, type Held, PRIVATE_FILE, QuarantineError, remove } from './quarantine.ts'

/** With name, rights, owner and time. Never over another file. */
export async function restore(quarantine: string, held: Held): Promise<void> {
  const from = fileOf(quarantine, held.id)
  const to = held.location === undefined ? Buffer.from(held.path) : Buffer.from(held.location, 'base64')
  await using file = await open(from, 'r')
  try {
    await inOpenFolder(to, async (name, folder) => {
      if (held.folder !== undefined && folder !== held.folder)
        throw new QuarantineError(`The folder of ${held.path} leads to ${folder} by now. Restore the folder first.`)
      // Before it has its name: others may put a link to another file in its place.
      await giveAttributes(file, held)
      await link(from, name).catch((error) => {
        if (codeOf(error) !== 'EXDEV') throw error
        return copyAcross(from, name, held)
      })
    })
  } catch (error) {
    await chmod(from, PRIVATE_FILE).catch(() => {})
    if (codeOf(error) === 'EEXIST') throw new QuarantineError(`${held.path} exists.`)
    if (codeOf(error) === 'ENOENT') throw new QuarantineError(`The folder of ${held.path} does not exist.`)
    throw error
  }
  await remove(quarantine, held)
}

async function giveAttributes(file: FileHandle, { uid, gid, mode, mtimeMs }: Held): Promise<void> {
  // Only root may give files away. It takes rights away, which come back afterwards.
  await file.chown(uid, gid).catch(() => {})
  await file.chmod(mode)
  await file.utimes(new Date(), mtimeMs / 1_000)
}

/** To another file system, complete and on disk before the one in the quarantine is removed. */
async function copyAcross(from: string, to: Buffer, held: Held): Promise<void> {
  await using file = await open(to, 'wx', PRIVATE_FILE)
  try {
    await file.writeFile(createReadStream(from))
    await giveAttributes(file, held)
    await file.sync()
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
