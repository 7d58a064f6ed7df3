/** Cells of CSV exports that a spreadsheet could run as a formula or split. Names of documents and keys come from others. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '#web/src/csv.ts'
import { csvOf } from '#web/src/pages/history/scans-csv.ts'

const MARK = '\uFEFF'

const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

for (const start of STARTS) {
  test(`a cell that begins with ${JSON.stringify(start)} is text`, () => {
    assert.equal(toCsv([[`${start}1+1`]]), `${MARK}"'${start}1+1"\r\n`)
  })
}

test('text is always quoted, so that no separator of any language splits it', () => {
  assert.equal(
    toCsv([['a;=1+1', 'b\tc', 'd "e"', 'f,g', '', 'h\r\n=1']]),
    `${MARK}"a;=1+1","b\tc","d ""e""","f,g","","h\r\n=1"\r\n`,
  )
  assert.equal(toCsv([['plain', 1, -1.5]]), `${MARK}"plain",1,-1.5\r\n`)
})

test('Excel reads names that are not English: one mark at the beginning, in UTF-8', () => {
  const saved = Buffer.from(toCsv([['Größe'], ['請求書.pdf']]))
  assert.equal(saved.subarray(0, 3).toString('hex'), 'efbbbf')
  assert.equal(saved.indexOf('efbbbf', 3, 'hex'), -1)
})

test('scans are listed in the words of the page: keys by name, the test file as such', () => {
  const scan = {
    ...{ scanId: 's', fileName: 'a.pdf', contentType: null, detectedType: null, sha256: null, findings: [] },
    ...{ scannedAt: '2026-11-15T22:58:02.000Z', durationMs: 1, engines: [], keyId: 'k1' },
  }
  const scans = [
    { ...scan, status: 'clean', threat: null, fileSize: 700, obstacle: null },
    { ...scan, status: 'infected', threat: 'Docvet.Test.Eicar', fileSize: 68, obstacle: null, keyId: 'k2' },
    { ...scan, status: 'infected', threat: 'Docvet.Test.Eicar', fileSize: 129, obstacle: null, keyId: 'gone' },
    { ...scan, status: null, threat: null, fileSize: 5, obstacle: 'damaged' },
  ] as never[]
  const keys = [
    { id: 'k1', name: 'Build server' },
    { id: 'k2', name: 'Dashboard' },
  ]
  const [, ...rows] = csvOf(scans, keys).trim().split('\r\n')
  assert.deepEqual(
    rows.map((row) => row.split(',')).map((cells) => [cells[2], cells[7]]),
    [
      ['"clean"', '"Build server"'],
      ['"test file"', '"Dashboard"'],
      ['"infected"', '"Deleted key"'],
      ['"not scanned (damaged)"', '"Build server"'],
    ],
  )
})
