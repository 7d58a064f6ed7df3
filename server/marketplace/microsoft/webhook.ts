/** Verifies webhook calls: a token that Microsoft signed for us, checked claim by claim. */
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createConfiguredHttp } from '#base/outbound-http.ts'
import type { Marketplace } from '#marketplace/ports.ts'
import { marketplaceUnavailable } from '#marketplace/refusals.ts'
import { withinDeadline } from './http.ts'
import { readNotice } from './parse.ts'

const CLOCK_TOLERANCE_SECONDS = 60
const KEYS_BYTES_MAX = 262_144
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

interface WebhookOptions {
  keys: JWTVerifyGetKey
  issuers: readonly string[]
  /** The client id of our application. */
  audience: string
  tenantId: string
  /** The client id of the marketplace. */
  callerId: string
  log: Log
}

const unauthenticated = (): AppError =>
  new AppError(
    'unauthenticated',
    'Only the marketplace may call this endpoint, with a token that it signed for this service.',
  )

/** The signing keys of our tenant. Unknown key ids trigger a refetch, with a cooldown. */
export function microsoftKeys(url: string, timeoutMs: number): JWTVerifyGetKey {
  const http = createConfiguredHttp(url)
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    [customFetch]: async (keysUrl, { headers, signal }) => {
      const request = { method: 'GET', url: keysUrl, headers: Object.fromEntries(headers), deadline: signal } as const
      const outcome = await http.send({ ...request, responseBytesMax: KEYS_BYTES_MAX })
      if (outcome.kind !== 'answered') throw new Error(`The signing keys could not be fetched: ${outcome.kind}`)
      return new Response(outcome.body, { status: outcome.status })
    },
  })
}

/** Any other error means that the token could not be checked. */
function isBadToken(error: unknown): error is errors.JOSEError {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) return false
  // These codes mean that the keys could not be fetched or parsed.
  return error.code !== 'ERR_JOSE_GENERIC' && error.code !== 'ERR_JWKS_INVALID'
}

/** Verifies the token before it reads the body. */
export function createWebhook(options: WebhookOptions): Marketplace['verifyAndParse'] {
  const { keys, issuers, audience, tenantId, callerId, log } = options

  function reject(reason: string): never {
    log.warn({ reason }, 'Webhook token rejected')
    throw unauthenticated()
  }

  async function claimsOf(token: string, deadline: AbortSignal): Promise<JWTPayload> {
    try {
      const verified = jwtVerify(token, keys, {
        // Regardless of the token's header: a public key must never be used as a shared secret.
        algorithms: ['RS256'],
        issuer: [...issuers],
        audience,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp'],
      })
      return (await withinDeadline(verified, deadline, 'keys')).payload
    } catch (error) {
      if (isBadToken(error)) reject(error.code)
      throw marketplaceUnavailable(error)
    }
  }

  return async (authorization, body, deadline) => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) throw unauthenticated()
    const { tid, appid, azp } = await claimsOf(token, deadline)
    // v1 tokens carry `appid`, v2 tokens `azp`; a token with both must not contradict itself.
    const callers = [appid, azp].filter((each) => each !== undefined)
    if (tid !== tenantId || callers.length === 0 || callers.some((each) => each !== callerId))
      reject('tenant or caller')
    return readNotice(body)
  }
}
