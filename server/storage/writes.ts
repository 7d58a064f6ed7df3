/** Whether the storage accepts writes, known from failed writes and from a periodic check. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'

/** While writes fail. */
const RECHECK_EVERY_MS = 1_000
/** While they succeed. */
const CHECK_EVERY_TICKS = 10
/** More than a transaction of the service writes. */
export const PROBE_BYTES = 262_144

const FAILED = 'The storage does not accept writes.'
const FULL = 'The storage does not accept writes: the disk is full.'
const READ_ONLY = 'The storage does not accept writes: it is read-only.'
/** By result code of SQLite, SQLSTATE of PostgreSQL, and system error. */
const REASONS = new Map<unknown, string>([
  [8, READ_ONLY],
  [13, FULL],
  ['25006', READ_ONLY],
  ['53100', FULL],
  ['EDQUOT', FULL],
  ['ENOSPC', FULL],
  ['EROFS', READ_ONLY],
])

export type Writes = ReturnType<typeof trackWrites>

const codeOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return 'code' in error ? error.code : undefined
}

export function trackWrites(log: Log) {
  let failure: string | null = null
  return {
    /** Null while writes succeed; otherwise a reason that clients may see. */
    failure: () => failure,
    /** Holds until a check succeeds. */
    failed(error: unknown): void {
      const cause = error instanceof AppError ? error.cause : error
      if (failure === null) log.error({ err: cause }, 'Storage does not accept writes')
      failure = REASONS.get(codeOf(cause)) ?? FAILED
    },
    succeeded(): void {
      if (failure !== null) log.info('Storage accepts writes again')
      failure = null
    },
  }
}

/** Writes a file and removes it, because SQLite may accept a small write in space that a larger one has left. */
export async function probeFolder(folder: string): Promise<void> {
  const file = join(folder, `write-check-${process.pid}.tmp`)
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES))
  } finally {
    await rm(file, { force: true })
  }
}

interface Checked {
  writes: Writes
  probeSpace(): Promise<void>
}

/** `write` is a small durable write. */
export function startWriteChecks({ writes, probeSpace }: Checked, write: () => Promise<void>) {
  let ticks = 0
  let running: Promise<void> | null = null

  async function check(): Promise<void> {
    try {
      await probeSpace()
      await write()
      writes.succeeded()
    } catch (error) {
      writes.failed(error)
    }
    running = null
  }

  const timer = setInterval(() => {
    ticks++
    if (writes.failure() !== null || ticks % CHECK_EVERY_TICKS === 0) running ??= check()
  }, RECHECK_EVERY_MS)
  timer.unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
