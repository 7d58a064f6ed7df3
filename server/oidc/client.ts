/** Talks to one provider, with `openid-client`, over the outbound HTTP client only. */
import * as openid from 'openid-client'
import { isLoopback } from '#base/loopback.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import type { Claims } from './person.ts'
import { MICROSOFT, type Provider } from './providers.ts'
import { SignInRefused } from './refusal.ts'

const CALL_MS = 8_000
export const RESPONSE_BYTES_MAX = 262_144
const METADATA_MS = 10 * 60 * 1_000
const CLOCK_TOLERANCE_SECONDS = 60
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
const METHODS = ['GET', 'POST'] as const
const SERVER_ERROR = 500

/** What the browser carries to the callback, sealed. */
export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

export type Http = Pick<ReturnType<typeof createOutboundHttp>, 'send'>

export type OidcClient = ReturnType<typeof createOidcClient>

export const newSecrets = (): Secrets => ({
  state: openid.randomState(),
  nonce: openid.randomNonce(),
  verifier: openid.randomPKCECodeVerifier(),
})

/** The address of Microsoft is part of every token, so the library must see it, wherever the calls go. */
const placeOf = ({ authorityUrl }: Provider, url: string): string =>
  authorityUrl !== null && url.startsWith(`${MICROSOFT}/`) ? authorityUrl + url.slice(MICROSOFT.length) : url

function createFetch(provider: Provider, http: Http): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const known = METHODS.find((each) => each === method)
    if (known === undefined) throw new Error(`${method} is not a method of this protocol`)
    const outcome = await http.send({
      method: known,
      url: placeOf(provider, url),
      headers: Object.fromEntries(Object.entries(headers)),
      ...(body != null && { body: String(body) }),
      deadline: AbortSignal.timeout(CALL_MS),
      responseBytesMax: RESPONSE_BYTES_MAX,
    })
    if (outcome.kind !== 'answered') throw new SignInRefused('unavailable', outcome)
    if (outcome.status >= SERVER_ERROR) throw new SignInRefused('unavailable', { status: outcome.status })
    const type = outcome.headers['content-type'] ?? ''
    return new Response(outcome.status === 204 || outcome.status === 304 ? null : outcome.body, {
      status: outcome.status,
      headers: { 'content-type': type },
    })
  }
}

/** The library wraps what the HTTP client has thrown. */
function refusalIn(error: unknown): SignInRefused {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof SignInRefused) return cause
  const isDenied = error instanceof openid.AuthorizationResponseError && error.error === 'access_denied'
  return new SignInRefused(isDenied ? 'cancelled' : 'failed', error)
}

function algorithmOf(idToken = ''): string {
  const header = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
  return String(header.alg)
}

export function createOidcClient(provider: Provider, http: Http, redirectUri: string) {
  const fetch = createFetch(provider, http)
  let known: { at: number; configuration: Promise<openid.Configuration> } | null = null

  async function discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret, kind, authorityUrl } = provider
    const authentication =
      kind === 'oidc' ? openid.ClientSecretBasic(clientSecret) : openid.ClientSecretPost(clientSecret)
    const isLocal = isLoopback(authorityUrl ?? issuer)
    const metadata = { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
    const configuration = await openid.discovery(new URL(issuer), clientId, metadata, authentication, {
      [openid.customFetch]: fetch,
      ...(isLocal && { execute: [openid.allowInsecureRequests] }),
    })
    // Without this the signature of the token is not verified.
    openid.enableNonRepudiationChecks(configuration)
    return configuration
  }

  /** Again after ten minutes; a failure is not remembered. */
  function configured(): Promise<openid.Configuration> {
    if (known !== null && Date.now() - known.at < METADATA_MS) return known.configuration
    const configuration = discover()
    known = { at: Date.now(), configuration }
    configuration.catch(() => {
      known = null
    })
    return configuration
  }

  async function begin({ state, nonce, verifier }: Secrets, isConfirmation: boolean): Promise<string> {
    const configuration = await configured()
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      response_mode: 'query',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation && { prompt: 'login', max_age: '0' }),
    })
    return placeOf(provider, url.href)
  }

  async function finish(search: string, { state, nonce, verifier }: Secrets): Promise<Claims> {
    const configuration = await configured()
    const answer = await openid.authorizationCodeGrant(configuration, new URL(redirectUri + search), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = answer.claims()
    if (claims === undefined || !ALGORITHMS.includes(algorithmOf(answer.id_token))) throw new SignInRefused('failed')
    const { userinfo_endpoint: more } = configuration.serverMetadata()
    if (provider.kind !== 'oidc' || claims.email !== undefined || more === undefined) return claims
    return { ...(await openid.fetchUserInfo(configuration, answer.access_token, claims.sub)), ...claims }
  }

  const refusing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw refusalIn(error)
    }
  }

  return {
    provider,
    /** The URL at the provider that the browser opens. */
    begin: (secrets: Secrets, isConfirmation: boolean) => refusing(begin(secrets, isConfirmation)),
    /** The claims of the person that the callback with this query brings. Throws `SignInRefused`. */
    finish: (search: string, secrets: Secrets) => refusing(finish(search, secrets)),
  }
}
