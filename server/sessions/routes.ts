/** /api/v1/auth */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { SessionCookie } from '#http/session-cookie.ts'
import type { Auth } from './auth.ts'
import type { Erase } from './erasure.ts'
import {
  ChangePasswordRequest,
  DeleteMeRequest,
  ForgotPasswordRequest,
  LoginRequest,
  MeResponse,
  ResetPasswordRequest,
  SessionList,
  SessionParams,
  SignupPasswordRequest,
} from './schema.ts'
import { type Browser, LIFE_MS_MAX, type SessionStore } from './store.ts'

export const COOKIE_SECONDS = LIFE_MS_MAX / 1000
/** Without cookies, which would be those of the whole domain. */
const CLEAR_SITE_DATA = '"cache", "storage"'

const iso = (ms: number): string => new Date(ms).toISOString()

function sessionOf(request: FastifyRequest) {
  const principal = principalOf(request)
  if (principal.kind !== 'session') throw new Error('This route requires a session')
  return principal
}

const browserOf = (request: FastifyRequest, cookie: SessionCookie): Browser => ({
  presented: cookie.read(request.headers.cookie),
  userAgent: request.headers['user-agent'] ?? null,
})

/** Only where accounts can have passwords. */
export function passwordRoutes(server: Server, auth: Auth, cookie: SessionCookie): void {
  const open = { credential: 'none', ownSite: true } as const
  const session = { credential: 'session', role: 'person' } as const

  server.post(
    '/api/v1/auth/signup',
    {
      config: {
        ...open,
        startsSession: true,
        rate: 'sign-in',
        problems: ['email_taken', 'signup_closed', 'invite_required', 'busy'],
      },
      schema: { operationId: 'signUpWithPassword', body: SignupPasswordRequest, response: { 201: MeResponse } },
    },
    async (request, reply) => {
      const { me, token } = await auth.signUp(request.body, browserOf(request, cookie), whileConnected(reply))
      reply.code(201).header('set-cookie', cookie.set(token, COOKIE_SECONDS))
      return me
    },
  )

  server.post(
    '/api/v1/auth/login',
    {
      config: { ...open, startsSession: true, rate: 'sign-in', problems: ['invalid_credentials', 'busy'] },
      schema: { operationId: 'signIn', body: LoginRequest, response: { 200: MeResponse } },
    },
    async (request, reply) => {
      const { me, token } = await auth.signIn(request.body, browserOf(request, cookie), whileConnected(reply))
      reply.header('set-cookie', cookie.set(token, COOKIE_SECONDS))
      return me
    },
  )

  server.post(
    '/api/v1/auth/change-password',
    {
      config: { ...session, startsSession: true, rate: 'sign-in', problems: ['invalid_credentials', 'busy'] },
      schema: {
        operationId: 'changePassword',
        body: ChangePasswordRequest,
        response: { 204: Type.Null({ description: 'The password is replaced, and the session has a new cookie.' }) },
      },
    },
    async (request, reply) => {
      const browser = browserOf(request, cookie)
      const token = await auth.change(principalOf(request).accountId, request.body, browser, whileConnected(reply))
      reply.code(204).header('set-cookie', cookie.set(token, COOKIE_SECONDS))
      return reply.send(null)
    },
  )

  server.post(
    '/api/v1/auth/forgot-password',
    {
      config: { ...open, rate: 'reset' },
      schema: {
        operationId: 'forgotPassword',
        body: ForgotPasswordRequest,
        response: { 202: Type.Null({ description: 'If the address has an account, a reset link is e-mailed.' }) },
      },
    },
    async (request, reply) => {
      await auth.forgot(request.body.email)
      // Unlike 204, this status could have a body, and null would be sent as four bytes.
      return reply.code(202).send(undefined as unknown as null)
    },
  )

  server.post(
    '/api/v1/auth/reset-password',
    {
      config: { ...open, rate: 'reset', problems: ['invalid_token', 'busy'], variables: { token: '$RESET_TOKEN' } },
      schema: {
        operationId: 'resetPassword',
        body: ResetPasswordRequest,
        response: { 204: Type.Null({ description: 'The password is replaced.' }) },
      },
    },
    async (request, reply) => {
      await auth.reset(request.body, whileConnected(reply))
      return reply.code(204).send(null)
    },
  )
}

export function sessionRoutes(server: Server, auth: Auth, cookie: SessionCookie): void {
  const session = { credential: 'session', role: 'person' } as const

  server.post(
    '/api/v1/auth/logout',
    {
      config: { ...session, endsSession: true },
      schema: { operationId: 'signOut', response: { 204: Type.Null({ description: 'The session has ended.' }) } },
    },
    async (request, reply) => {
      const { accountId, sessionId } = sessionOf(request)
      await auth.signOut(accountId, sessionId)
      reply.code(204).header('set-cookie', cookie.clear()).header('clear-site-data', CLEAR_SITE_DATA)
      return reply.send(null)
    },
  )

  server.get(
    '/api/v1/auth/me',
    { config: session, schema: { operationId: 'getMe', response: { 200: MeResponse } } },
    (request) => auth.me(sessionOf(request)),
  )
}

/** The sessions of the account, and its end. */
export function accountPageRoutes(
  server: Server,
  { sessions, erase }: { sessions: SessionStore; erase: Erase },
  cookie: SessionCookie,
): void {
  const config = { credential: 'session', role: 'person' } as const

  server.get(
    '/api/v1/auth/sessions',
    { config, schema: { operationId: 'listSessions', response: { 200: SessionList } } },
    async (request) => {
      const { accountId, sessionId } = sessionOf(request)
      const items = (await sessions.list(accountId)).map(({ id, createdAt, seenAt, userAgent }) => ({
        ...{ id, userAgent, createdAt: iso(createdAt), lastSeenAt: iso(seenAt) },
        current: id === sessionId,
      }))
      return { items }
    },
  )

  server.delete(
    '/api/v1/auth/sessions',
    {
      config,
      schema: {
        operationId: 'endOtherSessions',
        response: { 204: Type.Null({ description: 'The other sessions have ended.' }) },
      },
    },
    async (request, reply) => {
      const { accountId, sessionId } = sessionOf(request)
      await sessions.endOthers(accountId, sessionId)
      return reply.code(204).send(null)
    },
  )

  server.delete(
    '/api/v1/auth/sessions/:id',
    {
      config: { ...config, problems: ['not_found'] },
      schema: {
        operationId: 'endSession',
        params: SessionParams,
        response: { 204: Type.Null({ description: 'The session has ended.' }) },
      },
    },
    async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const ended = await sessions.endOf(principalOf(request).accountId, id)
      if (!ended) throw new AppError('not_found', 'Your account has no session with this id.')
      return reply.code(204).send(null)
    },
  )

  server.delete(
    '/api/v1/auth/me',
    {
      config: {
        // Not the person's own while in that of another: it would not be the one on the page.
        ...{ ...config, role: 'owner', endsSession: true, rate: 'sign-in', bodyOptional: true },
        problems: ['invalid_credentials', 'subscription_conflict', 'account_has_members', 'busy'],
      },
      schema: {
        operationId: 'deleteMe',
        body: DeleteMeRequest,
        response: { 204: Type.Null({ description: 'The account is deleted.' }) },
      },
    },
    async (request, reply) => {
      await erase(sessionOf(request), request.body.password, whileConnected(reply))
      reply.code(204).header('set-cookie', cookie.clear()).header('clear-site-data', CLEAR_SITE_DATA)
      return reply.send(null)
    },
  )
}
