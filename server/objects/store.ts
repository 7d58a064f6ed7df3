/** Scans of objects in the database: which events were seen, which object was read, and the lists of `docvet objects`. */
import { hash } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Trx } from '#storage/database.ts'
import { deleteAll } from '#storage/delete-all.ts'
import type { Tables } from '#storage/tables.ts'
import { countingOf, type Fault, type ObjectStatus, type ScanEnding } from './words.ts'

export type Listing = Tables['object_listings']

export interface NewObjectScan {
  scanId: string
  source: string
  key: string
  etag: string | null
  /** Null: it is in a list, which has every object once. */
  identity: string | null
  listingId: string | null
}

export interface EndedObject extends ScanEnding {
  scanId: string
  etag: string | null
  listingId: string | null
}

const DAY_MS = 24 * 60 * 60 * 1_000
/** Senders repeat an event for at most a day, Pub/Sub for a week. */
const SEEN_MS = 8 * DAY_MS
const LISTING_MS = 90 * DAY_MS
const SWEPT_MAX = 1_000
/** In one statement of both databases. */
const ROWS_MAX = 500
/** Scans of the same bytes whose verdicts are compared: the newest. */
const COMPARED_MAX = 100

const nameOf = (source: string, key: string): string => hash('sha256', JSON.stringify([source, key]), 'hex')

export type ObjectStore = ReturnType<typeof createObjectStore>

