import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine } from './progress.ts'

const PROGRESS = { files: 500, infected: 2, errors: 0, total: 2_000, elapsedMs: 5_000, current: 'docs/report.pdf' }

test('the line has the total, the rate, the time left, infected files and the current one', () => {
  const line = progressLine(PROGRESS, 100)
  assert.equal(line, '25 % of 2,000 files · 100/s · 15 s left · 2 infected · docs/report.pdf')
})

test('while files are counted and the rate is not known, it says less', () => {
  assert.equal(
    progressLine({ ...PROGRESS, total: null, elapsedMs: 10, errors: 3 }, 100),
    '500 files · 2 infected · 3 not scanned · docs/report.pdf',
  )
  assert.match(progressLine({ ...PROGRESS, total: 600_000 }, 100), / · 1\.7 h left · /)
})

test('it is shorter than the terminal, and the name of the file is what is cut', () => {
  for (const columns of [10, 40, 60, 70, 71, 72, 100])
    for (const current of ['', 'a', 'x'.repeat(300), '\u001b[2J'.repeat(20)]) {
      const line = progressLine({ ...PROGRESS, current }, columns)
      assert.ok([...line].length < columns, `${columns}: ${line}`)
      assert.ok(!line.includes('\u001b'))
    }
  assert.match(progressLine(PROGRESS, 62), / · …\S*\.pdf$/)
})
