/** What uploads feel of a document of 100 MB that is fetched and scanned meanwhile. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { type Measurement, median } from '#test/perf/report.ts'
import { withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { type ScanService, scan, startScanService, textOf } from '#test/support/scanning.ts'

const MB = 1_048_576
const ROUNDS = 3
const QUIET_UPLOADS = 100

async function upload({ port }: ScanService, key: string): Promise<number> {
  const startedAt = performance.now()
  const { status, body } = await scan(port, key, textOf(10_240))
  if (status !== 200) throw new Error(body)
  return performance.now() - startedAt
}

async function quietMs(service: ScanService, key: string): Promise<number> {
  const times: number[] = []
  while (times.length < QUIET_UPLOADS) times.push(await upload(service, key))
  return median(times)
}

/** Uploads one after the other until the large document has its verdict. */
async function busyMs(service: ScanService, key: string, url: string): Promise<number> {
  const headers = { ...withKey(key), 'content-type': 'application/json', prefer: 'respond-async' }
  const answer = await request(service.port, 'POST', '/api/v1/scans', { headers, body: JSON.stringify({ url }) })
  if (answer.status !== 202) throw new Error(answer.body)
  const times: number[] = []
  for (;;) {
    const report = await request(service.port, 'GET', String(answer.headers.location), { headers: withKey(key) })
    const { state, status } = report.json() as { state: string; status: string | null }
    if (state === 'done' && status === 'clean') return median(times)
    if (state !== 'queued' && state !== 'running') throw new Error(report.body)
    times.push(await upload(service, key))
  }
}

export async function measureLargeFetch(): Promise<Measurement[]> {
  const members = Array.from({ length: 99 }, (_, index) => ({
    ...{ name: `${index}.txt`, data: textOf(MB), method: 'stored' as const },
  }))
  const document = writeZip(members)
  const files = createServer((_request, response) => response.end(document)).listen(0, '127.0.0.1')
  await once(files, 'listening')
  const { port } = files.address() as AddressInfo
  await using service = await startScanService({
    ...{ DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${port}`, DOCVET_FETCH_BYTES_MAX: String(100 * MB) },
    DOCVET_EMBEDDED_CHILDREN: '2',
  })
  try {
    const key = await service.newKey()
    await quietMs(service, key)
    const rounds: Measurement['rounds'] = []
    while (rounds.length < ROUNDS) {
      const base = await quietMs(service, key)
      rounds.push({ base, ours: await busyMs(service, key, `http://127.0.0.1:${port}/large.zip`) })
    }
    return [
      {
        ...{ what: 'Upload of 10 KB beside a ZIP of 99 MB that is fetched and scanned', unit: 'ms', rounds },
        ...{ baseline: 'alone', target: { atMost: 2 } },
      },
    ]
  } finally {
    files.closeAllConnections()
    files.close()
  }
}
