/** Finds the rule files with which no worker starts, by halves, so that few workers are started for it. */

export interface Bisection<Rule> {
  /** Added to the good rules, each of them failed twice. */
  atFault: { rule: Rule; error: unknown }[]
  /** The limits were reached before these were tried. */
  untried: Rule[]
}

/** One file among a thousand takes about twenty attempts of half a second each. */
export const BISECT_LIMITS = { attemptsMax: 64, msMax: 60_000 }
type BisectLimits = typeof BISECT_LIMITS & { signal?: AbortSignal }

/** `attempt` rejects when the rules do not work. Null when no rule is at fault: it fails without any rules, too. */
export async function bisect<Rule>(
  rules: readonly Rule[],
  attempt: (some: readonly Rule[]) => Promise<void>,
  { attemptsMax, msMax, signal }: BisectLimits = BISECT_LIMITS,
): Promise<Bisection<Rule> | null> {
  const endsAt = performance.now() + msMax
  const result: Bisection<Rule> = { atFault: [], untried: [] }
  const good: Rule[] = []
  let attempts = 0

  const isOver = () => attempts >= attemptsMax || performance.now() >= endsAt || signal?.aborted === true

  /** The error with these and the good rules, or null. */
  async function failureOf(some: readonly Rule[]): Promise<{ error: unknown } | null> {
    attempts++
    try {
      await attempt([...good, ...some])
      return null
    } catch (error) {
      return { error }
    }
  }

  async function search(some: readonly Rule[]): Promise<void> {
    if (isOver()) {
      result.untried.push(...some)
      return
    }
    const [rule] = some
    let failure = await failureOf(some)
    if (failure !== null && some.length > 1) return await halve(some)
    // Retried, because a file that is blamed for an unrelated failure would stay out until it changes.
    if (failure !== null && !isOver()) failure = await failureOf(some)
    if (failure === null) good.push(...some)
    else if (rule !== undefined) result.atFault.push({ rule, error: failure.error })
  }

  async function halve(some: readonly Rule[]): Promise<void> {
    const middle = Math.ceil(some.length / 2)
    for (const half of [some.slice(0, middle), some.slice(middle)]) if (half.length > 0) await search(half)
  }

  if ((await failureOf([])) !== null) return null
  await halve(rules)
  return result
}
