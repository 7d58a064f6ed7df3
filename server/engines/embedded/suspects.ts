/** Remembers which documents ended workers, and which accounts sent them. */

/** A document that ended so many workers is not tried again. */
const WORKERS_ENDED_MAX = 2
/** For a document that ended workers by dying, which may have other causes, and for accounts. */
export const REMEMBERED_MS = 10 * 60_000
/** For a document that ended a worker by its limit of CPU time or memory. */
export const CAPPED_MS = 60 * 60_000
/** For the account after a single ended worker, which may have another cause than the document. */
export const DOUBTED_MS = 10_000
/** Of documents, and of accounts. Beyond it, the oldest is forgotten. */
export const SUSPECTS_MAX = 10_000
/** Documents with an answer, so that copies of one may use all workers. */
export const ANSWERED_MAX = 1_000

interface Origin {
  sha256: string
  account: string
}

export type Suspects = ReturnType<typeof createSuspects>

export function createSuspects(now: () => number = () => performance.now()) {
  const documents = new Map<string, { ended: number; until: number }>()
  /** Until when. */
  const accounts = new Map<string, number>()
  const answered = new Map<string, true>()

  function endedBy(sha256: string): number {
    const found = documents.get(sha256)
    return found !== undefined && found.until > now() ? found.ended : 0
  }

  const isSuspectAccount = (account: string): boolean => (accounts.get(account) ?? 0) > now()

  return {
    /** The document ended a worker; `isCapped`: by its limit of CPU time or memory, which nothing else reaches. */
    note({ sha256, account }: Origin, isCapped: boolean): void {
      const ended = endedBy(sha256) + 1
      answered.delete(sha256)
      const until = Math.max(documents.get(sha256)?.until ?? 0, now() + (isCapped ? CAPPED_MS : REMEMBERED_MS))
      remember(documents, sha256, { ended, until }, SUSPECTS_MAX)
      const isSure = isCapped || ended >= WORKERS_ENDED_MAX
      const accountUntil = now() + (isSure ? REMEMBERED_MS : DOUBTED_MS)
      remember(accounts, account, Math.max(accountUntil, accounts.get(account) ?? 0), SUSPECTS_MAX)
    },
    /** Workers elsewhere were ended by the document; it is not tried here for so long. */
    ban(sha256: string, ms: number): void {
      answered.delete(sha256)
      remember(documents, sha256, { ended: WORKERS_ENDED_MAX, until: now() + ms }, SUSPECTS_MAX)
    },
    /** A worker answered for the document and survived. */
    clear(sha256: string): void {
      documents.delete(sha256)
      remember(answered, sha256, true, ANSWERED_MAX)
    },
    isAnswered: (sha256: string) => answered.has(sha256),
    /** It ended too many workers to be tried again. */
    isBanned: (sha256: string) => endedBy(sha256) >= WORKERS_ENDED_MAX,
    isSuspectAccount,
    isSuspect: ({ sha256, account }: Origin) => endedBy(sha256) > 0 || isSuspectAccount(account),
  }
}

/** The latest last, so that the first can be forgotten. */
function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
