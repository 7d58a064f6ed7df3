/** oidc-provider, a real provider of OpenID Connect, on loopback. The person at its page signs in without a form. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPeers } from '#test/support/peers.ts'

type Claims = Record<string, unknown>

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

/** What these tests use of it; its types are not installed with everything else. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: Record<string, string> }>
  interactionResult(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: object,
  ): Promise<string>
  Grant: new (of: object) => Grant
  on(event: string, listener: (...given: unknown[]) => void): void
}

export interface OidcPeer extends AsyncDisposable {
  issuer: string
  /** Who signs in at its page next. */
  become(subject: string, claims?: Claims): void
  /** Every verifier that it got, and every token that it gave. */
  secrets: readonly string[]
  /** The person at the page refuses. */
  deny: boolean
  close(): Promise<void>
}

export const CLIENT = { clientId: 'docvet', clientSecret: 'correct-horse-battery-staple' }

export async function startOidcProvider(redirectUri: string, inIdToken = true): Promise<OidcPeer> {
  const folder = await installPeers('oidc-peers')
  const entry = pathToFileURL(path.join(folder, 'node_modules/oidc-provider/lib/index.js')).href
  const { default: Provider } = (await import(entry)) as {
    default: new (issuer: string, configuration: object) => Provider
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Claims>()
  let current = 'ada'
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        // The port of a native application is not compared: a service on loopback gets its own when it starts.
        application_type: redirectUri.startsWith('http://127.0.0.1/') ? 'native' : 'web',
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    conformIdTokenClaims: !inIdToken,
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['name', 'hd'] },
    cookies: { keys: ['not a secret'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_context: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...people.get(subject) }),
    }),
  })
  const secrets: string[] = []
  provider.on('grant.success', (context) => {
    const { oidc, body } = context as { oidc: { params: { code_verifier: string } }; body: Record<string, string> }
    secrets.push(oidc.params.code_verifier, body.access_token ?? '', body.id_token ?? '')
  })
  const answer = provider.callback()
  const peer = { deny: false }
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: current, clientId: params.client_id })
    grant.addOIDCScope('openid email profile')
    const result = peer.deny
      ? { error: 'access_denied', error_description: '<b>no</b>' }
      : { login: { accountId: current, ts: Math.floor(Date.now() / 1000) }, consent: { grantId: await grant.save() } }
    const location = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
    response.writeHead(303, { location }).end()
  }
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) interact(request, response).catch((error) => response.destroy(error))
    else answer(request, response)
  })
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return Object.assign(peer, {
    issuer,
    secrets,
    become(subject: string, claims: Claims = {}) {
      current = subject
      people.set(subject, claims)
    },
    close,
    [Symbol.asyncDispose]: close,
  })
}
