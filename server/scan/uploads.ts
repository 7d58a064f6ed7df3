/** Whether somebody on this machine waits for a scan, to whom scans that nobody waits for leave the processor. */
import { statSync, utimes, writeFile } from 'node:fs'

/** After the last of them, the next one of the same client is about to come. */
const QUIET_MS = 100
/** How often a process says so to others on this machine. */
const SAY_EVERY_MS = QUIET_MS / 2

export type Uploads = ReturnType<typeof createUploads>

/** `file` is that of all processes on this machine: its time is that of their latest upload. */
export function createUploads(file: string) {
  let running = 0
  let endedMs = Number.NEGATIVE_INFINITY
  let saidMs = Number.NEGATIVE_INFINITY
  let saying: NodeJS.Timeout | undefined

  function say(): void {
    const nowMs = Date.now()
    if (Math.abs(nowMs - saidMs) < SAY_EVERY_MS) return
    saidMs = nowMs
    const seconds = nowMs / 1_000
    // Where neither is possible, only the others do not know.
    utimes(file, seconds, seconds, (error) => error && writeFile(file, '', { mode: 0o600 }, () => {}))
  }

  const isBusyHere = (): boolean => running > 0 || performance.now() - endedMs < QUIET_MS

  function isBusyElsewhere(): boolean {
    const saidMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
    // Not for long if the clock was set back.
    return Math.abs(Date.now() - saidMs) < QUIET_MS
  }

  return {
    async during<T>(run: () => Promise<T>): Promise<T> {
      running += 1
      say()
      saying ??= setInterval(say, SAY_EVERY_MS).unref()
      try {
        return await run()
      } finally {
        running -= 1
        endedMs = performance.now()
        say()
        if (running === 0) {
          clearInterval(saying)
          saying = undefined
        }
      }
    },
    isBusyHere,
    isBusy: (): boolean => isBusyHere() || isBusyElsewhere(),
  }
}
