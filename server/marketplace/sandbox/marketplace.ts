/** The sandbox marketplace: the same ports as the real one, with purchases in our own database. */
import { generateKeyPair, SignJWT } from 'jose'
import type { Log } from '#base/log.ts'
import type { Config } from '#config/config.ts'
import type { PlanMap } from '#marketplace/choice.ts'
import { readOperation, readOperations, readSubscription } from '#marketplace/microsoft/parse.ts'
import { createWebhook } from '#marketplace/microsoft/webhook.ts'
import type { Marketplace, Provider } from '#marketplace/ports.ts'
import type { Database } from '#storage/database.ts'
import { monthFrom } from './rules.ts'
import { createShop, type Shop, settle } from './shop.ts'
import { createSandboxStore, type SandboxStore } from './store.ts'

const ALGORITHM = 'RS256'
const TENANT = 'sandbox'
const AUDIENCE = 'docvet'
const CALLER = 'sandbox-marketplace'
const TOKEN_LIFE = '5 minutes'

interface SandboxOptions extends Pick<Config, 'publicUrl' | 'host' | 'port'> {
  database: Database
  plans: PlanMap
  isForced: boolean
  log: Log
}

export type Sandbox = Marketplace & {
  shop: Shop
  /** Set with `sandbox!`: everyone who can reach the sandbox may use it. */
  isForced: boolean
}

function createProvider(store: SandboxStore): Provider {
  const toPurchase = (found: object | null) => (found ? readSubscription(JSON.stringify(found)) : null)

  return {
    resolve: async (token) => toPurchase(await store.findByToken(token)),
    fetch: async (externalId) => toPurchase(await store.find(externalId)),

    async confirm({ externalId, planId, quantity }) {
      const known = await store.find(externalId)
      if (known === null || known.saasSubscriptionStatus === 'Unsubscribed') return 'gone'
      const confirmed = await store.change(externalId, (now) => {
        const isPending = now.saasSubscriptionStatus === 'PendingFulfillmentStart'
        if (!isPending || now.planId !== planId || now.quantity !== quantity) return null
        return { ...now, saasSubscriptionStatus: 'Subscribed', term: monthFrom(new Date()) }
      })
      return confirmed ? 'confirmed' : 'refused'
    },

    async operation(externalId, operationId) {
      const found = await store.findOperation(externalId, operationId)
      return found ? readOperation(JSON.stringify(found)) : null
    },

    operations: async (externalId) =>
      readOperations(JSON.stringify({ operations: await store.listOperations(externalId) })),

    async acknowledge({ externalId, operationId }, accept) {
      const { isSettled } = await settle(store, externalId, operationId, accept)
      return isSettled ? 'done' : 'conflict'
    },
  }
}

/** Signs webhook calls with a key that lives as long as the process. */
function createSigner(issuer: string) {
  let created: ReturnType<typeof generateKeyPair> | null = null
  // Created on first use, because most processes never sell anything.
  const keys = () => {
    created ??= generateKeyPair(ALGORITHM)
    return created
  }
  return {
    publicKey: async () => (await keys()).publicKey,
    async sign(): Promise<string> {
      return await new SignJWT({ tid: TENANT, azp: CALLER })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(TOKEN_LIFE)
        .sign((await keys()).privateKey)
    },
  }
}

/** Not the public URL, which may belong to a proxy that this process cannot reach. */
function localUrl(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

export function createSandbox({ database, plans, isForced, publicUrl, host, port, log }: SandboxOptions): Sandbox {
  const store = createSandboxStore(database)
  const issuer = `${publicUrl}/sandbox`
  const { publicKey, sign } = createSigner(issuer)
  const caller = { issuers: [issuer], audience: AUDIENCE, tenantId: TENANT, callerId: CALLER }
  const webhookUrl = `${localUrl(host, port)}/api/v1/marketplace/webhook`
  return {
    provider: createProvider(store),
    verifyAndParse: createWebhook({ keys: publicKey, ...caller, log }),
    isForced,
    shop: createShop({ store, plans, publicUrl, webhookUrl, sign, log }),
  }
}
