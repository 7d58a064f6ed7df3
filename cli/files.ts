/** Finds the files to scan, and reads them. */
import { type BigIntStats, createReadStream, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import type { Options } from './options.ts'
import { UsageError } from './usage.ts'

export const STDIN = '-'

/** Something that cannot be read. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: 'unreadable' | 'file_too_large'

  constructor(code: FileError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** `location`: the bytes of the path, if they are not UTF-8. `isNamed`: by the user, not found in a folder. */
export type Found =
  | { path: string; location?: Buffer; isImplied?: true }
  | { path: string; error: FileError; isNamed?: true }

/** The folder of an action is not searched: what was moved or copied there was scanned. */
export type Globs = Pick<Options, 'include' | 'exclude'> & Partial<Pick<Options, 'action'>>

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or folder',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'Too many symbolic links',
  EISDIR: 'Is a folder',
  ENOTDIR: 'A part of the path is not a folder',
  ENAMETOOLONG: 'The name is too long',
}

function unreadable(error: unknown): FileError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return new FileError('unreadable', REASONS[code] ?? `Cannot be used (${code})`)
}

/** Does something with the file or folder that an option names. Throws `UsageError`. */
export async function useNamed<T>(option: string, place: string, use: (place: string) => Promise<T>): Promise<T> {
  try {
    return await use(place)
  } catch (error) {
    throw new UsageError(`--${option}: ${place}: ${unreadable(error).message}`)
  }
}

/** A glob without a slash is compared with the name, others with the path below the folder. */
function matches(globs: readonly string[], name: string, below: string): boolean {
  return globs.some((glob) => path.matchesGlob(glob.includes('/') ? below : name, glob))
}

export const isExcluded = ({ exclude }: Globs, name: string, below: string): boolean => matches(exclude, name, below)

export const isIncluded = ({ include }: Globs, name: string, below: string): boolean =>
  include.length === 0 || matches(include, name, below)

/** In the order of names in each folder. Links to folders are not followed, because they may lead anywhere. */
export async function* findFiles(paths: readonly string[], globs: Globs): AsyncGenerator<Found> {
  for (const each of paths) {
    if (each === STDIN) yield { path: each }
    else yield* findAt(each, globs)
  }
}

/** Standard input, where nothing is named. If it is empty, a program before it in the pipe may have failed. */
export const IMPLIED: Found = { path: STDIN, isImplied: true }

/** The files of a list of paths, while it grows. Throws `UsageError`. */
export async function* findListed(list: string, globs: Globs): AsyncGenerator<Found> {
  const input = list === STDIN ? process.stdin : createReadStream(list)
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  for (;;) {
    const { done, value: line } = await useNamed('file-list', list, () => lines.next())
    if (done) return
    if (line !== '') yield* findAt(line, globs)
  }
}

/** Open files of this process, such as those of a shell's process substitution: somebody writes to their pipes. */
const OPEN_FILE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/

async function* findAt(start: string, globs: Globs, location: string | Buffer = start): AsyncGenerator<Found> {
  try {
    const info = await stat(location)
    if (info.isDirectory()) yield* findBelow(start, { full: start, location }, globs)
    else if (info.isFile() || OPEN_FILE.test(start)) yield foundAt(start, location)
    else yield { path: start, error: new FileError('unreadable', 'Not a regular file'), isNamed: true }
  } catch (error) {
    const names = typeof location === 'string' && start.includes(REPLACEMENT) ? await namesLike(start) : []
    for (const name of names) yield* findAt(start, globs, name)
    if (names.length === 0) yield { path: start, error: unreadable(error), isNamed: true }
  }
}

const foundAt = (full: string, location: string | Buffer): Found =>
  typeof location === 'string' ? { path: full } : { path: full, location }

/** Stands for bytes that are not UTF-8, also in the arguments of the command. */
const REPLACEMENT = '\ufffd'

/** Files whose names read the same with that character. */
async function namesLike(start: string): Promise<Buffer[]> {
  const folder = path.dirname(start)
  try {
    const names = await readdir(folder, { encoding: 'buffer' })
    return names.filter((name) => name.toString() === path.basename(start)).map((name) => joined(folder, name))
  } catch {
    return []
  }
}

