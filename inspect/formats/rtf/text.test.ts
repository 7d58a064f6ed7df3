/** Fields, links and classes of objects in RTF, cut up by groups, formats and escapes: seen as Word reads them. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { DEPTH_MAX, FALLBACK_WORDS_MAX, FIELDS_MAX, textOf } from './text.ts'

const inspector = useInspector()

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
    '\\u68\\b0 DEAUTO x y',
    '\\u68\\bin1 xDEAUTO x y',
    '\\u68\\-DEAUTO x y',
    '\\u68\\u120 DEAUTO x y',
    'DDEAUTO\\par x y',
    'DDEAUTO\\line x y',
    'DDEAUTO\\emspace x y',
    'DDEAUTO\\u160 ?x y',
    'DDEAUTO\\\nx y',
    'DDEAUTO"x" y',
    '\\par DDEAUTO x y',
    'DDE{\\field{\\*\\fldinst QUOTE}{\\fldrslt AUTO}} x y',
    'DDE{\\*\\unknown{\\*\\fldinst z}}AUTO x y',
    '{\\upr{z}{\\*\\ud{DDE}{AUTO} x y}}',
    'DD{\\*\\unknown{\\upr{z}{\\*\\ud z}}}EAUTO x y',
    'DD{\\upr{{\\*\\ud z}}{\\*\\ud E}}AUTO x y',
    'D{\\upr{D}{\\*\\ud z}}EAUTO x y',
    'DDE{\\shp{\\*\\shpinst{\\shptxt z}}}AUTO x y',
    ...['fonttbl{\\f0 Arial;}', 'colortbl;', 'stylesheet{\\s0 Normal;}', 'info{\\title z}', 'xe z', 'pntext z'].map(
      (destination) => `DDE{\\${destination}}AUTO x y`,
    ),
    // Should one of them be no destination to Word.
    'DD\\hl EAUTO x y',
    'DDE\\htmlrtf AUTO x y',
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
  for (const between of [
    '\\htmlrtf junk\\htmlrtf0 ',
    '\\htmlrtf1 a{b}\\htmlrtf0 ',
    '{\\htmlrtf junk}',
    '{\\*\\mhtmltag64 junk}',
  ])
    assert.equal(page(`<a href="ms-ms}${between}{\\*\\htmltag64 dt:/id">`), 'Docvet.Link.Troubleshooter', between)
  // Word knows none of this.
  assert.equal(page('<a href="ms-ms}\\htmlrtf dt:\\htmlrtf0 {\\*\\htmltag64 ">'), 'Docvet.Link.Troubleshooter')
})

suite('a text that need not be known is text', () => {
  const split = EICAR.replace(/[\\{}]/g, '\\$&').replace('ANTI', 'AN{\\b0}TI')
  for (const text of [
    `{\\upr{x}{\\*\\ud ${split}}}`,
    `{\\upr{${split}}{\\*\\ud x}}`,
    `{\\*\\annotation ${split}}`,
    `{\\shp{\\*\\shpinst{\\shptxt ${split}}}}`,
  ])
    test(text, () => assert.equal(outcome(text), 'Docvet.Test.Eicar'))
})

suite('in a text of another kind', () => {
  const rtf = (inside: string, word = 'rtf1') => `{\\${word}\\ansi{\\field{\\*\\fldinst ${inside}}}}`
  const mailed = (body: string): string => {
    const head = 'From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/rtf; name=a.rtf\r\n\r\n'
    const { findings, obstacle } = inspector.inspect(Buffer.from(head + body, 'latin1'))
    return findings[0]?.id ?? obstacle?.reason ?? 'clean'
  }
  for (const [name, body] of [
    ['in a mail', rtf('{DDE}{AUTO x y}')],
    ['behind another', rtf('PAGE') + rtf('{DDE}{AUTO x y}')],
    ['behind what only seems to be one', `{\\rt\\bin${rtf('').length} ${rtf('{DDE}{AUTO x y}')}`],
    ['as a direction of text', `{\\rt\\uc9\r\n\r\n${rtf('\\u68 ?{DE}AUTO x y', 'rtlch')}`],
    ['with the beginning of another in a field', rtf('DDE{\\*\\x{\\rtf1}}AUTO x y')],
  ] as const)
    test(name, () => assert.equal(mailed(body), 'Docvet.Rtf.DdeField'))
  test('ordinary ones are clean', () => {
    assert.equal(mailed(rtf('PAGE')), 'clean')
    assert.equal(mailed(`{\\rtf1${'{\\rtlch\\fcs1 a}\r\n'.repeat(20_000)}}`), 'clean')
  })
  test('those that lie in each other, at the limit and one past it', () => {
    const nested = (count: number): string =>
      mailed(`${'{\\rtf1 '.repeat(count)}${'x'.repeat(10_000)}${'}'.repeat(count)}`)
    assert.equal(nested(PASSES_MAX), 'clean')
    assert.equal(nested(PASSES_MAX + 1), 'too_complex')
  })
})

test('words in place of characters, at the limit and one past it', () => {
  assert.equal(outcome('\\u65\\b '.repeat(FALLBACK_WORDS_MAX)), 'clean')
  assert.equal(outcome('\\u65\\b '.repeat(FALLBACK_WORDS_MAX + 1)), 'too_complex')
})

test('a field that begins in itself is too complex', () => {
  assert.equal(outcome('{\\field{\\*\\fldinst DDE\\fldinst AUTO x y}}'), 'too_complex')
})

test('hostile repetition takes little CPU time', () => {
  for (const pattern of ['\\b', '\\u1\\b', '{\\upr', "\\'41", '{\\rtf1}', '{\\rtf1', '\\htmlrtf']) {
    const bytes = Buffer.alloc(1_000_000, pattern)
    for (const head of ['{\\rtf1\\ansi ', 'From: a@example.com\n\n{\\rtf1 ']) {
      bytes.write(head)
      const before = process.cpuUsage()
      inspector.inspect(bytes)
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 1_500_000, `${pattern}: ${(user + system) / 1e6} s`)
    }
  }
})

test('the text', () => {
  const text = "{\\rtf1{\\*\\x a}{\\pict 00}A\\{\\}\\\\ \\u8364 ?B\\u-4064\\'3fC\\par\\line1 D\\-E-\\b-1 F\\u65}{G}"
  assert.equal(Buffer.from(textOf(Buffer.from(text))?.text ?? []).toString(), 'A{}\\ €B\uf020C\n\nDE-FAG')
})

test('groups in groups, at the limit and one past it', () => {
  // One is that of the document.
  assert.equal(outcome('{'.repeat(DEPTH_MAX - 1)), 'clean')
  assert.equal(outcome('{'.repeat(DEPTH_MAX)), 'too_complex')
})

test('fields, at the limit and one past it', () => {
  assert.equal(outcome('{\\fldinst}'.repeat(FIELDS_MAX)), 'clean')
  assert.equal(outcome('{\\fldinst}'.repeat(FIELDS_MAX + 1)), 'too_complex')
})
