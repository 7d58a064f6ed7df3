/** The sandbox behind the same two ports as the real marketplace, and its shop. */
import type { Log } from '#base/log.ts'
import { createWebhook } from '#marketplace/microsoft/webhook.ts'
import type { PlanMap } from '#marketplace/plan-map.ts'
import type { Marketplace } from '#marketplace/ports.ts'
import type { BookStore } from './book-store.ts'
import { createSandboxProvider } from './provider.ts'
import { createShop, type Shop } from './shop.ts'
import { createSigner, SANDBOX_AUDIENCE, SANDBOX_CALLER, SANDBOX_TENANT } from './signer.ts'

export interface SandboxOptions {
  books: BookStore
  plans: PlanMap
  /** The operator has said that whoever can reach it may use it. */
  isMeant: boolean
  publicUrl: string
  host: string
  port: number
  log: Log
}

/** Not the public address: a proxy may stand there that this process cannot reach. */
function ownAddress(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

export type Sandbox = Marketplace & { shop: Shop; isMeant: boolean }

export function createSandbox(options: SandboxOptions): Sandbox {
  const { books, plans, isMeant, publicUrl, host, port, log } = options
  const issuer = `${publicUrl}/sandbox`
  const signer = createSigner(issuer)
  const webhookUrl = `${ownAddress(host, port)}/api/v1/marketplace/webhook`
  return {
    provider: createSandboxProvider(books),
    inbound: createWebhook({
      keys: signer.keys,
      issuers: [issuer],
      audience: SANDBOX_AUDIENCE,
      tenantId: SANDBOX_TENANT,
      callerId: SANDBOX_CALLER,
      log,
    }),
    isMeant,
    shop: createShop({ books, plans, publicUrl, webhookUrl, sign: signer.sign, log }),
  }
}
