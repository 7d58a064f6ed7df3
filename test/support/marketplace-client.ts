/** Requests of a buyer, and a service that is connected to a marketplace peer. */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '#test/support/app.ts'
import { type MarketplacePeer, QUICK_TIMING, startMarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'
import type { DatabasePlace } from '#test/support/suite.ts'
import { asPage, me, signUpPerson } from './auth-client.ts'

interface View {
  subscriptionId: string
  offerId: string
  marketplacePlanId: string
  planKey: string
  status: string
  freeTrial: boolean
  autoRenew: boolean
  termStart: string | null
  termEnd: string | null
  beneficiaryEmail: string | null
}

const BASE = '/api/v1/marketplace'

export const resolve = (port: number, cookie: string, token: string): Promise<Answer> =>
  asPage(port, cookie, 'POST', `${BASE}/resolve`, { token })

export const activate = (port: number, cookie: string, subscriptionId: string): Promise<Answer> =>
  asPage(port, cookie, 'POST', `${BASE}/activate`, { subscriptionId })

export const live = (port: number, cookie: string): Promise<Answer> =>
  request(port, 'GET', `${BASE}/subscription`, { headers: { cookie } })

export function viewIn(answer: Answer): View {
  assert.equal(answer.status, 200, answer.body)
  return answer.json() as View
}

/** The plan in force. */
export async function planOf(port: number, cookie: string): Promise<string> {
  return ((await me(port, cookie)).json() as { plan: string }).plan
}

/** Signs up, buys a plan, and activates it. */
export async function subscribe(port: number, peer: MarketplacePeer, fields: object = {}) {
  const { cookie } = await signUpPerson(port)
  const { id, token } = await peer.sell(fields)
  viewIn(await resolve(port, cookie, token))
  viewIn(await activate(port, cookie, id))
  return { cookie, id, token }
}

export interface Stage {
  service: Service
  peer: MarketplacePeer
  leave(): Promise<void>
}

/** Starts the application in this process, with short times for the marketplace. */
export async function enterQuick(place: DatabasePlace | null, timing: Partial<typeof QUICK_TIMING> = {}) {
  const peer = await startMarketplacePeer()
  const env = { ...peer.env, DOCVET_DATABASE_URL: place?.url ?? undefined }
  const app = await startApp({}, env, { marketplaceTiming: { ...QUICK_TIMING, ...timing } })
  return {
    port: app.port,
    peer,
    async leave() {
      await app[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
      await place?.release()
    },
  }
}

/** Starts a service with its marketplace. Extra settings override those of the marketplace. */
export async function enter(place: DatabasePlace | null, env: Record<string, string> = {}): Promise<Stage> {
  const peer = await startMarketplacePeer()
  const database = { DOCVET_DATABASE_URL: place?.url ?? undefined }
  const service = await startService({ ...peer.env, ...database, ...env }, place ? { dataDir: place.dataDir } : {})
  return {
    service,
    peer,
    async leave() {
      await service[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
      await place?.release()
    },
  }
}

/** Waits for our answer to an operation, which follows the response to its webhook call. */
export async function answered(peer: MarketplacePeer, operationId: string): Promise<string> {
  for (let checks = 0; checks < 100; checks++) {
    const { status } = await peer.operation(operationId)
    if (status !== 'InProgress') return status
    await sleep(50)
  }
  return 'InProgress'
}
