/** Plays Microsoft's side of the fulfillment API, and takes commands from the test on a second port. */

import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import type { PeerCall, PeerFault, PeerOrder, PeerSignature } from '#test/support/microsoft-marketplace.ts'

type Fields = Record<string, unknown>

const MARKETPLACE = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7'
const order = JSON.parse(process.argv[2] ?? '') as PeerOrder

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = [{ ...(await exportJWK(publicKey)), kid: 'first', use: 'sig' }]

const purchases = new Map<string, Fields>()
const landingTokens = new Map<string, string>()
const operations = new Map<string, Fields>()
const publisherTokens = new Set<string>()
const faults = new Map<string, PeerFault[]>()
/** How often a subscription is still reported as it was before its activation. */
const lags = new Map<string, number>()
let calls: PeerCall[] = []

interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

interface Notification {
  url: string
  body: unknown
  signature?: PeerSignature
  /** The time after which the marketplace stops waiting. */
  waitMs: number
}

const json = (body: unknown, status = 200): Reply => ({ status, body })
const nothing = (status: number): Reply => ({ status })

function issueToken(body: string): Reply {
  const form = new URLSearchParams(body)
  const isRight =
    form.get('grant_type') === 'client_credentials' &&
    form.get('client_id') === order.clientId &&
    form.get('client_secret') === order.clientSecret &&
    form.get('scope') === `${MARKETPLACE}/.default`
  if (!isRight) return json({ error: 'invalid_client', error_description: 'AADSTS7000215' }, 401)
  const token = randomBytes(40).toString('base64url')
  publisherTokens.add(token)
  return json({ token_type: 'Bearer', expires_in: '3599', ext_expires_in: '0', access_token: token })
}

function resolve(request: IncomingMessage): Reply {
  const id = landingTokens.get(String(request.headers['x-ms-marketplace-token'] ?? ''))
  const subscription = id && purchases.get(id)
  if (!subscription) return json({ error: { code: 'BadArgument', message: 'Failed to decrypt token' } }, 400)
  const { name, offerId, planId, quantity } = subscription
  return json({ id, subscriptionName: name, offerId, planId, quantity, subscription })
}

const statusOf = (subscription: Fields): string => String(subscription.saasSubscriptionStatus).trim()

function activate(id: string, body: string): Reply {
  const subscription = purchases.get(id)
  if (!subscription || statusOf(subscription) === 'Unsubscribed') return nothing(404)
  if (statusOf(subscription) !== 'PendingFulfillmentStart') return json({ code: 'BadArgument' }, 400)
  const { planId, quantity } = JSON.parse(body) as Fields
  const seats = subscription.quantity ?? ''
  if (planId !== String(subscription.planId).trim() || String(quantity ?? '') !== String(seats)) return nothing(400)
  purchases.set(id, {
    ...subscription,
    saasSubscriptionStatus: 'Subscribed',
    term: { termUnit: 'P1M', startDate: '2026-11-15T00:00:00Z', endDate: '2026-12-14' },
  })
  return nothing(200)
}

function read(id: string): Reply {
  const subscription = purchases.get(id)
  if (!subscription) return nothing(404)
  const lag = lags.get(id) ?? 0
  if (lag === 0) return json(subscription)
  lags.set(id, lag - 1)
  return json({ ...subscription, saasSubscriptionStatus: 'PendingFulfillmentStart', term: { termUnit: 'P1M' } })
}

function acknowledge(operation: Fields, body: string): Reply {
  if (operation.status !== 'InProgress') return nothing(409)
  const accepted = (JSON.parse(body) as Fields).status === 'Success'
  operation.status = accepted ? 'Succeeded' : 'Failed'
  const id = String(operation.subscriptionId)
  const subscription = purchases.get(id)
  if (accepted && subscription) {
    const { action, planId, quantity } = operation
    if (action === 'ChangePlan') purchases.set(id, { ...subscription, planId })
    if (action === 'ChangeQuantity') purchases.set(id, { ...subscription, quantity })
    if (action === 'Reinstate') purchases.set(id, { ...subscription, saasSubscriptionStatus: 'Subscribed' })
  }
  return nothing(200)
}

function operationReply(id: string, operationId: string, method: string, body: string): Reply {
  const operation = operations.get(operationId)
  // Microsoft documents 404, but responds 400.
  if (operation?.subscriptionId !== id) return nothing(400)
  return method === 'PATCH' ? acknowledge(operation, body) : json(operation)
}

const listed = (id: string): Reply =>
  json({ operations: [...operations.values()].filter((each) => each.subscriptionId === id) })

/** The step that a request belongs to. */
function stepOf(method: string, path: string): string {
  if (path.endsWith('/oauth2/v2.0/token')) return 'token'
  if (path.endsWith('/keys')) return 'keys'
  if (path.endsWith('/resolve')) return 'resolve'
  if (path.endsWith('/activate')) return 'activate'
  if (path.endsWith('/operations')) return 'operations'
  if (path.includes('/operations/')) return method === 'PATCH' ? 'acknowledge' : 'operation'
  return 'fetch'
}

