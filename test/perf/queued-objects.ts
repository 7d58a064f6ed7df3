/** 100,000 queued objects on two replicas: whether the last are as fast as the first, and what uploads feel of them. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { usageOf } from '#test/perf/process-tree.ts'
import type { Measurement } from '#test/perf/report.ts'
import { listKeys, withKey } from '#test/support/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, plansFile, type ScanService, startScanService } from '#test/support/scanning.ts'
import { AS_NPM_START, temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

/** Smaller for a quick look: `QUEUED_OBJECTS=10000 RUN_OBJECTS=1000`. */
const QUEUED = Number(process.env.QUEUED_OBJECTS ?? 100_000)
const RUN = Number(process.env.RUN_OBJECTS ?? 5_000)
const FIFTH = RUN / 5
const OBJECT_BYTES = 4_096
const PER_EVENT = 100
/** In each phase of a round: the store holds its objects back, then it gives them. Whatever else runs falls on both. */
const UPLOADS = 300
const ROUNDS = Number(process.env.UPLOAD_ROUNDS ?? 5)
/** For the scans that have begun to end. */
const SETTLE_MS = 1_000
const BUCKET = 'documents'
const NO_TAGS = '<?xml version="1.0"?><Tagging><TagSet></TagSet></Tagging>'

