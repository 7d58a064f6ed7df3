/** Microsoft's SaaS Fulfillment API, version 2, as the provider that we call. */
import { randomUUID } from 'node:crypto'
import type { Log } from '#base/log.ts'
import type { Operation, Provider } from '#marketplace/ports.ts'
import { marketplaceNonsense } from '#marketplace/refusals.ts'
import { readOperation, readOperations, readResolved, readSubscription } from './parse.ts'
import type { TokenSource } from './token.ts'
import type { Wire, WireAnswer } from './wire.ts'

const API_VERSION = 'api-version=2018-08-31'

export interface MicrosoftClientOptions {
  apiUrl: string
  tokens: TokenSource
  wire: Wire
  log: Log
}

interface Step {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: object
  name: string
}

type Ids = Pick<Operation, 'externalId' | 'operationId'>

const isSameOperation = (asked: Partial<Ids>, found: Partial<Ids>): boolean =>
  asked.operationId === undefined || asked.operationId === found.operationId

export function createMicrosoftClient({ apiUrl, tokens, wire, log }: MicrosoftClientOptions): Provider {
  async function send(step: Step, token: string, correlationId: string, deadline: AbortSignal): Promise<WireAnswer> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'x-ms-correlationid': correlationId,
      ...step.headers,
    }
    const url = `${apiUrl}/saas/subscriptions${step.path}?${API_VERSION}`
    const body = step.body && JSON.stringify(step.body)
    const call = { method: step.method, url, headers, deadline, name: step.name, ...(body !== undefined && { body }) }
    return await wire(call, () => ({ 'x-ms-requestid': randomUUID() }))
  }

  const isRefused = ({ status }: WireAnswer): boolean => status === 401 || status === 403

  async function call(step: Step, deadline: AbortSignal): Promise<WireAnswer> {
    const correlationId = randomUUID()
    const token = await tokens.get(deadline)
    let answer = await send(step, token, correlationId, deadline)
    if (isRefused(answer)) {
      tokens.drop(token)
      answer = await send(step, await tokens.get(deadline), correlationId, deadline)
    }
    if (!isRefused(answer)) return answer
    log.error(
      { call: step.name, status: answer.status, correlationId },
      'The marketplace refuses our application: check tenant, client id and the technical configuration of the offer',
    )
    throw marketplaceNonsense(new Error(`${step.name}: the marketplace refuses our application (${answer.status})`))
  }

  const unexpected = (name: string, { status }: WireAnswer) =>
    marketplaceNonsense(new Error(`${name}: the marketplace answered ${status}, which we cannot use`))

  /** Ids that are not known give 404 by the documents, and 400 in fact. */
  const isUnknown = ({ status }: WireAnswer): boolean => status === 404 || status === 400

  /** A good answer that can be read; null when the thing is not known. */
  async function read<T>(step: Step, parse: (text: string) => T | null, deadline: AbortSignal): Promise<T | null> {
    const answer = await call(step, deadline)
    if (isUnknown(answer)) return null
    const found = answer.status === 200 ? parse(answer.body) : null
    if (found === null) throw unexpected(step.name, answer)
    return found
  }

  /** What was found, if it is what was asked for. */
  function about<T extends Partial<Ids>>(asked: Partial<Ids>, found: T | null, { name }: Step): T | null {
    if (found === null || (found.externalId === asked.externalId && isSameOperation(asked, found))) return found
    throw marketplaceNonsense(new Error(`${name}: the marketplace answered about something else than we asked for`))
  }

  const at = (externalId: string, rest = ''): string => `/${encodeURIComponent(externalId)}${rest}`
  const operationAt = (externalId: string, operationId: string): string =>
    at(externalId, `/operations/${encodeURIComponent(operationId)}`)

  return {
    resolve(token, deadline) {
      const headers = { 'x-ms-marketplace-token': token }
      return read({ method: 'POST', path: '/resolve', headers, name: 'resolve' }, readResolved, deadline)
    },

    async confirm({ externalId, planId, quantity }, deadline) {
      // As text, which is what the documents show.
      const body = { planId, ...(quantity !== null && { quantity: String(quantity) }) }
      const step: Step = { method: 'POST', path: at(externalId, '/activate'), body, name: 'activate' }
      const answer = await call(step, deadline)
      if (answer.status >= 200 && answer.status < 300) return 'confirmed'
      if (answer.status === 400) return 'refused'
      if (answer.status === 404) return 'gone'
      throw unexpected(step.name, answer)
    },

    async fetch(externalId, deadline) {
      const step: Step = { method: 'GET', path: at(externalId), name: 'fetch' }
      return about({ externalId }, await read(step, readSubscription, deadline), step)
    },

    async operation(externalId, operationId, deadline) {
      const step: Step = { method: 'GET', path: operationAt(externalId, operationId), name: 'operation' }
      return about({ externalId, operationId }, await read(step, readOperation, deadline), step)
    },

    async operations(externalId, deadline) {
      const step: Step = { method: 'GET', path: at(externalId, '/operations'), name: 'operations' }
      const found = (await read(step, readOperations, deadline)) ?? []
      for (const each of found) about({ externalId }, each, step)
      return found
    },

    async acknowledge({ externalId, operationId }, accept, deadline) {
      const body = { status: accept ? 'Success' : 'Failure' }
      const step: Step = { method: 'PATCH', path: operationAt(externalId, operationId), body, name: 'acknowledge' }
      const answer = await call(step, deadline)
      if (answer.status >= 200 && answer.status < 300) return 'done'
      if (answer.status === 409) return 'conflict'
      throw unexpected(step.name, answer)
    },
  }
}
