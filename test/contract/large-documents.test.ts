/** Documents above the size of uploads: only fetched, asynchronous, with memory of their own, up to the setting. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { eventually } from '#test/support/object-service.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { FILE_BYTES_MAX, type ScanService, scan, startScanService, textOf } from '#test/support/scanning.ts'

const MB = 1_048_576
const FETCH_MAX = 100 * MB
const PEAK_MAX = 1_200 * MB

interface Report {
  state: string
  status: string | null
  obstacle: string | null
  fileSize: number
}

/** The most memory that a process had, in bytes. */
function peakOf(pid: number | string): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

describe('large documents', () => {
  let service: ScanService
  let files: Server
  let key: string
  let base: string
  let respond: (request: IncomingMessage, response: ServerResponse) => void = () => {}

  before(async () => {
    files = createServer((incoming, response) => respond(incoming, response)).listen(0, '127.0.0.1')
    await once(files, 'listening')
    const { port } = files.address() as AddressInfo
    base = `http://127.0.0.1:${port}`
    service = await startScanService({
      ...{ DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${port}`, DOCVET_FETCH_BYTES_MAX: String(FETCH_MAX) },
      DOCVET_EMBEDDED_CHILDREN: '2',
    })
    key = await service.newKey()
  })
  after(async () => {
    files.closeAllConnections()
    files.close()
    await service[Symbol.asyncDispose]()
  })

  const post = (headers: Record<string, string> = {}) =>
    request(service.port, 'POST', '/api/v1/scans', {
      headers: { ...withKey(key), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: `${base}/a` }),
    })
  async function ended(): Promise<Report> {
    const answer = await post({ prefer: 'respond-async' })
    assert.equal(answer.status, 202, answer.body)
    const { scanId } = answer.json() as { scanId: string }
    return await eventually(async () => {
      const read = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
      const report = read.json() as Report
      return report.state !== 'queued' && report.state !== 'running' && report
    }, 'the end of the scan')
  }

  test('an upload of one byte too many is 413 as ever, and so is a URL whose client waits', async () => {
    const answer = await scan(service.port, key, textOf(FILE_BYTES_MAX + 1))
    assertProblem(answer, 413, 'file_too_large')
    respond = (_request, response) => response.end(textOf(FILE_BYTES_MAX + 1))
    assertProblem(await post(), 413, 'file_too_large')
  })

  test('a ZIP of 100 MB by URL gets a verdict within the memory, while uploads are scanned', async () => {
    const members = Array.from({ length: 99 }, (_, index) => ({
      name: `${index}.txt`,
      data: textOf(MB),
      method: 'stored' as const,
    }))
    const clean = writeZip(members)
    const infected = writeZip([...members, { name: 'last.txt', data: EICAR }])
    for (const [document, status] of [
      [clean, 'clean'],
      [infected, 'infected'],
    ] as const) {
      assert.ok(document.length > 98 * MB && document.length < FETCH_MAX)
      respond = (_request, response) => response.end(document)
      let isOver = false
      const large = ended().finally(() => {
        isOver = true
      })
      let uploads = 0
      while (!isOver) {
        const upload = await scan(service.port, key, textOf(10_000))
        assert.equal(upload.status, 200, upload.body)
        uploads++
      }
      assert.deepEqual([(await large).status, (await large).fileSize], [status, document.length])
      assert.ok(uploads > 1, 'no upload was answered meanwhile')
    }
    const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim().split(' ')
    for (const pid of [service.pid, ...children]) assert.ok(peakOf(pid) < PEAK_MAX, `${pid}: ${peakOf(pid)} bytes`)
  })

  test('the largest size is scanned; one byte more is too large, and the connection ends early', async () => {
    const whole = textOf(FETCH_MAX)
    respond = (_request, response) => response.end(whole)
    const report = await ended()
    assert.deepEqual([report.state, report.status, report.fileSize], ['done', 'clean', FETCH_MAX])

    let sent = 0
    let isClosed = false
    const watch = (response: ServerResponse) => response.on('close', () => (isClosed = true))
    respond = (_request, response) => {
      watch(response)
      response.writeHead(200, { 'content-length': FETCH_MAX + 1 })
      response.write(textOf(1_000), () => (sent += 1_000))
    }
    const declared = await ended()
    assert.deepEqual([declared.state, declared.obstacle, isClosed, sent], ['refused', 'too_large', true, 1_000])

    isClosed = false
    respond = (_request, response) => {
      watch(response)
      // Never ends by itself.
      const more = () => response.writable && response.write(whole.subarray(0, MB), more)
      more()
    }
    const endless = await ended()
    assert.deepEqual([endless.state, endless.obstacle, isClosed], ['refused', 'too_large', true])
  })
})
