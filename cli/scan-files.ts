/** Scans files with all workers at once, and returns results in the order of completion. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Engine } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import { HEAD_BYTES, sniff } from '#inspect/detect/sniff.ts'
import { FileError, type Found, readDocument, STDIN } from './files.ts'
import { emptyResult, type Result, resultOf, type Scanned, unreadResult } from './result.ts'

/** Files read ahead for each worker, so that none has to wait for the disk. */
const FILES_PER_WORKER = 2

/** Judges the bytes of one file. */
export type Scan = (path: string, bytes: Buffer) => Promise<Result>

async function scanFile(found: Found, scan: Scan): Promise<Scanned> {
  const { path } = found
  if ('error' in found) {
    const isFailure = found.isNamed === true
    return { result: unreadResult(path, found.error), identity: null, location: path, isFailure }
  }
  const { location = path, isImplied } = found
  try {
    const { bytes, identity } = await readDocument(location)
    if (bytes.length === 0 && isImplied) {
      const nothing = new FileError('unreadable', 'Nothing came. Name the files and folders to scan.')
      return { result: unreadResult(path, nothing), identity, location, isFailure: true }
    }
    const result = bytes.length === 0 ? emptyResult(path) : await scan(path, bytes)
    return { result, identity, location, isFailure: result.error?.code === 'engine_unavailable' }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { result: unreadResult(path, error), identity: null, location, isFailure: false }
  }
}

/** By the embedded engine. */
export const localScan =
  (engine: Engine, password: string | undefined, signal: AbortSignal): Scan =>
  async (path, bytes) => {
    const { kind, type } = sniff(bytes.subarray(0, HEAD_BYTES), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const size = bytes.length
    const { push, end, dispose } = createSample()
    push(bytes)
    const startedMs = performance.now()
    const name = path === STDIN ? undefined : basename(path)
    const outcome = await engine.inspect(end(sha256, { password, name }), signal)
    dispose()
    const durationMs = Math.round(performance.now() - startedMs)
    const about = { path, sha256, size, detectedType: type, isAccepted: kind !== null, durationMs }
    return resultOf(about, outcome, Boolean(password))
  }

interface Scanning {
  scan: Scan
  workers: number
  signal: AbortSignal
  onStart?(path: string): void
}

/**
 * Reads ahead no further than the workers need, so that any number of files fits into memory. Ends when the signal fires,
 * without the results that are not there yet.
 */
export async function* scanFiles(files: AsyncIterable<Found>, scanning: Scanning): AsyncGenerator<Scanned> {
  const { scan, workers, signal, onStart } = scanning
  const iterator = files[Symbol.asyncIterator]()
  const done: Scanned[] = []
  let failure: { error: unknown } | null = null
  let running = 0
  let isReading = false
  let isEnded = false
  let happened = Promise.withResolvers<void>()
  const wake = () => happened.resolve()
  signal.addEventListener('abort', wake, { once: true })

  async function start(found: Found): Promise<void> {
    running++
    onStart?.(found.path)
    try {
      done.push(await scanFile(found, scan))
    } finally {
      running--
    }
  }
  async function read(): Promise<void> {
    isReading = true
    const next = await iterator.next()
    isReading = false
    isEnded = next.done === true
    if (!next.done) attempt(() => start(next.value))
  }
  const attempt = (work: () => Promise<void>): void => {
    work()
      .catch((error) => {
        failure ??= { error }
      })
      .finally(wake)
  }

  try {
    while (!signal.aborted) {
      if (failure !== null) throw (failure as { error: unknown }).error
      const scanned = done.shift()
      if (scanned !== undefined) {
        yield scanned
        continue
      }
      if (isEnded && running === 0) return
      if (!isReading && !isEnded && running < workers * FILES_PER_WORKER) attempt(read)
      await happened.promise
      happened = Promise.withResolvers()
    }
  } finally {
    // Not awaited: it may be reading from a pipe on which nothing comes.
    iterator.return?.().catch(() => {})
  }
}
