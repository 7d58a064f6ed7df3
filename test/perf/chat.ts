/** What the assistant costs others: its open pages against /livez, and scans and usage beside a model that is frozen. */

import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { Measurement } from '#test/perf/report.ts'
import { chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { ALL_CHILDREN, startService, temporaryFolder } from '#test/support/service.ts'
import { documents, serviceScan, signUp } from './scan-load.ts'

const ROUNDS = 7
const REQUESTS = 400
const SCANS = 60
/** As many as one process lets wait for the model. */
const STALLED = 16
const PLAN = { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 }

async function p50(times: number, once: () => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await once()
    took.push(performance.now() - start)
  }
  return took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN
}

function get(agent: Agent, port: number, path: string, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Questions that hang until the service gives up; their answers are nobody's concern here. */
function stall(url: string): Promise<unknown> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'How is my quota counted?' }] })
  const headers = { 'content-type': 'application/json' }
  const ask = () => fetch(`${url}/api/v1/chat`, { method: 'POST', headers, body }).then((answer) => answer.text())
  return Promise.all(Array.from({ length: STALLED }, ask))
}

export async function* measureChat(): AsyncGenerator<Measurement> {
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  await using peer = await startChatServer()
  const generous = { DOCVET_ADDRESS_RATE_PER_MINUTE: '1000000', DOCVET_KEY_RATE_PER_MINUTE: '1000000' }
  const settings = { ...chatSettings(peer), ...generous, DOCVET_PLANS_FILE: plans }
  await using service = await startService({ ...ALL_CHILDREN, ...settings }, { discardLog: true })
  const { port } = service
  const agent = new Agent({ keepAlive: true })
  const apiKey = await signUp(service.url)
  peer.freeze()

  for (const path of ['/api/v1/chat/suggestions', '/api/v1/chat/health']) {
    const rounds = []
    await p50(REQUESTS, () => get(agent, port, path))
    await p50(REQUESTS, () => get(agent, port, '/livez'))
    for (let i = 0; i < ROUNDS; i++) {
      const base = await p50(REQUESTS, () => get(agent, port, '/livez'))
      rounds.push({ base, ours: await p50(REQUESTS, () => get(agent, port, path)) })
    }
    yield { what: `GET ${path}, p50, model frozen`, unit: 'ms', baseline: 'GET /livez', rounds, aim: { atMost: 2 } }
  }

  const next = documents(10_240)
  const others: [string, number, () => Promise<void>][] = [
    ['GET /api/v1/usage', REQUESTS, () => get(agent, port, '/api/v1/usage', { 'x-api-key': apiKey })],
    ['POST /api/v1/scan of 10 KB', SCANS, () => serviceScan(agent, port, apiKey, next())],
  ]
  const rounds = others.map(() => [] as { base: number; ours: number }[])
  for (const [, times, once] of others) await p50(times, once)
  const bases = []
  for (const [, times, once] of others) {
    const found = []
    for (let i = 0; i < ROUNDS; i++) found.push(await p50(times, once))
    bases.push(found)
  }
  const hanging = stall(service.url)
  for (const [index, [, times, once]] of others.entries()) {
    for (let i = 0; i < ROUNDS; i++) rounds[index]?.push({ base: bases[index]?.[i] ?? 0, ours: await p50(times, once) })
  }
  for (const [index, [name]] of others.entries()) {
    const what = `${name}, p50, beside ${STALLED} questions to a frozen model`
    yield { what, unit: 'ms', baseline: 'the same without', rounds: rounds[index] ?? [], aim: { atMost: 1.25 } }
  }
  peer.thaw()
  await hanging
  agent.destroy()
}
