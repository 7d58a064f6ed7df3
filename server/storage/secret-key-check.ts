/** Whether all who use a database have the same key for stored secrets: otherwise each can only read its own. */
import { sql } from 'kysely'
import type { Log } from '#base/log.ts'
import { keyName } from '#base/seal.ts'
import type { Database } from './database.ts'

const CHECK_EVERY_MS = 10_000
/** A process that did not say so for this long has stopped. */
export const SEEN_MS = 30_000
const NAME_LENGTH = 8

const REMEDY = 'Set the same DOCVET_SECRET_KEY for all.'
const OTHER_PROCESS = `Another process of this database has another secret key. ${REMEDY}`
const NO_KEY = `Other processes of this database have a secret key, and this one has none. ${REMEDY}`
const STORED =
  'Callback endpoints were stored with another secret key, and cannot be called. Set that DOCVET_SECRET_KEY, or delete and create them again.'

type ReadKey = () => Buffer | null

export function createSecretKeyCheck({ db, clock }: Pick<Database, 'db' | 'clock'>, readKey: ReadKey) {
  let known: string | null = null
  function nameOfKey(): string | null {
    const key = known === null ? readKey() : null
    if (key !== null) known = keyName(key)
    return known
  }

  async function conflict(): Promise<string | null> {
    const name = nameOfKey()
    const other = await db
      .selectFrom('secret_keys')
      .select('name')
      .where('seen_at', '>', (eb) => eb(clock.nowMs, '-', SEEN_MS))
      .$if(name !== null, (keys) => keys.where('name', '<>', name as string))
      .limit(1)
      .executeTakeFirst()
    if (other === undefined) return null
    return name === null ? NO_KEY : OTHER_PROCESS
  }

  /** Looks at the first and the last of the names that stored values begin with. */
  async function isForeignStored(): Promise<boolean> {
    const name = nameOfKey()
    const stored = sql<string>`substr(keys, 1, ${sql.lit(NAME_LENGTH)})`
    const ends = await Promise.all(
      (['asc', 'desc'] as const).map((order) =>
        db.selectFrom('webhook_endpoints').select(stored.as('name')).orderBy(stored, order).limit(1).executeTakeFirst(),
      ),
    )
    return ends.some((end) => end !== undefined && end.name !== name)
  }

  return {
    /** Tells the others which key this process has. */
    async say(): Promise<void> {
      const name = nameOfKey()
      if (name === null) return
      await db
        .insertInto('secret_keys')
        .values({ name, seen_at: clock.nowMs })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: clock.nowMs }))
        .execute()
    },

    /** Between running processes and this one. Texts are for operators. */
    conflict,

    /** Also with what is stored. */
    problem: async (): Promise<string | null> => (await conflict()) ?? ((await isForeignStored()) ? STORED : null),
  }
}

/** Looks at once and again and again, because the others may start later. */
export async function startSecretKeyChecks(check: ReturnType<typeof createSecretKeyCheck>, log: Log) {
  let problem: string | null = null
  async function look(): Promise<void> {
    try {
      await check.say()
      const found = await check.problem()
      if (found !== null && found !== problem) log.error(found)
      if (found === null && problem !== null) log.info('All processes of this database have the same secret key now')
      problem = found
    } catch (error) {
      log.warn({ err: error }, 'Failed to compare the secret key with those of other processes; will retry')
    }
  }
  await look()
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, CHECK_EVERY_MS)
  timer.unref()
  return {
    problem: () => problem,
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
}
