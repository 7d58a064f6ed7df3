/** Whether somebody waits for a scan, to whom scans that nobody waits for leave the processor. */

/** After the last of them, the next one of the same client is about to come. */
const QUIET_MS = 100

export type Uploads = ReturnType<typeof createUploads>

export function createUploads() {
  let running = 0
  let endedMs = Number.NEGATIVE_INFINITY
  return {
    async during<T>(run: () => Promise<T>): Promise<T> {
      running += 1
      try {
        return await run()
      } finally {
        running -= 1
        endedMs = performance.now()
      }
    },
    isBusy: (): boolean => running > 0 || performance.now() - endedMs < QUIET_MS,
  }
}
