/** Sign-ups and keys during a fault run: what was answered with success must exist afterwards, with its mail. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, request } from '#test/support/raw-http.ts'
import type { FaultRig } from './fault-rig.ts'
import type { Dice } from './scan-documents.ts'

/** Of one run: each sends several mails, and the mail server is slow at times. */
const MEMBERS_MAX = 20

interface Member {
  email: string
  accountId: string
  apiKey: string
  /** Keys that were created: their owners are notified by mail. */
  keys: { id: string; apiKey: string; isRevoked: boolean | 'unknown' }[]
}

const withKey = (key: string) => ({ 'x-api-key': key })

/** Null without an answer. */
const send = (port: number, method: string, path: string, options: object): Promise<Answer | null> =>
  request(port, method, path, { timeoutMs: 20_000, ...options }).catch(() => null)

export function createMembers(rig: FaultRig, seed: number) {
  const members: Member[] = []

  async function join(dice: Dice, email: string): Promise<void> {
    const port = () => dice.pick(rig.ports)
    const signedUp = await send(port(), 'POST', '/api/v1/signup', { body: { email } })
    if (signedUp?.status !== 201) return
    const { accountId, apiKey } = signedUp.json() as Member
    const member: Member = { email, accountId, apiKey, keys: [] }
    members.push(member)
    const created = await send(port(), 'POST', '/api/v1/keys', { headers: withKey(apiKey), body: { name: 'Second' } })
    if (created?.status !== 201) return
    const key = { ...(created.json() as { id: string; apiKey: string }), isRevoked: false as boolean | 'unknown' }
    member.keys.push(key)
    if (dice.next() < 0.5) return
    const revoked = await send(port(), 'DELETE', `/api/v1/keys/${key.id}`, { headers: withKey(apiKey) })
    key.isRevoked = revoked?.status === 204 ? true : 'unknown'
  }

  async function isAccepted(apiKey: string): Promise<boolean | null> {
    const answer = await send(rig.ports[0] ?? 0, 'GET', '/api/v1/usage', { headers: withKey(apiKey) })
    if (answer?.status === 200) return true
    return answer?.status === 401 ? false : null
  }

  /** Each key is announced by a mail, which is sent or still waiting for its next attempt. */
  async function hasMail({ email, accountId, keys }: Member): Promise<boolean> {
    const waiting = await rig.query(
      `select j.id from docvet_jobs.job j join api_keys k on k.account_id = $1 and position(k.id in j.data::text) > 0
        where j.state <= 'active'`,
      [accountId],
    )
    return rig.mailTo(email) + waiting.length >= keys.length
  }

  async function keyProblem({ apiKey, isRevoked }: Member['keys'][number]): Promise<string | null> {
    if (isRevoked === 'unknown' || (await isAccepted(apiKey)) === !isRevoked) return null
    return isRevoked ? 'has a revoked key that works' : 'has lost a key'
  }

  async function lossesOf(member: Member): Promise<string[]> {
    const problems = await Promise.all(member.keys.map(keyProblem))
    if ((await isAccepted(member.apiKey)) !== true) problems.push('is lost')
    if (!(await hasMail(member))) problems.push('has lost its mail')
    return problems.filter((problem) => problem !== null).map((problem) => `The account ${member.email} ${problem}.`)
  }

  return {
    count: () => members.length,
    async run(dice: Dice, isOver: () => boolean): Promise<void> {
      for (let i = 0; !isOver() && members.length < MEMBERS_MAX; i++) {
        await join(dice, `member-${seed}-${i}-${Date.now()}@example.com`)
        await sleep(dice.whole(100, 1_500))
      }
    },
    async violations(): Promise<string[]> {
      const found: string[] = []
      for (const member of members) found.push(...(await lossesOf(member)))
      return found
    },
  }
}
