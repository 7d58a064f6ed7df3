import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector } from '#test/support/otlp-collector.ts'
import { until } from '#test/support/scan-process.ts'
import { quietLog } from '#test/support/seed.ts'
import { BATCH_MAX, createSpanExporter, QUEUE_MAX } from './span-exporter.ts'
import type { Span } from './trace.ts'

const SPAN: Span = {
  ...{ name: 'engine embedded', kind: 'client', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isError: true },
  ...{ parentId: 'c'.repeat(16), startMs: 1_700_000_000_000.25, endMs: 1_700_000_000_001.5 },
  attributes: { 'docvet.engine': 'embedded', 'http.response.status_code': 503 },
}
const exporterTo = (url: string, sendMsMax = 5_000) =>
  createSpanExporter({ url, version: '1.2.3', instanceId: 'i', log: quietLog, sendEveryMs: 5, sendMsMax })

test('spans are sent as the collector expects them', async () => {
  await using collector = await startCollector()
  const exporter = exporterTo(collector.url)
  exporter.add(SPAN)
  assert.notEqual(await until(() => collector.messages.length === 1, 10_000, 5), null)
  assert.equal(collector.requests[0]?.path, '/v1/traces')
  assert.equal(collector.requests[0]?.headers['content-type'], 'application/json')
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  assert.deepEqual(collector.messages[0]?.resourceSpans[0]?.resource.attributes, [
    text('service.name', 'docvet'),
    text('service.version', '1.2.3'),
    text('service.instance.id', 'i'),
  ])
  assert.deepEqual(collector.spans(), [
    {
      ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: 'c'.repeat(16) },
      ...{ name: 'engine embedded', kind: 3, status: { code: 2 } },
      ...{ startTimeUnixNano: '1700000000000250000', endTimeUnixNano: '1700000000001500000' },
      attributes: [
        text('docvet.engine', 'embedded'),
        { key: 'http.response.status_code', value: { doubleValue: 503 } },
      ],
    },
  ])
  await exporter.close()
  assert.deepEqual(exporter.counts(), { exported: 1, dropped: 0 })
})

test('many spans are sent in batches, and the rest at the end', async () => {
  await using collector = await startCollector()
  const exporter = createSpanExporter({ url: collector.url, version: '1', instanceId: 'i', log: quietLog })
  for (let i = 0; i < BATCH_MAX + 1; i++) exporter.add(SPAN)
  await exporter.close()
  assert.deepEqual(
    collector.messages.map(({ resourceSpans }) => resourceSpans[0]?.scopeSpans[0]?.spans.length),
    [BATCH_MAX, 1],
  )
  assert.equal(exporter.counts().exported, BATCH_MAX + 1)
})

test('a collector that does not respond costs bounded memory, and what is dropped is counted', async () => {
  await using collector = await startCollector(() => {})
  const exporter = exporterTo(collector.url, 200)
  // One batch is on its way.
  for (let i = 0; i < BATCH_MAX + QUEUE_MAX; i++) exporter.add(SPAN)
  assert.equal(exporter.counts().dropped, 0)
  exporter.add(SPAN)
  assert.equal(exporter.counts().dropped, 1)
  await exporter.close()
})

test('a collector that refuses or is gone loses spans without an error, until it is back', async () => {
  let status = 503
  await using collector = await startCollector((response) => void response.writeHead(status).end())
  const exporter = exporterTo(collector.url)
  exporter.add(SPAN)
  assert.notEqual(await until(() => exporter.counts().dropped === 1, 10_000, 5), null)
  status = 200
  exporter.add(SPAN)
  assert.notEqual(await until(() => exporter.counts().exported === 1, 10_000, 5), null)
  await exporter.close()
  const nowhere = exporterTo('http://127.0.0.1:1')
  nowhere.add(SPAN)
  await nowhere.close()
  assert.deepEqual(nowhere.counts(), { exported: 0, dropped: 1 })
})
