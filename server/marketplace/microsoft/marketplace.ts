/** Microsoft's marketplace behind the two ports. */
import type { Log } from '#base/log.ts'
import type { Marketplace } from '#marketplace/ports.ts'
import { createMicrosoftClient } from './client.ts'
import { createTokenSource, MARKETPLACE_APP_ID } from './token.ts'
import { createWebhook, microsoftIssuers, microsoftKeys } from './webhook.ts'
import { createWire } from './wire.ts'

export interface MicrosoftOptions {
  tenantId: string
  clientId: string
  clientSecret: string
  apiUrl: string
  authorityUrl: string
}

export function createMicrosoftMarketplace(options: MicrosoftOptions, log: Log): Marketplace {
  const { tenantId, clientId, apiUrl, authorityUrl } = options
  // Each with a breaker of its own: a token that is still good does not need the authority.
  const tokens = createTokenSource({ ...options, wire: createWire(log), log })
  return {
    provider: createMicrosoftClient({ apiUrl, tokens, wire: createWire(log), log }),
    inbound: createWebhook({
      keys: microsoftKeys(authorityUrl, tenantId),
      issuers: microsoftIssuers(authorityUrl, tenantId),
      audience: clientId,
      tenantId,
      callerId: MARKETPLACE_APP_ID,
      log,
    }),
  }
}
