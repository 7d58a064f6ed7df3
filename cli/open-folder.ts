/** Uses a file by its name in a folder that is held open, so that nobody can make the name lead elsewhere meanwhile. */
import { constants } from 'node:fs'
import { open, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'

/** By their bytes, which may not be UTF-8. */
const part = (of: (text: string) => string, file: Buffer): Buffer => Buffer.from(of(file.toString('latin1')), 'latin1')

/** `folder`: where the folder really is. */
export async function inOpenFolder<T>(
  file: string | Buffer,
  use: (name: Buffer, folder: string) => Promise<T>,
): Promise<T> {
  const bytes = Buffer.from(file)
  const given = part(path.dirname, bytes)
  await using folder = await open(given, constants.O_RDONLY | constants.O_DIRECTORY)
  const opened = `/proc/self/fd/${folder.fd}`
  const place = await readlink(opened).catch(() => null)
  // Systems other than Linux do not have such names.
  if (place === null) return await use(bytes, await realpath(given))
  return await use(Buffer.concat([Buffer.from(`${opened}/`), part(path.basename, bytes)]), place)
}
