/** Microsoft's marketplace behind the two ports. */
import type { Log } from '#base/log.ts'
import type { Marketplace } from '#marketplace/ports.ts'
import { createMicrosoftClient } from './client.ts'
import { createTokenSource, MARKETPLACE_APP_ID } from './token.ts'
import { createWebhook, keysAddress, microsoftIssuers, microsoftKeys } from './webhook.ts'
import { createWire } from './wire.ts'

export interface MicrosoftOptions {
  tenantId: string
  clientId: string
  clientSecret: string
  apiUrl: string
  authorityUrl: string
  /** Null: as the authority and the tenant have them. */
  keysUrl: string | null
  issuers: readonly string[] | null
}

export function createMicrosoftMarketplace(options: MicrosoftOptions, log: Log): Marketplace {
  const { tenantId, clientId, apiUrl, authorityUrl, keysUrl, issuers } = options
  // Each with a breaker of its own: a token that is still good does not need the authority.
  const tokens = createTokenSource({ ...options, wire: createWire(log), log })
  return {
    provider: createMicrosoftClient({ apiUrl, tokens, wire: createWire(log), log }),
    inbound: createWebhook({
      keys: microsoftKeys(keysUrl ?? keysAddress(authorityUrl, tenantId)),
      issuers: issuers ?? microsoftIssuers(authorityUrl, tenantId),
      audience: clientId,
      tenantId,
      callerId: MARKETPLACE_APP_ID,
      log,
    }),
  }
}
