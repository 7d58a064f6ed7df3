/** Small documents that took time with the square of what they hold, or more: each of many things was compared with all others. */
import { deflateSync } from 'node:zlib'
import { writePng } from '../qr-writer.ts'
import { pdf } from '../samples.ts'
import { macroDocument } from '../vba-writer.ts'
import { writeZip } from '../zip-writer.ts'
import type { HostileRow } from './row.ts'

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')
const row = (name: string, fileName: string, create: () => string | Buffer): HostileRow => ({
  name,
  fileName,
  create: () => Buffer.from(create() as string, 'latin1'),
})

const RUN = `new ActiveXObject('WScript.Shell').Run(x);`
const RUN_BASIC = 'CreateObject("WScript.Shell").Run x\r\n'
/** V8 hashes longer texts by their length only. */
const LONG = 'a'.repeat(17_000)
const longName = (i: number): string => `${LONG}${10_000 + i}`

const JAVASCRIPT: readonly HostileRow[] = [
  row('JavaScript: functions that call each other in a chain, twice each', 'a.js', () =>
    times(6_000, (i) => `function f${i + 1}(a){return f${i}(a)+f${i}(a)}\n`).concat(
      `function f0(a){return a}var x=f6000('a');${RUN}`,
    ),
  ),
  row('JavaScript: functions that call three others', 'a.js', () =>
    times(
      5_000,
      (i) =>
        `function f${i}(a){f${(i * 7) % 5_000}(a+1);f${(i * 13 + 5) % 5_000}(a);return f${(i * 31 + 1) % 5_000}(a)}\n`,
    ).concat(`var x=f0('a');${RUN}`),
  ),
  row(
    'JavaScript: a switch of many cases',
    'a.js',
    () => `var x;switch(WScript.Arguments(0)){${times(20_000, (i) => `case ${i}:x='c${i}';break;`)}}${RUN}`,
  ),
  row('JavaScript: names of one length', 'a.zip', () =>
    writeZip([{ name: 'a.js', data: times(2_000, (i) => `var ${longName(i)}=${i};`) + RUN }]),
  ),
  row(
    'JavaScript: copies of objects',
    'a.js',
    () =>
      `var o={${times(5_000, (i) => `k${i}:'v${i}',`)}};for(var j=0;j<100000;j++){o=Object.assign({},o);o={...o}}${RUN}`,
  ),
]

const BASIC: readonly HostileRow[] = [
  row('VBScript: classes with a procedure of the same name', 'a.vbs', () =>
    times(
      5_000,
      (i) =>
        `Class C${i}\r\nPublic Property Get b\r\nb = a\r\nEnd Property\r\nEnd Class\r\nSet o = New C${i}\r\nx = o.b\r\n`,
    ).concat(RUN_BASIC),
  ),
  row('VBScript: very many functions', 'a.vbs', () =>
    times(20_000, (i) => `Function f${i}(a)\r\nf${i} = a & "${i}"\r\nEnd Function\r\n`).concat(RUN_BASIC),
  ),
  row('VBA: places that code goes to', 'a.docm', () =>
    macroDocument(
      `Sub AutoOpen()\r\n${times(5_000, (i) => `l${i}:\r\nx = x & "a"\r\nIf Hour(Now) > ${i} Then GoTo l${(i * 7) % 5_000}\r\n`)}Shell x\r\nEnd Sub\r\n`,
    ),
  ),
]

const PYTHON: readonly HostileRow[] = [
  row(
    'Python: functions that call each other in a chain',
    'a.py',
    () =>
      `import os\ndef f0(a):\n  return a\n${times(6_000, (i) => `def f${i + 1}(a):\n  return f${i}(a)+f${i}(a)\n`)}os.system(f6000("a"))\n`,
  ),
]

const page = (content: string) => {
  const data = deflateSync(Buffer.from(content, 'latin1'))
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`,
  ])
}

/** Squares as in the corners of a code, side by side. */
const CORNERS_SIDE = 1_400
const isDark = (x: number, y: number): boolean => {
  const distance = Math.max(Math.abs((x % 8) - 3), Math.abs((y % 8) - 3))
  return distance === 3 || distance <= 1
}
const corners = () =>
  writePng(
    Array.from({ length: CORNERS_SIDE }, (_, y) => Array.from({ length: CORNERS_SIDE }, (__, x) => isDark(x, y))),
  )

const DOCUMENTS: readonly HostileRow[] = [
  row('PNG: corners of codes side by side', 'a.png', corners),
  row('PDF: long words on a page', 'a.pdf', () => page(times(3_000, (i) => `BT (${longName(i)}) Tj ET `))),
]

export const SQUARES: readonly HostileRow[] = [...JAVASCRIPT, ...BASIC, ...PYTHON, ...DOCUMENTS]
