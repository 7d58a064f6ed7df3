/** Compares the prefilter with the rule engine: it must pass every document in which a rule matches. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { createLiteralScan } from '#inspect/core/literal-scan.ts'
import { readRules, readWasm } from '#inspect/testing/inspector.ts'
import { compileRules } from './compile.ts'
import { scan } from './matches.ts'
import { readPlainRules } from './plain-rules.ts'
import { createPrefilter, type Prefilter } from './prefilter.ts'

const rule = (strings: string, condition = 'any of them') => ({
  name: 'a.yar',
  text: `rule a { strings: ${strings} condition: ${condition} }`,
})

function mayMatch(prefilter: Prefilter | null, streams: readonly Uint8Array[]): boolean {
  if (prefilter === null) return true
  return prefilter.mayMatch(streams.map(createLiteralScan(prefilter.literals)()))
}

/** A deterministic random number generator. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

describe('prefilter', () => {
  before(() => {
    initSync({ module: readWasm() })
  })

  test('supports all bundled rules', () => {
    assert.notEqual(createPrefilter(readRules()), null)
  })

  test('agrees with the rule engine on documents made of patterns', () => {
    const rules = readRules()
    const literals = readPlainRules(rules)?.literals ?? []
    const compiled = compileRules(rules, [])
    const roll = dice(1)
    let matched = 0
    for (let i = 0; i < 300; i++) {
      const parts = Array.from({ length: 1 + roll(4) }, () => {
        const literal = Buffer.from(literals[roll(literals.length)]?.bytes ?? [])
        const filler = Buffer.alloc(roll(9), 'x')
        const changed = roll(3) === 0 ? Buffer.from(literal.toString('latin1').toUpperCase(), 'latin1') : literal
        return Buffer.concat([filler, roll(8) === 0 ? changed.subarray(0, -1) : changed])
      })
      // A view with any alignment, like the members of archives.
      const document = Buffer.concat([Buffer.alloc(roll(4)), ...parts]).subarray(roll(4))
      const found = scan(compiled.joined, document).map(({ rule }) => rule)
      const may = mayMatch(compiled.prefilter, [document])
      if (found.length > 0) assert.equal(may, true, `${found} in ${JSON.stringify(document.toString('latin1'))}`)
      if (found.length > 0) matched++
    }
    compiled.dispose()
    assert.ok(matched > 50, `only ${matched} documents matched: the test shows little`)
  })

  test('rejects documents in which no rule can match', () => {
    const prefilter = createPrefilter(readRules())
    assert.equal(
      mayMatch(prefilter, [Buffer.from('An ordinary letter, with a link to https://example.com to download.')]),
      false,
    )
    assert.equal(mayMatch(prefilter, [Buffer.alloc(0), Buffer.from('abc')]), false)
  })

  test('combines patterns of different streams', () => {
    const prefilter = createPrefilter([rule('$a = "first part" $b = "second part"', '$a and $b')])
    assert.equal(mayMatch(prefilter, [Buffer.from('first part')]), false)
    assert.equal(mayMatch(prefilter, [Buffer.from('first part'), Buffer.from('the second part')]), true)
  })

  for (const [name, strings, text] of [
    ['an escaped string', '$a = "a\\\\b\\"c\\x41\\t"', 'a\\b"cA\t'],
    ['bytes', '$a = { 61 62 63 64 65 }', 'abcde'],
    ['a UTF-16 string', '$a = "abc" wide', 'a\0b\0c\0'],
    ['ASCII with both modifiers', '$a = "abcdef" wide ascii', 'abcdef'],
    ['UTF-16 with both modifiers', '$a = "abcdef" ascii wide', 'a\0b\0c\0d\0e\0f\0'],
    ['a string in any case', '$a = "aBcDe" nocase', 'AbCdE'],
  ] as const) {
    test(`finds ${name} at every offset`, () => {
      const prefilter = createPrefilter([rule(strings)])
      for (let at = 0; at < 6; at++) {
        const bytes = Buffer.concat([Buffer.alloc(at, '-'), Buffer.from(text, 'latin1')])
        assert.equal(mayMatch(prefilter, [bytes]), true, `at ${at}`)
        assert.equal(mayMatch(prefilter, [bytes.subarray(0, -1)]), false, `at ${at}, cut`)
      }
    })
  }

  for (const [name, strings, condition] of [
    ['absence', '$a = "abcdef"', 'not $a'],
    ['a size', '$a = "abcdef"', '$a or filesize < 10'],
    ['an offset', '$a = "abcdef"', '$a at 0'],
    ['a count', '$a = "abcdef"', '#a > 0'],
    ['none of the patterns', '$a = "abcdef"', 'none of them'],
    ['a number of patterns', '$a = "abcdef"', '0 of them'],
    ['a constant condition', '$a = "abcdef"', 'true or $a'],
    ['a reference to another rule', '$a = "abcdef"', '$a or b'],
    ['all of an empty set', '$a = "abcdef"', 'all of ($b*)'],
    ['a regular expression', '$a = /abc.*def/', '$a'],
    ['wildcard bytes', '$a = { 61 62 ?? 64 65 66 }', '$a'],
    ['a jump', '$a = { 61 62 [2-4] 64 65 66 }', '$a'],
    ['xor strings', '$a = "abcdef" xor', '$a'],
    ['base64 strings', '$a = "abcdef" base64', '$a'],
    ['strings that are too short', '$a = "ab"', '$a'],
    ['non-ASCII strings', '$a = "résumé-evil"', '$a'],
    ['non-ASCII wide strings', '$a = "Вредонос" wide', '$a'],
    ['a lone CR', '$a = "abcdef" // x\r $b = "ghijkl"', 'any of them'],
  ] as const) {
    test(`is not created for rules with ${name}`, () => {
      assert.equal(createPrefilter([rule(strings, condition)]), null)
    })
  }

  test('is not created for unsupported syntax around a rule', () => {
    const { text } = rule('$a = "abcdef"')
    for (const odd of [
      `private ${text}`,
      `global ${text}`,
      `import "pe" ${text}`,
      `include "b.yar" ${text}`,
      'rule a : tag { condition: true }',
      'rule a { condition: true }',
    ])
      assert.equal(createPrefilter([{ name: 'a.yar', text: odd }]), null, odd)
  })
})
