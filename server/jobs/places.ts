/** The places of one kind in one process: for prompt attempts, and for those that take long. */
import type { JobKind } from './job.ts'

interface Late {
  owner: string
  hurry: AbortController
}

export function createPlaces({ parallelMax, patience }: Pick<JobKind, 'parallelMax' | 'patience'>) {
  let prompt = 0
  /** The oldest first. */
  const late = new Set<Late>()

  function hurryOne(): void {
    const counts = new Map<string, number>()
    for (const { owner } of late) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const oldest = late.values().find(({ owner }) => counts.get(owner) === most)
    if (oldest === undefined) return
    late.delete(oldest)
    oldest.hurry.abort(new Error('Others need the place'))
  }

  return {
    free: () => parallelMax - prompt,

    /** `onFreed` is called when the place is free again. */
    take(owner: string, onFreed: () => void): { hurry: AbortSignal; leave: () => void } {
      const taken: Late = { owner, hurry: new AbortController() }
      let isPrompt = true
      prompt++
      const free = (): void => {
        isPrompt = false
        prompt--
        onFreed()
      }
      const timer =
        patience &&
        setTimeout(() => {
          late.add(taken)
          if (late.size > patience.lateMax) hurryOne()
          free()
        }, patience.promptMs)
      return {
        hurry: taken.hurry.signal,
        leave() {
          clearTimeout(timer)
          late.delete(taken)
          if (isPrompt) free()
        },
      }
    },
  }
}
