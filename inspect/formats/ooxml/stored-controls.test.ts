import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPart } from '#inspect/testing/forms-writer.ts'
import { CONTROLS_MAX, controlTexts } from './stored-controls.ts'

const parts = (count: number): Map<string, Uint8Array> => {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const controls = numbers.map((i) => `<w:control r:id="r${i}" w:name="Box${i}"/>`)
  const relations = numbers.map((i) => `<Relationship Id="r${i}" Target="activeX/activeX${i}.xml"/>`)
  const data = numbers.map((i): [string, Uint8Array] => [
    `word/activex/activex${i}.bin`,
    controlPart({ name: `Box${i}`, type: 21, caption: 'a' }),
  ])
  return new Map([
    ['word/document.xml', Buffer.from(controls.join(''))],
    ['word/_rels/document.xml.rels', Buffer.from(relations.join(''))],
    ...data,
  ])
}

test('controls are read up to a limit', () => {
  assert.equal(controlTexts(parts(1)).get('*.box1.caption'), 'a')
  assert.equal(controlTexts(parts(CONTROLS_MAX)).size, CONTROLS_MAX * 2)
  assert.equal(controlTexts(parts(CONTROLS_MAX + 1)).size, CONTROLS_MAX * 2)
})

test('controls without their data, relationship or class are left out', () => {
  for (const missing of ['word/activex/activex1.bin', 'word/_rels/document.xml.rels']) {
    const some = parts(1)
    some.delete(missing)
    assert.equal(controlTexts(some).size, 0)
  }
  const unknown = parts(1)
  unknown.set('word/activex/activex1.bin', Buffer.alloc(60))
  assert.equal(controlTexts(unknown).size, 0)
})
