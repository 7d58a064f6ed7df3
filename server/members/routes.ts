/** /api/v1/members, /api/v1/invitations and /api/v1/auth/act */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { MemberRole, Role, Session } from '#base/principal.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Invitations } from './invitations.ts'
import type { Members } from './members.ts'
import type { Ownership } from './ownership.ts'
import {
  AcceptOwnershipRequest,
  AcceptRequest,
  AccountChoices,
  AccountParams,
  ChangeMemberRequest,
  EnterRequest,
  InvitationList,
  InvitationParams,
  InvitationView,
  InviteRequest,
  JoinedAccount,
  MemberList,
  MemberParams,
  OfferOwnershipRequest,
  OwnershipOffer,
  RemoveMemberRequest,
} from './schema.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const roleOf = (role: string) => role as Role

function sessionOf(request: FastifyRequest): Session {
  const principal = principalOf(request)
  if (principal.kind !== 'session') throw new Error('This route requires a session')
  return principal
}

/** Only where the ownership is offered. */
const shownOffer = (expiresAt: number | null) => expiresAt !== null && { offerExpiresAt: iso(expiresAt) }

type Stored = Awaited<ReturnType<Invitations['invite']>>

const shownInvitation = ({ role, createdAt, expiresAt, ...rest }: Stored) => ({
  ...{ ...rest, role: roleOf(role), createdAt: iso(createdAt), expiresAt: iso(expiresAt) },
})

export function memberRoutes(server: Server, members: Members, invitations: Invitations): void {
  const config = { credential: 'session', role: 'admin' } as const
  const one = { ...config, problems: ['not_found'] as 'not_found'[] }
  const path = '/api/v1/members/:memberId'
  const sent = '/api/v1/invitations'

  server.get(
    '/api/v1/members',
    { config, schema: { operationId: 'listMembers', response: { 200: MemberList } } },
    async (request) => {
      const all = await members.list(sessionOf(request).accountId)
      return {
        items: all.map(({ offerExpiresAt, ...each }) => ({
          ...{ ...each, role: roleOf(each.role), createdAt: iso(each.createdAt) },
          ...shownOffer(offerExpiresAt),
        })),
      }
    },
  )

  server.patch(
    path,
    {
      config: one,
      schema: {
        operationId: 'changeMember',
        params: MemberParams,
        body: ChangeMemberRequest,
        response: { 204: Type.Null({ description: 'The person has the role from the next request on.' }) },
      },
    },
    async (request, reply) => {
      const { role, keepKeys } = request.body
      await members.changeRole(sessionOf(request), request.params.memberId.toLowerCase(), role as MemberRole, keepKeys)
      return reply.code(204).send(null)
    },
  )

  server.delete(
    path,
    {
      config: { ...one, bodyOptional: true },
      schema: {
        operationId: 'removeMember',
        params: MemberParams,
        body: RemoveMemberRequest,
        response: { 204: Type.Null({ description: 'The person has no rights in the account any more.' }) },
      },
    },
    async (request, reply) => {
      await members.remove(sessionOf(request), request.params.memberId.toLowerCase(), request.body.keepKeys)
      return reply.code(204).send(null)
    },
  )

  server.get(
    sent,
    { config, schema: { operationId: 'listInvitations', response: { 200: InvitationList } } },
    async (request) => ({
      items: (await invitations.list(sessionOf(request).accountId)).map(shownInvitation),
    }),
  )

  server.post(
    sent,
    {
      // Each sends mail.
      config: { ...config, rate: 'reset', problems: ['email_unverified', 'member_limit_reached'] },
      schema: { operationId: 'inviteMember', body: InviteRequest, response: { 202: InvitationView } },
    },
    async (request, reply) => {
      const { email, role } = request.body
      reply.code(202)
      return shownInvitation(await invitations.invite(sessionOf(request), email, role as MemberRole))
    },
  )

  server.delete(
    `${sent}/:invitationId`,
    {
      config: one,
      schema: {
        operationId: 'revokeInvitation',
        params: InvitationParams,
        response: { 204: Type.Null({ description: 'The invitation is void.' }) },
      },
    },
    async (request, reply) => {
      await invitations.revoke(sessionOf(request), request.params.invitationId.toLowerCase())
      return reply.code(204).send(null)
    },
  )
}

