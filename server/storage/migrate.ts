/** Applies pending migrations. Several processes may do so at once. */
import { type Dialect, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import * as foundation from './migrations/0001-foundation.ts'
import * as scans from './migrations/0002-scans.ts'
import * as mail from './migrations/0003-mail.ts'
import * as sessions from './migrations/0004-sessions.ts'
import * as signInAttempts from './migrations/0005-sign-in-attempts.ts'
import * as marketplace from './migrations/0006-marketplace.ts'
import * as chat from './migrations/0007-chat.ts'
import * as eventTimes from './migrations/0008-event-times.ts'
import * as roundPosition from './migrations/0009-round-position.ts'
import * as claimReplicas from './migrations/0010-claim-replicas.ts'

const MIGRATIONS = {
  '0001-foundation': foundation,
  '0002-scans': scans,
  '0003-mail': mail,
  '0004-sessions': sessions,
  '0005-sign-in-attempts': signInAttempts,
  '0006-marketplace': marketplace,
  '0007-chat': chat,
  '0008-event-times': eventTimes,
  '0009-round-position': roundPosition,
  '0010-claim-replicas': claimReplicas,
}

export async function migrate(dialect: Dialect): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw error
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}
