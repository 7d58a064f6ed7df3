/** Finds the files to scan, and reads them. */
import { createReadStream, type Dirent } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import type { Options } from './options.ts'

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

export type Found = { path: string } | { path: string; error: FileError }

type Globs = Pick<Options, 'include' | 'exclude'>

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or folder',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ELOOP: 'Too many symbolic links',
}

function unreadable(error: unknown): FileError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return new FileError('unreadable', REASONS[code] ?? `Cannot be read (${code})`)
}

/** A glob without a slash is compared with the name, others with the path below the folder. */
function matches(globs: readonly string[], name: string, below: string): boolean {
  return globs.some((glob) => path.matchesGlob(glob.includes('/') ? below : name, glob))
}

/** In the order of names. Links to folders are not followed, because they may lead anywhere. */
export async function* findFiles(paths: readonly string[], globs: Globs): AsyncGenerator<Found> {
  for (const each of paths) {
    if (each === STDIN) yield { path: each }
    else yield* findAt(each, globs)
  }
}

async function* findAt(start: string, globs: Globs): AsyncGenerator<Found> {
  try {
    if ((await stat(start)).isDirectory()) yield* findBelow(start, start, globs)
    else yield { path: start }
  } catch (error) {
    yield { path: start, error: unreadable(error) }
  }
}

async function* findBelow(root: string, folder: string, globs: Globs): AsyncGenerator<Found> {
  let entries: Dirent[]
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    yield { path: folder, error: unreadable(error) }
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name)
    const below = path.relative(root, full)
    if (matches(globs.exclude, entry.name, below)) continue
    if (entry.isDirectory()) yield* findBelow(root, full, globs)
    else if (globs.include.length === 0 || matches(globs.include, entry.name, below)) yield* findEntry(entry, full)
  }
}

/** Devices, sockets and pipes are skipped. */
async function* findEntry(entry: Dirent, full: string): AsyncGenerator<Found> {
  if (entry.isFile()) yield { path: full }
  if (!entry.isSymbolicLink()) return
  try {
    if ((await stat(full)).isFile()) yield { path: full }
  } catch (error) {
    yield { path: full, error: unreadable(error) }
  }
}

/** Throws `FileError`. */
export async function readDocument(file: string): Promise<Buffer> {
  try {
    return file === STDIN ? await readAll(process.stdin) : await readWhole(file)
  } catch (error) {
    throw error instanceof FileError ? error : unreadable(error)
  }
}

async function readWhole(file: string): Promise<Buffer> {
  await using handle = await open(file)
  const info = await handle.stat()
  // A pipe or device given by name has no size.
  if (!info.isFile()) return await readAll(createReadStream(file))
  if (info.size > DOCUMENT_BYTES_MAX) throw tooLarge()
  const bytes = await handle.readFile()
  if (bytes.length > DOCUMENT_BYTES_MAX) throw tooLarge()
  return bytes
}

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
