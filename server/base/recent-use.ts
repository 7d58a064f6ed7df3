/** How long each account has used a shared resource lately: a sum in which every use halves with its age. */

interface RecentUseOptions {
  halfLifeMs: number
  /** Accounts remembered; beyond it, the one whose use is the oldest is forgotten. */
  accountsMax?: number
  /** Milliseconds on a monotonic clock. */
  now?: () => number
}

export type RecentUse = ReturnType<typeof createRecentUse>

interface Running {
  account: string
  chargedAt: number
}

const ACCOUNTS_MAX = 10_000

export function createRecentUse({
  halfLifeMs,
  accountsMax = ACCOUNTS_MAX,
  now = () => performance.now(),
}: RecentUseOptions) {
  // Logarithms of the sums, as of time zero. All sums decay alike, so their order changes only with a new use, and a
  // logarithm stays small however long the process runs.
  const levels = new Map<string, number>()
  const running = new Set<Running>()

  function add(account: string, ms: number): void {
    if (!(ms > 0)) return
    const level = logOfSum(levels.get(account) ?? Number.NEGATIVE_INFINITY, Math.log2(ms) + now() / halfLifeMs)
    levels.delete(account)
    levels.set(account, level)
    if (levels.size <= accountsMax) return
    const [oldest] = levels.keys()
    if (oldest !== undefined) levels.delete(oldest)
  }

  function charge(each: Running): void {
    const at = now()
    add(each.account, at - each.chargedAt)
    each.chargedAt = at
  }

  return {
    /** Counts the time until the returned function is called. */
    begin(account: string): () => void {
      const each = { account, chargedAt: now() }
      running.add(each)
      return () => {
        if (running.delete(each)) charge(each)
      }
    },
    /** Makes `levelOf` include the time of uses that are still running. */
    update: () => running.forEach(charge),
    /** For comparison with other accounts: lower for the one that used less. Negative infinity without any use. */
    levelOf: (account: string) => levels.get(account) ?? Number.NEGATIVE_INFINITY,
    /** Who is remembered, the oldest use first. */
    accounts: () => levels.keys(),
    /** The sum in milliseconds, as of now. */
    msOf: (account: string) => 2 ** ((levels.get(account) ?? Number.NEGATIVE_INFINITY) - now() / halfLifeMs),
  }
}

/** log2(2^a + 2^b) */
function logOfSum(a: number, b: number): number {
  return Math.max(a, b) + Math.log2(1 + 2 ** -Math.abs(a - b))
}
