/** Concurrent and reordered requests on several replicas: one account, one confirmation, one effect. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cookieOf, type Person, signIn, signUpPerson } from '#test/support/auth-client.ts'
import {
  activate,
  answered,
  enter,
  live,
  planOf,
  resolve,
  type Stage,
  subscribe,
  viewIn,
} from '#test/support/marketplace-client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

forEachDatabase('concurrent requests', (openUrl) => {
  let place: DatabasePlace
  let stage: Stage
  let second: Service
  let ports: number[]
  before(async () => {
    place = await openUrl()
    stage = await enter(place)
    second = await startService(
      { ...stage.peer.env, DOCVET_DATABASE_URL: place.url ?? undefined },
      { dataDir: place.dataDir },
    )
    ports = [stage.service.port, second.port]
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await stage.leave()
  })

  /** The same person, signed in on each replica. */
  async function everywhere({ email, password }: Person): Promise<string[]> {
    return await Promise.all(ports.map(async (port) => cookieOf(await signIn(port, email, password))))
  }

  test('two accounts for one purchase: one wins, the other gets 409, and billing is confirmed once', async () => {
    const { peer } = stage
    for (let race = 0; race < 5; race++) {
      const people = await Promise.all([signUpPerson(ports[0]!), signUpPerson(ports[0]!)])
      const cookies = await Promise.all(people.map(everywhere))
      const { id, token } = await peer.sell()
      await peer.forget()
      const answers = await Promise.all(
        cookies.flatMap((own, who) =>
          own.flatMap((cookie, where) =>
            [0, 1, 2].map(async () => {
              const port = ports[where]!
              const resolved = await resolve(port, cookie, token)
              return { who, resolved, activated: await activate(port, cookie, id) }
            }),
          ),
        ),
      )
      const winners = new Set(answers.filter(({ resolved }) => resolved.status === 200).map(({ who }) => who))
      assert.equal(winners.size, 1)
      for (const { who, resolved, activated } of answers) {
        if (winners.has(who)) assert.equal(viewIn(activated).status, 'Subscribed')
        else {
          assertProblem(resolved, 409, 'subscription_conflict')
          assertProblem(activated, 404, 'no_live_subscription')
        }
      }
      assert.equal((await peer.calls('activate')).length, 1)
      const plans = await Promise.all(cookies.map((own) => planOf(ports[0]!, own[0]!)))
      assert.deepEqual(plans.toSorted(), ['free', 'starter'])
    }
  })

  /** Performs an action in the marketplace and returns the outcome of its webhook call. */
  async function notify(subscriptionId: string, action: string, fields: object = {}) {
    const operation = await stage.peer.operate({ subscriptionId, action, status: 'Succeeded', ...fields })
    const { body } = await stage.peer.notify(ports[0]!, operation)
    return { id: operation.id, outcome: (JSON.parse(body) as { outcome: string }).outcome }
  }

  const at = (secondsAgo: number) => ({ timeStamp: new Date(Date.now() - secondsAgo * 1000).toISOString() })

  test('the same event on two replicas at once has one effect', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(ports[0]!, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    // Both replicas have checked whether it is new before either finishes.
    await peer.faults('operation', { lateMs: 300 }, { lateMs: 300 })
    const calls = ports.map((port) => Promise.all([1, 2, 3].map(() => peer.notify(port, operation))))
    const answers = await Promise.all(calls)
    for (const { status, body } of answers.flat()) assert.equal(status, 200, body)
    assert.equal(await planOf(ports[1]!, cookie), 'pro')
    assert.equal(await answered(peer, operation.id), 'Succeeded')
    assert.equal((await peer.calls('acknowledge')).length, 1)
    const appliedBy = answers.filter((own) => own.some(({ body }) => body === '{"outcome":"applied"}'))
    assert.equal(appliedBy.length, 1)
  })

  test('an older suspension counts after a newer renewal or quantity change; a future timestamp makes no event late', async () => {
    const { cookie, id } = await subscribe(ports[0]!, stage.peer)
    assert.equal((await notify(id, 'Renew')).outcome, 'applied')
    assert.equal((await notify(id, 'ChangeQuantity', { quantity: 3 })).outcome, 'applied')
    assert.equal((await notify(id, 'Suspend', at(60))).outcome, 'applied')
    assert.equal(await planOf(ports[0]!, cookie), 'free')
    assert.equal((await notify(id, 'Reinstate', at(-86_400))).outcome, 'applied')
    assert.equal(await planOf(ports[0]!, cookie), 'starter')
    assert.equal((await notify(id, 'Suspend')).outcome, 'applied')
    assert.equal(await planOf(ports[0]!, cookie), 'free')
  })

  test('a late change of plan or quantity is refused, unless the marketplace has completed it', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(ports[0]!, peer, { quantity: 1 })
    const open = { status: 'InProgress' }
    for (const [action, fields] of [
      ['ChangePlan', { planId: 'gold' }],
      ['ChangeQuantity', { quantity: 3 }],
    ] as const) {
      const { id: operationId, outcome } = await notify(id, action, { ...fields, ...open })
      assert.deepEqual([outcome, await answered(peer, operationId)], ['applied', 'Succeeded'])
    }
    for (const [action, fields] of [
      ['ChangePlan', { planId: 'platinum' }],
      ['ChangeQuantity', { quantity: 2 }],
    ] as const) {
      const late = await notify(id, action, { ...fields, ...open, ...at(60) })
      assert.deepEqual([late.outcome, await answered(peer, late.id)], ['superseded', 'Failed'])
    }
    const { planId, quantity } = await peer.purchase(id)
    assert.deepEqual([planId, quantity, await planOf(ports[0]!, cookie)], ['gold', 3, 'pro'])
    await peer.change(id, { planId: 'platinum' })
    assert.equal((await notify(id, 'ChangePlan', { planId: 'platinum', ...at(60) })).outcome, 'applied')
    assert.equal(await planOf(ports[0]!, cookie), 'business')
  })

  test('an event during the first resolve of a purchase is not lost', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(ports[0]!)
    const { id, token } = await peer.sell({ saasSubscriptionStatus: 'Subscribed' })
    const before = await peer.purchase(id)
    await peer.faults('resolve', { lateMs: 600 })
    const resolved = resolve(ports[0]!, cookie, token)
    await sleep(200)
    await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
    assert.equal((await notify(id, 'Suspend')).outcome, 'unknown_subscription')
    await peer.faults('fetch', { status: 500 }, { status: 500 }, { status: 500 })
    assertProblem(await resolved, 503, 'marketplace_unavailable')
    assertProblem(await live(ports[0]!, cookie), 404, 'no_live_subscription')
    assert.equal(await planOf(ports[0]!, cookie), 'free')
    await peer.faults('resolve', { status: 200, body: JSON.stringify({ id, subscription: before }) })
    assert.equal(
      viewIn(await resolve(ports[0]!, cookie, token)).status,
      'Suspended',
      'newer than the response to the token',
    )
  })

  test('an activation whose process dies is completed by a retry on another replica', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(ports[0]!)
    const { id, token } = await peer.sell()
    viewIn(await resolve(ports[0]!, cookie, token))
    const dying = await startService(
      { ...peer.env, DOCVET_DATABASE_URL: place.url ?? undefined },
      { dataDir: place.dataDir },
    )
    await peer.forget()
    await peer.faults('activate', { hang: true, afterwards: true })
    const lost = activate(dying.port, cookie, id).catch(() => null)
    while ((await peer.calls('activate')).length === 0) await sleep(20)
    await dying.kill()
    await lost
    assert.equal(viewIn(await activate(ports[0]!, cookie, id)).status, 'Subscribed')
    assert.equal(await planOf(ports[0]!, cookie), 'starter')
    await dying[Symbol.asyncDispose]()
  })

  test('an event during an activation wins', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(ports[0]!)
    const { id, token } = await peer.sell()
    viewIn(await resolve(ports[0]!, cookie, token))
    await peer.faults('activate', { lateMs: 600 })
    const activated = activate(ports[0]!, cookie, id)
    await sleep(200)
    assert.equal((await notify(id, 'Suspend')).outcome, 'applied')
    assertProblem(await activated, 403, 'subscription_suspended')
    assert.equal(await planOf(ports[0]!, cookie), 'free')
  })
})
