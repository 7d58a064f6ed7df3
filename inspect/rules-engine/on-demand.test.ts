/** The rule engine loaded only when a rule may match: the same reports, and never a clean one where it does not work. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { ourInspector, readRules, readWasm } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { compileRules } from './compile.ts'
import { findExact, scan } from './matches.ts'
import { createPrefilter } from './prefilter.ts'

const LETTER = Buffer.from('Dear reader, all is well.')
const PROGRAM = Buffer.from('The text: TVqQAAMAAAAEAAAA//8AALgAAAA')
const EICAR_TWICE = writeZip([
  { name: 'a.txt', data: Buffer.from(EICAR) },
  { name: 'b.txt', data: LETTER },
  { name: 'c.txt', data: Buffer.from(`  ${EICAR}`) },
])

// First, because a process loads the engine only once.
test('an engine that cannot be loaded fails the inspection that needs it', async () => {
  const inspector = await ourInspector({ wasm: () => Buffer.from('no WebAssembly') })
  assert.equal(inspector.inspect(LETTER).obstacle, null)
  assert.equal(inspector.healthy, true)
  assert.equal(inspector.inspect(PROGRAM).obstacle?.reason, 'damaged')
  assert.equal(inspector.healthy, false)
})

test('the reports are the same before and after the engine is loaded', async () => {
  let loads = 0
  const lazy = await ourInspector({
    wasm: () => {
      loads++
      return readWasm()
    },
  })
  const before = [LETTER, Buffer.from(EICAR), EICAR_TWICE].map((document) => lazy.inspect(document))
  assert.deepEqual([before[1]?.findings.length, before[2]?.findings.length, loads], [1, 2, 0])
  assert.ok(lazy.inspect(PROGRAM).findings.some(({ id }) => id === 'Docvet.Embedded.EncodedExecutable'))
  assert.equal(loads, 1)
  const after = [LETTER, Buffer.from(EICAR), EICAR_TWICE].map((document) => lazy.inspect(document))
  assert.deepEqual(after, before)
  assert.deepEqual([lazy.healthy, loads], [true, 1])
  lazy.dispose()
})

test('an engine that misses a literal it must find is not used', () => {
  initSync({ module: readWasm() })
  const [eicar = { name: '', text: '' }] = readRules().filter(({ name }) => name === 'test.yar')
  const rules = compileRules([eicar], [], () => {})
  Object.assign(rules.prefilter?.exact[0] ?? {}, { literal: Buffer.from('another text') })
  assert.throws(() => rules.joined, /misses eicar_test_file/)
  assert.equal(rules.isLoaded, false)
})

test('a search for the literal of a rule finds the matches of the rule engine', () => {
  initSync({ module: readWasm() })
  const rule = (name: string, value: string) => ({
    name: `${name}.yar`,
    text: `rule ${name} { meta: id = "Docvet.A.B" title = "It is A." strings: $a = ${value} condition: $a }`,
  })
  const sources = [rule('text', '"abcabc\\x01\\n"'), rule('hex', '{ 01 62 63 01 62 63 01 }')]
  const rules = compileRules(sources, [])
  const exact = createPrefilter(sources)?.exact ?? []
  assert.equal(exact.length, 2)
  for (const document of [
    '',
    '\x01bc\x01bc\x01bc\x01',
    'xabcabc\x01\nabcabc\x01\n',
    'ABCABC\x01\nabcabcA',
    '\x01bc\x01bc\x01'.repeat(40),
  ]) {
    const bytes = Buffer.from(document)
    const found = JSON.parse(JSON.stringify(scan(rules.joined, bytes)))
    assert.deepEqual(findExact(exact, bytes), found, JSON.stringify(document))
  }
  rules.dispose()
})

test('only a rule of one literal without modifiers, with plain metadata, is a search', () => {
  for (const [strings, condition, meta = ''] of [
    ['$a = "some text" nocase', '$a'],
    ['$a = "some text" wide', '$a'],
    ['$a = "some text" fullword', '$a'],
    ['$a = "some text" $b = "other text"', '$a'],
    ['$a = "some text"', 'any of them'],
    ['$a = "some text"', '$a', 'title = "a \\"quoted\\" title"'],
  ]) {
    const text = `rule a { ${meta && `meta: ${meta}`} strings: ${strings} condition: ${condition} }`
    assert.deepEqual(createPrefilter([{ name: 'a.yar', text }])?.exact, [], text)
  }
})
