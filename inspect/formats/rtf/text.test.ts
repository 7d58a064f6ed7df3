/** Fields, links and object classes in RTF that are split by groups, formatting and escapes. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { DEPTH_MAX, FALLBACK_WORDS_MAX, FIELDS_MAX, readText } from './text.ts'

const inspector = useInspector()

function outcome(text: string): string {
  const { findings, obstacle } = inspector.inspect(Buffer.from(`{\\rtf1\\ansi${text}}`, 'latin1'))
  return findings.find(({ severity }) => severity !== 'notice')?.id ?? obstacle?.reason ?? 'clean'
}

suite('a field that starts a program is found', () => {
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
    // In case Word does not treat it as a destination.
    'DD\\hl EAUTO x y',
    'DDE\\htmlrtf AUTO x y',
  ])
    test(JSON.stringify(instruction), () =>
      assert.equal(outcome(`{\\field{\\*\\fldinst ${instruction}}}`), 'Docvet.Rtf.DdeField'),
    )
  test('inside an ignorable destination such as a shape', () => {
    const shape = '{\\shp{\\*\\shpinst a{\\shptxt {\\field{\\*\\fldinst D{D}EAUTO x y}}}}}'
    assert.equal(outcome(shape), 'Docvet.Rtf.DdeField')
  })
  test('but not a text that mentions DDEAUTO', () => {
    assert.equal(outcome('{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}} DDEAUTO x y'), 'clean')
  })
})

test('an object class split by escapes or groups is found', () => {
  const classed = (name: string): string => outcome(`{\\object{\\*\\objclass ${name}}{\\*\\objdata 01}}`)
  assert.equal(classed("Equ\\'61tion.3"), 'Docvet.Rtf.EquationEditor')
  assert.equal(classed('{Equ}ation.3'), 'Docvet.Rtf.EquationEditor')
  assert.equal(classed('Word.Document.8'), 'clean')
})

test('an HTML page written as RTF is inspected as a page', () => {
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
  // Word does not know \htmlrtf.
  assert.equal(page('<a href="ms-ms}\\htmlrtf dt:\\htmlrtf0 {\\*\\htmltag64 ">'), 'Docvet.Link.Troubleshooter')
})

suite('text in ignorable destinations is scanned', () => {
  const split = EICAR.replace(/[\\{}]/g, '\\$&').replace('ANTI', 'AN{\\b0}TI')
  for (const text of [
    `{\\upr{x}{\\*\\ud ${split}}}`,
    `{\\upr{${split}}{\\*\\ud x}}`,
    `{\\*\\annotation ${split}}`,
    `{\\shp{\\*\\shpinst{\\shptxt ${split}}}}`,
  ])
    test(text, () => assert.equal(outcome(text), 'Docvet.Test.Eicar'))
})

suite('RTF inside a mail', () => {
  const rtf = (inside: string, word = 'rtf1') => `{\\${word}\\ansi{\\field{\\*\\fldinst ${inside}}}}`
  const mailed = (body: string): string => {
    const head = 'From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/rtf; name=a.rtf\r\n\r\n'
    const { findings, obstacle } = inspector.inspect(Buffer.from(head + body, 'latin1'))
    const [threat] = findings.filter(({ severity }) => severity !== 'notice')
    return threat?.id ?? obstacle?.reason ?? 'clean'
  }
  for (const [name, body] of [
    ['as the body', rtf('{DDE}{AUTO x y}')],
    ['after another RTF document', rtf('PAGE') + rtf('{DDE}{AUTO x y}')],
    ['after a false signature', `{\\rt\\bin${rtf('').length} ${rtf('{DDE}{AUTO x y}')}`],
    ['starting with a control word for the text direction', `{\\rt\\uc9\r\n\r\n${rtf('\\u68 ?{DE}AUTO x y', 'rtlch')}`],
    ['with the signature of another in a field', rtf('DDE{\\*\\x{\\rtf1}}AUTO x y')],
  ] as const)
    test(name, () => assert.equal(mailed(body), 'Docvet.Rtf.DdeField'))
  test('ordinary documents are clean', () => {
    assert.equal(mailed(rtf('PAGE')), 'clean')
    assert.equal(mailed(`{\\rtf1${'{\\rtlch\\fcs1 a}\r\n'.repeat(20_000)}}`), 'clean')
  })
  test('nested documents, at the limit and one past it', () => {
    const nested = (count: number): string =>
      mailed(`${'{\\rtf1 '.repeat(count)}${'x'.repeat(10_000)}${'}'.repeat(count)}`)
    assert.equal(nested(PASSES_MAX), 'clean')
    assert.equal(nested(PASSES_MAX + 1), 'too_complex')
  })
})

test('control words as Unicode fallbacks, at the limit and one past it', () => {
  assert.equal(outcome('\\u65\\b '.repeat(FALLBACK_WORDS_MAX)), 'clean')
  assert.equal(outcome('\\u65\\b '.repeat(FALLBACK_WORDS_MAX + 1)), 'too_complex')
})

test('a name that another field completes is too complex', () => {
  const quote = '{\\field{\\*\\fldinst QUOTE 68 68 69}}'
  const field = (inside: string): string => outcome(`{\\field{\\*\\fldinst ${inside}}}`)
  for (const inside of [`${quote} x y`, `  {D}d{\\field{\\*\\fldinst{QUOTE 69}}} x y`, `\\par\\par${quote} x y`])
    assert.equal(field(inside), 'too_complex')
  for (const inside of [`IF ${quote} = ${quote}`, `= ${quote}`, `DD ${quote}`, `${'IF '.repeat(99)}${quote}`])
    assert.equal(field(inside), 'clean')
})

test('a recursive field is too complex', () => {
  assert.equal(outcome('{\\field{\\*\\fldinst DDE\\fldinst AUTO x y}}'), 'too_complex')
})

test('hostile repetition takes little CPU time', () => {
  for (const pattern of ['\\b', '\\u1\\b', '{\\upr', "\\'41", '{\\rtf1}', '{\\rtf1', '\\htmlrtf']) {
    const bytes = Buffer.alloc(1_000_000, pattern)
    for (const head of ['{\\rtf1\\ansi ', 'From: a@example.com\n\n{\\rtf1 ']) {
      bytes.write(head)
      assertCheap(() => inspector.inspect(bytes), pattern)
    }
  }
})

test('groups, escapes and control words are decoded to text', () => {
  const text = "{\\rtf1{\\*\\x a}{\\pict 00}A\\{\\}\\\\ \\u8364 ?B\\u-4064\\'3fC\\par\\line1 D\\-E-\\b-1 F\\u65}{G}"
  assert.equal(Buffer.from(readText(Buffer.from(text))?.text ?? []).toString(), 'A{}\\ €B\uf020C\n\nDE-FAG')
})

test('nested groups, at the limit and one past it', () => {
  // The document itself is one group.
  assert.equal(outcome('{'.repeat(DEPTH_MAX - 1)), 'clean')
  assert.equal(outcome('{'.repeat(DEPTH_MAX)), 'too_complex')
})

test('fields, at the limit and one past it', () => {
  assert.equal(outcome('{\\fldinst}'.repeat(FIELDS_MAX)), 'clean')
  assert.equal(outcome('{\\fldinst}'.repeat(FIELDS_MAX + 1)), 'too_complex')
})
