/** Calls of the operations about members, one per documented response, for openapi.test.ts. */

import { asPage, postAuth, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, UNKNOWN_ID } from '#test/support/client.ts'
import { type Answer, request } from '#test/support/raw-http.ts'

type Call = (port: number) => Promise<Answer>

const MEMBERS = '/api/v1/members'
const INVITATIONS = '/api/v1/invitations'
const ACCEPT = '/api/v1/auth/accept-invitation'
const ACT = '/api/v1/auth/act'
const ALERTS = '/api/v1/alerts'
const token = 'A'.repeat(43)

const own =
  (method: string, path: string, body?: unknown): Call =>
  async (port) =>
    asPage(port, (await signUpPerson(port)).cookie, method, path, body)
const signedOut =
  (method: string, path: string, body?: unknown): Call =>
  (port) =>
    request(port, method, path, { body })

export const MEMBER_CALLS: [string, number, Call][] = [
  ['getAlerts', 200, own('GET', ALERTS)],
  ['changeAlerts', 200, own('PUT', ALERTS, { mail: false })],
  ['changeAlerts', 403, own('PUT', ALERTS, { mail: true })],
  ['changeAlerts', 400, own('PUT', ALERTS, { mail: 'yes' })],
  ['listMembers', 200, own('GET', MEMBERS)],
  ['listMembers', 401, signedOut('GET', MEMBERS)],
  ['changeMember', 404, own('PATCH', `${MEMBERS}/${UNKNOWN_ID}`, { role: 'viewer' })],
  ['changeMember', 400, own('PATCH', `${MEMBERS}/${UNKNOWN_ID}`, { role: 'owner' })],
  ['removeMember', 404, own('DELETE', `${MEMBERS}/${UNKNOWN_ID}`)],
  ['removeMember', 400, own('DELETE', `${MEMBERS}/x`)],
  ['offerOwnership', 404, own('POST', `${MEMBERS}/${UNKNOWN_ID}/transfer`)],
  ['offerOwnership', 400, own('POST', `${MEMBERS}/x/transfer`)],
  ['withdrawOwnership', 404, own('DELETE', `${MEMBERS}/${UNKNOWN_ID}/transfer`)],
  ['acceptOwnership', 404, own('POST', `${ACT}/${UNKNOWN_ID}/transfer`)],
  ['acceptOwnership', 400, own('POST', `${ACT}/x/transfer`)],
  ['declineOwnership', 404, own('DELETE', `${ACT}/${UNKNOWN_ID}/transfer`)],
  ['listInvitations', 200, own('GET', INVITATIONS)],
  ['inviteMember', 403, own('POST', INVITATIONS, { email: newEmail(), role: 'viewer' })],
  ['inviteMember', 400, own('POST', INVITATIONS, { email: 'x', role: 'viewer' })],
  ['revokeInvitation', 404, own('DELETE', `${INVITATIONS}/${UNKNOWN_ID}`)],
  ['acceptInvitation', 400, own('POST', ACCEPT, { token })],
  ['acceptInvitation', 401, signedOut('POST', ACCEPT, { token })],
  ['listAccounts', 200, own('GET', ACT)],
  ['enterAccount', 404, own('POST', ACT, { accountId: UNKNOWN_ID })],
  [
    'enterAccount',
    204,
    async (port) => {
      const { cookie } = await signUpPerson(port)
      const { items } = (await asPage(port, cookie, 'GET', ACT)).json() as { items: { accountId: string }[] }
      return postAuth(port, 'act', { accountId: items[0]?.accountId }, { cookie, origin: `http://127.0.0.1:${port}` })
    },
  ],
  ['leaveAccount', 404, own('DELETE', `${ACT}/${UNKNOWN_ID}`)],
]
