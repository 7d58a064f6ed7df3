/** Reads a set of rules from a repository of The Update Framework: signed by enough keys, not older, not expired, and not mixed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Fetcher } from 'tuf-js'
import { messageOf } from '#base/message-of.ts'
import { parseSet, SET_BYTES_MAX, type UpdateSet, type UpdateState } from './update-set.ts'

/** The one file of the channel that a client reads. */
const TARGET = 'rules.json'
const ROLES = ['root', 'timestamp', 'snapshot', 'targets'] as const
const METADATA_BYTES_MAX = 1_000_000
const ROOT_ROTATIONS_MAX = 64

/** Null: there is no such file. Rejects when there are more bytes. */
export type ReadChannel = (name: string, bytesMax: number) => Promise<Buffer | null>

interface ChannelOptions {
  /** The metadata that was trusted before; empty at first. */
  metadata: UpdateState['metadata']
  /** The first root of trust, as JSON. */
  root: string
  read: ReadChannel
  /** For machines that get updates late: what has expired still counts, what is older does not. */
  allowExpired?: boolean
}

interface Verified {
  metadata: UpdateState['metadata']
  set: UpdateSet
}

/** The repository is not to be trusted, or not complete. */
export class ChannelRefused extends Error {
  override readonly name = 'ChannelRefused'
}

/** Rejects with `ChannelRefused`. Nothing is kept of a repository that is refused. */
export async function readChannel({ metadata, root, read, allowExpired = false }: ChannelOptions): Promise<Verified> {
  // It is loaded only where updates are used.
  const [{ Updater }, errors] = await Promise.all([import('tuf-js'), import('tuf-js/dist/error.js')])
  const folder = await mkdtemp(path.join(tmpdir(), 'docvet-updates-'))
  const download = async (url: string, bytesMax: number): Promise<Buffer> => {
    const bytes = await read(new URL(url).pathname.slice(1), bytesMax)
    if (bytes === null) throw new errors.DownloadHTTPError('There is no such file', 404)
    if (bytes.length > bytesMax) throw new errors.DownloadLengthMismatchError('It is too large')
    return bytes
  }
  const fetcher: Fetcher = {
    downloadBytes: download,
    async downloadFile(url, bytesMax, handler) {
      const file = path.join(folder, 'download')
      await writeFile(file, await download(url, bytesMax))
      return await handler(file)
    },
  }
  try {
    for (const role of ROLES) {
      const text = metadata[role] ?? (role === 'root' ? root : undefined)
      if (text !== undefined) await writeFile(path.join(folder, `${role}.json`), text)
    }
    const updater = new Updater({
      ...{ metadataDir: folder, targetDir: folder, metadataBaseUrl: `${ANYWHERE}/metadata`, fetcher },
      ...{ targetBaseUrl: `${ANYWHERE}/targets`, config: CONFIG },
    })
    if (allowExpired) beforeAnyExpiry(updater)
    await updater.refresh()
    const target = await updater.getTargetInfo(TARGET)
    if (target === undefined) throw new Error(`the channel has no ${TARGET}`)
    if (target.length > SET_BYTES_MAX) throw new Error(`${TARGET} has more than ${SET_BYTES_MAX} bytes`)
    const set = parseSet(await readFile(await updater.downloadTarget(target), 'utf8'))
    return { metadata: await trustedIn(folder), set }
  } catch (error) {
    throw new ChannelRefused(messageOf(error), { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where the files are is the business of `read`. */
const ANYWHERE = 'https://channel.invalid'
const CONFIG = {
  ...{ maxRootRotations: ROOT_ROTATIONS_MAX, maxDelegations: 4 },
  ...{ rootMaxLength: METADATA_BYTES_MAX, snapshotMaxLength: METADATA_BYTES_MAX, targetsMaxLength: METADATA_BYTES_MAX },
}

/** The library has no option for it: it compares with the time at which it was made. */
function beforeAnyExpiry(updater: object): void {
  const store: unknown = Reflect.get(updater, 'trustedSet')
  if (typeof store !== 'object' || store === null || !('referenceTime' in store))
    throw new Error('expired metadata cannot be accepted by this version of the library')
  store.referenceTime = new Date(0)
}

async function trustedIn(folder: string): Promise<UpdateState['metadata']> {
  const files = await Promise.all(
    ROLES.map(async (role) => [role, await readFile(path.join(folder, `${role}.json`), 'utf8')] as const),
  )
  return Object.fromEntries(files)
}
