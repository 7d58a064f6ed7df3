/** The generated texts say what the code says: README's table of settings, the example environment, the date of our rules. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { loadConfig } from '#config/config.ts'
import { SETTINGS, type Setting } from '#config/settings.ts'
import { renderEnvExample, renderRulesDate, renderTable, replaceTable } from './generate.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const STALE = 'is out of date: run `npm run generate`'

describe('generated texts', () => {
  test('README.md is up to date', () => {
    const readme = read('README.md')
    assert.ok(readme === replaceTable(readme, renderTable()), `README.md ${STALE}`)
  })

  test('.env.example is up to date', () => {
    assert.ok(read('.env.example') === renderEnvExample(), `.env.example ${STALE}`)
  })

  test('the date of our rules is that of these rules', () => {
    const kept = read('inspect/rules/changed.json')
    assert.ok(kept === renderRulesDate(kept), `inspect/rules/changed.json ${STALE}`)
    assert.ok(Date.parse(JSON.parse(kept).changedAt) <= Date.now())
  })

  test('the date of our rules is a new one exactly when they have changed', () => {
    const kept = '{ "version": "abc", "changedAt": "2026-11-15T00:00:00.000Z" }\n'
    const now = new Date('2026-12-01T00:00:00Z')
    assert.equal(renderRulesDate(kept, 'abc', now), kept)
    assert.equal(renderRulesDate(kept, 'def', now), kept.replace('abc', 'def').replace('11-15', '12-01'))
  })

  test('the table has one row for each setting and marks the secrets', () => {
    const rows = renderTable().trim().split('\n').slice(2)
    const settings: Setting[] = Object.values(SETTINGS)
    assert.equal(rows.length, settings.length)
    for (const [index, { name, secret }] of settings.entries()) {
      const row = rows[index] ?? ''
      assert.ok(row.startsWith(`| \`${name}\` |`), row)
      assert.equal(row.includes(`${name}_FILE`), secret === true, row)
      assert.equal(row.replaceAll('\\|', '').split('|').length, 5, row)
    }
  })

  test('the example changes nothing, neither as it is nor with every line switched on', () => {
    const example = renderEnvExample()
    assert.deepEqual(parseEnv(example), {})
    const switchedOn = parseEnv(example.replaceAll(/^# (?=DOCVET_)/gm, ''))
    for (const { name } of Object.values(SETTINGS)) assert.ok(name in switchedOn, name)
    assert.deepEqual(loadConfig(switchedOn), loadConfig({}))
  })

  test('only what stands between the marks is replaced', () => {
    const readme = 'a\n<!-- config:start -->\nold\n<!-- config:end -->\nb\n'
    const replaced = replaceTable(readme, 'new $& $1\n')
    assert.equal(replaced, 'a\n<!-- config:start -->\nnew $& $1\n<!-- config:end -->\nb\n')
    assert.equal(replaceTable(replaced, 'new $& $1\n'), replaced)
  })

  test('a README without exactly one pair of marks is an error', () => {
    const start = '<!-- config:start -->\n'
    const end = '<!-- config:end -->\n'
    for (const readme of ['', start, end, end + start, start + end + end, start + start + end]) {
      assert.throws(() => replaceTable(readme, 'x\n'), /README\.md/)
    }
  })
})
