/** The events of an account, page by page, without a gap and without a repetition. */
import type { Static } from 'typebox'
import { invalidField } from '#base/errors.ts'
import type { Reports } from '#scan/reports.ts'
import type { ScanRow } from '#scan/store.ts'
import { eventsOf } from './ocsf.ts'
import type { EventsQuery } from './schema.ts'
import type { EventStore, Position } from './store.ts'

const LIMIT_DEFAULT = 500
/** A verdict is stored within 20 seconds, or its client gets an error; clocks of replicas may differ. */
const EVENT_LAG_MS = 60_000
const CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})$/
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const cursorOf = ({ finishedAt, id }: Position): string => Buffer.from(`${finishedAt}.${id}`).toString('base64url')

function positionOf({ cursor, from }: Static<typeof EventsQuery>): Position {
  if (cursor === undefined) return { finishedAt: from === undefined ? 0 : Date.parse(from), id: FIRST_ID }
  const [, time, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || id === undefined) throw invalidField('cursor', 'must be that of an earlier event')
  return { finishedAt: Number(time), id }
}

interface EventsOptions {
  store: EventStore
  reportOf: Reports['ofRow']
  version: string
  lagMs?: number | undefined
}

export type Events = ReturnType<typeof createEvents>

export function createEvents({ store, reportOf, version, lagMs = EVENT_LAG_MS }: EventsOptions) {
  const placeOf = ({ finished_at: finishedAt, id }: ScanRow) => cursorOf({ finishedAt, id })

  return {
    /** Until when the scans of all accounts are complete. */
    end: () => store.endOf(lagMs),

    /** The lines of all accounts in a period, for the operator. */
    async *ofAll(period: { since: number; until: number }, hasNames: boolean): AsyncGenerator<string> {
      for (let last = FIRST_ID; ; ) {
        const rows = await store.window(period, last, LIMIT_DEFAULT)
        for (const row of rows)
          for (const event of eventsOf(reportOf(row), {
            version,
            cursor: placeOf(row),
            hasNames,
            accountId: row.account_id,
          }))
            yield `${JSON.stringify(event)}\n`
        const end = rows.at(-1)
        if (end === undefined || rows.length < LIMIT_DEFAULT) return
        last = end.id
      }
    },

    /** The lines, and where to go on; the same place if nothing has ended since. */
    async list(accountId: string, query: Static<typeof EventsQuery>) {
      const { limit = LIMIT_DEFAULT, names = 'on' } = query
      const start = positionOf(query)
      const rows = await store.list(accountId, start, limit, lagMs)
      const events = rows.flatMap((row) =>
        eventsOf(reportOf(row), { version, cursor: placeOf(row), hasNames: names === 'on' }),
      )
      const last = rows.at(-1)
      return {
        lines: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
        nextCursor: last === undefined ? (query.cursor ?? cursorOf(start)) : placeOf(last),
      }
    },
  }
}
