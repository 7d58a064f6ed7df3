/** A provider that issues whatever a test asks for, also what no honest one would; for Microsoft's tokens too. */

import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT } from 'jose'

export interface ForgingProvider extends AsyncDisposable {
  url: string
  /** The claims of the next token, besides the usual ones. Undefined removes one. */
  claims: Record<string, unknown>
  /** Changes the next token after it was signed. */
  spoil: (token: string) => string
  /** Signs with another key than the published one. */
  usesOtherKey: boolean
  algorithm: string
  /** Fields of the metadata, besides the usual ones. */
  metadata: Record<string, unknown>
  /** Answers every call. */
  broken: { status: number; body: string } | null
  requests: { path: string; body: string }[]
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function startForgingProvider(clientId: string): Promise<ForgingProvider> {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig' }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer = {
    ...{ url, claims: {}, spoil: (token: string) => token, usesOtherKey: false, algorithm: 'RS256', metadata: {} },
    ...{ broken: null, requests: [] },
  } as Omit<ForgingProvider, typeof Symbol.asyncDispose>

  async function token(issuer: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: clientId, sub: 'subject', iat: now, exp: now + 300, ...peer.claims }
    const defined = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
    if (peer.algorithm === 'none') return `${encoded({ alg: 'none' })}.${encoded(defined)}.`
    if (peer.algorithm === 'HS256')
      return await new SignJWT(defined)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('correct-horse-battery-staple'))
    const key = peer.usesOtherKey ? other.privateKey : own.privateKey
    return await new SignJWT(defined).setProtectedHeader({ alg: peer.algorithm, kid: 'one' }).sign(key)
  }

  /** Microsoft's metadata of several tenants has a placeholder as its issuer. */
  const issuerOf = (tenant: string | undefined) =>
    tenant === undefined
      ? url
      : `https://login.microsoftonline.com/${/^(?:common|organizations|consumers)$/.test(tenant) ? '{tenantid}' : tenant}/v2.0`

  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = request.url ?? ''
    peer.requests.push({ path: asked, body: Buffer.concat(chunks).toString() })
    const send = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (peer.broken) return response.writeHead(peer.broken.status).end(peer.broken.body)
    const [, tenant] = /^\/([\w-]+)\/v2\.0\//.exec(asked) ?? []
    if (asked.endsWith('/.well-known/openid-configuration'))
      return send({
        ...{ issuer: issuerOf(tenant), authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` },
        ...{ jwks_uri: `${url}/keys`, id_token_signing_alg_values_supported: ['RS256', 'RS384', 'none', 'HS256'] },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
        ...peer.metadata,
      })
    if (asked === '/keys') return send({ keys: [jwk] })
    if (asked !== '/token') return send({}, 404)
    const signed = await token(String(peer.claims.iss ?? url))
    return send({ access_token: 'an-access-token', token_type: 'Bearer', id_token: peer.spoil(signed) })
  })
  return Object.assign(peer, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
