/** /api/v1/auth */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { SessionCookie } from '#http/session-cookie.ts'
import type { Auth } from './auth.ts'
import {
  ForgotPasswordRequest,
  LoginRequest,
  MeResponse,
  ResetPasswordRequest,
  SignupPasswordRequest,
} from './schema.ts'
import { LIFE_MS_MAX } from './store.ts'

const COOKIE_SECONDS = LIFE_MS_MAX / 1000
/** Without cookies, which would be those of the whole domain. */
const CLEAR_SITE_DATA = '"cache", "storage"'

/** Aborts when the client disconnects, which removes its request from the hashing queue. */
function whileConnected({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  raw.once('close', () => raw.writableFinished || disconnected.abort())
  return disconnected.signal
}

export function authRoutes(server: Server, auth: Auth, cookie: SessionCookie): void {
  const tags = ['Sessions']
  const open = { credential: 'none', ownSite: true } as const
  const session = { credential: 'session' } as const

  server.post(
    '/api/v1/auth/signup',
    {
      config: { ...open, startsSession: true, rate: 'sign-in', problems: ['email_taken', 'busy'] },
      schema: {
        tags,
        operationId: 'signUpWithPassword',
        summary: 'Create an account with a password',
        description: 'Creates an account and starts a session by setting the session cookie.',
        body: SignupPasswordRequest,
        response: { 201: MeResponse },
      },
    },
    async (request, reply) => {
      const { me, token } = await auth.signUp(request.body, cookie.read(request.headers.cookie), whileConnected(reply))
      reply.code(201).header('set-cookie', cookie.set(token, COOKIE_SECONDS))
      return me
    },
  )

  server.post(
    '/api/v1/auth/login',
    {
      config: {
        ...open,
        startsSession: true,
        rate: 'sign-in',
        problems: ['invalid_credentials', 'busy'],
      },
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in',
        description: 'Starts a session by setting the session cookie. Ends the session of the request, if any.',
        body: LoginRequest,
        response: { 200: MeResponse },
      },
    },
    async (request, reply) => {
      const { me, token } = await auth.signIn(request.body, cookie.read(request.headers.cookie), whileConnected(reply))
      reply.header('set-cookie', cookie.set(token, COOKIE_SECONDS))
      return me
    },
  )

  server.post(
    '/api/v1/auth/logout',
    {
      config: { ...session, endsSession: true },
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of the request immediately.',
        response: { 204: Type.Null({ description: 'The session has ended.' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      if (principal.kind !== 'session') throw new Error('Sign-out requires a session')
      await auth.signOut(principal.sessionId)
      reply.code(204).header('set-cookie', cookie.clear()).header('clear-site-data', CLEAR_SITE_DATA)
      return reply.send(null)
    },
  )

  server.get(
    '/api/v1/auth/me',
    {
      config: session,
      schema: {
        tags,
        operationId: 'getMe',
        summary: 'Get the signed-in account',
        description: 'Returns the account of the session, or 401 without one.',
        response: { 200: MeResponse },
      },
    },
    (request) => auth.me(principalOf(request).accountId),
  )

  server.post(
    '/api/v1/auth/forgot-password',
    {
      config: { ...open, rate: 'reset' },
      schema: {
        tags,
        operationId: 'forgotPassword',
        summary: 'Request a password reset',
        description:
          'Always 202, whether or not the address has an account. If it has, a reset link is e-mailed. The link works ' +
          'once, expires after 10 minutes and invalidates earlier links.',
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
        tags,
        operationId: 'resetPassword',
        summary: 'Reset the password',
        description: 'Redeems the token of a reset link, replaces the password and ends all sessions of the account.',
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
