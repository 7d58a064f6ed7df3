/** Shows that this process lives, and gives back what dead ones had reserved. */
import type { Log } from '#base/log.ts'
import type { ReplicaStore } from './replica-store.ts'

const BEAT_EVERY_MS = 10_000
/** Six missed beats: long enough for a paused machine, short enough that nobody waits long for his quota. */
const SILENT_MS = 60_000

export interface Sweeper {
  close(): Promise<void>
}

export interface SweeperOptions {
  store: ReplicaStore
  settleOwed: () => Promise<void>
  log: Log
}

export async function startSweeper({ store, settleOwed, log }: SweeperOptions): Promise<Sweeper> {
  async function round(): Promise<void> {
    try {
      await store.beat()
      await settleOwed()
      const freed = await store.sweep(SILENT_MS)
      if (freed > 0) log.info({ freed }, 'Gave back reservations of processes that ended without settling them')
    } catch (error) {
      log.warn({ err: error }, 'The round of the sweeper failed; it will be tried again')
    }
  }

  // The first beat comes before the first reservation, or another process might take ours for an orphan's.
  await store.beat()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(round)
  }, BEAT_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
      await settleOwed()
      await store.leave().catch((error) => log.warn({ err: error }, 'Could not sign off'))
    },
  }
}
