/** Scans files with all workers at once, and returns results in the order of the files. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Engine } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import { HEAD_BYTES, sniff } from '#inspect/detect/sniff.ts'
import { FileError, type Found, readDocument, STDIN } from './files.ts'
import { emptyResult, type Result, resultOf, unreadResult } from './result.ts'

/** Files read ahead for each worker, so that none has to wait for the disk. */
const FILES_PER_WORKER = 2
/** Results that wait for an earlier one. */
const RESULTS_MAX = 1_000

interface Scanner {
  engine: Engine
  workers: number
  password: string | undefined
  signal: AbortSignal
}

async function scanFile(found: Found, scanner: Scanner): Promise<Result> {
  if ('error' in found) return unreadResult(found.path, found.error)
  const { path, location = path } = found
  try {
    const bytes = await readDocument(location)
    return bytes.length === 0 ? emptyResult(path) : await scanBytes(path, bytes, scanner)
  } catch (error) {
    if (error instanceof FileError) return unreadResult(path, error)
    throw error
  }
}

async function scanBytes(path: string, bytes: Buffer, { engine, signal, password }: Scanner): Promise<Result> {
  const { kind, type } = sniff(bytes.subarray(0, HEAD_BYTES), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = bytes.length
  const { push, end, dispose } = createSample()
  push(bytes)
  const startedMs = performance.now()
  const outcome = await engine.inspect(
    end(sha256, { password, name: path === STDIN ? undefined : basename(path) }),
    signal,
  )
  dispose()
  const durationMs = Math.round(performance.now() - startedMs)
  return resultOf(
    { path, sha256, size, detectedType: type, isAccepted: kind !== null, durationMs },
    outcome,
    Boolean(password),
  )
}

/**
 * Reads ahead no further than the workers need, so that any number of files fits into memory. A slow file holds up the
 * results after it, but not their scans.
 */
export async function* scanFiles(files: AsyncIterable<Found>, scanner: Scanner): AsyncGenerator<Result> {
  const results: Promise<Result>[] = []
  const running = new Set<Promise<Result>>()
  for await (const found of files) {
    const result = scanFile(found, scanner)
    const end = () => running.delete(result)
    // A rejection must not count as unhandled while an earlier file is waited for.
    result.then(end, end)
    running.add(result)
    results.push(result)
    if (running.size >= scanner.workers * FILES_PER_WORKER) await Promise.race(running)
    while (results[0] !== undefined && (!running.has(results[0]) || results.length > RESULTS_MAX))
      yield await (results.shift() as Promise<Result>)
  }
  for (const each of results) yield await each
}
