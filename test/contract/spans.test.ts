/** Spans of requests, sent to a real HTTP receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '#engines/engine.ts'
import { startApp } from '#test/support/app.ts'
import { rawRequest, signUp, usage, withKey } from '#test/support/client.ts'
import { type ReceivedSpan, startCollector } from '#test/support/otlp-collector.ts'
import { request, send } from '#test/support/raw-http.ts'
import { assertClean, FORM_TYPE, filePart, form, plansFile, scan } from '#test/support/scanning.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

const engine: Engine = {
  name: 'fake',
  inspect: async () => ({ kind: 'clean' }),
  health: () => ({
    ...{ name: 'fake', status: 'UP', version: '1', signatures: null, signaturesAt: null, detail: null },
  }),
  version: () => ({ version: '1', signatures: null }),
  close: async () => {},
}

const start = (url: string, more: Record<string, string> = {}) =>
  startApp({}, { DOCVET_OTLP_URL: url, DOCVET_PLANS_FILE: plansFile(), ...more }, { engines: [engine] })

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue]))

test('a scan has spans for the request, the engine and the database, in the trace of the caller', async () => {
  await using collector = await startCollector()
  const app = await start(collector.url)
  const { apiKey } = await signUp(app.port)
  const body = form(filePart('Good morning'))
  const lines = [`X-API-Key: ${apiKey}`, `Content-Type: ${FORM_TYPE}`, `Content-Length: ${body.length}`]
  const head = rawRequest('POST /api/v1/scan', [...lines, `traceparent: 00-${TRACE}-${CALLER}-01`])
  // The document arrives later than the headers, in an event that does not belong to the request.
  const { responses } = await send(app.port, [head, body], { pauseMsBetweenChunks: 100 })
  const answer = responses[0] as (typeof responses)[number]
  assertClean(answer)
  await app[Symbol.asyncDispose]()
  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE)
  const root = spans.find(({ kind }) => kind === 2)
  assert.equal(root?.name, 'POST /api/v1/scan')
  assert.equal(root?.parentSpanId, CALLER)
  assert.deepEqual(attributesOf(root as ReceivedSpan), {
    ...{ 'http.request.method': 'POST', 'http.route': '/api/v1/scan', 'http.response.status_code': 200 },
    'docvet.request_id': answer.headers['x-request-id'],
  })
  const parts = spans.filter((span) => span !== root)
  assert.deepEqual(parts.map(({ name }) => name).sort(), [
    ...['database charge', 'database find key', 'database reserve', 'engine fake'],
  ])
  for (const part of parts) {
    assert.equal(part.parentSpanId, root?.spanId)
    assert.ok(BigInt(part.startTimeUnixNano) <= BigInt(part.endTimeUnixNano))
  }
  for (const { headers } of collector.requests) assert.equal(headers.traceparent, undefined)
})

test('the flag of the caller decides, otherwise the percentage; probes have no spans', async () => {
  await using collector = await startCollector()
  for (const [percent, expected] of [
    ['100', ['GET /api/v1/usage', 'POST /api/v1/signup']],
    ['0', []],
  ] as const) {
    const app = await start(collector.url, { DOCVET_TRACE_PERCENT: percent })
    const { apiKey } = await signUp(app.port)
    await usage(app.port, withKey(apiKey))
    await usage(app.port, { ...withKey(apiKey), traceparent: `00-${TRACE}-${CALLER}-00` })
    await request(app.port, 'GET', '/livez')
    await app[Symbol.asyncDispose]()
    const roots = collector.spans().filter(({ kind }) => kind === 2)
    assert.deepEqual(roots.map(({ name }) => name).sort(), expected)
    assert.ok(!collector.spans().some(({ traceId }) => traceId === TRACE))
    collector.messages.length = 0
  }
})

test('a collector that hangs does not delay a scan', async () => {
  await using collector = await startCollector(() => {})
  await using app = await start(collector.url)
  const { apiKey } = await signUp(app.port)
  for (let i = 0; i < 5; i++) assertClean(await scan(app.port, apiKey, `Good morning ${i}`))
})
