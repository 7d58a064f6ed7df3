import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTrace, traceHeaders, withTrace } from './trace.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test('a valid header is read, also of a later version', () => {
  for (const header of [`00-${TRACE}-${SPAN}-01`, `01-${TRACE}-${SPAN}-01-more`])
    assert.deepEqual(parseTrace(header), { traceId: TRACE, parentId: SPAN, flags: '01' })
})

test('an invalid header is ignored', () => {
  const zero = (length: number) => '0'.repeat(length)
  for (const header of [
    ...[undefined, '', 'x', [`00-${TRACE}-${SPAN}-01`], `00-${TRACE}-${SPAN}`, `ff-${TRACE}-${SPAN}-01`],
    ...[`00-${zero(32)}-${SPAN}-01`, `00-${TRACE}-${zero(16)}-01`, `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ...[`00-${TRACE}-${SPAN}-01-${'x'.repeat(256)}`, `00-${TRACE}-${SPAN}-0g`],
  ])
    assert.equal(parseTrace(header), null, String(header))
})

test('requests in a trace continue it with new spans, and others have no header', async () => {
  assert.deepEqual(traceHeaders(), {})
  const sent = await new Promise<string[]>((done) => {
    withTrace({ traceId: TRACE, flags: '00' }, async () => {
      await new Promise(setImmediate)
      done([traceHeaders().traceparent ?? '', traceHeaders().traceparent ?? ''])
    })
  })
  for (const header of sent) assert.match(header, new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-00$`))
  assert.notEqual(sent[0], sent[1])
  withTrace(null, () => assert.deepEqual(traceHeaders(), {}))
})
