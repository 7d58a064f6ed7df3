/** Cost of the assistant for other requests: its public endpoints against /livez, and the API beside a stalled model. */

import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from '#test/perf/report.ts'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { ALL_WORKERS, freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { documents, serviceScan, signUp } from './scan-load.ts'

const ROUNDS = 7
const REQUESTS = 300
const SCANS = 40
const SIGN_INS = 8
/** The limit on concurrent calls of one process, and of one caller. */
const STALLED = 16
const OF_ONE = 3
/** Time for the questions to reach the model. */
const SETTLE_MS = 200
/** More failures than the breaker allows. */
const LOST = 6
const PLAN = { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 }
const ACCOUNT = { email: 'person@example.com', password: 'a meadow full of crickets' }

async function p50(times: number, once: () => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await once()
    took.push(performance.now() - start)
  }
  return took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN
}

function send(agent: Agent, port: number, path: string, body?: object, headers: Record<string, string> = {}) {
  const method = body ? 'POST' : 'GET'
  const json = body ? { 'content-type': 'application/json' } : {}
  return new Promise<void>((resolve, reject) => {
    const sent = request(
      { agent, port, host: '127.0.0.1', method, path, headers: { ...json, ...headers } },
      (answer) => {
        answer.resume()
        answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

const question = (url: string, caller: number, signal?: AbortSignal): Promise<number> =>
  fetch(`${url}/api/v1/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${caller}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'How is my quota counted?' }] }),
    signal: signal ?? null,
  }).then(async (answer) => {
    await answer.arrayBuffer()
    return answer.status
  })

/** Keeps questions hanging while `work` runs. */
async function besideStalled<T>(url: string, work: () => Promise<T>): Promise<T> {
  const end = new AbortController()
  let answered = 0
  const hanging = Array.from({ length: STALLED }, (_, index) =>
    question(url, Math.floor(index / OF_ONE), end.signal).then(
      () => answered++,
      () => {},
    ),
  )
  await sleep(SETTLE_MS)
  const result = await work()
  if (answered > 0) throw new Error(`${answered} questions were answered: nothing was stalled`)
  end.abort()
  await Promise.all(hanging)
  return result
}

function settings(): Record<string, string> {
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  return {
    DOCVET_ADDRESS_RATE_PER_MINUTE: '1000000',
    DOCVET_KEY_RATE_PER_MINUTE: '1000000',
    DOCVET_CHAT_PER_DAY: '1000000',
    DOCVET_TRUSTED_PROXIES: '127.0.0.1',
    DOCVET_PLANS_FILE: plans,
  }
}

async function* measurePages(agent: Agent, { port }: Service, upstream: string): AsyncGenerator<Measurement> {
  for (const path of ['/api/v1/chat/suggestions', '/api/v1/chat/health']) {
    const rounds = []
    await p50(REQUESTS, () => send(agent, port, path))
    await p50(REQUESTS, () => send(agent, port, '/livez'))
    for (let i = 0; i < ROUNDS; i++) {
      const base = await p50(REQUESTS, () => send(agent, port, '/livez'))
      rounds.push({ base, ours: await p50(REQUESTS, () => send(agent, port, path)) })
    }
    yield {
      what: `GET ${path}, p50, model ${upstream}`,
      unit: 'ms',
      baseline: 'GET /livez',
      rounds,
      target: { atMost: 2 },
    }
  }
}

async function* measureOthers(agent: Agent, { url, port }: Service, peer: ChatServer): AsyncGenerator<Measurement> {
  const apiKey = await signUp(url)
  const signedUp = await fetch(`${url}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  if (signedUp.status !== 201) throw new Error(`sign-up answered ${signedUp.status}`)
  const next = documents(10_240)
  const others: [string, number, () => Promise<void>][] = [
    ['GET /api/v1/usage', REQUESTS, () => send(agent, port, '/api/v1/usage', undefined, { 'x-api-key': apiKey })],
    ['POST /api/v1/scan of 10 KB', SCANS, () => serviceScan(agent, port, apiKey, next())],
    ['POST /api/v1/auth/login', SIGN_INS, () => send(agent, port, '/api/v1/auth/login', ACCOUNT)],
  ]
  await peer.behave('stall')
  for (const [name, times, once] of others) {
    await p50(times, once)
    const rounds = []
    for (let i = 0; i < ROUNDS; i++) {
      const base = await p50(times, once)
      rounds.push({ base, ours: await besideStalled(url, () => p50(times, once)) })
    }
    const what = `${name}, p50, beside ${STALLED} questions to a stalled model`
    yield { what, unit: 'ms', baseline: 'the same without', rounds, target: { atMost: 1.25 } }
  }
}

export async function* measureChat(): AsyncGenerator<Measurement> {
  const agent = new Agent({ keepAlive: true })
  const env = { ...ALL_WORKERS, ...settings() }
  {
    await using absent = await startService(env, { discardLog: true })
    yield* measurePages(agent, absent, 'absent')
  }
  {
    const nobody = chatSettings({ url: `http://127.0.0.1:${await freePort()}/v1` })
    await using down = await startService({ ...env, ...nobody }, { discardLog: true })
    for (let i = 0; i < LOST; i++) await question(down.url, i)
    yield* measurePages(agent, down, 'down')
  }
  await using peer = await startChatServer()
  await using service = await startService({ ...env, ...chatSettings(peer) }, { discardLog: true })
  yield* measureOthers(agent, service, peer)
  peer.freeze()
  // The hanging questions are part of the measurement.
  const measurements = await besideStalled(service.url, () => Array.fromAsync(measurePages(agent, service, 'frozen')))
  peer.thaw()
  yield* measurements
  agent.destroy()
}