/** An object store that has every object. */
async function startStore() {
  let gate = Promise.withResolvers<void>()
  let tagged = 0
  const server = createServer(async (incoming, response) => {
    incoming.resume()
    const isTagging = incoming.url?.includes('tagging')
    if (isTagging && incoming.method === 'PUT') tagged += 1
    if (isTagging) return response.end(incoming.method === 'GET' ? NO_TAGS : '')
    await gate.promise
    const text = `Document ${incoming.url}\n`
    response
      .writeHead(200, { etag: '"e"' })
      .end(text.repeat(Math.ceil(OBJECT_BYTES / text.length)).slice(0, OBJECT_BYTES))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  return {
    port,
    tagged: () => tagged,
    open: () => gate.resolve(),
    shut() {
      gate = Promise.withResolvers()
    },
    [Symbol.dispose]: close,
  }
}

/** The slowest of a hundred, one after the other as a client would wait for them. */
async function p99({ port }: ScanService, key: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < UPLOADS; n++) {
    const startedAt = performance.now()
    const answer = await request(port, 'POST', '/api/v1/scan', {
      headers: { ...withKey(key), 'content-type': FORM_TYPE },
      body: form(filePart(`Upload ${n} ${'a'.repeat(OBJECT_BYTES)}`)),
    })
    if (answer.status !== 200) throw new Error(answer.body)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(UPLOADS * 0.99)] ?? Number.NaN
}

async function* measure(name: string, url: string | null): AsyncGenerator<Measurement> {
  const dataDir = temporaryFolder('data')
  using store = await startStore()
  const folder = temporaryFolder('sources')
  const sourcesFile = path.join(folder, 'sources.json')
  const settings = {
    ...{ DOCVET_DATABASE_URL: url ?? undefined, DOCVET_PLANS_FILE: plansFile({ scansPerMonth: 10 * QUEUED }) },
    ...{
      DOCVET_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
      DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${store.port}`,
    },
    ...{ DOCVET_EMBEDDED_CHILDREN: '1', DOCVET_LOG_LEVEL: 'warn' },
  } as const
  const key = await (async () => {
    await using first = await startScanService(settings, { dataDir })
    const secret = await first.newKey()
    const [{ id } = { id: '' }] = await listKeys(first.port, secret)
    const source = { endpoint: `http://127.0.0.1:${store.port}`, region: 'us-east-1', bucket: BUCKET, pathStyle: true }
    writeFileSync(path.join(folder, 'secret'), 'secret\n')
    const credentials = { accessKeyId: 'a', secretAccessKeyFile: path.join(folder, 'secret') }
    const sources = [{ name: 'bench', kind: 's3', keyId: id, ...source, ...credentials, tag: true, onInfected: 'tag' }]
    writeFileSync(sourcesFile, JSON.stringify(sources))
    return secret
  })()
  const env = { ...settings, ...AS_NPM_START.env, DOCVET_SOURCES_FILE: sourcesFile }
  const options = { dataDir, discardLog: true, nodeOptions: AS_NPM_START.nodeOptions }
  await using one = await startScanService(env, options)
  await using two = await startScanService(env, options)
  // Warms up.
  await p99(one, key)
  const empty = await p99(one, key)

  for (let posted = 0; posted < QUEUED; posted += PER_EVENT) {
    const Records = Array.from({ length: PER_EVENT }, (_, n) => ({
      ...{ eventVersion: '2.1', eventSource: 'aws:s3', eventName: 'ObjectCreated:Put' },
      s3: {
        bucket: { name: BUCKET },
        object: { key: `o-${posted + n}.txt`, size: OBJECT_BYTES, eTag: 'e', sequencer: '1' },
      },
    }))
    const answer = await request(one.port, 'POST', '/api/v1/events', { headers: withKey(key), body: { Records } })
    if (answer.status !== 202) throw new Error(answer.body)
  }
  const memory = () => usageOf(one.pid).rssMb + usageOf(two.pid).rssMb
  /** When each fifth was done, in ms, and the memory then. */
  const marks: { ms: number; rssMb: number }[] = []
  const startedAt = performance.now()
  store.open()
  for (; marks.length < 5; await sleep(20))
    if (store.tagged() >= (marks.length + 1) * FIFTH) marks.push({ ms: performance.now() - startedAt, rssMb: memory() })
  const [first, , , fourth, last] = marks as [(typeof marks)[0], unknown, unknown, (typeof marks)[0], (typeof marks)[0]]
  const where = `${RUN.toLocaleString('en')} objects of 4 KB with ${QUEUED.toLocaleString('en')} queued on two replicas, ${name}`
  yield {
    ...{ what: `The last fifth of ${where}`, unit: 'objects/s', baseline: 'the first fifth' },
    rounds: [{ base: (FIFTH * 1_000) / first.ms, ours: (FIFTH * 1_000) / (last.ms - fourth.ms) }],
    target: { atLeast: 0.8 },
  }
  yield {
    ...{ what: `Memory after ${where}`, unit: 'MB', baseline: 'after the first fifth' },
    ...{ rounds: [{ base: first.rssMb, ours: last.rssMb }], target: { atMost: 1.1 } },
  }
  const rounds: Measurement['rounds'] = []
  const beside: Measurement['rounds'] = []
  for (let round = 0; round < ROUNDS; round++) {
    store.shut()
    await sleep(SETTLE_MS)
    const base = await p99(one, key)
    store.open()
    await sleep(SETTLE_MS)
    const [before, beganAt] = [store.tagged(), performance.now()]
    rounds.push({ base, ours: await p99(one, key) })
    const scanned = store.tagged() - before
    beside.push({ base: 1, ours: (scanned * 1_000) / (performance.now() - beganAt) })
    console.log(`  ${scanned} objects beside ${UPLOADS} uploads, load of the machine ${loadavg()[0]?.toFixed(1)}`)
  }
  yield {
    ...{ what: `Objects beside uploads without a pause, ${name}`, unit: 'objects/s', rounds: beside },
    ...{ baseline: 'one a second, as promised', target: { atLeast: 1 } },
  }
  yield {
    ...{ what: `p99 of uploads beside objects that are scanned, ${name}`, unit: 'ms', rounds },
    ...{ baseline: 'while the store holds them back', target: { atMost: 2 } },
  }
  yield {
    ...{ what: `p99 of uploads beside objects that are queued, ${name}`, unit: 'ms', target: { atMost: 2 } },
    ...{ baseline: 'with none queued', rounds: rounds.map(({ base }) => ({ base: empty, ours: base })) },
  }
}

export async function* measureQueuedObjects(): AsyncGenerator<Measurement> {
  yield* measure('SQLite', null)
  if (SERVERS.postgres.available()) {
    await using server = await startPostgres({ durable: true })
    yield* measure('PostgreSQL', await server.createDatabase())
  } else console.log('Skipped objects on PostgreSQL: not installed (apt-get install postgresql)\n')
}
