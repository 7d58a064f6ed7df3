/** The webhook under attack: only the marketplace is accepted, and each operation is applied once. */

import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { UNKNOWN_ID } from '#test/support/client.ts'
import { answered, enter, live, planOf, type Stage, subscribe, viewIn } from '#test/support/marketplace-client.ts'
import type { PeerOperation, PeerSignature } from '#test/support/microsoft-marketplace.ts'
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { startService } from '#test/support/service.ts'
import { forEachDatabase } from '#test/support/suite.ts'

const PATH = '/api/v1/marketplace/webhook'
const BYTES_MAX = 262_144

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

let stage: Stage
let port: number
let buyer: { cookie: string; id: string }

const call = (token: string | null, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  request(port, 'POST', PATH, {
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    body,
  })

/** A genuine cancellation not yet notified: the worst effect that a forged call could have. */
const cancellation = (): Promise<PeerOperation> =>
  stage.peer.operate({ subscriptionId: buyer.id, action: 'Unsubscribe', status: 'Succeeded' })

async function assertUntouched(): Promise<void> {
  assert.equal(viewIn(await live(port, buyer.cookie)).status, 'Subscribed')
  assert.equal(await planOf(port, buyer.cookie), 'starter')
}

describe('an invalid token', () => {
  before(async () => {
    stage = await enter(null)
    port = stage.service.port
    buyer = await subscribe(port, stage.peer)
  })
  after(() => stage.leave())

  const now = () => Math.floor(Date.now() / 1000)
  const other = randomUUID()
  const SIGNED: Record<string, () => PeerSignature> = {
    'of another audience': () => ({ claims: { aud: other } }),
    'of several audiences without ours': () => ({ claims: { aud: [other, 'api://docvet'] } }),
    'of another tenant': () => ({ claims: { tid: other } }),
    'without a tenant': () => ({ claims: { tid: null } }),
    'of another caller': () => ({ claims: { azp: other } }),
    'of another caller, in the old claim': () => ({ claims: { azp: null, appid: other } }),
    'of two callers that disagree': () => ({ claims: { appid: other } }),
    'without a caller': () => ({ claims: { azp: null } }),
    'of another issuer': () => ({ claims: { iss: `https://sts.windows.net/${other}/` } }),
    'of an issuer that looks like ours': () => ({
      claims: { iss: `https://sts.windows.net/${stage.peer.tenantId}/x` },
    }),
    'without an issuer': () => ({ claims: { iss: null } }),
    'that has expired': () => ({ claims: { exp: now() - 65 } }),
    'that never expires': () => ({ claims: { exp: null } }),
    'that is not valid yet': () => ({ claims: { nbf: now() + 65 } }),
    'signed with RS512': () => ({ header: { alg: 'RS512' } }),
    'signed with PS256': () => ({ header: { alg: 'PS256' } }),
    'of an unpublished key': () => ({ header: { kid: 'second' } }),
  }
  for (const [what, signature] of Object.entries(SIGNED)) {
    test(`401 for a token ${what}`, async () => {
      const operation = await cancellation()
      assertProblem(await call(await stage.peer.sign(signature()), operation), 401, 'unauthenticated')
      await assertUntouched()
    })
  }

  const FORGED: Record<string, (good: string) => Promise<string | null> | string | null> = {
    'no token': () => null,
    'an empty token': () => '',
    garbage: () => 'x.y.z',
    'an API key': () => 'dv_live_0000000000000000000000000000000003jwYK',
    'a token without its signature': (good) => `${good.split('.').slice(0, 2).join('.')}.`,
    'a token with the algorithm "none"': (good) => `${base64({ alg: 'none', typ: 'JWT' })}.${good.split('.')[1]}.`,
    'a token with changed claims': (good) => {
      const [header, , signature] = good.split('.')
      return [header, base64({ aud: stage.peer.clientId, tid: stage.peer.tenantId }), signature].join('.')
    },
    'a token that uses the public key as a shared secret': async (good) => {
      const answer = await request(stage.peer.port, 'GET', `/authority/${stage.peer.tenantId}/discovery/v2.0/keys`)
      const [jwk] = (answer.json() as { keys: object[] }).keys
      const pem = createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      const signed = `${base64({ alg: 'HS256', kid: 'first' })}.${good.split('.')[1]}`
      return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
    },
    'a token that carries its own key': (good) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const jwk = publicKey.export({ format: 'jwk' })
      const jku = `http://127.0.0.1:${port}/keys`
      const signed = `${base64({ alg: 'RS256', kid: 'first', jwk, jku })}.${good.split('.')[1]}`
      return `${signed}.${signBytes('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
  for (const [what, forge] of Object.entries(FORGED)) {
    test(`401 for ${what}`, async () => {
      const operation = await cancellation()
      assertProblem(await call(await forge(await stage.peer.sign()), operation), 401, 'unauthenticated')
      await assertUntouched()
    })
  }

  test('401 for a call without a token before its body is read', async () => {
    const type = { 'content-type': 'application/json' }
    for (const body of ['{', '[]', 'x'.repeat(BYTES_MAX + 1)]) {
      assertProblem(await call(null, body, type), 401, 'unauthenticated')
    }
  })

  test('401 for a valid token outside the bearer header', async () => {
    const operation = await cancellation()
    const good = await stage.peer.sign()
    const ways: Record<string, string>[] = [
      { 'x-api-key': good },
      { cookie: `docvet_session=${good}` },
      { authorization: good },
      { authorization: `Basic ${good}` },
    ]
    for (const headers of ways) assertProblem(await call(null, operation, headers), 401, 'unauthenticated')
    assertProblem(await request(port, 'POST', `${PATH}?token=${good}`, { body: operation }), 401, 'unauthenticated')
    await assertUntouched()
  })

  test('a clock difference of one minute is tolerated', async () => {
    for (const claims of [
      { exp: now() - 50 },
      { nbf: now() + 50 },
      { iss: `${stage.peer.env.DOCVET_MICROSOFT_AUTHORITY_URL}/${stage.peer.tenantId}/v2.0` },
      { azp: null, appid: '20e940b3-4c77-4b0b-9a53-9e16a1b010a7' },
    ]) {
      const operation = await stage.peer.operate({ subscriptionId: buyer.id, action: 'Renew', status: 'Succeeded' })
      assert.deepEqual((await call(await stage.peer.sign({ claims }), operation)).json(), { outcome: 'applied' })
    }
  })
})

test('one IP address may call the webhook at ten times the usual rate', async () => {
  await using limited = await startService({ DOCVET_ADDRESS_RATE_PER_MINUTE: '1' })
  for (let i = 0; i < 10; i++) assertProblem(await request(limited.port, 'POST', PATH), 401, 'unauthenticated')
  assertProblem(await request(limited.port, 'POST', PATH), 429, 'rate_limited')
})

forEachDatabase('a genuine webhook call', (openUrl) => {
  before(async () => {
    stage = await enter(await openUrl())
    port = stage.service.port
    buyer = await subscribe(port, stage.peer)
  })
  after(() => stage.leave())

  const notify = async (body: object): Promise<Answer> => call(await stage.peer.sign(), body)

  test('400 for an operation that is unknown, of another subscription, or different from the call', async () => {
    const stranger = await subscribe(port, stage.peer)
    const operation = await cancellation()
    const theirs = await stage.peer.operate({ subscriptionId: stranger.id, action: 'Unsubscribe', status: 'Succeeded' })
    const change = await stage.peer.operate({ subscriptionId: buyer.id, action: 'ChangePlan', planId: 'gold' })
    const bodies = [
      { ...operation, id: randomUUID() },
      { ...theirs, subscriptionId: buyer.id },
      { ...operation, action: 'Suspend' },
      { ...change, planId: 'platinum' },
    ]
    // In parallel, because an unknown operation is rechecked for seconds.
    for (const answer of await Promise.all(bodies.map(notify))) {
      assert.match(assertProblem(answer, 400, 'invalid_request').detail, /does not confirm/)
    }
    await assertUntouched()
    assert.equal(await planOf(port, stranger.cookie), 'starter')
    assert.equal((await stage.peer.operation(change.id)).status, 'InProgress', 'it was not acknowledged')

    // The rejected calls do not block the genuine one.
    assert.deepEqual((await notify(theirs)).json(), { outcome: 'applied' })
    await assertUntouched()
  })

  test('502 for a response about another subscription or operation, and nothing changes', async () => {
    const stranger = await subscribe(port, stage.peer)
    const operation = await cancellation()
    const lies: [string, object][] = [
      ['operation', { ...operation, subscriptionId: stranger.id }],
      ['operation', { ...operation, id: randomUUID() }],
      ['fetch', { ...(await stage.peer.purchase(stranger.id)), saasSubscriptionStatus: 'Unsubscribed' }],
    ]
    for (const [step, lie] of lies) {
      await stage.peer.faults(step, { status: 200, body: JSON.stringify(lie) })
      assertProblem(await notify(operation), 502, 'upstream_error')
    }
    await assertUntouched()
    assert.equal(await planOf(port, stranger.cookie), 'starter')
  })

  test('400 for a call without ids', async () => {
    for (const body of [
      {},
      { id: UNKNOWN_ID },
      { subscriptionId: buyer.id, operationType: 'Reinstate' },
      { id: 'x', subscriptionId: 'y' },
      { id: { $ne: 1 }, subscriptionId: [buyer.id] },
    ]) {
      assertProblem(await notify(body), 400, 'invalid_request')
    }
    await assertUntouched()
  })

  test('200 for an unknown action or subscription, and nothing changes', async () => {
    const unknown = await stage.peer.operate({ subscriptionId: buyer.id, action: 'Transfer', status: 'Succeeded' })
    assert.deepEqual((await notify({ ...unknown, extra: { deep: ['x'] } })).json(), { outcome: 'unknown_action' })
    const { id } = await stage.peer.sell()
    const unlinked = await stage.peer.operate({ subscriptionId: id, action: 'Unsubscribe', status: 'Succeeded' })
    assert.deepEqual((await notify(unlinked)).json(), { outcome: 'unknown_subscription' })
    await assertUntouched()
  })

  test('an abandoned operation changes nothing', async () => {
    for (const status of ['Failed', 'Conflict']) {
      const operation = await stage.peer.operate({
        subscriptionId: buyer.id,
        action: 'ChangePlan',
        planId: 'gold',
        status,
      })
      assert.deepEqual((await notify(operation)).json(), { outcome: 'void' })
    }
    await assertUntouched()
  })

  test('the same operation 100 times at once: one effect, one acknowledgement, 200 for all', async () => {
    const operation = await stage.peer.operate({ subscriptionId: buyer.id, action: 'ChangePlan', planId: 'gold' })
    const token = await stage.peer.sign()
    await stage.peer.forget()
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(token, operation)))
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.body)
      assertApiHeaders(answer)
    }
    assert.equal(await answered(stage.peer, operation.id), 'Succeeded')
    assert.equal((await stage.peer.calls('acknowledge')).length, 1)
    assert.equal(await planOf(port, buyer.cookie), 'pro')

    const back = await stage.peer.operate({ subscriptionId: buyer.id, action: 'ChangePlan', planId: 'silver' })
    assert.deepEqual((await notify(back)).json(), { outcome: 'applied' })
    assert.deepEqual((await notify(operation)).json(), { outcome: 'repeated' }, 'a later repetition')
    await assertUntouched()
  })

  test('accepts a body of up to 262,144 bytes', async () => {
    const operation = await stage.peer.operate({ subscriptionId: buyer.id, action: 'Renew', status: 'Succeeded' })
    const token = await stage.peer.sign()
    const padded = (bytes: number) => {
      const text = JSON.stringify({ ...operation, padding: '' })
      return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`)
    }
    const type = { 'content-type': 'application/json' }
    assert.deepEqual((await call(token, padded(BYTES_MAX), type)).json(), { outcome: 'applied' })
    assertProblem(await call(token, padded(BYTES_MAX + 1), type), 413, 'body_too_large')
  })
})
