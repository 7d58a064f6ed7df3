import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPatterns, offendersAmong } from './check-patterns.ts'
import { patternsIn } from './patterns/collect.ts'
import type { Pattern } from './patterns/growth.ts'

const SLOW: readonly RegExp[] = [
  // A run, from each of its positions.
  /\s+$/,
  /\d+x/,
  /(?<![a-z])[a-z ]+x/,
  /x{15,}y/,
  // An opening without its end, from each opening.
  /<a[^>]*>/g,
  /\/\*[\s\S]*?\*\//g,
  /"(?:[^"\\]|\\.)*"/g,
  /^\s*key=/gm,
  // Two repetitions that share a text.
  /^\s*"?\s*=/,
  /^function\s*\w*\s*\(/,
  // Worse than quadratic.
  /^\w*\d*[a-z0-9]*!/,
  /^(?:a|aa)+$/,
  /^(?:;.*\s*)*\[/s,
  // Each match looks to the end.
  /a(?=[^b]*b)/g,
  // Bounds within bounds.
  /^(?:a{1,4}){1,99}!/,
]

const LINEAR: readonly RegExp[] = [
  /^\s+$/,
  /(?<!\s)\s+$/,
  /<a[^<>]*>/g,
  /<a[^>]*(?:>|$)/g,
  /\/\*[\s\S]*?(?:\*\/|$)/g,
  /\w{1,64}@/g,
  /a(?:(?!a)[\s\S])*b/,
  /^[^\S\r\n]*key=/gm,
  /\.bin$(?<=link[^/]*)/,
  /<b[^>]{0,300}\s{0,40}>/g,
  // Takes no time while the text is too short for a match.
  /(?:\d{1,3}\s*,\s*){240}!|(?:\d{1,3}\s*,\s*){245}x|(?:\d{1,3}\s*,\s*){248}y/g,
]

const asPattern = ({ source, flags }: RegExp): Pattern => ({
  at: '',
  name: '',
  source,
  flags,
  everywhere: /[gy]/.test(flags),
})
/**
 * Shorter than in the check, because all of them are slow. Times of a few milliseconds vary, so that some need another
 * look, and a quick one is only found at the length of the check.
 */
const LENGTHS = [4000, 8000, 16_000, 16_000]
/** About 20 s of CPU time are needed, which a busy machine may not have soon. */
const TIMEOUT_MS = 400_000

const slowOf = async (patterns: readonly RegExp[], length: number): Promise<string[]> =>
  (await offendersAmong(patterns.map(asPattern), length)).map(({ pattern }) => pattern.source)

describe('patterns', () => {
  test('that take more than linear time are found', { timeout: TIMEOUT_MS }, async () => {
    let missing: readonly RegExp[] = SLOW
    for (const length of LENGTHS) {
      if (missing.length === 0) break
      const found = new Set(await slowOf(missing, length))
      missing = missing.filter(({ source }) => !found.has(source))
    }
    assert.deepEqual(missing, [])
  })

  test('that take linear time are not', async () => assert.deepEqual(await slowOf(LINEAR, 8000), []))

  test('are found in sources with their names and uses', () => {
    const source =
      "const A = /a+/i\nconst B = /,/\nfunction f(t) {\n  return t.split(B).concat(t.split(/;/), /b/g)\n}\nnew RegExp('c')"
    const { patterns, constructed } = patternsIn('x.ts', source)
    assert.deepEqual(patterns, [
      { at: 'x.ts:1', name: 'x.ts A', source: 'a+', flags: 'i', everywhere: false },
      { at: 'x.ts:2', name: 'x.ts B', source: ',', flags: '', everywhere: true },
      { at: 'x.ts:4', name: 'x.ts f', source: ';', flags: '', everywhere: true },
      { at: 'x.ts:4', name: 'x.ts f', source: 'b', flags: 'g', everywhere: true },
    ])
    assert.deepEqual(constructed, ['x.ts:6'])
  })

  test('of all sources take linear time', { timeout: TIMEOUT_MS }, async () => {
    const { count, problems } = await checkPatterns()
    assert.deepEqual(problems, [])
    assert.ok(count > 1000, `only ${count} patterns were found`)
  })
})
