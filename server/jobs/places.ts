/** The places of one kind in one process: for prompt attempts, and for those that take long or are likely to. */
import { createRecentUse } from '#base/recent-use.ts'
import { type ClaimedJob, type Job, type JobKind, type Lane, ownerOf } from './job.ts'

/** Since the last attempt that took long. */
export const SLOW_MS = 5 * 60 * 1_000
/** Beyond that, those that were slow longest ago are tried again. */
export const SLOW_GROUPS_MAX = 5_000

/** In which what an owner has used of the places for prompt attempts counts half. */
const USE_HALF_LIFE_MS = 60_000
/** Less is as good as none. */
const USE_MIN = 0.05
const OWNERS_MAX = 1_000
/** Parts of `promptMs`. One that comes late, because this process was busy, is one part all the same. */
export const PARTS = 10

/** Positions in `lanes`. */
const [PROMPT, SLOW] = [0, 1]

interface Late {
  owner: string
  hurry: AbortController
}

/** How many more may begin, and of which groups. */
export interface Free {
  max: number
  lane: Lane
}

interface Taken extends Pick<Job, 'hurry' | 'waitFor'> {
  leave(): void
}

interface PlacesOptions {
  kind: Pick<JobKind, 'parallelMax' | 'patience' | 'perGroupMax'>
  /** How often an attempt begins although all places of slow groups are taken: its owner may have none of them. */
  turnMs: number
  /** A place of a lane is free again. */
  onFreed: (lane: number) => void
}

export function createPlaces({ kind, turnMs, onFreed }: PlacesOptions) {
  const { parallelMax, patience, perGroupMax } = kind
  let prompt = 0
  /** The oldest first. */
  const late = new Set<Late>()
  /** Until when, in the order of that. */
  const slow = new Map<string, number>()
  let turnAtMs = 0
  const use = createRecentUse({ halfLifeMs: USE_HALF_LIFE_MS, accountsMax: OWNERS_MAX })

  /** In attempts that took as long as they may: who has used much waits for those who have not, however old its jobs are. */
  function usedByOwner(): NonNullable<Lane['used']> {
    if (!patience) return {}
    use.update()
    const used = [...use.accounts()].map((owner) => [owner, use.msOf(owner) / patience.promptMs] as const)
    return Object.fromEntries(used.filter(([, times]) => times >= USE_MIN))
  }

  function noteSlow(group: string): void {
    slow.delete(group)
    slow.set(group, performance.now() + SLOW_MS)
    const [oldest] = slow.keys()
    if (slow.size > SLOW_GROUPS_MAX && oldest !== undefined) slow.delete(oldest)
  }

  function slowGroups(): string[] {
    const nowMs = performance.now()
    for (const [group, untilMs] of slow) {
      if (untilMs > nowMs) break
      slow.delete(group)
    }
    return [...slow.keys()]
  }

  function hurryOne(): void {
    const counts = new Map<string, number>()
    for (const { owner } of late) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const oldest = late.values().find(({ owner }) => counts.get(owner) === most)
    if (oldest === undefined) return
    late.delete(oldest)
    oldest.hurry.abort(new Error('Others need the place'))
  }

  function maxOfSlow(lateMax: number): number {
    const nowMs = performance.now()
    if (late.size < lateMax) return lateMax - late.size
    if (nowMs < turnAtMs) return 0
    turnAtMs = nowMs + turnMs
    return 1
  }

  const freeOf = (max: number, groups: readonly string[], isListed: boolean): Free => ({
    max,
    lane: { groups, isListed, ...(max > 0 && { used: usedByOwner() }) },
  })

  const freeOfPrompt = (): Free => freeOf(parallelMax - prompt, slowGroups(), false)

  function freeOfSlow(): Free {
    const groups = slowGroups()
    return freeOf(patience && groups.length > 0 ? maxOfSlow(patience.lateMax) : 0, groups, true)
  }

  return {
    lanes: patience && perGroupMax ? [freeOfPrompt, freeOfSlow] : [freeOfPrompt],

    take({ id, group }: Pick<ClaimedJob, 'id' | 'group'>, { isListed }: Lane): Taken {
      const taken: Late = { owner: ownerOf(group) ?? id, hurry: new AbortController() }
      let isPrompt = !isListed
      const beLate = (): void => {
        late.add(taken)
        if (patience && late.size > patience.lateMax) hurryOne()
      }
      const endUse = isPrompt ? use.begin(taken.owner) : () => {}
      if (isPrompt) prompt++
      else beLate()
      const onLate = (): void => {
        endUse()
        if (group !== null) noteSlow(group)
        if (!isPrompt) return
        isPrompt = false
        prompt--
        beLate()
        onFreed(PROMPT)
        // Jobs of its group wait there from now on.
        onFreed(SLOW)
      }
      return {
        hurry: taken.hurry.signal,
        async waitFor(work) {
          if (!patience) return await work()
          let parts = 0
          const onPart = () => void (++parts === PARTS && onLate())
          const timer = setInterval(onPart, patience.promptMs / PARTS)
          return await work().finally(() => clearInterval(timer))
        },
        leave() {
          endUse()
          late.delete(taken)
          if (isPrompt) prompt--
          onFreed(isPrompt ? PROMPT : SLOW)
        },
      }
    },
  }
}
