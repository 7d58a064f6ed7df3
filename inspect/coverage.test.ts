/** The page about constructs says what is measured, and no harmless program is accused for how it is written. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { measure, type Row, renderCoverage } from './testing/coverage/coverage.ts'
import { useInspector } from './testing/inspector.ts'

const { inspect } = useInspector()

suite('constructs of languages', () => {
  const rows = (): Row[] =>
    measure(({ name, bytes }) =>
      inspect(bytes, { passwords: [], name }).findings.some(({ severity }) => severity === 'malicious'),
    )

  test('are followed as the page says, and accuse no harmless program', () => {
    const found = rows()
    const page = readFileSync(new URL('../docs/coverage.md', import.meta.url), 'utf8')
    const written = page.split('<!-- coverage:start -->\n')[1]?.split('<!-- coverage:end -->')[0]
    assert.equal(renderCoverage(found), written, 'Run `npm run generate`, and see which construct has changed')
    assert.deepEqual(
      found.filter(({ isAccused }) => isAccused).map(({ language, construct }) => `${language}: ${construct}`),
      [],
    )
  })
})