export function createObjectStore({ db, clock }: Database, sweptMax = SWEPT_MAX) {
  /** No other scan of the object, which may be marked later, has to be compared with it. */
  const isAlone = sql<boolean>`not exists (select 1 from object_scans other
    where other.object = object_scans.object and other.scan_id <> object_scans.scan_id)`

  const endings = () =>
    db
      .selectFrom('object_scans')
      .innerJoin('scans', 'scans.id', 'object_scans.scan_id')
      .select(['scan_id as scanId', 'etag', 'listing_id as listingId', 'verdict', 'obstacle', 'problem'])
      .select(sql<Fault | null>`fault`.as('fault'))
      .where('lease_until', 'is', null)

  /** An object of a list was marked: it needs no row any more, and is counted. Others keep it, for a retry of their job. */
  async function count(
    trx: Trx,
    scanId: string,
    listingId: string,
    shard: string,
    outcome: ObjectStatus | 'unchanged' | 'unmarked',
  ) {
    const isCounted = (eb: ExpressionBuilder<Tables, 'object_scans'>) =>
      eb.and({ scan_id: scanId, listing_id: listingId })
    const deleted =
      outcome === 'unmarked'
        ? []
        : await trx.deleteFrom('object_scans').where(isCounted).where(isAlone).returning('scan_id').execute()
    const kept =
      deleted.length > 0
        ? []
        : await trx
            .updateTable('object_scans')
            .set({ listing_id: null })
            .where(isCounted)
            .returning('scan_id')
            .execute()
    if (deleted.length + kept.length === 0) return
    await trx
      .insertInto('object_counts')
      .values({ listing_id: listingId, shard, outcome, count: 1 })
      .onConflict((conflict) =>
        conflict.columns(['listing_id', 'shard', 'outcome']).doUpdateSet({ count: sql`object_counts.count + 1` }),
      )
      .execute()
  }

  return {
    /** Those of these that were seen before. */
    async seen(trx: Trx, identities: readonly string[]): Promise<Set<string>> {
      const found = new Set<string>()
      for (let start = 0; start < identities.length; start += ROWS_MAX) {
        const rows = await trx
          .selectFrom('object_scans')
          .select('identity')
          .where('identity', 'in', identities.slice(start, start + ROWS_MAX))
          .execute()
        for (const { identity } of rows) found.add(identity ?? '')
      }
      return found
    },

    /** Of these that were seen before, those whose scan has failed may come again. */
    async release(trx: Trx, identities: readonly string[]): Promise<string[]> {
      const found: string[] = []
      for (let start = 0; start < identities.length; start += ROWS_MAX) {
        const failed = await trx
          .selectFrom('object_scans')
          .innerJoin('scans', 'scans.id', 'object_scans.scan_id')
          .select(['scan_id', 'identity'])
          .where('identity', 'in', identities.slice(start, start + ROWS_MAX))
          .where('problem', 'is not', null)
          .where('lease_until', 'is', null)
          .execute()
        const scanIds = failed.map(({ scan_id: id }) => id)
        if (scanIds.length > 0)
          await trx.updateTable('object_scans').set({ identity: null }).where('scan_id', 'in', scanIds).execute()
        found.push(...failed.map(({ identity }) => identity ?? ''))
      }
      return found
    },

    /** False if another process has stored one of these events meanwhile. */
    async insert(trx: Trx, scans: readonly NewObjectScan[]): Promise<boolean> {
      for (let start = 0; start < scans.length; start += ROWS_MAX) {
        const rows = scans.slice(start, start + ROWS_MAX).map(({ scanId, source, key, etag, identity, listingId }) => ({
          ...{ scan_id: scanId, source, identity, listing_id: listingId, etag, fault: null },
          ...{ object: nameOf(source, key), created_at: clock.nowMs },
        }))
        const stored = await trx
          .insertInto('object_scans')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .returning('scan_id')
          .execute()
        if (stored.length < rows.length) return false
      }
      return true
    },

    async etagOf(scanId: string): Promise<string | null> {
      const row = await db.selectFrom('object_scans').select('etag').where('scan_id', '=', scanId).executeTakeFirst()
      return row?.etag ?? null
    },

    /** The first one counts. */
    async noteEtag(scanId: string, etag: string): Promise<void> {
      await db
        .updateTable('object_scans')
        .set({ etag })
        .where('scan_id', '=', scanId)
        .where('etag', 'is', null)
        .execute()
    },

    async noteFault(scanId: string, fault: Fault): Promise<void> {
      await db.updateTable('object_scans').set({ fault }).where('scan_id', '=', scanId).execute()
    },

    /** Of this scan, and the one that counts of all about the same bytes. Null if there is no such scan, or it has not ended. */
    async verdicts(scanId: string): Promise<{ own: EndedObject; counting: EndedObject } | null> {
      const found = await endings()
        .select(['object', isAlone.as('isAlone')])
        .where('scan_id', '=', scanId)
        .executeTakeFirst()
      if (found === undefined) return null
      const { object, isAlone: isOnly, ...own } = found
      if (isOnly || object === null || own.etag === null) return { own, counting: own }
      const all = await endings()
        .where('object', '=', object)
        .where('etag', '=', own.etag)
        .orderBy('finished_at', 'desc')
        .orderBy('scan_id', 'desc')
        .limit(COMPARED_MAX)
        .execute()
      return { own, counting: countingOf(own, all) }
    },

    count,

    /** An object of a list whose job failed or was dropped. */
    async countUnmarked(trx: Trx, scanId: string): Promise<void> {
      const row = await trx
        .selectFrom('object_scans')
        .select('listing_id')
        .where('scan_id', '=', scanId)
        .executeTakeFirst()
      if (row?.listing_id) await count(trx, scanId, row.listing_id, 'dropped', 'unmarked')
    },

    async openListing(trx: Trx, listing: Omit<Listing, 'created_at'>): Promise<void> {
      await trx
        .insertInto('object_listings')
        .values({ ...listing, created_at: clock.nowMs })
        .execute()
    },

    newest: (source: string, prefix: string, since: number): Promise<Listing | undefined> =>
      db
        .selectFrom('object_listings')
        .selectAll()
        .where('source', '=', source)
        .where('prefix', '=', prefix)
        .where('since', '=', since)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** Of a page that was queued. False if another process has listed it. */
    async advance(
      trx: Trx,
      { id, cursor }: Pick<Listing, 'id' | 'cursor'>,
      next: string | null,
      page: { listed: number; queued: number },
    ) {
      const rows = await trx
        .updateTable('object_listings')
        .set((eb) => ({
          cursor: next,
          is_listed: next === null ? 1 : 0,
          listed: eb('listed', '+', page.listed),
          queued: eb('queued', '+', page.queued),
        }))
        .where('id', '=', id)
        .where('is_listed', '=', 0)
        .where('cursor', cursor === null ? 'is' : '=', cursor)
        .returningAll()
        .execute()
      return rows[0] ?? null
    },

    async counts(listingId: string): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('object_counts')
        .select(['outcome', (eb) => eb.fn.sum<number>('count').as('count')])
        .where('listing_id', '=', listingId)
        .groupBy('outcome')
        .execute()
      return new Map(rows.map(({ outcome, count }) => [outcome, Number(count)]))
    },

    /** True if there may be more. */
    async sweep(): Promise<boolean> {
      const old = sql<number>`${clock.nowMs} - ${sql.lit(SEEN_MS)}`
      // Of objects that could not be marked: no retry is left that needs it. A scan that has waited is not older for it.
      const requests = db
        .selectFrom('scan_requests')
        .innerJoin('scans', 'scans.id', 'scan_requests.scan_id')
        .select('scan_id')
        .where('finished_at', '<', old)
        .where('lease_until', 'is', null)
        .limit(sweptMax)
      const forgotten = await db.deleteFrom('scan_requests').where('scan_id', 'in', requests).executeTakeFirst()
      const rows = db
        .selectFrom('object_scans')
        .select('scan_id')
        .where('created_at', '<', old)
        .where('scan_id', 'not in', db.selectFrom('scan_requests').select('scan_requests.scan_id'))
        .limit(sweptMax)
      const swept = await db.deleteFrom('object_scans').where('scan_id', 'in', rows).returning('scan_id').execute()
      const listings = db
        .selectFrom('object_listings')
        .select('id')
        .where('created_at', '<', sql<number>`${clock.nowMs} - ${sql.lit(LISTING_MS)}`)
        // While its objects wait, a list is not over.
        .where(
          'id',
          'not in',
          db.selectFrom('object_scans').select(sql<string>`listing_id`.as('id')).where('listing_id', 'is not', null),
        )
      await db.deleteFrom('object_counts').where('listing_id', 'in', listings).execute()
      await db.deleteFrom('object_listings').where('id', 'in', listings).execute()
      return swept.length === sweptMax || forgotten.numDeletedRows === BigInt(sweptMax)
    },

    /** Of an account: the names of its objects are in the requests, which go with its scans. */
    async erase(trx: Trx, accountId: string): Promise<void> {
      const ofAccount = trx
        .selectFrom('object_scans')
        .innerJoin('scans', 'scans.id', 'scan_id')
        .select('scan_id')
        .where('account_id', '=', accountId)
      await deleteAll((max) =>
        trx.deleteFrom('object_scans').where('scan_id', 'in', ofAccount.limit(max)).executeTakeFirst(),
      )
    },
  }
}
