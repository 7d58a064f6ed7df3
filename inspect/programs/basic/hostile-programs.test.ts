/** Programs that grow texts and lists, and then search or copy them: each ends within what is allowed. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { cellKey, runMacros } from '../excel4/evaluate.ts'
import { parseFormula } from '../excel4/formula.ts'
import { readPython } from '../python/python.ts'
import { readBasic } from './basic.ts'

const GROWN = 's = "a"\nFor i = 1 To 19\ns = s & s\nNext\nt = "b" & Left(s, 200000)\nu = Left(s, 200000) & "b"\n'
const LIST = 'Dim a(199999)\nFor i = 0 To 60000\na(i) = i\nNext\n'
const CALLS = [
  'InStrRev(s, t)',
  'InStrRev(s, u)',
  'InStr(s, u)',
  'InStr(s, t)',
  'Replace(s, "a", s)',
  'Replace(s, u, "")',
  'Split(s, "a")',
  'Split(s, t)',
  'StrReverse(s)',
  'UCase(s)',
  'Trim(s)',
  'Val(s)',
  'StrConv(s, 128)',
  's - 1',
]
const BASIC = [
  ...CALLS.map((call) => `${GROWN}x = ${call}`),
  `${LIST}x = Join(a, String(900000, "x"))`,
  'Function f(n)\nIf unknown(n) Then f = f(n + 1) Else f = f(n + 2) & f(n + 3)\nEnd Function\nx = f(1)',
  `${'For i = 1 To unknown(1)\n'.repeat(40)}x = x & "a"\n${'Next\n'.repeat(40)}`,
  `${'If unknown(1) Then\n'.repeat(40)}x = x & "a"\n${'End If\n'.repeat(40)}`,
]
const PYTHON = [
  `s = "${'a'.repeat(100_000)}"\n${'s = s + s\n'.repeat(30)}`,
  `s = "${'a'.repeat(1000)}"\ns = s.replace("a", s)\ns = s.replace("a", s)\nx = s.join(s)`,
]
const EXCEL = [
  ['SET.NAME("s",REPT("a",90000))', 'SET.NAME("s",SUBSTITUTE(s,"a",s))', 'SET.NAME("s",SUBSTITUTE(s,"a",s))'],
  ['SET.VALUE(B1,REPT("a",90000))', `CONCAT(${Array.from({ length: 200 }, () => 'B1').join(',')})`],
]

suite('hostile programs', () => {
  const check = (name: string, run: () => void): void => {
    test(name.slice(-100), () =>
      assertCheap(() => {
        const { exceeded, work, keptBytes } = withinBudget(LIMITS, run)
        assert.equal(exceeded, false, `${work} ${keptBytes}`)
      }, name),
    )
  }
  // A script that cannot do anything is not evaluated.
  for (const text of BASIC) check(text, () => readBasic([{ name: '', text: `${text}\nExecute x` }], { isScript: true }))
  for (const text of PYTHON) check(text, () => readPython(text))
  for (const formulas of EXCEL)
    check(formulas.join(), () => {
      const cells = new Map(
        formulas.map((text, row) => [cellKey('a', row, 0), { formula: parseFormula(text), value: null }]),
      )
      runMacros({ cells, macroSheets: new Set(['a']), names: new Map() }, () => true)
    })
})
