/** Microsoft's marketplace as a process beside the service: sells, answers, fails on demand, and calls the webhook. */

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { request } from '#test/support/raw-http.ts'
import { atExit, exitOf, freePort } from '#test/support/service.ts'

export interface PeerOrder {
  port: number
  controlPort: number
  tenantId: string
  clientId: string
  clientSecret: string
}

export interface PeerCall {
  step: string
  path: string
  headers: Record<string, string>
  body: string
}

/** What happens to one request of a step instead of its answer. */
export interface PeerFault {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** No answer at all. */
  hang?: boolean
  /** The connection is cut. */
  drop?: boolean
  /** It is done all the same: only the answer is lost. */
  afterwards?: boolean
  /** It is done, and the right answer of that moment comes so much later. */
  lateMs?: number
}

/** Claims and header fields other than those of a good token; null takes a claim out. */
export interface PeerSignature {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

export interface PeerOperation {
  id: string
  subscriptionId: string
  action: string
  status: string
  planId: string
  [field: string]: unknown
}

export interface Told {
  status: number
  body: string
  ms: number
}

export type MarketplacePeer = Awaited<ReturnType<typeof startMarketplacePeer>>

const PROGRAM = path.join(import.meta.dirname, 'processes/microsoft-peer.ts')

export const PLAN_MAP = { 'docvet/silver': 'starter', 'docvet/gold': 'pro', 'docvet/platinum': 'business' }

export async function startMarketplacePeer() {
  const order: PeerOrder = {
    port: await freePort(),
    controlPort: await freePort(),
    tenantId: randomUUID(),
    clientId: randomUUID(),
    clientSecret: `s3cret~${randomUUID()}`,
  }
  const child = fork(PROGRAM, [JSON.stringify(order)])
  const forget = atExit(() => child.kill('SIGKILL'))
  const exited = exitOf(child)
  await Promise.race([once(child, 'message'), exited.then(() => assert.fail('the marketplace peer did not start'))])

  async function tell<T>(command: string, given: object = {}): Promise<T> {
    const body = JSON.stringify(given)
    const answer = await request(order.controlPort, 'POST', `/${command}`, { body })
    assert.equal(answer.status, 200, `${command}: ${answer.status}`)
    return answer.json() as T
  }

  const url = `http://127.0.0.1:${order.port}`
  return {
    ...order,
    /** The settings of a service that sells through it. */
    env: {
      DOCVET_MARKETPLACE: 'microsoft',
      DOCVET_MARKETPLACE_PLANS: JSON.stringify(PLAN_MAP),
      DOCVET_MICROSOFT_TENANT_ID: order.tenantId,
      DOCVET_MICROSOFT_CLIENT_ID: order.clientId,
      DOCVET_MICROSOFT_CLIENT_SECRET: order.clientSecret,
      DOCVET_MICROSOFT_API_URL: `${url}/api`,
      DOCVET_MICROSOFT_AUTHORITY_URL: `${url}/authority`,
    },
    sell: (fields: object = {}) => tell<{ id: string; token: string }>('sell', fields),
    operate: (fields: object) => tell<PeerOperation>('operate', fields),
    sign: (signature: PeerSignature = {}) => tell<string>('sign', signature),
    /** Calls the webhook of the service on this port. */
    notify: (port: number, body: object, signature: PeerSignature = {}) =>
      tell<Told>('notify', { url: `http://127.0.0.1:${port}/api/v1/marketplace/webhook`, body, signature }),
    async calls(step?: string) {
      const all = await tell<PeerCall[]>('calls')
      return step === undefined ? all : all.filter((call) => call.step === step)
    },
    /** Of calls and faults. */
    forget: () => tell('forget'),
    change: (id: string, fields: object) => tell('change', { id, ...fields }),
    purchase: (id: string) => tell<Record<string, unknown>>('purchase', { id }),
    operation: (id: string) => tell<PeerOperation>('operation', { id }),
    lag: (id: string, reads: number) => tell('lag', { id, reads }),
    faults: (step: string, ...list: PeerFault[]) => tell('faults', { step, list }),
    expireTokens: () => tell('expireTokens'),
    /** Nobody listens any more, until it is opened again. */
    close: () => tell('close'),
    open: () => tell('open'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      forget()
    },
  }
}
