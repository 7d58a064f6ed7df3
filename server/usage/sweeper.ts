/** Sends the heartbeat of this process, and releases the reservations of dead ones. */
import type { Log } from '#base/log.ts'
import type { ReplicaStore } from './replica-store.ts'

const BEAT_EVERY_MS = 10_000
/** Six missed beats: survives a paused machine, and returns quota soon enough. */
const SILENT_MS = 60_000

export interface SweeperOptions {
  store: ReplicaStore
  settleOwed: () => Promise<void>
  log: Log
}

export async function startSweeper({ store, settleOwed, log }: SweeperOptions): Promise<{ close(): Promise<void> }> {
  async function sweep(): Promise<void> {
    try {
      await store.beat()
      await settleOwed()
      const released = await store.sweep(SILENT_MS)
      if (released > 0) log.info({ released }, 'Released reservations of dead replicas')
    } catch (error) {
      log.warn({ err: error }, 'Sweep of reservations failed; will retry')
    }
  }

  // Before the first reservation, or another process could take ours for an orphan.
  await store.beat()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(sweep)
  }, BEAT_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
      await settleOwed()
      await store.deregister().catch((error) => log.warn({ err: error }, 'Failed to deregister replica'))
    },
  }
}
