/** Microsoft's marketplace (SaaS Fulfillment API v2) behind the two ports. */
import { randomUUID } from 'node:crypto'
import type { Log } from '#base/log.ts'
import type { Marketplace, Operation, Provider } from '#marketplace/ports.ts'
import { invalidResponse } from '#marketplace/refusals.ts'
import { type Call, createSend, type HttpResponse, type Send } from './http.ts'
import { readOperation, readOperations, readResolved, readSubscription } from './parse.ts'
import { createTokenSource, MARKETPLACE_APP_ID, type TokenSource } from './token.ts'
import { createWebhook, keysUrlOf, microsoftIssuers, microsoftKeys } from './webhook.ts'

const API_VERSION = 'api-version=2018-08-31'

export interface MicrosoftOptions {
  tenantId: string
  clientId: string
  clientSecret: string
  apiUrl: string
  authorityUrl: string
  /** Null: derived from authority and tenant. */
  keysUrl: string | null
  issuers: readonly string[] | null
}

interface Step extends Pick<Call, 'method' | 'name'> {
  path: string
  headers?: Record<string, string>
  body?: object
}

interface Connection {
  apiUrl: string
  tokens: TokenSource
  send: Send
  log: Log
}

type Ids = Pick<Operation, 'externalId'> & Partial<Pick<Operation, 'operationId'>>

const isOk = ({ status }: HttpResponse): boolean => status >= 200 && status < 300
const isRefused = ({ status }: HttpResponse): boolean => status === 401 || status === 403
/** Microsoft documents 404 for unknown ids, but responds 400. */
const isUnknown = ({ status }: HttpResponse): boolean => status === 404 || status === 400

const unexpected = ({ name }: Step, { status }: HttpResponse) =>
  invalidResponse(new Error(`${name}: unexpected response ${status}`))

/** Sends the step, with a new token if the first one is refused. */
async function call({ apiUrl, tokens, send, log }: Connection, step: Step, deadline: AbortSignal) {
  const { method, name, path, headers, body } = step
  const correlationId = randomUUID()

  const sendWith = (token: string) =>
    send(
      {
        method,
        url: `${apiUrl}/saas/subscriptions${path}?${API_VERSION}`,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'x-ms-correlationid': correlationId,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        deadline,
        name,
      },
      () => ({ 'x-ms-requestid': randomUUID() }),
    )

  const token = await tokens.get(deadline)
  let response = await sendWith(token)
  if (isRefused(response)) {
    tokens.drop(token)
    response = await sendWith(await tokens.get(deadline))
  }
  if (!isRefused(response)) return response
  const { status } = response
  log.error(
    { call: name, status, correlationId },
    'Application refused by the marketplace: check tenant id, client id and the technical configuration of the offer',
  )
  throw invalidResponse(new Error(`${name}: the marketplace refuses our application (${status})`))
}

/** Null if the marketplace does not know what was asked for. */
async function read<T>(
  connection: Connection,
  step: Step,
  parse: (text: string) => T | null,
  deadline: AbortSignal,
): Promise<T | null> {
  const response = await call(connection, step, deadline)
  if (isUnknown(response)) return null
  const found = response.status === 200 ? parse(response.body) : null
  if (found === null) throw unexpected(step, response)
  return found
}

/** Throws if the response is about another subscription or operation. */
function assertAbout<T extends Ids | null>(asked: Ids, found: T, { name }: Step): T {
  const { externalId, operationId = found?.operationId } = asked
  if (found === null || (found.externalId === externalId && found.operationId === operationId)) return found
  throw invalidResponse(new Error(`${name}: the response is about another subscription or operation`))
}

const pathOf = (externalId: string, rest = ''): string => `/${encodeURIComponent(externalId)}${rest}`
const operationPath = (externalId: string, operationId: string): string =>
  pathOf(externalId, `/operations/${encodeURIComponent(operationId)}`)

function createProvider(connection: Connection): Provider {
  return {
    resolve(token, deadline) {
      const headers = { 'x-ms-marketplace-token': token }
      return read(connection, { method: 'POST', path: '/resolve', headers, name: 'resolve' }, readResolved, deadline)
    },

    async confirm({ externalId, planId, quantity }, deadline) {
      // Microsoft's documentation shows the quantity as text.
      const body = { planId, ...(quantity !== null && { quantity: String(quantity) }) }
      const step: Step = { method: 'POST', path: pathOf(externalId, '/activate'), body, name: 'activate' }
      const response = await call(connection, step, deadline)
      if (isOk(response)) return 'confirmed'
      if (response.status === 400) return 'refused'
      if (response.status === 404) return 'gone'
      throw unexpected(step, response)
    },

    async fetch(externalId, deadline) {
      const step: Step = { method: 'GET', path: pathOf(externalId), name: 'fetch' }
      return assertAbout({ externalId }, await read(connection, step, readSubscription, deadline), step)
    },

    async operation(externalId, operationId, deadline) {
      const step: Step = { method: 'GET', path: operationPath(externalId, operationId), name: 'operation' }
      return assertAbout({ externalId, operationId }, await read(connection, step, readOperation, deadline), step)
    },

    async operations(externalId, deadline) {
      const step: Step = { method: 'GET', path: pathOf(externalId, '/operations'), name: 'operations' }
      const found = (await read(connection, step, readOperations, deadline)) ?? []
      return found.map((each) => assertAbout({ externalId }, each, step))
    },

    async acknowledge({ externalId, operationId }, accept, deadline) {
      const body = { status: accept ? 'Success' : 'Failure' }
      const step: Step = { method: 'PATCH', path: operationPath(externalId, operationId), body, name: 'acknowledge' }
      const response = await call(connection, step, deadline)
      if (isOk(response)) return 'done'
      if (response.status === 409) return 'conflict'
      throw unexpected(step, response)
    },
  }
}

export function createMicrosoftMarketplace(options: MicrosoftOptions, log: Log): Marketplace {
  const { tenantId, clientId, apiUrl, authorityUrl, keysUrl, issuers } = options
  // Two circuit breakers: a cached token is usable while the authority is down.
  const tokens = createTokenSource({ ...options, send: createSend(log), log })
  return {
    provider: createProvider({ apiUrl, tokens, send: createSend(log), log }),
    inbound: createWebhook({
      keys: microsoftKeys(keysUrl ?? keysUrlOf(authorityUrl, tenantId)),
      issuers: issuers ?? microsoftIssuers(authorityUrl, tenantId),
      audience: clientId,
      tenantId,
      callerId: MARKETPLACE_APP_ID,
      log,
    }),
  }
}
