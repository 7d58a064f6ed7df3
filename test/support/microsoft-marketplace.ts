/** Starts and controls a process that plays Microsoft's marketplace: it sells, responds, fails on demand and calls the webhook. */

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

/** Replaces the response to one request. */
export interface PeerFault {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Never responds. */
  hang?: boolean
  /** Closes the connection. */
  drop?: boolean
  /** Performs the request before the fault. */
  afterwards?: boolean
  /** Performs the request at once, and delays the response. */
  lateMs?: number
}

/** Changes to the claims and header of a valid token; null removes a claim. */
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

interface WebhookResult {
  /** 0 if the peer stopped waiting, or the connection failed. */
  status: number
  body: string
}

export type MarketplacePeer = Awaited<ReturnType<typeof startMarketplacePeer>>

const WAIT_MS = 10_000

const PROGRAM = path.join(import.meta.dirname, 'processes/microsoft-peer.ts')

/** Retries at once. Hanging responses take longer than the time for a notice, as in production. */
export const QUICK_TIMING = { attemptMs: 2_000, firstDelayMs: 2, breakerPauseMs: 100, keysMs: 1_200, noticeMs: 1_600 }

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

  async function command<T>(name: string, given: object = {}): Promise<T> {
    const body = JSON.stringify(given)
    const answer = await request(order.controlPort, 'POST', `/${name}`, { body })
    assert.equal(answer.status, 200, `${name}: ${answer.status}`)
    return answer.json() as T
  }

  const url = `http://127.0.0.1:${order.port}`
  return {
    ...order,
    /** The settings of a service that uses this peer. */
    env: {
      DOCVET_MARKETPLACE: 'microsoft',
      DOCVET_MARKETPLACE_PLANS: JSON.stringify(PLAN_MAP),
      DOCVET_MICROSOFT_TENANT_ID: order.tenantId,
      DOCVET_MICROSOFT_CLIENT_ID: order.clientId,
      DOCVET_MICROSOFT_CLIENT_SECRET: order.clientSecret,
      DOCVET_MICROSOFT_API_URL: `${url}/api`,
      DOCVET_MICROSOFT_AUTHORITY_URL: `${url}/authority`,
    },
    sell: (fields: object = {}) => command<{ id: string; token: string }>('sell', fields),
    operate: (fields: object) => command<PeerOperation>('operate', fields),
    sign: (signature: PeerSignature = {}) => command<string>('sign', signature),
    /** Calls the webhook of the service on this port, and waits 10 seconds as Microsoft does, unless told otherwise. */
    notify: (
      port: number,
      body: object,
      { waitMs = WAIT_MS, ...signature }: PeerSignature & { waitMs?: number } = {},
    ) =>
      command<WebhookResult>('notify', {
        url: `http://127.0.0.1:${port}/api/v1/marketplace/webhook`,
        body,
        signature,
        waitMs,
      }),
    async calls(step?: string) {
      const all = await command<PeerCall[]>('calls')
      return step === undefined ? all : all.filter((call) => call.step === step)
    },
    /** Clears recorded calls and faults. */
    forget: () => command('forget'),
    change: (id: string, fields: object) => command('change', { id, ...fields }),
    changeOperation: (id: string, fields: object) => command('changeOperation', { id, ...fields }),
    purchase: (id: string) => command<Record<string, unknown>>('purchase', { id }),
    operation: (id: string) => command<PeerOperation>('operation', { id }),
    lag: (id: string, reads: number) => command('lag', { id, reads }),
    faults: (step: string, ...list: PeerFault[]) => command('faults', { step, list }),
    expireTokens: () => command('expireTokens'),
    /** Stops listening until reopened. */
    close: () => command('close'),
    open: () => command('open'),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      forget()
    },
  }
}