function serve(step: string, request: IncomingMessage, path: string, body: string): Reply {
  if (step === 'token') return path.includes(order.tenantId) ? issueToken(body) : nothing(404)
  if (step === 'keys') return json({ keys })
  if (!publisherTokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) return nothing(403)
  if (!request.url?.endsWith('?api-version=2018-08-31')) return nothing(400)
  const [id = '', , operationId = ''] = path.split('/saas/subscriptions/')[1]?.split('/') ?? []
  const method = request.method ?? ''
  if (step === 'resolve') return resolve(request)
  if (step === 'activate') return activate(id, body)
  if (step === 'operations') return listed(id)
  return step === 'fetch' ? read(id) : operationReply(id, operationId, method, body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

async function onApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const path = (request.url ?? '').split('?')[0] ?? ''
  const step = stepOf(request.method ?? '', path)
  calls.push({ step, path, headers: request.headers as PeerCall['headers'], body })
  const fault = faults.get(step)?.shift()
  if (!fault) return send(response, serve(step, request, path, body))
  if (fault.lateMs !== undefined) {
    const reply = serve(step, request, path, body)
    await sleep(fault.lateMs)
    return send(response, reply)
  }
  if (fault.afterwards) serve(step, request, path, body)
  if (fault.hang) return
  if (fault.drop) {
    request.socket.destroy()
    return
  }
  send(response, { status: fault.status ?? 500, body: fault.body, ...(fault.headers && { headers: fault.headers }) })
}

function sell(given: Fields): unknown {
  const id = randomUUID()
  // Base64 with all of its characters, like real tokens.
  const token = `+/${randomBytes(174).toString('base64')}==`
  const person = { emailId: ' buyer@contoso.example', objectId: randomUUID(), tenantId: randomUUID(), puid: null }
  purchases.set(id, {
    id,
    publisherId: 'contoso',
    offerId: 'docvet',
    name: 'Contoso Cloud Solution',
    saasSubscriptionStatus: ' PendingFulfillmentStart ',
    beneficiary: person,
    purchaser: person,
    planId: 'silver',
    term: { termUnit: 'P1M' },
    autoRenew: true,
    isTest: false,
    allowedCustomerOperations: ['Delete', 'Update', 'Read'],
    sandboxType: 'None',
    lastModified: '0001-01-01T00:00:00',
    sessionMode: 'None',
    ...given,
  })
  landingTokens.set(token, id)
  return { id, token }
}

function operate(given: Fields): unknown {
  const id = randomUUID()
  const subscription = purchases.get(String(given.subscriptionId)) ?? {}
  const operation = {
    id,
    activityId: id,
    publisherId: 'contoso',
    offerId: subscription.offerId,
    planId: subscription.planId,
    quantity: subscription.quantity,
    timeStamp: new Date().toISOString(),
    status: 'InProgress',
    ...given,
  }
  operations.set(id, operation)
  return operation
}

async function sign({ claims = {}, header = {} }: PeerSignature = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const all: JWTPayload = {
    aud: order.clientId,
    iss: `https://sts.windows.net/${order.tenantId}/`,
    iat: now,
    nbf: now - 5,
    exp: now + 300,
    tid: order.tenantId,
    azp: MARKETPLACE,
    ver: '2.0',
    ...claims,
  }
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as JWTPayload
  return await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(privateKey)
}

async function notify({ url, body, signature, waitMs }: Notification) {
  const headers = { authorization: `Bearer ${await sign(signature)}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(waitMs)
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return { status: response.status, body: await response.text() }
  } catch {
    return { status: 0, body: '' }
  }
}

let api: Server | null = null
async function open(): Promise<void> {
  api = createServer((request, response) => void onApi(request, response))
  await new Promise<void>((done) => api?.listen(order.port, '127.0.0.1', done))
}

async function close(): Promise<void> {
  const closing = api
  if (closing === null) return
  api = null
  await new Promise((done) => {
    closing.close(done)
    closing.closeAllConnections()
  })
}

const COMMANDS: Record<string, (given: Fields) => unknown> = {
  sell,
  operate,
  sign: (given) => sign(given),
  notify: (given) => notify(given as unknown as Notification),
  calls: () => calls,
  forget: () => {
    calls = []
    faults.clear()
  },
  change: ({ id, ...fields }) => purchases.set(String(id), { ...purchases.get(String(id)), ...fields }) && null,
  changeOperation: ({ id, ...fields }) => Object.assign(operations.get(String(id)) ?? {}, fields) && null,
  purchase: ({ id }) => purchases.get(String(id)) ?? null,
  operation: ({ id }) => operations.get(String(id)) ?? null,
  lag: ({ id, reads }) => lags.set(String(id), Number(reads)) && null,
  faults: ({ step, list }) => faults.set(String(step), list as PeerFault[]) && null,
  expireTokens: () => publisherTokens.clear(),
  open,
  close,
}

await open()
const control = createServer(async (request, response) => {
  const command = COMMANDS[(request.url ?? '').slice(1)]
  const result = await command?.(JSON.parse((await bodyOf(request)) || '{}') as Fields)
  send(response, { status: command ? 200 : 404, body: JSON.stringify(result ?? null) })
}).listen(order.controlPort, '127.0.0.1', () => process.send?.('ready'))

process.once('SIGTERM', async () => {
  await close()
  control.close()
  control.closeAllConnections()
  process.disconnect?.()
})
