/** Codes in pictures whose colours are in tables, and codes that are drawn on one of several pages. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { qrMatrix } from '#inspect/testing/qr-writer.ts'
import { pdf } from '#inspect/testing/samples.ts'
import { WAITING_BYTES_MAX } from './waiting-pictures.ts'

const { inspect } = useInspector()
const ADDRESS = 'https://a.example/menu'
const SHOWN = 'hxxps://a[.]example/menu'
const rows = qrMatrix(ADDRESS)
const side = rows.length

const codesIn = (bytes: Uint8Array) =>
  inspect(bytes)
    .findings.filter(({ id }) => id === 'Docvet.Qr.Code')
    .map(({ detail }) => detail)
const stream = (dictionary: string, data: Buffer | string) =>
  `<<${dictionary} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`
const pages = (contents: readonly string[], objects: readonly string[] = [], resources = '') =>
  pdf([
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Count ${contents.length} /Kids [${contents.map((_, i) => `${3 + 2 * i} 0 R`).join(' ')}]>>`,
    ...contents.flatMap((content, i) => [
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${4 + 2 * i} 0 R /Resources <<${resources}>>>>`,
      stream('', content),
    ]),
    ...objects,
  ])

/** Which numbers are dark follows no order, so that the table must be read. */
const isDarkNumber = (number: number): boolean => (number * 7) % 16 < 8
const numbersOf = (wanted: boolean) => [...new Array(16).keys()].filter((number) => isDarkNumber(number) === wanted)
const table = (dark: readonly number[], light: readonly number[]): Buffer =>
  Buffer.from(Array.from({ length: 16 }, (_, number) => (isDarkNumber(number) ? dark : light)).flat())
const numbers = Buffer.from(
  rows.flatMap((row, y) => row.map((isDark, x) => numbersOf(isDark)[(5 * x + 3 * y) % 8] ?? 0)),
)
const RGB = table([0, 0, 64], [255, 250, 255])
const picture = (space: string, objects: readonly string[] = [], before: readonly string[] = []) => {
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace ${space} /Filter /FlateDecode`
  // The table is object 6 if it comes after the picture, 5 if before it.
  const name = `/XObject <</I ${5 + before.length} 0 R>>`
  return pages(['/I Do'], [...before, stream(image, deflateSync(numbers)), ...objects], name)
}

describe('a code in the colours of a table', () => {
  for (const [name, bytes] of [
    ['beside it', picture(`[/Indexed /DeviceRGB 15 <${RGB.toString('hex')}>]`)],
    ['in an object', picture('[/Indexed /DeviceRGB 15 6 0 R]', [`<${RGB.toString('hex')}>`])],
    ['in a stream after it', picture('[/Indexed /DeviceRGB 15 6 0 R]', [stream('', RGB)])],
    ['in a stream before it', picture('[/Indexed /DeviceRGB 15 5 0 R]', [], [stream('', RGB)])],
    [
      'in a compressed stream',
      picture('[/Indexed /DeviceRGB 15 6 0 R]', [stream('/Filter /FlateDecode', deflateSync(RGB))]),
    ],
    ['of a named space', picture('6 0 R', ['[/Indexed /DeviceRGB 15 7 0 R]', stream('', RGB)])],
    ['of a profile', picture('[/Indexed [/ICCBased 7 0 R] 15 6 0 R]', [stream('', RGB), stream('/N 3', 'x')])],
    ['in grey', picture(`[/Indexed /DeviceGray 15 <${table([0], [255]).toString('hex')}>]`)],
    ['of printers', picture(`[/Indexed /DeviceCMYK 15 <${table([0, 0, 0, 255], [0, 0, 0, 0]).toString('hex')}>]`)],
    [
      'in the content of a page',
      pages([
        `q 90 0 0 90 0 0 cm BI /W ${side} /H ${side} /BPC 8 /CS [/I /RGB 15 <${RGB.toString('hex')}>] /F /AHx ID ${numbers.toString('hex')}>\nEI Q`,
      ]),
    ],
  ] as const)
    test(name, () => assert.deepEqual(codesIn(bytes), [SHOWN]))

  test('that follows, as far as pictures wait for it', () => {
    const blank = (bytes: number) =>
      stream(
        `/Subtype /Image /Width ${bytes / 10} /Height 10 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 15 6 0 R] /Filter /FlateDecode`,
        deflateSync(Buffer.alloc(bytes)),
      )
    const waiting = (bytes: number) => picture('[/Indexed /DeviceRGB 15 7 0 R]', [stream('', RGB)], [blank(bytes)])
    const rest = WAITING_BYTES_MAX - numbers.length
    assert.deepEqual(codesIn(waiting(rest - (rest % 10))), [SHOWN])
    assert.deepEqual(codesIn(waiting(rest - (rest % 10) + 10)), [])
  })
})

describe('a code that is drawn', () => {
  const squares = qrMatrix(ADDRESS, { scale: 1, border: 0 })
  const drawn = (size: number, left: number, top: number) =>
    `0 g ${squares
      .flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`${left + x * size} ${top - y * size} ${size} ${size} re f`] : [])),
      )
      .join('\n')}`
  const code = drawn(4, 100, 500)
  const bars = Array.from({ length: 60 }, (_, i) => `${50 + i * 8} 400 6 ${20 + ((i * 37) % 150)} re f`).join('\n')
  const dots = Array.from({ length: 300 }, (_, i) => `${50 + i * 1.5} 700 0.5 0.5 re f`).join('\n')
  for (const [name, bytes] of [
    ['before a page with a background', pages([code, '1 g 0 0 600 800 re f 0 g BT (x) Tj ET'])],
    ['before a page with a chart', pages([code, bars])],
    ['after a page with a chart', pages([bars, code])],
    ['beside a chart', pages([`${bars}\n${drawn(4, 300, 750)}`])],
    ['beside a dotted line', pages([`${dots}\n${code}`])],
    ['beside another of another size', pages([`${code}\n${drawn(1.5, 400, 200)}`])],
    ['on two pages', pages([code, drawn(3, 50, 300)])],
    ['behind much text', pages([`BT ${'(a b c) Tj\n'.repeat(30_000)}ET`, code])],
  ] as const)
    test(name, () => assert.deepEqual([...new Set(codesIn(bytes))], [SHOWN]))
})
