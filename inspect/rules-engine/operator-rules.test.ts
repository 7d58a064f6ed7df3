/** Compares the operator's rules behind their prefilter with all rules run over every stream. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Compiler, initSync, Scanner } from '@virustotal/yara-x'
import type { Limits } from '#inspect/core/limits.ts'
import type { Finding, Obstacle, RuleSource } from '#inspect/inspect.ts'
import { ourInspector, readWasm } from '#inspect/testing/inspector.ts'
import { dice, randomDocument, randomFile } from '#inspect/testing/random-rules.ts'
import { COUNTED_MATCHES_MAX, compileRules, OPERATOR } from './compile.ts'
import { scan } from './matches.ts'
import { readFacts } from './rule-facts.ts'
import { COMPILE_WORK, createRuleScan } from './scan.ts'

interface Found {
  matches: string[]
  obstacle: string | undefined
}

/** Each rule with each member in which it matches. */
function withPrefilter(sources: readonly RuleSource[], members: readonly Buffer[], runsMax?: number): Found {
  const rules = compileRules(sources)
  const matches = new Set<string>()
  let obstacle: string | undefined
  const sink = {
    addFinding: ({ id, detail, path }: Finding) => matches.add(`${detail} ${id.replace('Operator.', '')} in ${path}`),
    addObstacle: ({ reason }: Obstacle) => {
      obstacle = reason
    },
  }
  const ruleScan = createRuleScan(rules, sink, { runsMax })
  for (const [index, member] of members.entries()) ruleScan.scan([`${index}`], member)
  ruleScan.finish()
  rules.dispose()
  assert.equal(ruleScan.failure(), null)
  return { matches: [...matches].sort(), obstacle }
}

function withAllRules(sources: readonly RuleSource[], members: readonly Buffer[]): string[] {
  using compiler = new Compiler()
  for (const { name, text } of sources) {
    compiler.newNamespace(OPERATOR + name)
    compiler.addSource(text)
  }
  using rules = compiler.build()
  using scanner = new Scanner(rules)
  scanner.setMaxMatchesPerPattern(COUNTED_MATCHES_MAX)
  const matches = members.flatMap((member, index) =>
    scan(scanner, member).map(({ rule, namespace }) => `${namespace.slice(OPERATOR.length)} ${rule} in ${index}`),
  )
  return matches.sort()
}

const rule = (strings: string, condition: string, name = 'a'): RuleSource => ({
  name: `${name}.yar`,
  text: `rule ${name} { strings: ${strings} condition: ${condition} }`,
})

/** Whether the rule engine is asked about the rule. */
function isCandidate(source: RuleSource, bytes: Uint8Array | string): boolean {
  const rules = compileRules([source])
  const { joined, alone } = rules.candidatesFor(Buffer.from(bytes))
  rules.dispose()
  return joined.length + alone.length > 0
}

