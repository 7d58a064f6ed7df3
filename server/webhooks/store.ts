/** Endpoints and deliveries in the database. */
import { firstIdAt, newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import { DELETED_MAX, deleteAll } from '#storage/delete-all.ts'
import { lockAccount } from '#storage/lock-account.ts'
import { type Procedure, query } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import type { Answer } from './call.ts'

export type EndpointRow = Tables['webhook_endpoints']
export type DeliveryRow = Tables['webhook_deliveries']
type NewEndpoint = Pick<
  EndpointRow,
  'id' | 'account_id' | 'url' | 'shown_url' | 'events' | 'description' | 'keys' | 'public_key'
>
type Change = Partial<Omit<EndpointRow, 'id' | 'account_id' | 'created_at'>>

/** Endpoints of one account. */
export const ENDPOINTS_MAX = 10
export const DELIVERIES_LISTED = 100
export const KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** Queues the calls of deliveries, in the same transaction. */
type PostDeliveries = (
  trx: Trx,
  deliveries: readonly { accountId: string; deliveryId: string; endpointId: string }[],
) => Promise<void>

export interface AnnouncedEvent {
  /** Null for a scan without an account: nobody is called. */
  accountId: string | null
  type: string
  body: () => string
}

interface NewDelivery {
  accountId: string
  endpointId: string
  event: string
  body: string
}

export interface Due {
  delivery: DeliveryRow
  endpoint: EndpointRow
}

export type WebhookStore = ReturnType<typeof createWebhookStore>

export function createWebhookStore({ db, clock, audit, kind }: Database, post: PostDeliveries) {
  const ofAccount = (accountId: string) =>
    db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', accountId)

  /** So that no delivery is added. Also locks them, before their deliveries as everywhere. */
  async function switchOff(trx: Trx, accountId: string, id?: string): Promise<string[]> {
    const off = await trx
      .updateTable('webhook_endpoints')
      .set((eb) => ({
        disabled_at: eb.fn.coalesce('disabled_at', clock.nowMs),
        disabled_by: eb.fn.coalesce('disabled_by', eb.val('owner')),
      }))
      .where('account_id', '=', accountId)
      .$if(id !== undefined, (endpoints) => endpoints.where('id', '=', id as string))
      .returning('id')
      .execute()
    return off.map((endpoint) => endpoint.id)
  }

  async function changeOne(accountId: string, id: string, change: Change, event: 'changed' | 'rotated', keys?: string) {
    return await audit.change(async (trx) => {
      const changed = await trx
        .updateTable('webhook_endpoints')
        .set(change)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .$if(keys !== undefined, (endpoints) => endpoints.where('keys', '=', keys as string))
        .returningAll()
        .executeTakeFirst()
      if (changed) audit.note(trx, { event: `webhook.${event}`, accountId, subject: id })
      return changed
    })
  }

  async function deleteDeliveries(trx: Trx, endpointIds: readonly string[], max: number) {
    if (endpointIds.length === 0) return { numDeletedRows: 0n }
    const some = trx.selectFrom('webhook_deliveries').select('id').where('endpoint_id', 'in', endpointIds).limit(max)
    return await trx.deleteFrom('webhook_deliveries').where('id', 'in', some).executeTakeFirst()
  }

  /** Returns the first one, of which there is at least one. */
  async function insertDeliveries(trx: Trx, given: readonly NewDelivery[]): Promise<DeliveryRow> {
    const deliveries = given.map((delivery) => ({ ...delivery, deliveryId: newId() }))
    const first = await trx
      .insertInto('webhook_deliveries')
      .values(
        deliveries.map(({ deliveryId: id, endpointId, event, body }) => ({
          ...{ id, endpoint_id: endpointId, event, body, state: 'waiting' as const },
          ...{ created_at: clock.nowMs, attempts: 0, attempted_at: null, status: null, duration_ms: null, error: null },
        })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    await post(trx, deliveries)
    return first
  }

  return {
    /** Null if the account has as many as it may have. */
    async create(endpoint: NewEndpoint): Promise<EndpointRow | null> {
      const { account_id: accountId, id } = endpoint
      return await audit.change(async (trx) => {
        await lockAccount(trx, accountId)
        const { count } = await trx
          .selectFrom('webhook_endpoints')
          .select((eb) => eb.fn.countAll<number | string>().as('count'))
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= ENDPOINTS_MAX) return null
        audit.note(trx, { event: 'webhook.created', accountId, subject: id })
        return await trx
          .insertInto('webhook_endpoints')
          .values({
            ...endpoint,
            ...{ old_keys: null, old_keys_until: null, created_at: clock.nowMs },
            ...{ disabled_at: null, disabled_by: null, failing_since: null },
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      })
    },

    list: (accountId: string): Promise<EndpointRow[]> => ofAccount(accountId).orderBy('id').execute(),

    find: (accountId: string, id: string): Promise<EndpointRow | undefined> =>
      ofAccount(accountId).where('id', '=', id).executeTakeFirst(),

    change: (accountId: string, id: string, change: Change) => changeOne(accountId, id, change, 'changed'),

    /** Undefined if it has other keys by now. */
    rotate: (accountId: string, id: string, keys: string, change: Change) =>
      changeOne(accountId, id, change, 'rotated', keys),

    /** With its deliveries, of which there may be more than one statement can delete. */
    async delete(accountId: string, id: string): Promise<boolean> {
      await deleteAll((max) =>
        db.transaction().execute(async (trx) => {
          const ids = await switchOff(trx, accountId, id)
          return await deleteDeliveries(trx, ids, max)
        }),
      )
      return await audit.change(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhook_endpoints')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows > 0n) audit.note(trx, { event: 'webhook.deleted', accountId, subject: id })
        return numDeletedRows > 0n
      })
    },

    /** Newest first. */
    deliveries: (endpointId: string): Promise<DeliveryRow[]> =>
      db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .orderBy('id', 'desc')
        .limit(DELIVERIES_LISTED)
        .execute(),

    async addDelivery(accountId: string, endpointId: string, event: string, body: string): Promise<DeliveryRow> {
      const delivery = { accountId, endpointId, event, body }
      return await db.transaction().execute((trx) => insertDeliveries(trx, [delivery]))
    },

    /** Queues an ended delivery again. Null if the account has none with this id; unchanged if it is waiting. */
    async retry(accountId: string, id: string): Promise<DeliveryRow | null> {
      return await db.transaction().execute(async (trx) => {
        const found = await trx
          .selectFrom('webhook_deliveries')
          .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
          .selectAll('webhook_deliveries')
          .where('webhook_deliveries.id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        if (found === undefined) return null
        const queued = await trx
          .updateTable('webhook_deliveries')
          .set({ state: 'waiting', attempts: 0 })
          .where('id', '=', id)
          .where('state', '<>', 'waiting')
          .returningAll()
          .executeTakeFirst()
        if (queued) await post(trx, [{ accountId, deliveryId: id, endpointId: queued.endpoint_id }])
        return queued ?? found
      })
    },

    /**
     * Calls for the endpoints of the accounts that want these events, in the transaction that causes them. In few statements, because
     * others wait for its end. Endpoints are locked, so that none is deleted before its delivery is stored.
     */
    *announce(events: readonly AnnouncedEvent[]): Procedure<void> {
      const accountIds = [...new Set(events.flatMap(({ accountId }) => accountId ?? []))]
      if (accountIds.length === 0) return
      const endpoints = yield* query(
        db
          .selectFrom('webhook_endpoints')
          .select(['id', 'account_id', 'events'])
          .where('account_id', 'in', accountIds)
          .where('disabled_at', 'is', null)
          .orderBy('id')
          .$if(kind === 'postgres', (found) => found.forKeyShare()),
      )
      const ofAccounts = Map.groupBy(endpoints, ({ account_id: id }) => id)
      const deliveries = events.flatMap(({ accountId, type, body }) => {
        const found = ofAccounts.get(accountId ?? '') ?? []
        const wanted = found.filter((endpoint) => (JSON.parse(endpoint.events) as string[]).includes(type))
        const text = wanted.length > 0 ? body() : ''
        return wanted.map((endpoint) => ({
          ...{ accountId: endpoint.account_id, endpointId: endpoint.id, event: type, body: text },
        }))
      })
      if (deliveries.length > 0) yield (trx) => insertDeliveries(trx, deliveries)
    },

    /** Those of these deliveries that have not ended, with their endpoints; null for the others. */
    async due(ids: readonly string[]): Promise<(Due | null)[]> {
      const deliveries = await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('id', 'in', ids)
        .where('state', '=', 'waiting')
        .execute()
      if (deliveries.length === 0) return ids.map(() => null)
      const wanted = new Set(deliveries.map(({ endpoint_id: id }) => id))
      const endpoints = await db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('id', 'in', [...wanted])
        .execute()
      return ids.map((id) => {
        const delivery = deliveries.find((each) => each.id === id)
        const endpoint = endpoints.find((each) => each.id === delivery?.endpoint_id)
        return delivery && endpoint ? { delivery, endpoint } : null
      })
    },

    /** The outcome of an attempt. Returns since when the endpoint has been failing, and the current time. */
    async record(trx: Trx, delivery: DeliveryRow, answer: Answer, state: DeliveryRow['state']) {
      const isDelivered = answer.kind === 'delivered'
      // First, as when an endpoint is deleted with its deliveries: otherwise each could wait for the other.
      const since = await trx
        .updateTable('webhook_endpoints')
        .set((eb) => ({ failing_since: isDelivered ? null : eb.fn.coalesce('failing_since', clock.nowMs) }))
        .where('id', '=', delivery.endpoint_id)
        .returning(['failing_since as failingSince', clock.nowMs.as('nowMs')])
        .executeTakeFirst()
      await trx
        .updateTable('webhook_deliveries')
        .set((eb) => ({
          ...{ state, attempts: eb('attempts', '+', 1), attempted_at: clock.nowMs },
          ...{ status: answer.status, duration_ms: answer.durationMs, error: answer.error },
        }))
        .where('id', '=', delivery.id)
        .execute()
      return since
    },

    /** Only if it is enabled. */
    async disable(
      trx: Trx,
      id: string,
      by: 'gone' | 'failing',
    ): Promise<{ accountId: string; url: string } | undefined> {
      return await trx
        .updateTable('webhook_endpoints')
        .set({ disabled_at: clock.nowMs, disabled_by: by })
        .where('id', '=', id)
        .where('disabled_at', 'is', null)
        .returning(['account_id as accountId', 'shown_url as url'])
        .executeTakeFirst()
    },

    /** Unless it has ended. */
    async fail(id: string, error: string, trx: Pick<Trx, 'updateTable'> = db): Promise<void> {
      await trx
        .updateTable('webhook_deliveries')
        .set({ state: 'failed', error })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute()
    },

    /** Of a job that runs again. */
    async reopen(trx: Trx, id: string): Promise<void> {
      await trx
        .updateTable('webhook_deliveries')
        .set({ state: 'waiting', attempts: 0 })
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .execute()
    },

    /** Deletes deliveries that ended long ago; false when none is left. */
    async sweep(nowMs: number): Promise<boolean> {
      const old = db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', '<', firstIdAt(nowMs - KEPT_MS))
        .where('state', '<>', 'waiting')
        .limit(DELETED_MAX)
      const { numDeletedRows } = await db.deleteFrom('webhook_deliveries').where('id', 'in', old).executeTakeFirst()
      return numDeletedRows >= DELETED_MAX
    },

    /** Deletes the endpoints of an account with their deliveries; returns their ids. */
    async erase(trx: Trx, accountId: string): Promise<string[]> {
      const ids = await switchOff(trx, accountId)
      await deleteAll((max) => deleteDeliveries(trx, ids, max))
      await trx.deleteFrom('webhook_endpoints').where('account_id', '=', accountId).execute()
      return ids
    },
  }
}
