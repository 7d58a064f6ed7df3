/** Many at once: a purchase belongs to one account, and billing is confirmed once, also on several replicas. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '#test/support/problem.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { cookieOf, type Person, signIn, signUpPerson } from './auth-client.ts'
import { activate, enter, planOf, resolve, type Stage, viewIn } from './marketplace-client.ts'

forEachDatabase('a race', (openUrl) => {
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
    for (let round = 0; round < 5; round++) {
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

  test('the same event on two replicas at once has one effect', async () => {
    const { peer } = stage
    const person = await signUpPerson(ports[0]!)
    const { id, token } = await peer.sell()
    viewIn(await resolve(ports[0]!, person.cookie, token))
    viewIn(await activate(ports[0]!, person.cookie, id))
    const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    const told = await Promise.all([0, 1, 0, 1, 0, 1].map((which) => peer.notify(ports[which]!, operation)))
    for (const { status, body } of told) assert.equal(status, 200, body)
    assert.equal(await planOf(ports[1]!, person.cookie), 'pro')
    assert.equal((await peer.operation(operation.id)).status, 'Succeeded')
  })
})
