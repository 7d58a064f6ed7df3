/** A failure in any analyser: the document gets an obstacle, so that it is never clean. */

import assert from 'node:assert/strict'
import { after, afterEach, before, mock, suite, test } from 'node:test'
import { outcomeOf } from '#engines/embedded/report.ts'
import type { Format } from './core/format.ts'
import type { Inspector } from './inspect.ts'
import { FORMATS } from './registry.ts'
import { ourInspector } from './testing/inspector.ts'
import { EICAR } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

// Every format is asked about every item.
for (const format of FORMATS) delete format.among

const LETTER = Buffer.from('Dear reader')
const DOCUMENTS = { 'a text': LETTER, 'a text in an archive': writeZip([{ name: 'letter.txt', data: LETTER }]) }
const STEPS = ['applies', 'analyse', 'conclude'] as const

function fail(): never {
  throw new TypeError('injected')
}

function failIn(format: Format, step: (typeof STEPS)[number]): void {
  if (step !== 'applies') mock.method(format, 'applies', () => true)
  if (step === 'conclude') mock.method(format, 'analyse', () => {})
  // Not every format has a conclusion to replace.
  if (step === 'conclude' && format.conclude === undefined) {
    format.conclude = fail
    return
  }
  mock.method(format as Required<Format>, step, fail)
}

suite('a failure in an analyser', () => {
  let inspector: Inspector
  before(async () => {
    inspector = await ourInspector({ formats: FORMATS })
  })
  after(() => inspector.dispose())
  afterEach(() => {
    mock.restoreAll()
    for (const format of FORMATS) if (format.conclude === fail) delete format.conclude
  })

  const outcome = (bytes: Buffer) => {
    const report = inspector.inspect(bytes)
    const answer = { bytes: bytes.length, checksum: 0, report, rssBytes: 0, cpuMs: 0 }
    return outcomeOf({ kind: 'answered', answer }, bytes.length, 'standard')
  }

  test('without one, both documents are clean', () => {
    for (const bytes of Object.values(DOCUMENTS)) assert.equal(outcome(bytes).kind, 'clean')
  })

  for (const [index, format] of FORMATS.entries())
    for (const step of STEPS)
      test(`format ${index + 1} of ${FORMATS.length}, ${step}: no verdict, but a threat is still found`, () => {
        failIn(format, step)
        for (const bytes of Object.values(DOCUMENTS)) {
          const { kind, ...rest } = outcome(bytes)
          assert.equal(kind, 'unscannable')
          assert.equal('obstacle' in rest && rest.obstacle, 'damaged')
        }
        assert.equal(outcome(Buffer.from(EICAR)).kind, 'detected')
      })
})
