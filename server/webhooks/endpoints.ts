/** The endpoints of an account: where it wants to be called, and with which secrets. */
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { type OutboundRules, shownUrl } from '#base/outbound-rules.ts'
import type { Seal } from '#base/seal.ts'
import { SCAN_ENDS, type ScanEvent, TEST_EVENT, testEvent } from './events.ts'
import { newSigningKeys, type SigningKeys, shownKeys } from './signature.ts'
import { type DeliveryRow, ENDPOINTS_MAX, type EndpointRow, type WebhookStore } from './store.ts'

/** How long the secret before a rotation signs too. */
const ROTATION_MS = 24 * 60 * 60 * 1_000

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const DISABLED_BY = ['owner', 'gone', 'failing'] as const

const shownEndpoint = (row: EndpointRow) => ({
  id: row.id,
  url: row.shown_url,
  events: JSON.parse(row.events) as ScanEvent[],
  description: row.description,
  publicKey: row.public_key,
  enabled: row.disabled_at === null,
  disabledBy: DISABLED_BY.find((each) => each === row.disabled_by) ?? null,
  failingSince: isoOrNull(row.failing_since),
  createdAt: iso(row.created_at),
})

const shownDelivery = (row: DeliveryRow) => ({
  id: row.id,
  event: row.event,
  state: row.state,
  createdAt: iso(row.created_at),
  attempts: row.attempts,
  attemptedAt: isoOrNull(row.attempted_at),
  status: row.status,
  durationMs: row.duration_ms,
  error: row.error,
  body: row.body,
})

const noEndpoint = () => new AppError('not_found', 'Your account has no callback endpoint with this id.')

/** The places of encrypted values. */
export const placesOf = (endpointId: string) => ({
  url: `webhook_endpoints.url ${endpointId}`,
  keys: `webhook_endpoints.keys ${endpointId}`,
})

interface EndpointsOptions {
  store: WebhookStore
  rules: Pick<OutboundRules, 'check'>
  seal: Seal
  /** A delivery was queued. */
  wake: () => void
}

interface Given {
  url: string
  events?: ScanEvent[]
  description?: string
}

export type Endpoints = ReturnType<typeof createEndpoints>

export function createEndpoints({ store, rules, seal, wake }: EndpointsOptions) {
  /** Checked again for every call, because a name can get another address. */
  async function urlColumns(endpointId: string, url: string) {
    const refused = await rules.check(url)
    if (refused) {
      const allowed = 'Callbacks go to https URLs on the public internet; the operator can allow others.'
      throw new AppError('invalid_url', `The URL ${refused.why}. ${allowed}`)
    }
    const shown = shownUrl(url)
    return { url: seal.close(url, placesOf(endpointId).url), shown_url: url.includes('?') ? `${shown}?…` : shown }
  }

  const sealedKeys = (endpointId: string, keys: SigningKeys) =>
    seal.close(JSON.stringify(keys), placesOf(endpointId).keys)

  async function find(accountId: string, id: string): Promise<EndpointRow> {
    const found = await store.find(accountId, id.toLowerCase())
    if (found === undefined) throw noEndpoint()
    return found
  }

  return {
    async create(accountId: string, { url, events = [...SCAN_ENDS], description }: Given) {
      const id = newId()
      const keys = newSigningKeys()
      const { secret, publicKey } = shownKeys(keys)
      const created = await store.create({
        ...{ id, account_id: accountId, ...(await urlColumns(id, url)) },
        ...{ events: JSON.stringify([...new Set(events)]), description: description || null },
        ...{ keys: sealedKeys(id, keys), public_key: publicKey },
      })
      if (created !== null) return { ...shownEndpoint(created), secret }
      throw new AppError(
        'webhook_limit_reached',
        `An account has at most ${ENDPOINTS_MAX} callback endpoints. Delete one.`,
      )
    },

    list: async (accountId: string) => ({ items: (await store.list(accountId)).map(shownEndpoint) }),

    find: async (accountId: string, id: string) => shownEndpoint(await find(accountId, id)),

    async change(accountId: string, givenId: string, given: Partial<Given> & { enabled?: boolean }) {
      const found = await find(accountId, givenId)
      if (Object.keys(given).length === 0) return shownEndpoint(found)
      const { id } = found
      const { url, events, description, enabled } = given
      const enabling = { disabled_at: null, disabled_by: null, failing_since: null }
      const changed = await store.change(accountId, id, {
        ...(url !== undefined && (await urlColumns(id, url))),
        ...(events && { events: JSON.stringify([...new Set(events)]) }),
        ...(description !== undefined && { description: description || null }),
        ...(enabled === true && enabling),
        ...(enabled === false && { disabled_at: Date.now(), disabled_by: 'owner' }),
      })
      if (changed === undefined) throw noEndpoint()
      return shownEndpoint(changed)
    },

    async delete(accountId: string, id: string): Promise<void> {
      if (!(await store.delete(accountId, id.toLowerCase()))) throw noEndpoint()
    },

    /** The old secret signs too for a day. */
    async rotate(accountId: string, givenId: string) {
      for (;;) {
        const { id, keys: old } = await find(accountId, givenId)
        const keys = newSigningKeys()
        const { secret, publicKey } = shownKeys(keys)
        const columns = { keys: sealedKeys(id, keys), public_key: publicKey }
        const kept = { old_keys: old, old_keys_until: Date.now() + ROTATION_MS }
        const rotated = await store.rotate(accountId, id, old, { ...columns, ...kept })
        // Otherwise another request has rotated it meanwhile, whose secret has been shown and must sign as well.
        if (rotated) return { ...shownEndpoint(rotated), secret }
      }
    },

    async test(accountId: string, givenId: string) {
      const { id } = await find(accountId, givenId)
      const delivery = await store.addDelivery(accountId, id, TEST_EVENT, testEvent(id))
      wake()
      return shownDelivery(delivery)
    },

    async deliveries(accountId: string, givenId: string) {
      const { id } = await find(accountId, givenId)
      return { items: (await store.deliveries(id)).map(shownDelivery) }
    },

    async retry(accountId: string, id: string) {
      const delivery = await store.retry(accountId, id.toLowerCase())
      if (delivery === null) throw new AppError('not_found', 'Your account has no delivery with this id.')
      wake()
      return shownDelivery(delivery)
    },
  }
}
