/** /api/v1/auth/oidc and /api/v1/auth/identities */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { SessionCookie } from '#http/session-cookie.ts'
import type { Browser } from '#sessions/store.ts'
import type { Provider } from './providers.ts'
import { SignInRefused } from './refusal.ts'
import {
  CallbackQuery,
  ConfirmRequest,
  IdentityList,
  IdentityParams,
  LinkRequest,
  ProviderList,
  ProviderParams,
  RemoveRequest,
  StartQuery,
  StartRequest,
  StartResponse,
  UndoRequest,
} from './schema.ts'
import type { OidcSignIn } from './sign-in.ts'
import type { Ways } from './ways.ts'

const RETRY_SECONDS = 30
const iso = (ms: number): string => new Date(ms).toISOString()

function sessionOf(request: FastifyRequest) {
  const principal = principalOf(request)
  if (principal.kind !== 'session') throw new Error('This route requires a session')
  return principal
}

async function orProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    if (error.code === 'unknown_provider')
      throw new AppError('not_found', 'This installation has no sign-in provider with this id.')
    throw new AppError(
      'sign_in_unavailable',
      'The provider cannot be reached at the moment. Try again shortly, or sign in another way.',
      { retryAfterSeconds: RETRY_SECONDS, isExpected: true },
    )
  }
}

interface OidcRoutesOptions {
  providers: readonly Provider[]
  hasPasswords: boolean
  signIn: OidcSignIn
  cookie: SessionCookie
  sessionSeconds: number
}

const PATH = '/api/v1/auth/oidc/:provider'

export function oidcRoutes(server: Server, options: OidcRoutesOptions): void {
  const { providers, hasPasswords, signIn, cookie } = options
  const open = { credential: 'none', rate: 'sign-in' } as const
  const own = { credential: 'session', role: 'person', rate: 'sign-in' } as const
  const redirect = (description: string) => ({ 302: Type.Null({ description }) })
  const sendTo = (reply: FastifyReply, location: string, cookies: readonly string[]) =>
    reply
      .code(302)
      .header('set-cookie', cookies)
      .header('location', location)
      .header('cache-control', 'no-store')
      .send()
  const answer = async (reply: FastifyReply, started: ReturnType<OidcSignIn['start']>) => {
    const { location, cookies } = await orProblem(started)
    reply.header('set-cookie', cookies)
    return { url: location }
  }

  server.get(
    '/api/v1/auth/oidc',
    {
      config: { credential: 'none' },
      schema: { operationId: 'listSignInProviders', response: { 200: ProviderList } },
    },
    () => ({ items: providers.map(({ id, name }) => ({ id, name })), passwords: hasPasswords }),
  )

  server.get(
    `${PATH}/start`,
    {
      config: open,
      schema: {
        operationId: 'openSignIn',
        params: ProviderParams,
        querystring: StartQuery,
        response: redirect('The browser continues at the provider.'),
      },
    },
    async ({ params, query, headers }, reply) => {
      const asked = { returnTo: query.returnTo, cookies: headers.cookie }
      const { location, cookies } = await signIn.startByLink(params.provider, asked)
      return sendTo(reply, location, cookies)
    },
  )

  server.post(
    `${PATH}/start`,
    {
      config: { ...open, ownSite: true, problems: ['not_found', 'sign_in_unavailable'] },
      schema: {
        operationId: 'startSignIn',
        params: ProviderParams,
        body: StartRequest,
        response: { 200: StartResponse },
      },
    },
    ({ params, body, headers }, reply) =>
      answer(reply, signIn.start(params.provider, { ...body, returnTo: body.returnTo, cookies: headers.cookie })),
  )

  server.post(
    `${PATH}/link`,
    {
      config: { ...own, problems: ['not_found', 'invalid_credentials', 'sign_in_unavailable', 'busy'] },
      schema: {
        operationId: 'linkSignIn',
        params: ProviderParams,
        body: LinkRequest,
        response: { 200: StartResponse },
      },
    },
    (request, reply) => {
      const { password, returnTo } = request.body
      const asked = { returnTo, password, cookies: request.headers.cookie, signal: whileConnected(reply) }
      return answer(reply, signIn.startOwn(request.params.provider, 'link', sessionOf(request), asked))
    },
  )

  server.post(
    `${PATH}/confirm`,
    {
      config: { ...own, problems: ['not_found', 'sign_in_unavailable'] },
      schema: {
        operationId: 'confirmSignIn',
        params: ProviderParams,
        body: ConfirmRequest,
        response: { 200: StartResponse },
      },
    },
    (request, reply) => {
      const asked = { returnTo: request.body.returnTo, cookies: request.headers.cookie }
      return answer(reply, signIn.startOwn(request.params.provider, 'confirm', sessionOf(request), asked))
    },
  )

  server.get(
    `${PATH}/callback`,
    {
      config: { ...open, startsSession: true },
      schema: {
        operationId: 'finishSignIn',
        params: ProviderParams,
        querystring: CallbackQuery,
        response: redirect(
          'The browser continues at a page of this service, with a session or with the reason for none.',
        ),
      },
    },
    async ({ params, raw, headers }, reply) => {
      const browser: Browser = { presented: cookie.read(headers.cookie), userAgent: headers['user-agent'] ?? null }
      const search = raw.url?.replace(/^[^?]*/, '') ?? ''
      const { location, cookies, token } = await signIn.callback(params.provider, search, headers.cookie, browser)
      const set = token === null ? cookies : [...cookies, cookie.set(token, options.sessionSeconds)]
      return sendTo(reply, location, set)
    },
  )
}

/** The ways to sign in to an account. */
export function identityRoutes(server: Server, ways: Ways): void {
  server.get(
    '/api/v1/auth/identities',
    {
      config: { credential: 'session', role: 'person' },
      schema: { operationId: 'listIdentities', response: { 200: IdentityList } },
    },
    async (request) => {
      const { hasPassword, items } = await ways.list(principalOf(request).accountId)
      const shown = items.map(({ id, provider, name, createdAt, usedAt }) => ({
        ...{ id, provider, name, createdAt: iso(createdAt), lastUsedAt: iso(usedAt) },
      }))
      return { hasPassword, items: shown }
    },
  )

  server.delete(
    '/api/v1/auth/identities/:identityId',
    {
      config: {
        ...{ credential: 'session', role: 'person', rate: 'sign-in', bodyOptional: true },
        problems: ['not_found', 'invalid_credentials', 'last_sign_in', 'busy'],
      },
      schema: {
        operationId: 'removeIdentity',
        params: IdentityParams,
        body: RemoveRequest,
        response: { 204: Type.Null({ description: 'It no longer signs in, and all other sessions have ended.' }) },
      },
    },
    async (request, reply) => {
      const id = request.params.identityId.toLowerCase()
      await ways.remove(sessionOf(request), id, request.body.password, whileConnected(reply))
      return reply.code(204).send(null)
    },
  )

  server.post(
    '/api/v1/auth/undo-identity',
    {
      config: {
        ...{ credential: 'none', ownSite: true, rate: 'reset', problems: ['invalid_token'] },
        variables: { token: '$UNDO_TOKEN' },
      },
      schema: {
        operationId: 'undoIdentity',
        body: UndoRequest,
        response: { 204: Type.Null({ description: 'It no longer signs in, and all sessions have ended.' }) },
      },
    },
    async (request, reply) => {
      await ways.undo(request.body.token)
      return reply.code(204).send(null)
    },
  )
}
