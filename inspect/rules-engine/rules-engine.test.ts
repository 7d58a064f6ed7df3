/** Rules of the operator, and invalid ones. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Inspection, type RuleSource, RulesError } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { COUNTED_MATCHES_MAX } from './compile.ts'
import { countRules } from './sources.ts'

async function withRules(operatorRules: readonly RuleSource[], bytes: Uint8Array): Promise<Inspection> {
  const inspector = await ourInspector({ operatorRules })
  const result = inspector.inspect(bytes)
  inspector.dispose()
  return result
}

async function errorOf(operatorRules: readonly RuleSource[]): Promise<RulesError> {
  try {
    await ourInspector({ operatorRules })
  } catch (error) {
    assert.ok(error instanceof RulesError)
    return error
  }
  throw new assert.AssertionError({ message: 'no error' })
}

function rule(name: string, strings: string, condition: string, meta = ''): RuleSource {
  return { name: `${name}.yar`, text: `rule ${name} { ${meta} strings: ${strings} condition: ${condition} }` }
}

test('are counted, and the version changes with them', async () => {
  const first = await ourInspector()
  const second = await ourInspector({ operatorRules: [rule('a', '$a = "morning"', '$a')] })
  assert.equal(second.ruleCount, first.ruleCount + 1)
  assert.match(first.rulesVersion, /^[0-9a-f]{12}$/)
  assert.match(second.rulesVersion, /^[0-9a-f]{12}$/)
  assert.notEqual(first.rulesVersion, second.rulesVersion)
  first.dispose()
  second.dispose()
})

test('the rule engine is loaded only for them', async () => {
  const wasm = (): Uint8Array => assert.fail('loaded')
  const inspector = await ourInspector({ wasm })
  assert.equal(inspector.inspect(Buffer.from(EICAR)).findings[0]?.id, 'Docvet.Test.Eicar')
  await assert.rejects(ourInspector({ wasm, operatorRules: [rule('a', '$a = "morning"', '$a')] }), /loaded/)
})

suite('operator rules', () => {
  test('a match is malicious unless the rule declares another severity', async () => {
    for (const [meta, severity] of [
      ['', 'malicious'],
      ['meta: severity = "suspicious"', 'suspicious'],
      ['meta: severity = "notice"', 'notice'],
      ['meta: score = 80', 'malicious'],
      ['meta: score = 79', 'suspicious'],
      ['meta: score = 60', 'suspicious'],
      ['meta: score = 59', 'notice'],
      ['meta: score = "75"', 'suspicious'],
      ['meta: score = "high"', 'malicious'],
      ['meta: score = 40 severity = "malicious"', 'malicious'],
      ['meta: score = 90 severity = "notice"', 'notice'],
    ] as const) {
      const { findings } = await withRules([rule('house', '$a = "Good morning"', '$a', meta)], docx())
      assert.deepEqual(
        findings.map(({ id, severity, path, detail }) => ({ id, severity, path, detail })),
        [{ id: 'Operator.house', severity, path: ['word/document.xml'], detail: 'house.yar' }],
      )
    }
  })
  test('the operator decides from which score on a match counts', async () => {
    const rules = [rule('house', '$a = "Good morning"', '$a', 'meta: score = 75')]
    for (const [malicious, suspicious, severity] of [
      [75, 0, 'malicious'],
      [76, 75, 'suspicious'],
      [101, 76, 'notice'],
    ] as const) {
      const inspector = await ourInspector({ operatorRules: rules, scores: { malicious, suspicious } })
      assert.equal(inspector.inspect(docx()).findings[0]?.severity, severity)
    }
  })
  test('every bad file is named with the compiler message', async () => {
    const bad = [
      rule('good', '$a = "morning"', '$a'),
      rule('bad', '$a = "morning"', '$b'),
      { name: 'worse.yar', text: 'rule {' },
    ]
    const error = await errorOf(bad)
    assert.deepEqual(
      error.files.map(({ name }) => name),
      ['bad.yar', 'worse.yar'],
    )
    assert.match(error.message, /unknown pattern `\$b`/)
  })
  test('the console module is rejected', async () => {
    const { files } = await errorOf([
      { name: 'c.yar', text: 'import "console" rule c { condition: console.log("x") }' },
    ])
    assert.equal(files[0]?.name, 'c.yar')
  })
  test('private rules are not reported', async () => {
    const text = 'private rule hidden { strings: $a = "Good morning" condition: $a } rule shown { condition: hidden }'
    const { findings } = await withRules([{ name: 'p.yar', text }], docx())
    assert.deepEqual(
      findings.map(({ id }) => id),
      ['Operator.shown'],
    )
  })
  test('the same name in two files is two rules', async () => {
    const source = rule('same', '$a = "Good morning"', '$a')
    const { findings } = await withRules([source, { ...source, name: 'other.yar' }], docx())
    assert.deepEqual(
      findings.map(({ id }) => id),
      ['Operator.same'],
    )
  })
  test('offsets and sizes refer to the member', async () => {
    const rules = [
      rule('start', '$a = "MARK"', '$a at 0'),
      rule('size', '$a = "MARK"', '$a and filesize == 4'),
      rule('absent', '$a = "MARK" $b = "OTHER"', '$a and not $b'),
    ]
    const bytes = writeZip([
      { name: 'a', data: 'MARK' },
      { name: 'b', data: 'OTHER' },
    ])
    const { findings } = await withRules(rules, bytes)
    assert.deepEqual(findings.map(({ id, path }) => [id, path]).sort(), [
      ['Operator.absent', ['a']],
      ['Operator.size', ['a']],
      ['Operator.start', ['a']],
    ])
  })
})

suite('several members in one scan', () => {
  const both = rule('both', '$a = "FIRST-HALF" $b = "SECOND-HALF"', 'all of them')
  test('matches are counted up to the limit', async () => {
    const text = Buffer.from('morning '.repeat(COUNTED_MATCHES_MAX + 1))
    for (const [count, found] of [
      [COUNTED_MATCHES_MAX, 1],
      [COUNTED_MATCHES_MAX + 1, 0],
    ] as const) {
      const { findings } = await withRules([rule('many', '$a = "morning"', `#a >= ${count}`)], text)
      assert.equal(findings.length, found, `${count}`)
    }
  })
  test('patterns in different members do not form a match', async () => {
    const apart = writeZip([
      { name: 'a', data: 'FIRST-HALF' },
      { name: 'b', data: 'SECOND-HALF' },
    ])
    assert.deepEqual((await withRules([both], apart)).findings, [])
  })
  test('patterns in one member form a match, also among many members with one each', async () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, data: i % 2 ? 'FIRST-HALF' : 'SECOND-HALF' }))
    const { findings } = await withRules(
      [both],
      writeZip([
        ...many,
        { name: 'x', data: 'FIRST-HALF SECOND-HALF' },
        ...many.map((entry) => ({ ...entry, name: `z${entry.name}` })),
      ]),
    )
    assert.deepEqual(
      findings.map(({ path }) => path),
      [['x']],
    )
  })
  test('a pattern does not span two members', async () => {
    const across = rule('across', '$a = /BEGIN[^q]{0,5000}END/s', '$a')
    const apart = writeZip([
      { name: 'a', data: 'xBEGIN', method: 'deflated' },
      { name: 'b', data: 'ENDx', method: 'deflated' },
    ])
    const { findings } = await withRules([across], Buffer.concat([apart]))
    assert.deepEqual(
      findings.filter(({ path }) => path.length > 0),
      [],
    )
  })
})

suite('operator rules', () => {
  for (const [what, strings, condition, member] of [
    ['an expression bound to the beginning', '$a = /^evil start/', '$a', 'evil start, and more'],
    ['an expression bound to the end', '$a = /evil end$/', '$a', 'more, and an evil end'],
    ['a count beyond sixteen', '$a = "evil"', '#a > 20', 'evil '.repeat(30)],
    [
      'a place at the end, with many like it in front',
      '$a = "evil"',
      '$a in (filesize-20..filesize)',
      `${'evil '.repeat(30)}${'x'.repeat(200)} evil`,
    ],
    ['letters beyond ASCII', '$a = "résumé-evil"', '$a', 'a résumé-evil'],
  ] as const)
    test(`${what}: found in a member of an archive`, async () => {
      const bytes = writeZip([
        { name: 'a', data: 'first', method: 'deflated' },
        { name: 'b', data: Buffer.from(member), method: 'deflated' },
      ])
      const { findings } = await withRules([rule('wanted', strings, condition)], bytes)
      assert.deepEqual(
        findings.filter(({ id }) => id === 'Operator.wanted').map(({ path }) => path),
        [['b']],
      )
    })
})

suite('members larger than one window', () => {
  const WINDOW = 33_554_432
  const large = (start: string, gap: number, end: string): Buffer =>
    writeZip([{ name: 'a', data: Buffer.concat([Buffer.from(start), Buffer.alloc(gap, ' '), Buffer.from(end)]) }])
  test('patterns of one rule in different windows are not clean', async () => {
    const both = rule('both', '$a = "FIRST-HALF" $b = "SECOND-HALF"', 'all of them')
    assert.equal((await withRules([both], large('FIRST-HALF', WINDOW, 'SECOND-HALF'))).obstacle?.reason, 'too_complex')
  })
  test('rules with more than patterns need the member in one window', async () => {
    const rules = [rule('sized', '$a = "FIRST-HALF"', '$a and filesize > 33000000')]
    // With a character that Base64 does not have: nothing else costs as much.
    assert.equal((await withRules(rules, large('FIRST-HALF.', WINDOW - 11, ''))).obstacle, null)
    assert.equal((await withRules(rules, large('FIRST-HALF.', WINDOW, ''))).obstacle?.reason, 'too_complex')
    const regular = [rule('regular', '$a = /FIRST.{1,9}HALF/ $b = "SECOND-HALF"', 'all of them')]
    const both = 'FIRST--HALF SECOND-HALF'
    assert.equal((await withRules(regular, large(both, WINDOW, ''))).obstacle?.reason, 'too_complex')
    // Without the literals, the rules cannot match.
    assert.equal((await withRules([...rules, ...regular], large('.', WINDOW + 1, ''))).obstacle, null)
  })
})

suite('rule sources', () => {
  test('rules are counted without comments and strings', () => {
    const text =
      '// rule no { \n/* rule no { */ rule a { strings: $s = "rule no {" condition: $s } private rule b : tag { condition: true }'
    assert.equal(countRules([{ name: 'x', text }]), 2)
  })
})
