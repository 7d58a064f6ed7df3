/** The publisher's access token (client credentials): fetched once for all callers, cached, and renewed early. */
import type { Log } from '#base/log.ts'
import type { MicrosoftOptions } from '#marketplace/choice.ts'
import { invalidResponse } from '#marketplace/refusals.ts'
import { createSend, type Send, type Timing, withinDeadline } from './http.ts'
import { readToken } from './parse.ts'

/** Fixed by Microsoft for all publishers: the audience of our token and the caller of our webhook. */
export const MARKETPLACE_APP_ID = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7'

/** A token that expires during a call would fail it. */
const EARLY_MS = 5 * 60 * 1000
/** The share of its lifetime after which a short-lived token is renewed. */
const EARLY_SHARE = 0.5
const CALL_MS = 15_000

export type TokenSource = ReturnType<typeof createTokenSource>

async function requestToken(options: MicrosoftOptions, send: Send, log: Log) {
  const { authorityUrl, tenantId, clientId, clientSecret } = options
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${MARKETPLACE_APP_ID}/.default`,
  }).toString()
  const { status, body: text } = await send({
    method: 'POST',
    url: `${authorityUrl}/${tenantId}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body,
    deadline: AbortSignal.timeout(CALL_MS),
    name: 'token',
  })
  const found = status === 200 ? readToken(text) : null
  if (found === null) {
    log.error({ status }, 'Access token refused: check tenant id, client id and client secret, which may have expired')
    throw invalidResponse(new Error(`The authority responded ${status} without a token`))
  }
  const lifeMs = found.expiresInSeconds * 1000
  return { token: found.token, until: Date.now() + Math.max(lifeMs - EARLY_MS, lifeMs * EARLY_SHARE) }
}

export function createTokenSource(options: MicrosoftOptions, log: Log, timing: Timing) {
  // With a circuit breaker of its own: a cached token is usable while the authority is down.
  const send = createSend(options.authorityUrl, log, timing)
  let cached: Awaited<ReturnType<typeof requestToken>> | null = null
  let pending: Promise<string> | null = null

  async function renew(): Promise<string> {
    try {
      cached = await requestToken(options, send, log)
      return cached.token
    } finally {
      pending = null
    }
  }

  return {
    /** A caller stops waiting at its deadline; the request continues for the others. */
    async get(deadline: AbortSignal): Promise<string> {
      if (cached && Date.now() < cached.until) return cached.token
      pending ??= renew()
      // All callers may have stopped waiting when it fails.
      pending.catch(() => {})
      return await withinDeadline(pending, deadline, 'token')
    },
    /** Discards a token that was refused, unless it has been replaced already. */
    drop(token: string): void {
      if (cached?.token === token) cached = null
    },
  }
}
