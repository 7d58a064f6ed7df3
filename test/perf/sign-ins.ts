/** A flood of sign-ins beside other requests, and what the time of an answer tells about who has an account. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Measurement } from '#test/perf/report.ts'
import { ALL_CHILDREN, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { documents, round, serviceScan, signUp } from './scan-load.ts'

const ROUNDS = 3
const ROUND_MS = 3_000
const FLOOD = 100
const SAMPLES = 300
const PASSWORD = 'a meadow full of crickets'

async function post(service: Service, name: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${service.url}/api/v1/auth/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** The 99th percentile of answers to GET health, asked one after the other. */
async function healthP99(service: Service, ms: number): Promise<number> {
  const times: number[] = []
  const endAt = performance.now() + ms
  while (performance.now() < endAt) {
    const startedAt = performance.now()
    const response = await fetch(`${service.url}/api/v1/health`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`health answered ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** The same measure without and beside the flood, in turns. */
async function besideFlood(service: Service, what: string, measure: () => Promise<number>): Promise<Measurement> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const base = await measure()
    // Not in this process: whoever measures must not wait for himself.
    const flood = fork(new URL('./flood.ts', import.meta.url), [service.url, String(FLOOD)])
    await once(flood, 'message')
    const ours = await measure()
    flood.kill('SIGKILL')
    await once(flood, 'exit')
    rounds.push({ base, ours })
  }
  const baseline = 'the same without sign-ins'
  return { what: `${what} beside ${FLOOD} parallel sign-ins`, unit: 'ms', baseline, rounds, aim: { atMost: 3 } }
}

async function scanP99(service: Service): Promise<() => Promise<number>> {
  const apiKey = await signUp(service.url)
  const agent = new Agent({ keepAlive: true })
  const next = documents(10_240)
  return async () => (await round(1, () => serviceScan(agent, service.port, apiKey, next()))).p99
}

/** In turns, so that whatever else the machine does concerns both alike. */
async function compareTimes(
  what: string,
  one: (i: number) => Promise<unknown>,
  other: (i: number) => Promise<unknown>,
) {
  const times: [number[], number[]] = [[], []]
  const timed = async (work: Promise<unknown>) => {
    const startedAt = performance.now()
    await work
    return performance.now() - startedAt
  }
  for (let i = 0; i < SAMPLES; i++) {
    times[0].push(await timed(one(i)))
    times[1].push(await timed(other(i)))
  }
  const [ours, base] = times.map((all) => all.sort((a, b) => a - b)[SAMPLES / 2] ?? Number.NaN) as [number, number]
  return {
    what,
    unit: 'ms (median)',
    baseline: 'an address that has an account',
    rounds: [{ ours, base }],
    aim: { atLeast: 0.95, atMost: 1.05 },
  }
}

export async function* measureSignIns(): AsyncGenerator<Measurement> {
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(
    plans,
    JSON.stringify({ free: { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 } }),
  )
  const env = { DOCVET_ADDRESS_RATE_PER_MINUTE: '1000000', DOCVET_PLANS_FILE: plans }
  await using service = await startService({ ...ALL_CHILDREN, ...env }, { discardLog: true })
  const known = (i: number) => `known.${i}@example.com`
  for (let i = 0; i < SAMPLES; i++) await post(service, 'signup', { email: known(i), password: PASSWORD })
  yield await compareTimes(
    `Sign-in with a wrong password, ${SAMPLES} samples each, for an unknown address`,
    (i) => post(service, 'login', { email: `nobody.${i}@example.com`, password: 'something else' }),
    (i) => post(service, 'login', { email: known(i), password: 'something else' }),
  )
  yield await compareTimes(
    `Asking for a reset link, ${SAMPLES} samples each, for an unknown address`,
    (i) => post(service, 'forgot-password', { email: `nobody.${i}@example.com` }),
    (i) => post(service, 'forgot-password', { email: known(i) }),
  )
  yield await besideFlood(service, 'p99 of GET /api/v1/health', () => healthP99(service, ROUND_MS))
  yield await besideFlood(service, 'p99 of a scan of 10 KB', await scanP99(service))
}
