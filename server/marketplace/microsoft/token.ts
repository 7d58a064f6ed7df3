/** The publisher's own token (client credentials): fetched once for all who wait, kept, and renewed early. */
import type { Log } from '#base/log.ts'
import { marketplaceNonsense } from '#marketplace/refusals.ts'
import { readToken } from './parse.ts'
import { inTime, type Wire } from './wire.ts'

/** Fixed by Microsoft for all publishers: whom the token is for, and who calls our webhook. */
export const MARKETPLACE_APP_ID = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7'

/** A token that ends while a call is under way would fail it. */
const EARLY_MS = 5 * 60 * 1000
/** Of a token that lives for less than twice the above. */
const EARLY_SHARE = 0.5
const CALL_MS = 15_000

export interface TokenOptions {
  authorityUrl: string
  tenantId: string
  clientId: string
  clientSecret: string
  wire: Wire
  log: Log
}

export interface TokenSource {
  /** Whoever waits for it waits no longer than this; the others go on. */
  get(deadline: AbortSignal): Promise<string>
  /** This one was refused: the next one asked for is new, unless it is new already. */
  drop(token: string): void
}

export function createTokenSource({
  authorityUrl,
  tenantId,
  clientId,
  clientSecret,
  wire,
  log,
}: TokenOptions): TokenSource {
  let kept: { token: string; until: number } | null = null
  let coming: Promise<string> | null = null
  const url = `${authorityUrl}/${tenantId}/oauth2/v2.0/token`

  async function ask(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${MARKETPLACE_APP_ID}/.default`,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const deadline = AbortSignal.timeout(CALL_MS)
    const answer = await wire({ method: 'POST', url, headers, body, deadline, name: 'token' })
    const found = answer.status === 200 ? readToken(answer.body) : null
    if (found === null) {
      log.error(
        { status: answer.status },
        'No token for the marketplace: check tenant, client id and secret, which expires',
      )
      throw marketplaceNonsense(new Error(`The authority answered ${answer.status} without a token`))
    }
    const lifeMs = found.expiresInSeconds * 1000
    kept = { token: found.token, until: Date.now() + Math.max(lifeMs - EARLY_MS, lifeMs * EARLY_SHARE) }
    return found.token
  }

  return {
    async get(deadline) {
      if (kept && Date.now() < kept.until) return kept.token
      coming ??= ask().finally(() => {
        coming = null
      })
      // Nobody may be left to hear of its failure.
      coming.catch(() => {})
      return await inTime(coming, deadline, 'token')
    },
    drop(token) {
      if (kept?.token === token) kept = null
    },
  }
}
