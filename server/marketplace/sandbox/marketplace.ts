/** The sandbox marketplace: the same ports as the real one, with purchases in our own database. */
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Log } from '#base/log.ts'
import type { PlanMap } from '#marketplace/choice.ts'
import { readOperation, readOperations, readSubscription } from '#marketplace/microsoft/parse.ts'
import { createWebhook } from '#marketplace/microsoft/webhook.ts'
import type { Marketplace, Provider } from '#marketplace/ports.ts'
import { activate, perform } from './rules.ts'
import { createShop, type Shop } from './shop.ts'
import type { SandboxStore } from './store.ts'

const TENANT = 'sandbox'
const AUDIENCE = 'docvet'
const CALLER = 'sandbox-marketplace'
const TOKEN_LIFE = '5 minutes'

interface SandboxOptions {
  store: SandboxStore
  plans: PlanMap
  /** Set with `sandbox!`: everyone who can reach the sandbox may use it. */
  isForced: boolean
  publicUrl: string
  host: string
  port: number
  log: Log
}

export type Sandbox = Marketplace & { shop: Shop; isForced: boolean }

function createProvider(store: SandboxStore): Provider {
  const toPurchase = (found: object | null) => (found ? readSubscription(JSON.stringify(found)) : null)

  return {
    resolve: async (token) => toPurchase(await store.findByToken(token)),
    fetch: async (externalId) => toPurchase(await store.find(externalId)),

    async confirm({ externalId, planId, quantity }) {
      const known = await store.find(externalId)
      if (known === null || known.saasSubscriptionStatus === 'Unsubscribed') return 'gone'
      const confirmed = await store.change(externalId, (now) =>
        now.planId === planId && now.quantity === quantity ? activate(now, new Date()) : null,
      )
      return confirmed ? 'confirmed' : 'refused'
    },

    async operation(externalId, operationId) {
      const found = await store.findOperation(externalId, operationId)
      return found ? readOperation(JSON.stringify(found)) : null
    },

    operations: async (externalId) =>
      readOperations(JSON.stringify({ operations: await store.listOperations(externalId) })),

    async acknowledge({ externalId, operationId }, accept) {
      const found = await store.findOperation(externalId, operationId)
      if (found?.status !== 'InProgress') return 'conflict'
      if (accept) await store.change(externalId, (known) => perform(known, found.action, found))
      await store.putOperation({ ...found, status: accept ? 'Succeeded' : 'Failed' })
      return 'done'
    },
  }
}

async function createKeys() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: TENANT, alg: 'RS256' }
  return { privateKey, publicKeys: createLocalJWKSet({ keys: [jwk] }) }
}

/** Signs webhook calls with a key that lives as long as the process. */
function createSigner(issuer: string) {
  let created: ReturnType<typeof createKeys> | null = null
  // Created on first use, because most processes never sell anything.
  const keys = () => {
    created ??= createKeys()
    return created
  }
  return {
    keys: async (...given: Parameters<ReturnType<typeof createLocalJWKSet>>) => (await keys()).publicKeys(...given),
    async sign(): Promise<string> {
      const { privateKey } = await keys()
      return await new SignJWT({ tid: TENANT, azp: CALLER })
        .setProtectedHeader({ alg: 'RS256', kid: TENANT, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(TOKEN_LIFE)
        .sign(privateKey)
    },
  }
}

/** Not the public URL, which may belong to a proxy that this process cannot reach. */
function localUrl(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

export function createSandbox({ store, plans, isForced, publicUrl, host, port, log }: SandboxOptions): Sandbox {
  const issuer = `${publicUrl}/sandbox`
  const { keys, sign } = createSigner(issuer)
  const webhookUrl = `${localUrl(host, port)}/api/v1/marketplace/webhook`
  return {
    provider: createProvider(store),
    inbound: createWebhook({ keys, issuers: [issuer], audience: AUDIENCE, tenantId: TENANT, callerId: CALLER, log }),
    isForced,
    shop: createShop({ store, plans, publicUrl, webhookUrl, sign, log }),
  }
}
