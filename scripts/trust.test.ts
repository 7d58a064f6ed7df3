/** docs/trust.md says what every table is for, and names tests that exist. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openPlace } from '#test/support/seed.ts'
import { sqlitePlace } from '#test/support/suite.ts'

const ROOT = path.join(import.meta.dirname, '..')
const page = readFileSync(path.join(ROOT, 'docs/trust.md'), 'utf8')

/** The rows of the table below a heading, each as its cells. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => row.split('|').map((cell) => cell.trim()))
}

test('every table of the schema has a row, with its content and how long it is kept, and no other has', async () => {
  const place = await sqlitePlace()
  await (await openPlace(place)).close()
  const database = new DatabaseSync(path.join(place.dataDir, 'docvet.sqlite'))
  const found = database.prepare("select name from sqlite_master where type = 'table'").all()
  database.close()
  await place.release()
  const tables = found.map(({ name }) => String(name)).filter((name) => !/^(?:sqlite|kysely)_/.test(name))
  const rows = rowsBelow('What is stored')
  const named = rows.map(([, name = '']) => name.replaceAll('`', ''))
  assert.ok(tables.length > 30)
  assert.deepEqual(named.toSorted(), tables.toSorted())
  for (const [, name, ...cells] of rows)
    assert.ok(
      cells.slice(0, 3).every((cell) => cell !== ''),
      name,
    )
})

test('every test that proves a promise exists', () => {
  const rows = rowsBelow('Which test proves which promise')
  assert.ok(rows.length > 10)
  for (const [, promise, tests = ''] of rows) {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    assert.ok(files.length > 0, promise)
    for (const file of files) assert.ok(existsSync(path.join(ROOT, file)), file)
  }
})
