/** Cells of CSV exports that a spreadsheet could run as a formula or split. Names of documents and keys come from others. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '#web/src/csv.ts'

const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

for (const start of STARTS) {
  test(`a cell that begins with ${JSON.stringify(start)} is text`, () => {
    assert.equal(toCsv([[`${start}1+1`]]), `"'${start}1+1"\r\n`)
  })
}

test('text is always quoted, so that no separator of any language splits it', () => {
  assert.equal(
    toCsv([['a;=1+1', 'b\tc', 'd "e"', 'f,g', '', 'h\r\n=1']]),
    '"a;=1+1","b\tc","d ""e""","f,g","","h\r\n=1"\r\n',
  )
  assert.equal(toCsv([['plain', 1, -1.5]]), '"plain",1,-1.5\r\n')
})
