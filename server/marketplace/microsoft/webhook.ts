/** Who calls our webhook: a token that Microsoft signed for us, checked claim by claim, and then what the call says. */
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp } from '#base/outbound-http.ts'
import type { Inbound } from '#marketplace/ports.ts'
import { marketplaceAway } from '#marketplace/refusals.ts'
import { readNotice } from './parse.ts'
import { inTime } from './wire.ts'

const CLOCK_TOLERANCE_SECONDS = 60
const KEYS_TIMEOUT_MS = 4_000
const KEYS_BYTES_MAX = 262_144
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

export interface WebhookOptions {
  keys: JWTVerifyGetKey
  issuers: readonly string[]
  /** Our application. */
  audience: string
  tenantId: string
  /** The application of the marketplace. */
  callerId: string
  log: Log
}

const unauthenticated = (): AppError =>
  new AppError('unauthenticated', 'Only the marketplace may call this, with a token that it signed for this service.')

/** The keys of our own tenant, fetched when a token names one that we do not have, though not too often. */
export function microsoftKeys(url: string): JWTVerifyGetKey {
  const http = createOutboundHttp()
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    [customFetch]: async (keysUrl, { headers, signal }) => {
      const request = { method: 'GET', url: keysUrl, headers: Object.fromEntries(headers), deadline: signal } as const
      const outcome = await http.send({ ...request, responseBytesMax: KEYS_BYTES_MAX })
      if (outcome.kind !== 'answered') throw new Error(`The signing keys could not be fetched: ${outcome.kind}`)
      return new Response(outcome.body, { status: outcome.status })
    },
  })
}

export const keysAddress = (authorityUrl: string, tenantId: string): string =>
  `${authorityUrl}/${tenantId}/discovery/v2.0/keys`

/** Old tokens and new ones name their issuer in different ways. */
export const microsoftIssuers = (authorityUrl: string, tenantId: string): string[] => [
  `${authorityUrl}/${tenantId}/v2.0`,
  `https://sts.windows.net/${tenantId}/`,
]

/** Those that say that the token is bad. Any other error says that we could not find out. */
function isBadToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) return false
  // What jose throws itself without a more exact name: the keys could not be fetched or read.
  return error.code !== 'ERR_JOSE_GENERIC' && error.code !== 'ERR_JWKS_INVALID'
}

export function createWebhook({ keys, issuers, audience, tenantId, callerId, log }: WebhookOptions): Inbound {
  async function claimsOf(token: string, deadline: AbortSignal): Promise<JWTPayload> {
    try {
      const verified = jwtVerify(token, keys, {
        // Whatever the token says: a public key must never be used as a shared secret.
        algorithms: ['RS256'],
        issuer: [...issuers],
        audience,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp'],
      })
      return (await inTime(verified, deadline, 'keys')).payload
    } catch (error) {
      if (!isBadToken(error)) throw marketplaceAway(error)
      log.warn({ reason: (error as errors.JOSEError).code }, 'A call to the webhook had a token that is not good')
      throw unauthenticated()
    }
  }

  async function verify(authorization: string | undefined, deadline: AbortSignal): Promise<void> {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) throw unauthenticated()
    const { tid, appid, azp } = await claimsOf(token, deadline)
    // Old tokens have the one, new ones the other. Both may not disagree.
    const callers = [appid, azp].filter((each) => each !== undefined)
    if (tid === tenantId && callers.length > 0 && callers.every((each) => each === callerId)) return
    log.warn({ reason: 'tenant or caller' }, 'A call to the webhook had a token that is not good')
    throw unauthenticated()
  }

  return {
    async verifyAndParse(authorization, body, deadline) {
      await verify(authorization, deadline)
      return readNotice(body)
    },
  }
}