/** Both who gives an account away and who takes it prove that they are there. */
export function ownershipRoutes(server: Server, ownership: Ownership): void {
  const proven = { credential: 'session', rate: 'sign-in', bodyOptional: true } as const
  const ofMember = '/api/v1/members/:memberId/transfer'
  const ofAccount = '/api/v1/auth/act/:accountId/transfer'

  server.post(
    ofMember,
    {
      // Each sends mail.
      config: { ...proven, role: 'owner', rate: 'reset', problems: ['not_found', 'invalid_credentials', 'busy'] },
      schema: {
        operationId: 'offerOwnership',
        params: MemberParams,
        body: OfferOwnershipRequest,
        response: { 202: OwnershipOffer },
      },
    },
    async (request, reply) => {
      const proof = { password: request.body.password, signal: whileConnected(reply) }
      const expiresAt = await ownership.offer(sessionOf(request), request.params.memberId.toLowerCase(), proof)
      reply.code(202)
      return { offerExpiresAt: iso(expiresAt) }
    },
  )

  server.delete(
    ofMember,
    {
      config: { credential: 'session', role: 'owner', problems: ['not_found'] },
      schema: {
        operationId: 'withdrawOwnership',
        params: MemberParams,
        response: { 204: Type.Null({ description: 'The member can no longer accept.' }) },
      },
    },
    async (request, reply) => {
      await ownership.withdraw(sessionOf(request), request.params.memberId.toLowerCase())
      return reply.code(204).send(null)
    },
  )

  server.post(
    ofAccount,
    {
      config: {
        ...{ ...proven, role: 'person' },
        problems: ['not_found', 'invalid_credentials', 'account_in_use', 'busy'],
      },
      schema: {
        operationId: 'acceptOwnership',
        params: AccountParams,
        body: AcceptOwnershipRequest,
        response: { 204: Type.Null({ description: 'The person is the owner, and the former owner an admin.' }) },
      },
    },
    async (request, reply) => {
      const proof = { password: request.body.password, signal: whileConnected(reply) }
      await ownership.accept(sessionOf(request), request.params.accountId.toLowerCase(), proof)
      return reply.code(204).send(null)
    },
  )

  server.delete(
    ofAccount,
    {
      config: { credential: 'session', role: 'person', problems: ['not_found'] },
      schema: {
        operationId: 'declineOwnership',
        params: AccountParams,
        response: { 204: Type.Null({ description: 'The person can no longer accept.' }) },
      },
    },
    async (request, reply) => {
      await ownership.decline(sessionOf(request), request.params.accountId.toLowerCase())
      return reply.code(204).send(null)
    },
  )
}

/** The accounts that a person can work in. */
export function actingRoutes(server: Server, members: Members, invitations: Invitations): void {
  const config = { credential: 'session', role: 'person' } as const

  server.post(
    '/api/v1/auth/accept-invitation',
    {
      config: {
        ...{ ...config, rate: 'sign-in', variables: { token: '$INVITATION_TOKEN' } },
        problems: ['invalid_invitation', 'invitation_mismatch', 'email_unverified', 'member_limit_reached'],
      },
      schema: { operationId: 'acceptInvitation', body: AcceptRequest, response: { 200: JoinedAccount } },
    },
    (request) => invitations.accept(sessionOf(request), request.body.token),
  )

  server.get(
    '/api/v1/auth/act',
    { config, schema: { operationId: 'listAccounts', response: { 200: AccountChoices } } },
    async (request) => ({
      items: (await members.accountsOf(sessionOf(request))).map(({ offerExpiresAt, ...each }) => ({
        ...{ ...each, role: roleOf(each.role) },
        ...shownOffer(offerExpiresAt),
      })),
    }),
  )

  server.post(
    '/api/v1/auth/act',
    {
      config: { ...config, problems: ['not_found'], variables: { accountId: '$ACCOUNT_ID' } },
      schema: {
        operationId: 'enterAccount',
        body: EnterRequest,
        response: { 204: Type.Null({ description: 'The session works in this account from now on.' }) },
      },
    },
    async (request, reply) => {
      await members.enter(sessionOf(request), request.body.accountId.toLowerCase())
      return reply.code(204).send(null)
    },
  )

  server.delete(
    '/api/v1/auth/act/:accountId',
    {
      config: { ...config, problems: ['not_found'] },
      schema: {
        operationId: 'leaveAccount',
        params: AccountParams,
        response: { 204: Type.Null({ description: 'The person is not a member any more.' }) },
      },
    },
    async (request, reply) => {
      await members.leave(sessionOf(request), request.params.accountId.toLowerCase())
      return reply.code(204).send(null)
    },
  )
}
