/** Sign-in load next to other requests, and whether response times reveal existing accounts. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Measurement } from '#test/perf/report.ts'
import { ALL_WORKERS, type Service, startService, temporaryFolder } from '#test/support/service.ts'
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

/** 99th percentile of sequential GET /api/v1/health. */
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

/** Alternates the measurement without and with sign-in load. */
async function underSignIns(service: Service, what: string, measure: () => Promise<number>): Promise<Measurement> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const base = await measure()
    // In its own process, so that the load does not delay the measurement.
    const flood = fork(new URL('./flood.ts', import.meta.url), [service.url, String(FLOOD)])
    await once(flood, 'message')
    const ours = await measure()
    flood.kill('SIGKILL')
    await once(flood, 'exit')
    rounds.push({ base, ours })
  }
  const baseline = 'the same without sign-ins'
  return { what: `${what} with ${FLOOD} concurrent sign-ins`, unit: 'ms', baseline, rounds, target: { atMost: 3 } }
}

async function scanP99(service: Service): Promise<() => Promise<number>> {
  const apiKey = await signUp(service.url)
  const agent = new Agent({ keepAlive: true })
  const next = documents(10_240)
  return async () => (await round(1, () => serviceScan(agent, service.port, apiKey, next()))).p99
}

/** Alternates both, so that other load affects them equally. */
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
    baseline: 'an address with an account',
    rounds: [{ ours, base }],
    target: { atLeast: 0.95, atMost: 1.05 },
  }
}

export async function* measureSignIns(): AsyncGenerator<Measurement> {
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(
    plans,
    JSON.stringify({ free: { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 } }),
  )
  const env = { DOCVET_ADDRESS_RATE_PER_MINUTE: '1000000', DOCVET_PLANS_FILE: plans }
  await using service = await startService({ ...ALL_WORKERS, ...env }, { discardLog: true })
  const known = (i: number) => `known.${i}@example.com`
  for (let i = 0; i < SAMPLES; i++) await post(service, 'signup', { email: known(i), password: PASSWORD })
  yield await compareTimes(
    `Sign-in with a wrong password, ${SAMPLES} samples each, for an unknown address`,
    (i) => post(service, 'login', { email: `nobody.${i}@example.com`, password: 'something else' }),
    (i) => post(service, 'login', { email: known(i), password: 'something else' }),
  )
  yield await compareTimes(
    `Request for a reset link, ${SAMPLES} samples each, for an unknown address`,
    (i) => post(service, 'forgot-password', { email: `nobody.${i}@example.com` }),
    (i) => post(service, 'forgot-password', { email: known(i) }),
  )
  yield await underSignIns(service, 'p99 of GET /api/v1/health', () => healthP99(service, ROUND_MS))
  yield await underSignIns(service, 'p99 of a scan of 10 KB', await scanP99(service))
}
