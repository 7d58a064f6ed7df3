/** Every function and method charges for what it reads and makes, however it is called. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { withinBudget } from '#inspect/core/work.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { readBasic } from './basic.ts'
import { FUNCTIONS } from './functions.ts'
import { METHODS } from './objects.ts'

const FREE = { workMax: Number.POSITIVE_INFINITY, keptBytesMax: Number.POSITIVE_INFINITY }
const [SHORT, LONG] = [100, 100_100]

/** A script that cannot do anything is not evaluated. */
const ACTING = 'Execute ""\n'

function workOf(source: string): number {
  return withinBudget(FREE, () => readBasic([{ name: '', text: source + ACTING }], { isScript: true })).work
}

/** Further cost of a call if the text `s` and the list `a` are longer. */
function growth(call: string): number {
  const [short, long] = [SHORT, LONG].map((length) => {
    const given = `s = String(${length}, "%")\nDim a(${length})\na(1) = s\nSet o = CreateObject("a.b")\n`
    return workOf(`${given}x = ${call}\n`) - workOf(`${given}x = 1\n`)
  })
  return (long ?? 0) - (short ?? 0)
}

const PLACES = ['s', 's, s', 's, s, s', '1, s, s', 's, 1, 1', 's, "a", "b"', 'a', 'a, s', 'a, "b"']
const LISTS = ['Scripting.Dictionary', 'Collection', 'System.Collections.ArrayList']

suite('a built-in charges for the length of its arguments', () => {
  for (const name of FUNCTIONS.keys())
    test(name, () => {
      for (const args of PLACES)
        assert.ok(growth(`${name}(${args})`) >= LONG - SHORT, `${name}(${args}): ${growth(`${name}(${args})`)}`)
    })
  for (const name of Object.keys(METHODS))
    test(`a method: ${name}`, () => {
      for (const args of ['s', 's, s'])
        assert.ok(growth(`o.${name}(${args})`) >= LONG - SHORT, `${name}(${args}): ${growth(`o.${name}(${args})`)}`)
    })
  for (const operator of ['-', '*', '/', '\\', 'Mod', '^', '=', '<>', '<', '>', 'And', 'Or', 'Xor', 'Eqv', 'Imp'])
    test(`an operator: ${operator}`, () => {
      assert.ok(growth(`s ${operator} 1`) >= LONG - SHORT, `${growth(`s ${operator} 1`)}`)
    })
  test('a list that is joined to a text', () => assert.ok(growth('a & "b"') >= LONG - SHORT))
  for (const name of LISTS)
    test(`a key of ${name}`, () => {
      const list = `Set d = CreateObject("${name}")\n`
      for (const use of ['d(s) = 1', 'x = d(s)', 'x = d.Exists(s)', 'd.Add s, s', 'x = d.Item(s)']) {
        const [short, long] = [SHORT, LONG].map((length) => workOf(`${list}s = String(${length}, "a")\n${use}\n`))
        assert.ok((long ?? 0) - (short ?? 0) >= LONG - SHORT, use)
      }
    })
})

const GROWN = 's = "a"\nFor i = 1 To 19\ns = s & s\nNext\nt = Left(s, 150000)\nt = t & "b" & t\n'
const LOOP = (call: string): string => `${GROWN}For j = 1 To 99999\nx = ${call}\nNext\n`
const LISTED = 'Dim a(199999)\nFor i = 0 To 20000\na(i) = s\nNext\n'
const REPEATED = [
  'InStr(s, t)',
  'InStrRev(s, t)',
  'InStr(1, s, t, 1)',
  'Replace(s, t, "")',
  'Replace(s, t, "", 1, -1, 1)',
  'Split(s, t)',
  'Unescape(s)',
  's - 1',
  's = 1',
  's > t',
  's = t',
  'Val(s)',
  'CLng(s)',
  'StrConv(s, 128)',
  'Len(s)',
].map(LOOP)
const PROGRAMS: Readonly<Record<string, string>> = {
  'a list of long texts is filtered': `${GROWN}${LISTED}For j = 1 To 999\nx = Filter(a, t)\nNext\n`,
  'a list of long texts is joined': `${GROWN}${LISTED}For j = 1 To 999\nx = Join(a, "")\nNext\n`,
  'a list of long texts as bytes': `${GROWN}${LISTED}For j = 1 To 999\nx = StrConv(a, 64)\nNext\n`,
  'a list as a text': `${GROWN}Dim a(199999)\nFor j = 1 To 99999\nx = a & "b"\nNext\n`,
  'a list compared': `${GROWN}Dim a(199999)\nFor j = 1 To 99999\nIf a = "b" Then x = 1\nNext\n`,
  'a pattern that nearly matches': `${GROWN}Set r = New RegExp\nr.Global = True\nr.Pattern = "${'a'.repeat(98)}b"\nFor j = 1 To 9999\nx = r.Replace(s, "c")\nNext\n`,
  'matches replaced by long texts': `${GROWN}Set r = New RegExp\nr.Global = True\nr.Pattern = "a"\nFor j = 1 To 9999\nx = r.Replace(s, t)\nNext\n`,
  'texts that are executed': `${GROWN}For j = 1 To 9999\nExecute s & j\nNext\n`,
  'a collection read by number':
    'Set c = New Collection\nFor i = 1 To 20000\nc.Add i\nNext\nFor j = 1 To 20000\nx = c(j)\nNext\n',
  'a dictionary of long keys': `${GROWN}Set d = CreateObject("Scripting.Dictionary")\nFor j = 1 To 99999\nd(s & j) = j\nx = d.Keys\nNext\n`,
  'a node of blanks': `Set o = CreateObject("Msxml2.DOMDocument").createElement("a")\no.dataType = "bin.base64"\no.text = Space(900000)\nFor j = 1 To 99999\nx = o.nodeTypedValue\nNext\n`,
}

suite('a program that calls built-ins again and again ends within its budget', () => {
  const limits = { workMax: 1_500_000_000, keptBytesMax: 100_000_000 }
  for (const [name, text] of [...REPEATED.map((each) => [each.slice(-40), each] as const), ...Object.entries(PROGRAMS)])
    test(name, () =>
      assertCheap(
        () => withinBudget(limits, () => readBasic([{ name: '', text: text + ACTING }], { isScript: true })),
        name,
      ),
    )
})
