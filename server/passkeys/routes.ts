/** /api/v1/auth/passkeys */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { SessionCookie } from '#http/session-cookie.ts'
import type { Browser } from '#sessions/store.ts'
import type { Passkeys } from './passkeys.ts'
import {
  AddPasskeyRequest,
  PasskeyList,
  PasskeyOptions,
  PasskeyParams,
  PasskeySignInRequest,
  PasskeysOnlyRequest,
  PasskeyView,
  RecoverRequest,
  RecoveryCodes,
  RemovePasskeyRequest,
  RenamePasskeyRequest,
  StartPasskeyRequest,
} from './schema.ts'
import type { PasskeySignIn } from './sign-in.ts'

const PATH = '/api/v1/auth/passkeys'
const iso = (ms: number): string => new Date(ms).toISOString()

function sessionOf(request: FastifyRequest) {
  const principal = principalOf(request)
  if (principal.kind !== 'session') throw new Error('This route requires a session')
  return principal
}

interface View {
  id: string
  name: string
  createdAt: number
  usedAt: number | null
  isBackedUp: boolean
}

const shown = ({ id, name, createdAt, usedAt, isBackedUp }: View) => ({
  ...{ id, name, createdAt: iso(createdAt), lastUsedAt: usedAt === null ? null : iso(usedAt), isBackedUp },
})

interface SignInRoutesOptions {
  signIn: PasskeySignIn
  cookie: SessionCookie
  sessionSeconds: number
}

export function passkeySignInRoutes(server: Server, { signIn, cookie, sessionSeconds }: SignInRoutesOptions): void {
  const open = { credential: 'none', ownSite: true, rate: 'sign-in' } as const
  const browserOf = ({ headers }: FastifyRequest): Browser => ({
    presented: cookie.read(headers.cookie),
    userAgent: headers['user-agent'] ?? null,
  })
  const started = { 204: Type.Null({ description: 'The session has begun; its cookie is set.' }) }
  const begin = (reply: FastifyReply, token: string) => {
    reply.code(204).header('set-cookie', cookie.set(token, sessionSeconds))
  }

  server.post(
    `${PATH}/sign-in-options`,
    {
      config: { ...open, problems: ['not_found'] },
      schema: { operationId: 'startPasskeySignIn', response: { 200: PasskeyOptions } },
    },
    () => signIn.startSignIn(),
  )

  server.post(
    `${PATH}/sign-in`,
    {
      config: { ...open, startsSession: true, problems: ['not_found', 'invalid_credentials'] },
      schema: { operationId: 'signInWithPasskey', body: PasskeySignInRequest, response: started },
    },
    async (request, reply) => {
      begin(reply, await signIn.signIn(request.body, browserOf(request)))
      return reply.send(null)
    },
  )

  server.post(
    `${PATH}/confirm`,
    {
      config: {
        ...{ credential: 'session', role: 'person', rate: 'sign-in', startsSession: true },
        problems: ['not_found', 'invalid_credentials'],
      },
      schema: { operationId: 'confirmWithPasskey', body: PasskeySignInRequest, response: started },
    },
    async (request, reply) => {
      begin(reply, await signIn.confirm(sessionOf(request), request.body, browserOf(request)))
      return reply.send(null)
    },
  )

  server.post(
    `${PATH}/recover`,
    {
      config: { ...open, startsSession: true, problems: ['invalid_credentials'] },
      schema: { operationId: 'recoverAccount', body: RecoverRequest, response: started },
    },
    async (request, reply) => {
      begin(reply, await signIn.recover(request.body, browserOf(request)))
      return reply.send(null)
    },
  )
}

/** The passkeys of an account. */
export function passkeyRoutes(server: Server, passkeys: Passkeys): void {
  const own = { credential: 'session', role: 'person', rate: 'sign-in' } as const
  const confirmationOf = ({ password }: { password?: string }, reply: FastifyReply) => ({
    ...{ password, signal: whileConnected(reply) },
  })

  server.get(
    PATH,
    {
      config: { credential: 'session', role: 'person' },
      schema: { operationId: 'listPasskeys', response: { 200: PasskeyList } },
    },
    async (request) => {
      const { items, ...rest } = await passkeys.list(principalOf(request).accountId)
      return { ...rest, items: items.map(shown) }
    },
  )

  server.post(
    `${PATH}/options`,
    {
      config: { ...own, bodyOptional: true, problems: ['not_found', 'invalid_credentials', 'busy'] },
      schema: { operationId: 'startPasskey', body: StartPasskeyRequest, response: { 200: PasskeyOptions } },
    },
    (request, reply) => passkeys.startAdd(sessionOf(request), confirmationOf(request.body, reply)),
  )

  server.post(
    PATH,
    {
      config: { ...own, problems: ['not_found', 'invalid_credentials', 'passkey_limit_reached'] },
      schema: { operationId: 'addPasskey', body: AddPasskeyRequest, response: { 201: PasskeyView } },
    },
    async (request, reply) => {
      const added = await passkeys.add(sessionOf(request), request.body)
      reply.code(201)
      return shown(added)
    },
  )

  server.patch(
    `${PATH}/items/:passkeyId`,
    {
      config: { credential: 'session', role: 'person', problems: ['not_found'] },
      schema: {
        operationId: 'renamePasskey',
        params: PasskeyParams,
        body: RenamePasskeyRequest,
        response: { 204: Type.Null({ description: 'It has the name.' }) },
      },
    },
    async (request, reply) => {
      await passkeys.rename(sessionOf(request), request.params.passkeyId.toLowerCase(), request.body.name)
      return reply.code(204).send(null)
    },
  )

  server.delete(
    `${PATH}/items/:passkeyId`,
    {
      config: { ...own, bodyOptional: true, problems: ['not_found', 'invalid_credentials', 'last_sign_in', 'busy'] },
      schema: {
        operationId: 'removePasskey',
        params: PasskeyParams,
        body: RemovePasskeyRequest,
        response: { 204: Type.Null({ description: 'It no longer signs in, and all other sessions have ended.' }) },
      },
    },
    async (request, reply) => {
      const id = request.params.passkeyId.toLowerCase()
      await passkeys.remove(sessionOf(request), id, confirmationOf(request.body, reply))
      return reply.code(204).send(null)
    },
  )

  server.post(
    `${PATH}/only`,
    {
      config: { ...own, problems: ['invalid_credentials', 'last_sign_in', 'busy'] },
      schema: { operationId: 'setPasskeysOnly', body: PasskeysOnlyRequest, response: { 200: RecoveryCodes } },
    },
    async (request, reply) => {
      const { only } = request.body
      return { recoveryCodes: await passkeys.setOnly(sessionOf(request), only, confirmationOf(request.body, reply)) }
    },
  )
}
