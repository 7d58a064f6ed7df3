/** Filters, settings and lengths in object streams, with a decoy outside them. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { findObjects, OBJECTS_MAX } from '../syntax/objects.ts'
import { DEFINITIONS_MAX } from '../syntax/references.ts'
import { createRecoveryBudget } from './flate.ts'
import { PACKED_MAX, withPackedObjects } from './object-streams.ts'

const inspector = useInspector()

const hex = `${Buffer.from(EICAR).toString('hex')}>`

function stream(dictionary: string, data: string): string {
  return `<< ${dictionary} >>\nstream\n${data}\nendstream`
}

/** An object stream with these objects, all with the same number. */
function packed(number: number, values: readonly string[], more = '/Type /ObjStm'): string {
  const offsets = values.map((_, i) => values.slice(0, i).join(' ').length + (i === 0 ? 0 : 1))
  const table = `${offsets.map((offset) => `${number} ${offset}`).join(' %c\n')} `
  const data = deflateSync(Buffer.from(`${table}${values.join(' ')}`, 'latin1')).toString('latin1')
  return stream(`${more} /N ${values.length} /First ${table.length} /Filter /FlateDecode /Length ${data.length}`, data)
}

function outcome(objects: readonly string[]): string {
  const { findings, obstacle } = inspector.inspect(pdf(objects))
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('packed with a decoy outside the object stream', () => {
  test('a filter', () => {
    for (const decoy of ['[]', 'null', '/DCTDecode', '[/JBIG2Decode]']) {
      assert.equal(outcome([stream('/Filter 2 0 R', hex), decoy, packed(2, ['/ASCIIHexDecode'])]), 'found', decoy)
      assert.equal(outcome([stream('/Filter 2 0 R', hex), decoy, packed(2, ['/ASCIIHexDecode'], '')]), 'found', decoy)
    }
  })
  test('a filter in a list', () => {
    const list = [stream('/Filter [2 0 R]', hex), 'null', packed(2, ['/ASCIIHexDecode'])]
    assert.equal(outcome(list), 'too_complex')
  })
  test('settings', () => {
    const row = Buffer.from([1, ...Buffer.from(EICAR).map((byte, i, all) => byte - (all[i - 1] ?? 0))])
    const data = deflateSync(row).toString('latin1')
    const settings = `<< /Predictor 12 /Columns ${EICAR.length} >>`
    const of = (decoy: string) =>
      outcome([stream('/Filter /Fl /DecodeParms 2 0 R', data), decoy, packed(2, [settings])])
    assert.equal(of(settings), 'found')
    assert.equal(of('null'), 'too_complex')
  })
  test('a length', () => {
    // The characters around `endstream` are not hexadecimal digits, so the document is never clean.
    const data = `\x0agendstreamg${[...hex].map((digit) => `\0${digit}`).join('')}\x80`
    const twice = stream('/Filter [/RL /AHx] /Length 2 0 R', data)
    assert.equal(outcome([twice, '2', packed(3, [`${data.length}`])]), 'too_complex')
    assert.equal(outcome([twice, '2', packed(2, [`${data.length}`])]), 'found')
  })
  test('a filter of the object stream itself', () => {
    const inner = packed(2, ['/ASCIIHexDecode']).replace('/FlateDecode', '4 %\n0 R')
    assert.equal(outcome([stream('/Filter 2 0 R', hex), '[]', inner, '/FlateDecode']), 'too_complex')
  })
  test('a duplicate or unreadable table', () => {
    const whole = packed(2, ['/ASCIIHexDecode'])
    for (const other of [
      whole.replace('/N 1', '/N 1 /N 0'),
      whole.replace('/N 1', '/N 1 /First 0'),
      whole.replace('/N 1', '/N 2'),
      whole.replace('/N 1', '/N 5 0 R'),
    ])
      assert.equal(outcome([stream('/Filter 2 0 R', hex), '[]', other]), 'too_complex')
  })
})

test('a reference to a reference and a nested list are never clean', () => {
  const lists = ['/ASCIIHexDecode', '[/ASCIIHexDecode]', '[/AHx /Fl]']
  for (const list of lists) assert.notEqual(outcome([stream('/Filter 2 0 R', hex), '3 0 R', list]), 'clean', list)
  assert.equal(outcome([stream('/Filter [[/ASCIIHexDecode]]', hex)]), 'too_complex')
  const settings = '<< /Predictor 12 /Columns 4 >>'
  const data = deflateSync('abcde').toString('latin1')
  assert.equal(outcome([stream('/Filter /Fl /DecodeParms 2 0 R', data), '3 0 R', '4 0 R', settings]), 'too_complex')
})

test('packed objects of an ordinary file are clean', () => {
  const content = deflateSync('q Q').toString('latin1')
  const page = stream('/Filter /FlateDecode /Length 2 0 R', content)
  assert.equal(outcome([page, `${content.length}`, packed(7, ['<< /Type /Page >>', '[1 2]', '12'])]), 'clean')
})

suite('at the limit and one past it', () => {
  const of = (objects: readonly string[], limits: Parameters<typeof withPackedObjects>[4]) => {
    const bytes = pdf(objects)
    const found = findObjects(bytes.toString('latin1'))
    return found === null ? null : withPackedObjects(bytes, found, null, createRecoveryBudget(), limits)
  }
  test('bytes', () => {
    const bytes = '2 0 /A'.length
    assert.equal(PACKED_MAX, 134_217_728)
    assert.notEqual(of([packed(2, ['/A']), packed(2, ['/A'])], { bytesMax: bytes * 2 }), null)
    assert.equal(of([packed(2, ['/A']), packed(2, ['/A'])], { bytesMax: bytes * 2 - 1 }), null)
  })
  test('objects', () => {
    assert.equal(OBJECTS_MAX, 500_000)
    assert.notEqual(of([packed(2, ['1', '2', '3'])], { objectsMax: 3 }), null)
    assert.equal(of([packed(2, ['1', '2', '3'])], { objectsMax: 2 }), null)
  })
  test('objects with the same number', () => {
    const values = (count: number) => [...Array.from({ length: count - 1 }, () => '[]'), '/ASCIIHexDecode']
    const filter = stream('/Filter 9 0 R', hex)
    assert.equal(outcome([filter, packed(9, values(DEFINITIONS_MAX))]), 'found')
    assert.equal(outcome([filter, packed(9, values(DEFINITIONS_MAX + 1))]), 'too_complex')
  })
})
