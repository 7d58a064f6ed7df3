/** Microsoft's responses in all variants documented or seen in use. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  kindOf,
  quantityOf,
  readNotice,
  readOperation,
  readOperations,
  readResolved,
  readSubscription,
  readToken,
  statusOf,
  timeOf,
} from './parse.ts'

const ID = '5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11'
const OP = '74dfb4db-c193-4891-827d-eb05fbdc64b0'
const text = JSON.stringify

describe('words and numbers', () => {
  test('quantities', () => {
    for (const [given, expected] of [
      [20, 20],
      ['20', 20],
      [' 5 ', 5],
      [0, 0],
      [1e9, 1e9],
      ['', null],
      [' ', null],
      [null, null],
      [undefined, null],
      [-1, null],
      [1.5, null],
      [1e9 + 1, null],
      ['many', null],
      [[], null],
      [true, null],
    ] as const) {
      assert.equal(quantityOf(given), expected, String(given))
    }
  })
  test('times', () => {
    assert.equal(timeOf('2022-03-04T00:00:00Z'), Date.UTC(2022, 2, 4))
    assert.equal(timeOf('2019-05-31'), Date.UTC(2019, 4, 31))
    assert.equal(timeOf('2023-02-10T18:48:58.4449937Z'), Date.UTC(2023, 1, 10, 18, 48, 58, 444))
    assert.equal(timeOf('2022-03-04T01:00:00'), Date.UTC(2022, 2, 4, 1), 'without a zone it is UTC')
    assert.equal(timeOf('2022-03-04T01:00:00+01:00'), Date.UTC(2022, 2, 4))
    for (const never of ['0001-01-01T00:00:00', '', 'soon', null, 5]) assert.equal(timeOf(never), null)
  })
  test('states and actions are padded and in any case; unknown ones are not guessed', () => {
    assert.equal(statusOf(' PendingFulfillmentStart '), 'PendingFulfillmentStart')
    assert.equal(statusOf('SUBSCRIBED'), 'Subscribed')
    assert.equal(statusOf('NotStarted'), 'PendingFulfillmentStart')
    for (const odd of ['Paused', '', null, 1, 'constructor']) assert.equal(statusOf(odd), null)
    assert.equal(kindOf(' changeplan'), 'plan_changed')
    for (const odd of ['Transfer', '', undefined, 'constructor', '__proto__']) assert.equal(kindOf(odd), 'unknown')
  })
})

describe('a purchase', () => {
  const inner = { id: ID, offerId: ' offer1', planId: 'silver ', saasSubscriptionStatus: ' Subscribed', quantity: 5 }
  test('is read from the response to a token, with the outer quantity', () => {
    const found = readResolved(text({ id: ID.toUpperCase(), quantity: '20', subscription: inner }))
    assert.deepEqual(found, {
      externalId: ID,
      offerId: 'offer1',
      planId: 'silver',
      quantity: 20,
      status: 'Subscribed',
      freeTrial: false,
      autoRenew: false,
      termStart: null,
      termEnd: null,
      beneficiaryEmail: null,
    })
  })
  test('is invalid with two different ids', () => {
    assert.equal(readResolved(text({ id: OP, subscription: inner })), null)
    assert.equal(readResolved(text({ subscription: inner }))?.externalId, ID)
    assert.equal(readResolved(text({ id: ID, subscription: { ...inner, id: null } }))?.externalId, ID)
  })
  test('is read from a subscription', () => {
    const term = { startDate: '2022-03-07T00:00:00Z', endDate: '2022-04-06' }
    const found = readSubscription(
      text({ ...inner, term, isFreeTrial: true, autoRenew: true, beneficiary: { emailId: ' a@b.c' } }),
    )
    assert.deepEqual(
      [found?.freeTrial, found?.autoRenew, found?.beneficiaryEmail, found?.termEnd, found?.quantity],
      [true, true, 'a@b.c', Date.UTC(2022, 3, 6), 5],
    )
  })
  test('requires id, offer and plan', () => {
    for (const name of ['id', 'offerId', 'planId']) assert.equal(readSubscription(text({ ...inner, [name]: '' })), null)
    assert.equal(readSubscription(text({ ...inner, id: `${ID}/../x` })), null)
    for (const invalid of ['', 'x', 'null', '[]', '5', '{"subscription":[]}']) assert.equal(readResolved(invalid), null)
  })
  test('accepts names of up to 200 characters', () => {
    assert.equal(readSubscription(text({ ...inner, planId: 'x'.repeat(200) }))?.planId.length, 200)
    assert.equal(readSubscription(text({ ...inner, planId: 'x'.repeat(201) })), null)
  })
})

describe('operations and notices', () => {
  const operation = {
    id: OP,
    subscriptionId: ID,
    action: 'ChangePlan',
    planId: 'gold',
    status: 'InProgress',
    timeStamp: '2023-02-10',
  }
  test('an operation and its stage', () => {
    assert.deepEqual(readOperation(text(operation)), {
      operationId: OP,
      externalId: ID,
      kind: 'plan_changed',
      planId: 'gold',
      quantity: null,
      stage: 'waiting',
      atMs: Date.UTC(2023, 1, 10),
      isByPublisher: false,
    })
    assert.equal(readOperation(text({ ...operation, operationRequestSource: ' Partner' }))?.isByPublisher, true)
    const stage = (status: string) => readOperation(text({ ...operation, status }))?.stage
    assert.deepEqual(['NotStarted', 'Succeeded', 'Failed', 'Conflict'].map(stage), ['waiting', 'done', 'void', 'void'])
    assert.equal(readOperation(text({ ...operation, status: 'Dancing' })), null)
  })
  test('only waiting operations of a list are read', () => {
    const list = [operation, { ...operation, status: 'Succeeded' }, null, 5, {}]
    assert.equal(readOperations(text({ operations: list })).length, 1)
    for (const invalid of ['', '{}', '{"operations":{}}']) assert.deepEqual(readOperations(invalid), [])
  })
  test('a notice ignores the nested subscription', () => {
    const nested = { planId: 'old', saasSubscriptionStatus: 'Unsubscribed' }
    assert.deepEqual(readNotice({ id: OP, subscriptionId: ID, action: 'Suspend', subscription: nested }), {
      operationId: OP,
      externalId: ID,
      kind: 'suspended',
      action: 'Suspend',
      planId: null,
      atMs: null,
      isByPublisher: false,
    })
    assert.equal(readNotice({ operationRequestSource: 'Partner' }).isByPublisher, true)
    assert.equal(readNotice({ id: OP, subscriptionId: ID, timeStamp: '2026-11-15T10:00:00.5' }).atMs, 1794736800500)
    assert.equal(readNotice({ id: OP, subscriptionId: ID, action: 'x'.repeat(100) }).action.length, 60)
    for (const invalid of [null, [], 'x', {}, { id: { $ne: 1 }, subscriptionId: [ID] }]) {
      const { operationId, externalId, kind, action } = readNotice(invalid)
      assert.deepEqual([operationId, externalId, kind, action], ['', '', 'unknown', 'none'])
    }
    const short = readNotice({ subscriptionId: ID, operationType: 'Reinstate' })
    assert.deepEqual([short.operationId, short.externalId, short.action], ['', ID, 'Reinstate'])
  })
})

test('an operation in an unknown state is invalid', () => {
  for (const status of ['constructor', '__proto__', 'toString', '', null]) {
    assert.equal(readOperation(text({ id: OP, subscriptionId: ID, action: 'Suspend', status })), null)
  }
})

test('a token has a lifetime as number or text', () => {
  assert.deepEqual(readToken('{"access_token":"abc","expires_in":"3599"}'), { token: 'abc', expiresInSeconds: 3599 })
  assert.deepEqual(readToken('{"access_token":"abc","expires_in":9999999}'), { token: 'abc', expiresInSeconds: 86_400 })
  for (const bad of [
    '{}',
    '{"access_token":"a b","expires_in":1}',
    '{"access_token":"abc"}',
    '{"access_token":"","expires_in":1}',
    'x',
  ]) {
    assert.equal(readToken(bad), null)
  }
})
