/** Templates, fields and exploits in RTF, in every spelling that Word accepts. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { FONTS_MAX } from './judge-text.ts'

const inspector = useInspector()

const idsOf = (text: string, start = '{\\rtf1\\ansi'): string[] =>
  inspector.inspect(Buffer.from(`${start}${text}}`, 'latin1')).findings.map(({ id }) => id)

const escaped = (text: string): string => [...text].map((char) => `\\u${char.charCodeAt(0) - 65_536}?`).join('')

suite('a template', () => {
  test('from a share, an IP address or with macros is malicious', () => {
    for (const template of [
      '\\\\\\\\192.0.2.1\\\\a\\\\b.dotm',
      'http://192.0.2.1/a',
      "http://19\\'32.0.2.1/a",
      escaped('http://192.0.2.1/x'),
      '{http}{\\b ://192.0.2.1/x}',
      'https://example.com/a.dotm',
    ])
      assert.deepEqual(idsOf(`{\\*\\template ${template}}`), ['Docvet.Rtf.RemoteTemplate'], template)
    const negated = [...'http://192.0.2.1/x'].map((char) => `\\u-${char.charCodeAt(0)}?`).join('')
    assert.deepEqual(idsOf(`{\\*\\template ${negated}}`), ['Docvet.Rtf.RemoteTemplate'])
  })
  test('from another web host is suspicious', () => {
    assert.deepEqual(idsOf('{\\*\\template https://example.com/a.dotx}'), ['Docvet.Rtf.WebTemplate'])
  })
  test('on the computer of the author is a notice', () => {
    assert.deepEqual(idsOf('{\\*\\template C:\\\\Users\\\\a\\\\b.dot}'), ['Docvet.Ooxml.LocalTemplate'])
    assert.deepEqual(idsOf('{\\*\\template Normal.dotm}'), [])
  })
})

test('fields that load from servers are judged as in other documents', () => {
  const field = (inside: string): string[] => idsOf(`{\\field{\\*\\fldinst ${inside}}{\\fldrslt a}}`)
  assert.deepEqual(field('INCLUDETEXT "http://example.com/a"'), ['Docvet.Office.RemoteText'])
  assert.deepEqual(field('{INCLUDE}{PICTURE "\\\\\\\\\\\\\\\\192.0.2.1\\\\\\\\a.png"}'), [
    'Docvet.Office.CredentialLeak',
  ])
  assert.deepEqual(field('HYPERLINK "https://example.com/"'), ['Docvet.Office.ExternalLinks'])
  assert.deepEqual(field('DDE Excel "C:\\\\\\\\a.xls" R1C1'), ['Docvet.Office.DdeDocument'])
  assert.deepEqual(field('PAGE'), [])
})

test('hidden and automatic objects are suspicious', () => {
  assert.deepEqual(idsOf('{\\object\\objemb{\\*\\objdata 0105{\\*\\a 1}00}}'), ['Docvet.Rtf.ObjectObfuscation'])
  assert.deepEqual(idsOf('{\\object\\objemb\\objupdate{\\*\\objdata 0105}}'), ['Docvet.Rtf.ObjectUpdate'])
  assert.deepEqual(idsOf('{\\object\\objemb{\\*\\objdata 01\r\n05}}'), [])
  assert.deepEqual(idsOf('The words \\\\objupdate and \\\\objdata are text.'), [])
})

test('exploits of lists and shapes are malicious', () => {
  assert.deepEqual(idsOf('{\\*\\listoverridetable{\\listoverride\\listoverridecount25}}'), ['Docvet.Rtf.ListOverflow'])
  assert.deepEqual(idsOf('{\\*\\listoverridetable{\\listoverride\\listoverridecount9}}'), [])
  const shape = (value: string): string[] => idsOf(`{\\shp{\\sp{\\sn pFragments}{\\sv ${value}}}}`)
  assert.deepEqual(shape(`1;1;${'41'.repeat(100)}`), ['Docvet.Rtf.ShapeOverflow'])
  assert.deepEqual(shape('8;4;(0,1);(2,3);12345678'), [])
})

test('a signature that only Word accepts is suspicious', () => {
  assert.deepEqual(idsOf('\\ansi Good morning', '{\\rt'), ['Docvet.Rtf.BadHeader'])
  assert.deepEqual(idsOf('\\ansi Good morning', '{\\rtf'), [])
})

test('a font table, at the limit and one past it', () => {
  const table = (fonts: number, after = '') =>
    idsOf(`{\\fonttbl${Array.from({ length: fonts }, (_, index) => `{\\f${index} A;}`).join('')}${after}}`)
  assert.deepEqual(table(FONTS_MAX, '}\\f1 a{\\f2 b'), [])
  assert.deepEqual(table(FONTS_MAX + 1), ['Docvet.Rtf.FontOverflow'])
})
