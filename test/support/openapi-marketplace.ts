/** One call per documented response of the marketplace operations, for openapi.test.ts. */

import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { UNKNOWN_ID } from '#test/support/client.ts'
import { activate, live, resolve, viewIn } from '#test/support/marketplace-client.ts'
import { type Answer, request } from '#test/support/raw-http.ts'

type Call = (port: number) => Promise<Answer>

const BASE = '/api/v1/marketplace'
const JSON_TYPE = { 'content-type': 'application/json' }
const TOKEN = { authorization: 'Bearer x.y.z' }

/** A signed-in buyer with a resolved sandbox purchase. */
async function buyer(port: number) {
  const { cookie } = await signUpPerson(port)
  const sold = await request(port, 'POST', '/sandbox/purchases', { body: { planId: 'pro' } })
  const { token, subscriptionId } = sold.json() as { token: string; subscriptionId: string }
  viewIn(await resolve(port, cookie, token))
  const act = (action: string) => request(port, 'POST', `/sandbox/purchases/${subscriptionId}/${action}`)
  return { cookie, token, id: subscriptionId, act }
}

const asBuyer =
  (call: (port: number, who: Awaited<ReturnType<typeof buyer>>) => Promise<Answer>): Call =>
  async (port) =>
    call(port, await buyer(port))

/** Activates again after an action on an active subscription. */
const afterwards = (action: string): Call =>
  asBuyer(async (port, { cookie, id, act }) => {
    viewIn(await activate(port, cookie, id))
    await act(action)
    return activate(port, cookie, id)
  })

const anonymous =
  (method: string, name: string, body?: unknown, headers = {}): Call =>
  (port) =>
    request(port, method, `${BASE}/${name}`, { body, headers })

const LARGE = ' '.repeat(300_000)

/** The failures common to all operations with a body. */
function refusals(id: string, name: string, body: object): [string, number, Call][] {
  const as = (given: unknown, headers = {}) =>
    asBuyer((port, { cookie }) =>
      request(port, 'POST', `${BASE}/${name}`, {
        body: given,
        headers: { cookie, origin: `http://127.0.0.1:${port}`, ...headers },
      }),
    )
  return [
    [id, 400, as({})],
    [id, 401, anonymous('POST', name, body)],
    [id, 403, as(body, { origin: 'https://evil.example' })],
    [id, 413, as(LARGE, JSON_TYPE)],
    [id, 415, as('x', { 'content-type': 'text/plain' })],
  ]
}

export const MARKETPLACE_CALLS: [string, number, Call][] = [
  ['resolvePurchase', 200, asBuyer((port, { cookie, token }) => resolve(port, cookie, token))],
  ['resolvePurchase', 409, asBuyer(async (port, { token }) => resolve(port, (await signUpPerson(port)).cookie, token))],
  ...refusals('resolvePurchase', 'resolve', { token: 'x' }),
  ['activateSubscription', 200, asBuyer((port, { cookie, id }) => activate(port, cookie, id))],
  ['activateSubscription', 403, afterwards('suspend')],
  ['activateSubscription', 404, asBuyer((port, { cookie }) => activate(port, cookie, UNKNOWN_ID))],
  ['activateSubscription', 409, afterwards('cancel')],
  ...refusals('activateSubscription', 'activate', { subscriptionId: UNKNOWN_ID }),
  ['getSubscription', 200, asBuyer((port, { cookie }) => live(port, cookie))],
  ['getSubscription', 400, asBuyer((port, { cookie }) => asPage(port, cookie, 'GET', `${BASE}/subscription?x=1`))],
  ['getSubscription', 401, anonymous('GET', 'subscription')],
  ['getSubscription', 404, async (port) => live(port, (await signUpPerson(port)).cookie)],
  ['listSubscriptions', 200, asBuyer((port, { cookie }) => asPage(port, cookie, 'GET', `${BASE}/subscriptions`))],
  ['listSubscriptions', 400, asBuyer((port, { cookie }) => asPage(port, cookie, 'GET', `${BASE}/subscriptions?x=1`))],
  ['listSubscriptions', 401, anonymous('GET', 'subscriptions')],
  // Its 200 needs a token signed by the marketplace: see marketplace-webhook.test.ts.
  ['receiveMarketplaceEvent', 400, anonymous('POST', 'webhook?x=1', {}, TOKEN)],
  ['receiveMarketplaceEvent', 401, anonymous('POST', 'webhook', {})],
  ['receiveMarketplaceEvent', 413, anonymous('POST', 'webhook', LARGE, { ...TOKEN, ...JSON_TYPE })],
  ['receiveMarketplaceEvent', 415, anonymous('POST', 'webhook', 'x', { ...TOKEN, 'content-type': 'text/plain' })],
]