function joined(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from(path.sep), name])
}

/** A path as it is shown, and as it is opened. */
export interface Place {
  full: string
  location: string | Buffer
}

export function placeIn({ full, location }: Place, name: Buffer): Place {
  const inner = path.join(full, name.toString())
  const isText = typeof location === 'string' && Buffer.from(name.toString()).equals(name)
  return { full: inner, location: isText ? inner : joined(location, name) }
}

async function isOfAction({ action }: Globs, { location }: Place): Promise<boolean> {
  if (!action || action.kind === 'remove') return false
  const [results, here] = await Promise.all([action.folder, location].map((each) => stat(each).catch(() => null)))
  return results != null && here != null && results.dev === here.dev && results.ino === here.ino
}

async function* findBelow(root: string, folder: Place, globs: Globs): AsyncGenerator<Found> {
  let entries: Dirent<Buffer>[]
  try {
    entries = await readdir(folder.location, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    yield { path: folder.full, error: unreadable(error) }
    return
  }
  for (const entry of entries.sort((a, b) => (a.name.toString() < b.name.toString() ? -1 : 1))) {
    const place = placeIn(folder, entry.name)
    const name = entry.name.toString()
    const below = path.relative(root, place.full)
    if (isExcluded(globs, name, below)) continue
    if (entry.isDirectory()) {
      if (!(await isOfAction(globs, place))) yield* findBelow(root, place, globs)
    } else if (isIncluded(globs, name, below)) yield* findEntry(entry, place)
  }
}

/** Devices, sockets and pipes are skipped. */
async function* findEntry(entry: Dirent<Buffer>, { full, location }: Place): AsyncGenerator<Found> {
  if (entry.isFile()) yield foundAt(full, location)
  if (!entry.isSymbolicLink()) return
  try {
    if ((await stat(location)).isFile()) yield foundAt(full, location)
  } catch (error) {
    yield { path: full, error: unreadable(error) }
  }
}

/** Tells a file from every other, and from itself after a change. */
export interface Identity {
  dev: bigint
  ino: bigint
  size: bigint
  mtimeNs: bigint
  ctimeNs: bigint
}

export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Identity => ({
  ...{ dev, ino, size, mtimeNs, ctimeNs },
})

/** A new name, or a change of rights, is a change, too: only `ctime` cannot be set. */
export const isSame = (one: Identity, other: Identity): boolean =>
  isSameContent(one, other) && one.ctimeNs === other.ctimeNs

/** Also after it was renamed. */
export const isSameContent = (one: Identity, other: Identity): boolean =>
  one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs

const LEAST_READ_BYTES = 65_536

interface ReadFile {
  bytes: Buffer
  /** Of the open file that the bytes are from; null for a pipe. */
  identity: Identity | null
}

/** Throws `FileError`. */
export async function readDocument(file: string | Buffer): Promise<ReadFile> {
  try {
    return file === STDIN ? { bytes: await readAll(process.stdin), identity: null } : await readWhole(file)
  } catch (error) {
    throw error instanceof FileError ? error : unreadable(error)
  }
}

async function readWhole(file: string | Buffer): Promise<ReadFile> {
  await using handle = await open(file)
  const info = await handle.stat({ bigint: true })
  // A pipe or device given by name has no size.
  if (!info.isFile()) return { bytes: await readAll(createReadStream(file)), identity: null }
  if (info.size > DOCUMENT_BYTES_MAX) throw tooLarge()
  return { bytes: await readOpen(handle, Number(info.size)), identity: identityOf(info) }
}

/** It may grow meanwhile, and files of the system have no size. */
export const readOpen = (handle: FileHandle, size: number): Promise<Buffer> =>
  readAll(handle.createReadStream({ highWaterMark: Math.max(size + 1, LEAST_READ_BYTES), autoClose: false }))

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > DOCUMENT_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): FileError {
  return new FileError('file_too_large', `Larger than ${DOCUMENT_BYTES_MAX.toLocaleString('en-US')} bytes`)
}