describe('operator rules', () => {
  before(() => {
    initSync({ module: readWasm() })
  })

  for (const seed of Array.from({ length: 4 }, (_, index) => index + 1))
    test(`give the result of all rules on every member (seed ${seed})`, () => {
      const roll = dice(seed)
      const members = Array.from({ length: 10 }, () => randomDocument(roll))
      const sources = ['a.yar', 'b.yar', 'c.yar'].map((name) => randomFile(roll, name, 10, members))
      const expected = withAllRules(sources, members)
      assert.deepEqual(withPrefilter(sources, members), { matches: expected, obstacle: undefined })
      assert.ok(expected.length > 10, `only ${expected.length} matches: the test shows little`)
    })

  for (const [what, source, bytes] of [
    ['text', rule('$a = "wanted-text"', '$a'), 'another text'],
    ['any case', rule('$a = "wanted-text" nocase', '$a'), 'WANTED TEXT'],
    ['UTF-16', rule('$a = "wanted" wide', '$a'), 'wanted'],
    ['base64', rule('$a = "wanted-text" base64', '$a'), 'wanted-text'],
    ['xor', rule('$a = "wanted-text" xor', '$a'), 'another text'],
    ['a jump', rule('$a = { 77 61 6e 74 [2-9] 65 64 }', '$a'), 'wan ted'],
    ['an expression', rule('$a = /wanted-[a-z]+ (text|word)/', '$a'), 'wanted text'],
    ['a choice', rule('$a = /(first|second)-[0-9]/', '$a'), 'third-1'],
    ['a count', rule('$a = "wanted-text"', '#a > 2'), 'another text'],
    ['an offset of a short pattern', rule('$a = "MZ"', '$a at 0'), '%PDF-1.7 MZ'],
    ['the first bytes', rule('$a = /[a-z]{3}/', 'uint16(0) == 0x5A4D and $a'), '%PDF-1.7'],
    ['a size', rule('$a = /[a-z]{3}/', 'filesize < 5 and $a'), '%PDF-1.7 abc'],
    ['a loop', rule('$a = "wanted-text"', 'for any i in (1..#a) : (@a[i] < 9)'), '%PDF-1.7 abc'],
    ['a program', { name: 'a.yar', text: 'import "pe" rule a { condition: pe.number_of_sections > 1 }' }, '%PDF-1.7'],
    ['a hash', { name: 'a.yar', text: 'import "hash" rule a { condition: hash.md5(0, filesize) == "00" }' }, 'abc'],
    [
      'a reference',
      { name: 'a.yar', text: 'private rule p { strings: $a = "wanted" condition: $a } rule a { condition: p }' },
      'abc',
    ],
  ] as const)
    test(`are not run for want of ${what}`, () => {
      assert.equal(isCandidate(source, bytes), false)
    })

  test('that are not understood always run, and do not affect others', () => {
    const unclear = rule('$a = /[a-z]{3}[0-9]/', '$a', 'unclear')
    assert.equal(isCandidate(unclear, ''), true)
    assert.equal(isCandidate({ name: 'b.yar', text: `${unclear.text} // \r` }, ''), true)
    const rules = compileRules([unclear, rule('$a = "wanted-text"', '$a')])
    assert.deepEqual(rules.candidatesFor(Buffer.from('abc')), { joined: [0], alone: [] })
    rules.dispose()
  })

  test('compile without warnings, which would cost time in every scan', () => {
    const rules = compileRules([rule('$a = "a" $b = { 61 62 63 64 }', '$a or 0 of them')])
    const scanner = rules.scannerFor('alone', [0])
    assert.deepEqual(scanner.scan(Buffer.from('abc')).warnings, [])
    rules.dispose()
  })

  test('that may match in too many members make the document too complex', () => {
    const source = { name: 'a.yar', text: 'import "math" rule a { condition: math.mean(0, filesize) == 1.0 }' }
    const members = Array.from({ length: 5 }, () => Buffer.from('abc'))
    // Compiling the rule takes 60, every further scan 51.
    assert.deepEqual(withPrefilter([source], members, 60 + 51 * 4), { matches: [], obstacle: undefined })
    assert.deepEqual(withPrefilter([source], members, 60 + 51 * 3), { matches: [], obstacle: 'too_complex' })
  })

  test('are charged to the document, at the limit of its work and one past it', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `rule r${i} { strings: $a = "wanted${i}-text" condition: $a }`)
    const operatorRules = [{ name: 'a.yar', text: texts.join('\n') }]
    const document = Buffer.from(Array.from({ length: 20 }, (_, i) => `wanted${i}-text`).join(' '))
    const inspect = async (limits: Partial<Limits>) => {
      const inspector = await ourInspector({ operatorRules, limits })
      const { findings, obstacle } = inspector.inspect(document)
      const { cost } = inspector
      inspector.dispose()
      return { found: findings.length, obstacle: obstacle?.reason, work: cost.work }
    }
    const { found, work } = await inspect({})
    assert.equal(found, 20)
    assert.ok(work > 20 * COMPILE_WORK)
    assert.deepEqual(await inspect({ workMax: work }), { found: 20, obstacle: undefined, work })
    assert.equal((await inspect({ workMax: work - 1 })).obstacle, 'too_complex')
  })

  test('cost a document the same whatever was inspected before it', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `rule r${i} { strings: $a = "wanted${i}-text" condition: $a }`)
    const documents = [[0], [0, 1], [5, 9, 12], Array.from({ length: 60 }, (_, i) => i), [0]].map((numbers) =>
      Buffer.from(numbers.map((number) => `wanted${number}-text`).join(' ')),
    )
    const costs = async (order: readonly number[]): Promise<number[]> => {
      const inspector = await ourInspector({ operatorRules: [{ name: 'a.yar', text: texts.join('\n') }] })
      const works: number[] = []
      for (const index of order) {
        inspector.inspect(documents[index] ?? assert.fail())
        works[index] = inspector.cost.work
      }
      inspector.dispose()
      return works
    }
    const [first, ...others] = await Promise.all(
      [
        [0, 1, 2, 3, 4],
        [3, 2, 1, 4, 0],
        [4, 0, 3, 1, 2],
      ].map(costs),
    )
    for (const other of others) assert.deepEqual(other, first)
  })

  test('that depend on more than the presence of patterns run over each stream alone', () => {
    const isAlone = (source: RuleSource): boolean | undefined => readFacts([source]).rules[0]?.isAlone
    assert.equal(isAlone(rule('$a = "not at filesize"', '$a')), false)
    assert.equal(isAlone(rule('$a = /in (at|not)/', '$a')), false)
    for (const condition of [
      '$a at 0',
      'filesize < 9',
      '#a > 2',
      'uint16(0) == 1',
      'not $a',
      '0 of them',
      '@a[1] > 2',
      '$a in (0..9)',
      'for any of them : (# > 3)',
    ])
      assert.equal(isAlone(rule('$a = "x"', condition)), true, condition)
    for (const expression of ['/^evil start/', '/evil end$/', '/\\Aevil/'])
      assert.equal(isAlone(rule(`$a = ${expression}`, '$a')), true, expression)
  })
})
