/** Looking for something that may be told before it can be seen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplaceAway } from './refusals.ts'

/** Between one look and the next. Together they leave time, of what the marketplace waits, for what follows. */
export const LOOK_AGAIN_MS: readonly number[] = [700, 1_400, 2_700]

/** What was found at last; null when even the last look was in vain. */
export async function lookUntilFound<T>(
  look: () => Promise<T | null>,
  deadline: AbortSignal,
  pausesMs = LOOK_AGAIN_MS,
): Promise<T | null> {
  const found = await look()
  const [pauseMs, ...rest] = pausesMs
  if (found !== null || pauseMs === undefined) return found
  await sleep(pauseMs, undefined, { signal: deadline }).catch((error) => {
    throw marketplaceAway(error)
  })
  return await lookUntilFound(look, deadline, rest)
}
