/** The gate against the rule engine itself: wherever a rule matches, the gate lets the bytes through. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { createSight } from '#inspect/core/literal-scan.ts'
import { readRules, readWasm } from '#inspect/testing/inspector.ts'
import { compileRules } from './compile.ts'
import { scan } from './matches.ts'
import { readPlainRules } from './plain-rules.ts'
import { createGate, type Gate } from './prefilter.ts'

const rule = (strings: string, condition = 'any of them') => ({
  name: 'a.yar',
  text: `rule a { strings: ${strings} condition: ${condition} }`,
})

/** What the gate says of streams in which its own literals are looked for. */
function mayMatch(gate: Gate | null, streams: readonly Uint8Array[]): boolean {
  if (gate === null) return true
  return gate.mayMatch(streams.map(createSight(gate.literals)()))
}

/** Numbers that are the same in every run with the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

describe('gate', () => {
  before(() => {
    initSync({ module: readWasm() })
  })

  test('understands all of our own rules', () => {
    assert.notEqual(createGate(readRules()), null)
  })

  for (const seed of [1, 2, 3]) {
    test(`agrees with the rule engine on documents put together from patterns (seed ${seed})`, () => {
      const rules = readRules()
      const literals = readPlainRules(rules)?.literals ?? []
      const compiled = compileRules(rules, [])
      const roll = dice(seed)
      let matched = 0
      for (let i = 0; i < 300; i++) {
        const parts = Array.from({ length: 1 + roll(4) }, () => {
          const literal = Buffer.from(literals[roll(literals.length)]?.bytes ?? [])
          const filler = Buffer.alloc(roll(9), 'x')
          const changed = roll(3) === 0 ? Buffer.from(literal.toString('latin1').toUpperCase(), 'latin1') : literal
          return Buffer.concat([filler, roll(8) === 0 ? changed.subarray(0, -1) : changed])
        })
        // A view that begins anywhere in its memory, as members of archives do.
        const document = Buffer.concat([Buffer.alloc(roll(4)), ...parts]).subarray(roll(4))
        const found = scan(compiled.joined, document).map(({ rule }) => rule)
        const may = mayMatch(compiled.gate, [document])
        if (found.length > 0) assert.equal(may, true, `${found} in ${JSON.stringify(document.toString('latin1'))}`)
        if (found.length > 0) matched++
      }
      compiled.dispose()
      assert.ok(matched > 50, `only ${matched} documents matched: the test shows little`)
    })
  }

  test('lets nothing through that no rule can match', () => {
    const gate = createGate(readRules())
    assert.equal(
      mayMatch(gate, [Buffer.from('An ordinary letter, with a link to https://example.com to download.')]),
      false,
    )
    assert.equal(mayMatch(gate, [Buffer.alloc(0), Buffer.from('abc')]), false)
  })

  test('puts together what stands in different streams', () => {
    const gate = createGate([rule('$a = "first part" $b = "second part"', '$a and $b')])
    assert.equal(mayMatch(gate, [Buffer.from('first part')]), false)
    assert.equal(mayMatch(gate, [Buffer.from('first part'), Buffer.from('the second part')]), true)
  })

  for (const [name, strings, text] of [
    ['an escaped text', '$a = "a\\\\b\\"c\\x41\\t"', 'a\\b"cA\t'],
    ['bytes', '$a = { 61 62 63 64 65 }', 'abcde'],
    ['a text in UTF-16', '$a = "abc" wide', 'a\0b\0c\0'],
    ['both forms of a text, this one', '$a = "abcdef" wide ascii', 'abcdef'],
    ['both forms of a text, and that one', '$a = "abcdef" ascii wide', 'a\0b\0c\0d\0e\0f\0'],
    ['a text in any case', '$a = "aBcDe" nocase', 'AbCdE'],
  ] as const) {
    test(`finds ${name} at every place`, () => {
      const gate = createGate([rule(strings)])
      for (let at = 0; at < 6; at++) {
        const bytes = Buffer.concat([Buffer.alloc(at, '-'), Buffer.from(text, 'latin1')])
        assert.equal(mayMatch(gate, [bytes]), true, `at ${at}`)
        assert.equal(mayMatch(gate, [bytes.subarray(0, -1)]), false, `at ${at}, cut`)
      }
    })
  }

  for (const [name, strings, condition] of [
    ['absence', '$a = "abcdef"', 'not $a'],
    ['a size', '$a = "abcdef"', '$a or filesize < 10'],
    ['a place', '$a = "abcdef"', '$a at 0'],
    ['a number', '$a = "abcdef"', '#a > 0'],
    ['none of them', '$a = "abcdef"', 'none of them'],
    ['a number of them', '$a = "abcdef"', '0 of them'],
    ['nothing but truth', '$a = "abcdef"', 'true or $a'],
    ['another rule', '$a = "abcdef"', '$a or b'],
    ['all of what is not there', '$a = "abcdef"', 'all of ($b*)'],
    ['an expression', '$a = /abc.*def/', '$a'],
    ['bytes that may be any', '$a = { 61 62 ?? 64 65 66 }', '$a'],
    ['bytes with a jump', '$a = { 61 62 [2-4] 64 65 66 }', '$a'],
    ['hidden texts', '$a = "abcdef" xor', '$a'],
    ['encoded texts', '$a = "abcdef" base64', '$a'],
    ['texts that are too short', '$a = "abcd"', '$a'],
    ['letters beyond ASCII', '$a = "résumé-evil"', '$a'],
    ['letters of another script, wide', '$a = "Вредонос" wide', '$a'],
    ['a line end of old', '$a = "abcdef" // x\r $b = "ghijkl"', 'any of them'],
  ] as const) {
    test(`steps aside for rules that ask for ${name}`, () => {
      assert.equal(createGate([rule(strings, condition)]), null)
    })
  }

  test('steps aside for what it does not know around a rule', () => {
    const { text } = rule('$a = "abcdef"')
    for (const odd of [
      `private ${text}`,
      `global ${text}`,
      `import "pe" ${text}`,
      `include "b.yar" ${text}`,
      'rule a : tag { condition: true }',
      'rule a { condition: true }',
    ])
      assert.equal(createGate([{ name: 'a.yar', text: odd }]), null, odd)
  })
})
