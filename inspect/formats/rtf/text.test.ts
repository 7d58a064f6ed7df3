/** Fields, links and classes of objects in RTF, cut up by groups, formats and escapes: seen as Word reads them. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Inspector } from '../../inspect.ts'
import { ourInspector } from '../../testing/inspector.ts'
import { EICAR } from '../../testing/samples.ts'
import { DEPTH_MAX, FIELDS_MAX, textOf } from './text.ts'

let inspector: Inspector
before(async () => {
  inspector = await ourInspector()
})
after(() => inspector.dispose())

function outcome(text: string): string {
  const { findings, obstacle } = inspector.inspect(Buffer.from(`{\\rtf1\\ansi${text}}`, 'latin1'))
  return findings[0]?.id ?? obstacle?.reason ?? 'clean'
}

suite('a field that starts a program', () => {
  for (const instruction of [
    "DD\\'45AUTO x y",
    '{DD}{EAUTO} x y',
    '{\\rtlch\\fcs1 \\af0 DDEAUTO x y}',
    '\r\nDDE\r\nAUTO x y',
    '\\u68 ?DEAUTO x y',
    '\\uc0\\u68 DEAUTO x y',
    "\\uc2\\u68\\'44aDEAUTO x y",
    'DD{\\*\\unknown zz}EAUTO x y',
    'DDEAUTO\\tab x y',
    '   {   DDEAUTO\\~x y}',
    'DD{\\b E}\\i0 AUTO x y',
    'DD\\bin4 zzzzEAUTO x y',
  ])
    test(JSON.stringify(instruction), () =>
      assert.equal(outcome(`{\\field{\\*\\fldinst ${instruction}}}`), 'Docvet.Rtf.DdeField'),
    )
  test('inside of what need not be known, such as a shape', () => {
    const shape = '{\\shp{\\*\\shpinst a{\\shptxt {\\field{\\*\\fldinst D{D}EAUTO x y}}}}}'
    assert.equal(outcome(shape), 'Docvet.Rtf.DdeField')
  })
  test('not a text about it', () => {
    assert.equal(outcome('{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}} DDEAUTO x y'), 'clean')
  })
})

test('the class of an object', () => {
  const of = (name: string): string => outcome(`{\\object{\\*\\objclass ${name}}{\\*\\objdata 01}}`)
  assert.equal(of("Equ\\'61tion.3"), 'Docvet.Rtf.EquationEditor')
  assert.equal(of('{Equ}ation.3'), 'Docvet.Rtf.EquationEditor')
  assert.equal(of('Word.Document.8'), 'clean')
})

test('a page that is written as RTF', () => {
  const page = (html: string): string => outcome(`\\fromhtml1 {\\*\\htmltag64 ${html}}`)
  assert.equal(page('<a href="\\\'6ds-msdt:/id">'), 'Docvet.Link.Troubleshooter')
  const data = Buffer.from(EICAR).toString('base64')
  assert.equal(page(`<a href="data:a/b\\'3bbase64,${data}">`), 'Docvet.Test.Eicar')
  assert.equal(page('<a href="https://example.com">'), 'clean')
})

test('the text', () => {
  const text = "{\\rtf1{\\*\\x a}{\\pict 00}A\\{\\}\\\\ \\u8364 ?B\\u-4064\\'3fC\\par\\line1 D\\-E-\\b-1 F\\u65}{G}"
  assert.equal(Buffer.from(textOf(Buffer.from(text)) ?? []).toString(), 'A{}\\ €B\uf020C\n\nDE-FAG')
})

test('groups in groups, at the limit and one past it', () => {
  // One is that of the document.
  assert.equal(outcome('{'.repeat(DEPTH_MAX - 1)), 'clean')
  assert.equal(outcome('{'.repeat(DEPTH_MAX)), 'too_complex')
})

test('fields, at the limit and one past it', () => {
  assert.equal(outcome('\\fldinst'.repeat(FIELDS_MAX)), 'clean')
  assert.equal(outcome('\\fldinst'.repeat(FIELDS_MAX + 1)), 'too_complex')
})
