/** Documents that ended workers, shared by all processes and replicas. */
import type { Database } from './database.ts'

/** Documents that are remembered. Beyond it, the oldest are forgotten. */
export const ENDINGS_MAX = 10_000
/** How long after its last ending. */
export const ENDING_MS = 60 * 60_000

interface Ending {
  sha256: string
  /** How long it is still remembered. */
  leftMs: number
}

export type EndingsStore = ReturnType<typeof createEndingsStore>

export function createEndingsStore({ db, clock }: Database, max = ENDINGS_MAX) {
  const nowMs = async () => Number((await db.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()).now)

  async function forget(now: number): Promise<void> {
    const beyond = await db
      .selectFrom('worker_endings')
      .select('ended_at')
      .orderBy('ended_at', 'desc')
      .orderBy('sha256')
      .offset(max)
      .limit(1)
      .executeTakeFirst()
    const before = Math.max(now - ENDING_MS, Number(beyond?.ended_at ?? 0))
    await db.deleteFrom('worker_endings').where('ended_at', '<=', before).execute()
  }

  return {
    async note(sha256: string): Promise<void> {
      const now = await nowMs()
      await db
        .insertInto('worker_endings')
        .values({ sha256, endings: 1, ended_at: now })
        .onConflict((conflict) =>
          conflict.column('sha256').doUpdateSet((eb) => ({
            // An ending that is forgotten does not count, even if its row is still there.
            endings: eb
              .case()
              .when('worker_endings.ended_at', '>', now - ENDING_MS)
              .then(eb('worker_endings.endings', '+', 1))
              .else(1)
              .end(),
            ended_at: now,
          })),
        )
        .execute()
      await forget(now)
    },
    /** Documents with at least so many endings, the last of them after `since`; and the time, for the next call. */
    async list(endings: number, since: number): Promise<{ documents: Ending[]; now: number }> {
      const now = await nowMs()
      const rows = await db
        .selectFrom('worker_endings')
        .select(['sha256', 'ended_at'])
        .where('ended_at', '>', Math.max(since, now - ENDING_MS))
        .where('endings', '>=', endings)
        .execute()
      const documents = rows.map(({ sha256, ended_at }) => ({ sha256, leftMs: Number(ended_at) + ENDING_MS - now }))
      return { documents, now }
    },
  }
}
