/** Scans over the clamd port against those over HTTP of the same service, and with idle connections and slow senders. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { askClamd } from '#test/perf/raw-clamd.ts'
import type { Measurement } from '#test/perf/report.ts'
import { instream } from '#test/support/clamd-wire.ts'
import { startListenerService } from '#test/support/listener-service.ts'
import { AS_NPM_START } from '#test/support/service.ts'
import { documents, round, serviceScan } from './scan-load.ts'

const ROUNDS = 5
/** V8 compiles a program for the first ten thousand requests. */
const WARM_UP_ROUNDS = 3
const PARALLEL = 16
const IDLE_CONNECTIONS = 500
const SLOW_SENDERS = 20
const SLOW_PAUSE_MS = 100

/** One byte of a stream after the other, for as long as the service permits. */
async function sendSlowly(port: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write('zINSTREAM\0')
    while (!stop.aborted && socket.writable) {
      socket.write(Buffer.from([0, 0, 0, 1, 65]))
      await sleep(SLOW_PAUSE_MS)
    }
    socket.destroy()
  }
}

/** A session whose connection is used for one scan after the other, as HTTP clients keep theirs. */
async function openSession(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  await once(socket, 'connect')
  socket.write('zIDSESSION\0')
  let count = 0
  return {
    async scan(document: Buffer): Promise<void> {
      socket.write(instream(document))
      const [reply] = await once(socket, 'data')
      if (reply !== `${++count}: stream: OK\0`) throw new Error(`the listener said ${reply}`)
    },
    close: () => socket.destroy(),
  }
}

export async function measureListeners(): Promise<Measurement[]> {
  const plan = { scansPerMonth: 1e9, scansPerSecond: 1e6, burst: 1e6 }
  const { env, nodeOptions } = AS_NPM_START
  await using service = await startListenerService({ clamd: [''] }, { plan, ...env }, { discardLog: true, nodeOptions })
  const [target] = service.targets
  const port = target && 'port' in target ? target.port : 0
  const next = documents(10_240)
  // With a limit of connections, Node would keep them all the same.
  const [kept, unkept] = [new Agent({ keepAlive: true, maxSockets: PARALLEL }), new Agent({ keepAlive: false })]
  const overHttp = (agent = kept) => serviceScan(agent, service.port, service.secret, next())
  const sessions = await Promise.all(Array.from({ length: PARALLEL }, () => openSession(port)))
  const free = [...sessions]
  const ways: Record<string, () => Promise<void>> = {
    kept: () => overHttp(),
    unkept: () => overHttp(unkept),
    async session() {
      const session = free.pop()
      if (session === undefined) throw new Error('More clients than sessions')
      await session.scan(next())
      free.push(session)
    },
    async stream() {
      const reply = await askClamd(`tcp://127.0.0.1:${port}`, next())
      if (String(reply) !== 'stream: OK\0') throw new Error(`the listener said ${reply}`)
    },
  }

  const rates: Record<string, number>[] = []
  for (let i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++) {
    const taken: Record<string, number> = {}
    for (const [name, scan] of Object.entries(ways)) taken[name] = (await round(PARALLEL, scan)).perSecond
    if (i >= WARM_UP_ROUNDS) rates.push(taken)
  }
  for (const session of sessions) session.close()
  const compared = (ours: string, base: string) =>
    rates.map((taken) => ({ ours: taken[ours] ?? Number.NaN, base: taken[base] ?? Number.NaN }))

  const times = []
  for (let i = 0; i < ROUNDS; i++) {
    const base = (await round(1, () => overHttp())).p50
    const idle = Array.from({ length: IDLE_CONNECTIONS }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(idle.map((socket: Socket) => once(socket, 'connect')))
    const stop = new AbortController()
    const slow = Array.from({ length: SLOW_SENDERS }, () => sendSlowly(port, stop.signal))
    times.push({ base, ours: (await round(1, () => overHttp())).p50 })
    stop.abort()
    await Promise.all(slow)
    for (const socket of idle) socket.destroy()
  }
  for (const agent of [kept, unkept]) agent.destroy()
  const what = `10 KB over the clamd port, ${PARALLEL} at once`
  const unit = 'scans/s'
  return [
    {
      ...{ what: `${what}, in sessions`, unit, baseline: 'over HTTP with kept connections' },
      ...{ rounds: compared('session', 'kept'), target: { atLeast: 0.8 } },
    },
    {
      ...{ what: `${what}, a connection each`, unit, baseline: 'over HTTP with a connection each' },
      ...{ rounds: compared('stream', 'unkept'), target: { atLeast: 0.8 } },
    },
    {
      ...{ what: `${what}, a connection each`, unit, baseline: 'over HTTP with kept connections' },
      ...{ rounds: compared('stream', 'kept'), target: { atLeast: 0.8 } },
    },
    {
      what: `10 KB over HTTP, one after the other, beside ${IDLE_CONNECTIONS} idle connections and ${SLOW_SENDERS} slow senders of the clamd port`,
      unit: 'ms',
      baseline: 'without them',
      rounds: times,
      target: { atMost: 1.3 },
    },
  ]
}
