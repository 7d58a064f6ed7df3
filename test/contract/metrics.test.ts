/** Metrics for Prometheus on an address of their own. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { signUp } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { scan } from '#test/support/scanning.ts'
import { freePort, type Service, startService } from '#test/support/service.ts'

describe('metrics', () => {
  let service: Service
  let port: number
  before(async () => {
    port = await freePort()
    service = await startService({ DOCVET_METRICS_ADDRESS: `127.0.0.1:${port}` })
  })
  after(() => service[Symbol.asyncDispose]())

  async function scrape(): Promise<Map<string, number>> {
    const { status, headers, body } = await request(port, 'GET', '/metrics')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    )
  }

  test('count scans by result and size, requests by route, and problems by code', async () => {
    const { apiKey: key } = await signUp(service.port)
    await scan(service.port, key, Buffer.from('Good morning'))
    await scan(service.port, key, Buffer.from(EICAR))
    await scan(service.port, key, Buffer.from('89504e470d0a1a0a', 'hex'))
    await request(service.port, 'GET', '/no-such-page-of-a-client')
    const metrics = await scrape()
    assert.equal(metrics.get('docvet_scans_total{result="clean",size="10kb"}'), 1)
    assert.equal(metrics.get('docvet_scans_total{result="infected",size="10kb"}'), 1)
    assert.equal(metrics.get('docvet_scans_total{result="refused",size="10kb"}'), 1)
    assert.equal(metrics.get('docvet_engine_outcomes_total{engine="embedded",outcome="clean"}'), 1)
    assert.equal(metrics.get('docvet_engine_outcomes_total{engine="embedded",outcome="detected"}'), 1)
    assert.equal(metrics.get('docvet_scan_stage_duration_seconds_count{stage="engines"}'), 2)
    const requests =
      'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/api/v1/scan",http_response_status_code="200"}'
    assert.equal(metrics.get(requests), 2)
    assert.equal(metrics.get('docvet_problems_total{code="unsupported_content_type"}'), 1)
    assert.equal(metrics.get('docvet_problems_total{code="not_found"}'), 1)
    assert.ok(![...metrics.keys()].some((name) => name.includes('no-such-page')), 'paths of clients are not labels')
  })

  test('show engines, workers, storage, mail and the process', async () => {
    const metrics = await scrape()
    assert.equal(metrics.get('docvet_engine_up{engine="embedded"}'), 1)
    assert.equal(metrics.get('docvet_workers_ready{engine="embedded"}'), 1)
    assert.equal(metrics.get('docvet_worker_queue_length{engine="embedded"}'), 0)
    assert.ok(Number(metrics.get('docvet_worker_starts_total{engine="embedded"}')) >= 1)
    assert.ok(Number(metrics.get('docvet_engine_signatures_age_seconds{engine="embedded"}')) > 0)
    assert.equal(metrics.get('docvet_storage_up'), 1)
    assert.equal(metrics.get('docvet_scans_in_flight'), 0)
    assert.equal(metrics.get('docvet_scan_bytes_in_flight'), 0)
    assert.equal(metrics.get('docvet_limiter_fallbacks_total'), 0)
    for (const state of ['waiting', 'running', 'failed'])
      assert.ok(metrics.has(`docvet_jobs{kind="mail",state="${state}"}`), state)
    for (const name of ['docvet_jobs_due', 'docvet_jobs_oldest_seconds'])
      assert.ok(metrics.has(`${name}{kind="mail"}`), name)
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_open_fds'])
      assert.ok(Number(metrics.get(name)) > 0, name)
    assert.ok(metrics.has('nodejs_eventloop_delay_seconds{quantile="0.99"}'))
    assert.ok([...metrics.keys()].some((name) => /^docvet_build_info\{version="\d+\.\d+\.\d+"\}$/.test(name)))
  })

  test('exist only at /metrics of their own address, for GET and HEAD', async () => {
    assert.equal((await request(port, 'GET', '/')).status, 404)
    assert.equal((await request(port, 'GET', '/api/v1/health')).status, 404)
    const post = await request(port, 'POST', '/metrics')
    assert.equal(post.status, 405)
    assert.equal(post.headers.allow, 'GET, HEAD')
    assert.equal((await request(port, 'HEAD', '/metrics')).status, 200)
    assert.equal((await request(service.port, 'GET', '/metrics')).status, 404)
  })
})

test('a metrics address in use prevents the start and is named', async () => {
  const port = await freePort()
  await using _first = await startService({ DOCVET_METRICS_ADDRESS: `127.0.0.1:${port}` })
  const second = await startService({ DOCVET_METRICS_ADDRESS: `127.0.0.1:${port}` }, { ready: false })
  assert.equal((await second.exited).code, 1)
  assert.match(second.output(), /failed to start: DOCVET_METRICS_ADDRESS cannot be used: .*EADDRINUSE/)
  await second[Symbol.asyncDispose]()
})
