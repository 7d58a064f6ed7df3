/** Microsoft's marketplace: SaaS Fulfillment API v2. */
import { randomUUID } from 'node:crypto'
import type { Log } from '#base/log.ts'
import type { MicrosoftOptions } from '#marketplace/choice.ts'
import type { Acknowledgement, Confirmation, Marketplace, Operation, Provider } from '#marketplace/ports.ts'
import { invalidResponse } from '#marketplace/refusals.ts'
import { type Call, createSend, type HttpResponse, type Send, TIMING } from './http.ts'
import { readOperation, readOperations, readResolved, readSubscription } from './parse.ts'
import { createTokenSource, MARKETPLACE_APP_ID, type TokenSource } from './token.ts'
import { createWebhook, microsoftKeys } from './webhook.ts'

const API_VERSION = 'api-version=2018-08-31'

interface Step extends Pick<Call, 'name' | 'deadline'> {
  method?: Call['method']
  /** Below `/saas/subscriptions`. */
  path: readonly string[]
  headers?: Record<string, string>
  body?: object
}

interface Connection {
  apiUrl: string
  tokens: TokenSource
  send: Send
  log: Log
}

const isOk = ({ status }: HttpResponse): boolean => status >= 200 && status < 300
const isRefused = ({ status }: HttpResponse): boolean => status === 401 || status === 403
/** Microsoft documents 404 for unknown ids, but responds 400. */
const isUnknown = ({ status }: HttpResponse): boolean => status === 404 || status === 400

const unexpected = ({ name }: Step, { status }: HttpResponse) =>
  invalidResponse(new Error(`${name}: unexpected response ${status}`))

/** Sends the step, with a new token if the first one is refused. */
async function call({ apiUrl, tokens, send, log }: Connection, step: Step): Promise<HttpResponse> {
  const { method = 'GET', name, path, headers, body, deadline } = step
  const correlationId = randomUUID()

  const sendWith = (token: string) =>
    send({
      method,
      url: `${apiUrl}/saas/subscriptions/${path.map(encodeURIComponent).join('/')}?${API_VERSION}`,
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
    })

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

function createProvider(connection: Connection): Provider {
  /** Null if the marketplace does not know what was asked for. */
  async function read<T>(
    step: Step,
    parse: (text: string) => T | null,
    isAskedFor: (found: T) => boolean = () => true,
  ): Promise<T | null> {
    const response = await call(connection, step)
    if (isUnknown(response)) return null
    const found = response.status === 200 ? parse(response.body) : null
    if (found === null) throw unexpected(step, response)
    if (isAskedFor(found)) return found
    throw invalidResponse(new Error(`${step.name}: the response is about another subscription or operation`))
  }

  async function write<T>(step: Step, ok: T, others: Readonly<Record<number, T>>): Promise<T> {
    const response = await call(connection, step)
    const answer = isOk(response) ? ok : others[response.status]
    if (answer === undefined) throw unexpected(step, response)
    return answer
  }

  return {
    resolve(token, deadline) {
      const headers = { 'x-ms-marketplace-token': token }
      return read({ name: 'resolve', method: 'POST', path: ['resolve'], headers, deadline }, readResolved)
    },

    confirm({ externalId, planId, quantity }, deadline) {
      // Microsoft's documentation shows the quantity as text.
      const body = { planId, ...(quantity !== null && { quantity: String(quantity) }) }
      const step = { name: 'activate', method: 'POST', path: [externalId, 'activate'], body, deadline } as const
      return write<Confirmation>(step, 'confirmed', { 400: 'refused', 404: 'gone' })
    },

    fetch: (externalId, deadline) =>
      read(
        { name: 'fetch', path: [externalId], deadline },
        readSubscription,
        (found) => found.externalId === externalId,
      ),

    operation: (externalId, operationId, deadline) =>
      read(
        { name: 'operation', path: [externalId, 'operations', operationId], deadline },
        readOperation,
        (found) => found.externalId === externalId && found.operationId === operationId,
      ),

    async operations(externalId, deadline) {
      const step = { name: 'operations', path: [externalId, 'operations'], deadline }
      const areAskedFor = (found: Operation[]) => found.every((each) => each.externalId === externalId)
      return (await read(step, readOperations, areAskedFor)) ?? []
    },

    acknowledge({ externalId, operationId }, accept, deadline) {
      const body = { status: accept ? 'Success' : 'Failure' }
      const path = [externalId, 'operations', operationId]
      const step = { name: 'acknowledge', method: 'PATCH', path, body, deadline } as const
      return write<Acknowledgement>(step, 'done', { 409: 'conflict' })
    },
  }
}

export function createMicrosoftMarketplace(options: MicrosoftOptions, log: Log, timing = TIMING): Marketplace {
  const { tenantId, clientId, apiUrl, authorityUrl, keysUrl, issuers } = options
  const authority = `${authorityUrl}/${tenantId}`
  return {
    provider: createProvider({
      apiUrl,
      tokens: createTokenSource(options, log, timing),
      send: createSend(apiUrl, log, timing),
      log,
    }),
    verifyAndParse: createWebhook({
      keys: microsoftKeys(keysUrl ?? `${authority}/discovery/v2.0/keys`, timing.keysMs),
      // v2 and v1 tokens name different issuers.
      issuers: issuers ?? [`${authority}/v2.0`, `https://sts.windows.net/${tenantId}/`],
      audience: clientId,
      tenantId,
      callerId: MARKETPLACE_APP_ID,
      log,
    }),
  }
}
