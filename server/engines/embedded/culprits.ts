/** Finds the rules with which no child works: by halves, so that few children are started for it. */

export interface Found<Rule> {
  /** With each of them, added to what works, the attempt failed twice. */
  atFault: { rule: Rule; error: unknown }[]
  /** For these there was no attempt left. */
  untried: Rule[]
}

export interface SearchLimits {
  attemptsMax: number
  msMax: number
  /** Ends the search early. */
  signal?: AbortSignal
}

/** One file among a thousand takes about twenty attempts, of half a second each. */
export const SEARCH_LIMITS: SearchLimits = { attemptsMax: 64, msMax: 60_000 }

/**
 * Of rules that do not work together. `attempt` rejects when a child does not work with what it is given. Null when the
 * rules are not to blame: without any it does not work either.
 */
export async function findCulprits<Rule>(
  rules: readonly Rule[],
  attempt: (some: readonly Rule[]) => Promise<void>,
  { attemptsMax, msMax, signal }: SearchLimits = SEARCH_LIMITS,
): Promise<Found<Rule> | null> {
  const endsAt = performance.now() + msMax
  const found: Found<Rule> = { atFault: [], untried: [] }
  const good: Rule[] = []
  let attempts = 0

  const over = () => attempts >= attemptsMax || performance.now() >= endsAt || signal?.aborted === true

  /** What went wrong with these and the good ones, or null. */
  async function wrongWith(some: readonly Rule[]): Promise<{ error: unknown } | null> {
    attempts++
    try {
      await attempt([...good, ...some])
      return null
    } catch (error) {
      return { error }
    }
  }

  async function sift(some: readonly Rule[]): Promise<void> {
    if (over()) {
      found.untried.push(...some)
      return
    }
    const [rule] = some
    let wrong = await wrongWith(some)
    if (wrong !== null && some.length > 1) return await halve(some)
    // A child may have had bad luck, and a file that is blamed for it would stay out until it changes.
    if (wrong !== null && !over()) wrong = await wrongWith(some)
    if (wrong === null) good.push(...some)
    else if (rule !== undefined) found.atFault.push({ rule, error: wrong.error })
  }

  async function halve(some: readonly Rule[]): Promise<void> {
    const middle = Math.ceil(some.length / 2)
    for (const half of [some.slice(0, middle), some.slice(middle)]) if (half.length > 0) await sift(half)
  }

  if ((await wrongWith([])) !== null) return null
  await halve(rules)
  return found
}
