import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Measurements, renderMeasurements } from './measurements.ts'
import { renderPerformance } from './page.ts'

const about = { on: '2026-01-02', processor: '2 × Some CPU', node: 'v24.0.0', commit: '01234567', busy: 7 }
const measurements: Measurements = {
  documents: {
    about,
    figures: [
      {
        ...{ kind: 'html', size: '1MB', how: 'single', files: 1, bytes: 1e6, fingerprint: '0123abcd' },
        ...{ oursMs: 50, isCut: false, medianMs: 50, clamdMs: 50, clamdPlainMs: 50, parserMs: null },
        ...{ cold: null, workMean: 1, workMax: 1, refused: {} },
      },
    ],
  },
  service: {
    about,
    figures: [
      {
        ...{ name: 'pdf', documents: 60, bytes: 7_500_000, clamdPerSecond: 100.4, clamdMs: 15.21 },
        ...{ withClamd: 0.55, alone: 1.19, aloneMainMs: 1.25, aloneWorkersMs: 13.333333, notClean: 2 },
      },
    ],
  },
}

test('each table says what was measured, when and where', () => {
  const sections = new Map<string, string>()
  renderPerformance('', measurements, (page, name, content) => {
    sections.set(name, content)
    return page
  })
  assert.deepEqual([...sections.keys()], ['real-documents', 'real-growth', 'real-service'])
  for (const section of sections.values())
    assert.ok(
      section.includes(
        'Measured on 2026-01-02 on 2 × Some CPU, Node v24.0.0, at commit 01234567. Other programs used 7 % ',
      ),
      section,
    )
  const row =
    /^\| pdf +\| 60, 7\.5 MB +\| 100 +\| 0\.55 of 0\.55: met +\| 1\.19 of 1\.2: missed +\| 15\.2 +\| 1\.3, 13\.3 +\| 2 +\|$/m
  assert.match(sections.get('real-service') ?? '', row)
})

test('a part without figures says that it was not measured', () => {
  const empty = { ...measurements, service: { about, figures: [] } }
  const page = renderPerformance('', empty, (text, name, content) => `${text}${name}:${content}`)
  assert.match(page, /real-service:\nNot measured yet\.\n/)
})

test('kept figures have a row each and four digits', () => {
  const text = renderMeasurements(measurements)
  assert.equal(text.split('\n').filter((line) => line.includes('"pdf"')).length, 1)
  assert.match(text, /"aloneWorkersMs":13\.33,/)
  assert.deepEqual(JSON.parse(text).documents, measurements.documents)
})
