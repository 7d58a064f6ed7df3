/** A program keeps its verdict when it is written in another way, and a harmless one is not accused for how it is written. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from './testing/inspector.ts'
import { runJavaScript, runPython } from './testing/metamorphic/run.ts'
import { languages } from './testing/metamorphic/techniques.ts'
import {
  openTwins,
  pairedVariants,
  plainProgram,
  singleVariants,
  type Variant,
} from './testing/metamorphic/variants.ts'

const { inspect } = useInspector()

const SEED = 1
const PAIRS = 600
/** Forms of the issue: shares of variants that keep the verdict. */
const KEPT_MIN = 0.98
const KEPT_BY_LANGUAGE_MIN = 0.95
const KEPT_PAIRS_MIN = 0.95

function verdictOf({ language, program }: Pick<Variant, 'language' | 'program'>): string {
  const document = languages[language]?.wrap(program)
  assert.ok(document)
  const { findings, obstacle } = inspect(document.bytes, { passwords: [], name: document.name })
  if (findings.some(({ severity }) => severity === 'malicious')) return 'infected'
  return obstacle === null ? 'passed' : 'refused'
}

/** Variants that are not found, by language. */
function lostOf(variants: Iterable<Variant>): Map<string, { count: number; lost: string[] }> {
  const found = new Map<string, { count: number; lost: string[] }>()
  for (const variant of variants) {
    const row = found.get(variant.language) ?? { count: 0, lost: [] }
    found.set(variant.language, row)
    row.count++
    if (verdictOf(variant) === 'passed') row.lost.push(`${variant.technique}: ${variant.forms.join(' + ')}`)
  }
  return found
}

function assertKept(rows: ReturnType<typeof lostOf>, min: number): void {
  const all = [...rows.values()]
  const count = all.reduce((sum, row) => sum + row.count, 0)
  const lost = all.flatMap((row) => row.lost)
  assert.ok(1 - lost.length / count >= min, `${lost.length} of ${count} are lost:\n${lost.join('\n')}`)
}

suite('a program that is written in another way', () => {
  for (const [language, { techniques }] of Object.entries(languages))
    for (const technique of Object.keys(techniques))
      test(`is found in its plain form: ${language}, ${technique}`, () => {
        assert.equal(verdictOf({ language, program: plainProgram(language, technique) }), 'infected')
      })

  test('is found in every form', () => {
    const rows = lostOf(singleVariants())
    assertKept(rows, KEPT_MIN)
    for (const [language, row] of rows) assertKept(new Map([[language, row]]), KEPT_BY_LANGUAGE_MIN)
  })

  test('is found in two forms at a time', () => assertKept(lostOf(pairedVariants(SEED, PAIRS)), KEPT_PAIRS_MIN))

  test('is not accused when it is harmless', () => {
    const accused = [...openTwins()].filter((variant) => verdictOf(variant) !== 'passed')
    assert.deepEqual(
      accused.map(({ language, technique, forms }) => `${language}, ${technique}: ${forms}`),
      [],
    )
  })
})

suite('the forms of a program', () => {
  const allOf = (names: readonly string[]): Variant[] =>
    [...singleVariants()].filter(({ language }) => names.includes(language))
  const nameOf = ({ technique, forms }: Variant): string => `${technique}: ${forms}`

  test('do the same in JavaScript', () => {
    for (const variant of allOf(['script host', 'page', 'PDF'])) {
      const plain = runJavaScript(String(plainProgram(variant.language, variant.technique)))
      const seen = runJavaScript(String(variant.program))
      assert.ok(
        plain.length > 0 && plain.every((each) => seen.includes(each)),
        `${nameOf(variant)}\n${variant.program}\n${seen}`,
      )
    }
  })

  test('do the same in Python', () => {
    const variants = allOf(['Python'])
    const plain = runPython(variants.map(({ language, technique }) => String(plainProgram(language, technique))))
    const seen = runPython(variants.map(({ program }) => String(program)))
    for (const [i, variant] of variants.entries())
      assert.ok(
        plain[i]?.length && plain[i].every((each) => seen[i]?.includes(each)),
        `${nameOf(variant)}\n${variant.program}`,
      )
  })
})
