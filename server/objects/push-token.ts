/** Events that Google's Pub/Sub pushes carry a token that Google signed, instead of an API key. */
import { createRemoteJWKSet, customFetch, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Log } from '#base/log.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import type { ObjectSource } from './sources.ts'

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const CLOCK_TOLERANCE_SECONDS = 60
const KEYS_BYTES_MAX = 262_144
const KEYS_MS = 10_000

type Http = Pick<ReturnType<typeof createOutboundHttp>, 'send'>

/** Unknown key ids trigger a refetch, with a cooldown. */
function keysOf(url: string, http: Http): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_MS,
    [customFetch]: async (keysUrl, { headers, signal }) => {
      const request = { method: 'GET', url: keysUrl, headers: Object.fromEntries(headers), deadline: signal } as const
      const outcome = await http.send({ ...request, responseBytesMax: KEYS_BYTES_MAX })
      if (outcome.kind !== 'answered') throw new Error(`The signing keys could not be fetched: ${outcome.kind}`)
      return new Response(outcome.body, { status: outcome.status })
    },
  })
}

function audienceOf(token: string): string[] {
  try {
    return [decodeJwt(token).aud ?? []].flat()
  } catch {
    return []
  }
}

export function createPushTokens(sources: readonly ObjectSource[], http: Http, log: Log) {
  const keys = new Map<string, JWTVerifyGetKey>()

  async function isSigned(token: string, { audience, serviceAccount, keysUrl }: NonNullable<ObjectSource['push']>) {
    const found = keys.get(keysUrl) ?? keysOf(keysUrl, http)
    keys.set(keysUrl, found)
    const { payload } = await jwtVerify(token, found, {
      // Regardless of the token's header: a public key must never be used as a shared secret.
      algorithms: ['RS256'],
      issuer: ISSUERS,
      audience,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'email'],
    })
    return payload.email === serviceAccount && payload.email_verified === true
  }

  /** The id of the key of the source that the token is for, null if it is not valid. */
  return async (token: string): Promise<string | null> => {
    const audience = audienceOf(token)
    for (const { push, keyId, name } of sources) {
      if (push === null || !audience.includes(push.audience)) continue
      try {
        if (await isSigned(token, push)) return keyId
      } catch (error) {
        log.warn({ source: name, reason: (error as { code?: string }).code ?? 'no keys' }, 'Token of Pub/Sub rejected')
      }
    }
    return null
  }
}
