/** SQL for the database's clock, which decides what month it is, so that replicas with wrong clocks agree. */
import { sql } from 'kysely'

export type Clock = typeof sqliteClock

export const sqliteClock = {
  /** Milliseconds since 1970. */
  nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  /** The UTC calendar month, `2026-11`. */
  period: sql<string>`strftime('%Y-%m', 'now')`,
  /** The start of that month, in milliseconds since 1970. */
  periodStartMs: sql<number>`unixepoch('now', 'start of month') * 1000`,
  /** The UTC calendar day, `2026-11-15`. */
  day: sql<string>`strftime('%Y-%m-%d', 'now')`,
}

export const postgresClock: Clock = {
  nowMs: sql<number>`cast(extract(epoch from now()) * 1000 as bigint)`,
  period: sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM')`,
  periodStartMs: sql<number>`cast(extract(epoch from date_trunc('month', now() at time zone 'UTC')) * 1000 as bigint)`,
  day: sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`,
}
