/** Streams of a PDF that one reader decodes and another does not: decoded in every way, or never clean. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { Inspector } from '../../inspect.ts'
import { ourInspector } from '../../testing/inspector.ts'
import { EICAR, pdf } from '../../testing/samples.ts'

let inspector: Inspector
before(async () => {
  inspector = await ourInspector()
})
after(() => inspector.dispose())

const flate = deflateSync(EICAR).toString('latin1')
const hex = `${Buffer.from(EICAR).toString('hex')}>`

function outcome(document: Uint8Array): string {
  const { findings, obstacle } = inspector.inspect(document)
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('the data of a stream begins', () => {
  const of = (between: string, data: string, filter: string): Buffer =>
    pdf([`<< /Filter /${filter} /Length ${data.length} >>\nstream${between}${data}\nendstream`])
  for (const between of ['', ' ', '%c\n', ' xyz\r\n', '\0\n', '\f\r', ` ${'x'.repeat(70_000)}\n`]) {
    test(`behind ${JSON.stringify(between.slice(0, 9))}`, () => {
      assert.equal(outcome(of(between, hex, 'ASCIIHexDecode')), 'found')
      assert.equal(outcome(of(between, flate, 'FlateDecode')), 'found')
    })
  }
  test('not at a word in a text', () => {
    const text = '(a stream of words, one stream) Tj'
    assert.equal(outcome(pdf([`<< /Length ${text.length} >>\nstream\n${text}\nendstream`])), 'clean')
  })
})
