import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { PROBLEMS } from '#base/errors.ts'
import { loadConfig } from '#config/config.ts'
import { SETTINGS, type Setting } from '#config/settings.ts'
import { renderCanaries } from '#test/support/canaries/render.ts'
import { renderSelfCheck } from '#test/support/self-check.ts'
import { BUILT_IN_PLANS, FREE_PLAN, parsePlans } from '#usage/plan.ts'
import { renderClientApi, renderClientTypes } from './client-types.ts'
import {
  renderApiPage,
  renderConfiguration,
  renderEnvExample,
  renderPerformancePage,
  renderPolicyPage,
  renderSettings,
  renderSignaturesDate,
  replaceSection,
} from './generate.ts'
import { renderKernel } from './kernel.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const STALE = 'is out of date: run `npm run generate`'

describe('generated files', () => {
  test('docs/configuration.md is up to date', () => {
    const page = read('docs/configuration.md')
    assert.ok(page === renderConfiguration(page), `docs/configuration.md ${STALE}`)
  })

  test('docs/api.md is up to date', () => {
    const page = read('docs/api.md')
    assert.ok(page === renderApiPage(page), `docs/api.md ${STALE}`)
  })

  test('docs/policy.md is up to date', () => {
    const page = read('docs/policy.md')
    assert.ok(page === renderPolicyPage(page), `docs/policy.md ${STALE}`)
  })

  test('docs/performance.md shows the figures that were kept', () => {
    const page = read('docs/performance.md')
    assert.ok(page === renderPerformancePage(page), `docs/performance.md ${STALE}`)
  })

  test('.env.example is up to date', () => {
    assert.ok(read('.env.example') === renderEnvExample(), `.env.example ${STALE}`)
  })

  test('the kernel of the matcher is the binary of its source', async () => {
    assert.ok(read('inspect/core/matcher/kernel.ts') === (await renderKernel()), `kernel.ts ${STALE}`)
  })

  test("the types of the dashboard's client are up to date", () => {
    const types = renderClientTypes(read('openapi.json'))
    assert.ok(read('web/src/api/schema.ts') === types, `web/src/api/schema.ts ${STALE}`)
  })

  test('the published client knows every operation and code', () => {
    const api = renderClientApi(read('openapi.json'), Object.keys(PROBLEMS))
    assert.ok(read('packages/client/src/api.ts') === api, `packages/client/src/api.ts ${STALE}`)
  })

  test('the canaries are up to date', () => {
    assert.ok(read('server/engines/canaries.json') === renderCanaries(), `server/engines/canaries.json ${STALE}`)
  })

  test('the documents of the self-check are up to date', () => {
    const file = 'server/engines/embedded/updates/self-check.json'
    assert.ok(read(file) === renderSelfCheck(), `${file} ${STALE}`)
  })

  test('the date of the signatures is up to date', () => {
    const kept = read('inspect/judge/signatures.json')
    assert.ok(kept === renderSignaturesDate(kept), `inspect/judge/signatures.json ${STALE}`)
    assert.ok(Date.parse(JSON.parse(kept).changedAt) <= Date.now())
  })

  test('the date of the signatures changes only with them', () => {
    const kept = '{ "version": "abc", "changedAt": "2026-11-15T00:00:00.000Z" }\n'
    const now = new Date('2026-12-01T00:00:00Z')
    assert.equal(renderSignaturesDate(kept, 'abc', now), kept)
    assert.equal(renderSignaturesDate(kept, 'def', now), kept.replace('abc', 'def').replace('11-15', '12-01'))
  })

  test('the settings table has one row per setting and marks secrets', () => {
    const rows = renderSettings().trim().split('\n').slice(2)
    const settings: Setting[] = Object.values(SETTINGS)
    assert.equal(rows.length, settings.length)
    for (const [index, { name, secret }] of settings.entries()) {
      const row = rows[index] ?? ''
      assert.ok(row.startsWith(`| \`${name}\` |`), row)
      assert.equal(row.includes(`${name}_FILE`), secret === true, row)
      assert.equal(row.replaceAll('\\|', '').split('|').length, 5, row)
    }
  })

  test('the example environment equals the defaults, also with every line enabled', () => {
    const example = renderEnvExample()
    assert.deepEqual(parseEnv(example), {})
    const switchedOn = parseEnv(example.replaceAll(/^# (?=DOCVET_)/gm, ''))
    for (const { name } of Object.values(SETTINGS)) assert.ok(name in switchedOn, name)
    assert.deepEqual(loadConfig(switchedOn), loadConfig({}))
  })

  test('replaces only the section between the markers', () => {
    const page = 'a\n<!-- x:start -->\nold\n<!-- x:end -->\nb\n'
    const replaced = replaceSection(page, 'x', 'new $& $1\n')
    assert.equal(replaced, 'a\n<!-- x:start -->\nnew $& $1\n<!-- x:end -->\nb\n')
    assert.equal(replaceSection(replaced, 'x', 'new $& $1\n'), replaced)
  })

  test('rejects a page without exactly one pair of markers', () => {
    const start = '<!-- x:start -->\n'
    const end = '<!-- x:end -->\n'
    for (const page of ['', start, end, end + start, start + end + end, start + start + end]) {
      assert.throws(() => replaceSection(page, 'x', 'y\n'), /exactly one/)
    }
  })
})

describe('README.md', () => {
  test('states the limits of the default plan', () => {
    const { scansPerMonth, keysPerMonth, scansPerSecond, burst } = BUILT_IN_PLANS[FREE_PLAN]!
    const text = read('README.md').replace(/\s+/g, ' ')
    const limits = `${scansPerMonth} scans per key and month, ${keysPerMonth} keys, and ${scansPerSecond} scan per second with bursts of ${burst}`
    assert.ok(text.includes(limits), limits)
  })
})

test('docs/configuration.md shows a valid plans file', () => {
  const [, json = ''] = /```json\n(\{.*?scansPerMonth.*?\n\})\n```/s.exec(read('docs/configuration.md')) ?? []
  assert.ok('plans' in parsePlans(JSON.parse(json)))
})
