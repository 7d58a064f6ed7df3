/** Codes of characters, boxes and shapes, and grids that are none. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { page, slides, wordDocument } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { openText } from '#inspect/testing/link-carriers.ts'
import { qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'

const { inspect } = useInspector()
type Rows = readonly (readonly boolean[])[]
const ADDRESS = 'https://a.example/menu'
const code = qrMatrix(ADDRESS, { scale: 1, border: 4 })
/** As many squares, of which none are the corners of a code. */
const board: Rows = code.map((row, y) => row.map((_, x) => (x * 7 + y * 13) % 5 < 2))

const signs = (rows: Rows, dark: string, light: string): string =>
  rows.map((row) => row.map((isDark) => (isDark ? dark : light)).join('')).join('\n')
const pairs = (rows: Rows): Rows[] => rows.flatMap((row, y) => (y % 2 === 0 ? [[row, rows[y + 1] ?? []]] : []))
const halves = (rows: Rows): string =>
  pairs(rows)
    .map(([up = [], down = []]) => up.map((is, x) => (is ? (down[x] ? '█' : '▀') : down[x] ? '▄' : ' ')).join(''))
    .join('\n')
const quarters = (rows: Rows): string =>
  pairs(rows)
    .map(([up = [], down = []]) =>
      up
        .flatMap((is, x) => {
          const bits = [is, up[x + 1], down[x], down[x + 1]].reduce((sum, bit, i) => sum + (bit ? 2 ** i : 0), 0)
          return x % 2 === 0 ? [' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█'[bits]] : []
        })
        .join(''),
    )
    .join('\n')
const braille = (rows: Rows): string =>
  Array.from({ length: Math.ceil(rows.length / 4) }, (_, y) =>
    Array.from({ length: Math.ceil(rows.length / 2) }, (__, x) =>
      String.fromCharCode(
        [0, 1, 2, 6, 3, 4, 5, 7].reduce(
          (sum, bit, i) => sum + (rows[4 * y + (i % 4)]?.[2 * x + (i >> 2)] ? 2 ** bit : 0),
          0x2800,
        ),
      ),
    ).join(''),
  ).join('\n')

const TEXTS: Readonly<Record<string, (rows: Rows) => string>> = {
  blocks: (rows) => signs(rows, '█', ' '),
  'wide blocks': (rows) => signs(rows, '██', '  '),
  'light blocks': (rows) => signs(rows, '  ', '██'),
  halves,
  quarters,
  braille,
  letters: (rows) => signs(rows, 'XX', '  '),
  digits: (rows) => signs(rows, '1', '0'),
  'number signs': (rows) => signs(rows, '#', ' '),
  'large squares': (rows) => signs(rows, '⬛', '⬜'),
  'small squares': (rows) => signs(rows, '◼️', '◻️'),
  'squares with a frame': (rows) => signs(rows, '■', '□'),
  shades: (rows) => signs(rows, '▓▓', '░░'),
}

const dark = (rows: Rows, write: (x: number, y: number) => string): string =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [write(x, y)] : []))).join('')
const boxes = (rows: Rows, box: (isDark: boolean) => string, row: (boxes: string) => string): string =>
  rows.map((each) => row(each.map(box).join(''))).join('')
const colour = (isDark: boolean): string => (isDark ? '#102040' : '#ffffff')
const drawing = (shapes: string): Buffer =>
  slides(`<p:sld xmlns:p="p" xmlns:a="a"><p:spTree>${shapes}</p:spTree></p:sld>`)
const rectangle = (fill: string) => (x: number, y: number) =>
  `<p:sp><p:spPr><a:xfrm><a:off x="${x * 90_000}" y="${y * 90_000}"/><a:ext cx="90000" cy="90000"/></a:xfrm><a:solidFill>${fill}</a:solidFill></p:spPr></p:sp>`

const DRAWN: Readonly<Record<string, (rows: Rows) => Buffer>> = {
  'cells with a class': (rows) =>
    page(
      `<table>${boxes(
        rows,
        (is) => `<td class="${is ? 'k' : 'w'}"></td>`,
        (row) => `<tr>${row}</tr>`,
      )}</table>`,
      '<style>td{width:4px}.k{background-color:#000}.w{background:#fff}</style>',
    ),
  'boxes with a place': (rows) =>
    page(
      dark(
        rows,
        (x, y) =>
          `<div style="position:absolute;left:${x * 4}px;top:${y * 4}px;width:4px;height:4px;background:#000"></div>`,
      ),
    ),
  'boxes with a place and a class': (rows) =>
    page(
      `<div class="q">${dark(rows, (x, y) => `<i style="left:${x * 4}px;top:${y * 4}px"></i>`)}</div>`,
      '<style>.q i{position:absolute;width:4px;height:4px;background:#000}</style>',
    ),
  'rows of boxes': (rows) =>
    page(
      boxes(
        rows,
        (is) => `<span style="width:4px;background:${colour(is)}"></span>`,
        (row) => `<div style="display:flex">${row}</div>`,
      ),
    ),
  'a grid of boxes': (rows) =>
    page(
      `<div style="display:grid">${boxes(
        rows,
        (is) => `<i style="background:${colour(is)}"></i>`,
        (row) => row,
      )}</div>`,
    ),
  'rows that end': (rows) =>
    page(
      boxes(
        rows,
        (is) => `<b style="background:${colour(is)}"></b>`,
        (row) => `${row}<br>`,
      ),
    ),
  shadows: (rows) => page(`<i style="box-shadow:${dark(rows, (x, y) => `,${x * 4}px ${y * 4}px #000`).slice(1)}"></i>`),
  gradients: (rows) =>
    page(
      `<i style="background:${dark(rows, (x, y) => `,linear-gradient(#000,#000) ${x * 4}px ${y * 4}px/4px 4px no-repeat`).slice(1)}"></i>`,
    ),
  'shapes of a slide': (rows) => drawing(dark(rows, rectangle('<a:srgbClr val="000000"/>'))),
  'shapes in a colour of the theme': (rows) => drawing(dark(rows, rectangle('<a:schemeClr val="tx1"/>'))),
  'a path of a slide': (rows) =>
    drawing(
      `<p:spPr><a:path>${dark(rows, (x, y) =>
        [
          [x, y],
          [x + 1, y],
          [x + 1, y + 1],
          [x, y + 1],
        ]
          .map(
            ([px, py], i) =>
              `<a:${i === 0 ? 'moveTo' : 'lnTo'}><a:pt x="${px}" y="${py}"/></a:${i === 0 ? 'moveTo' : 'lnTo'}>`,
          )
          .join(''),
      )}</a:path><a:srgbClr val="000000"/></p:spPr>`,
    ),
  'shapes of a document': (rows) =>
    wordDocument(
      `<w:p>${dark(rows, (x, y) => `<wp:anchor><wp:positionH><wp:posOffset>${x * 50_000}</wp:posOffset></wp:positionH><wp:positionV><wp:posOffset>${y * 50_000}</wp:posOffset></wp:positionV><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="50000" cy="50000"/></a:xfrm><a:srgbClr val="000000"/></wps:spPr></wp:anchor>`)}</w:p>`,
    ),
  'shapes of VML': (rows) =>
    wordDocument(
      `<w:p>${dark(rows, (x, y) => `<v:rect style="margin-left:${x * 4}pt;margin-top:${y * 4}pt;width:4pt;height:4pt" fillcolor="black"/>`)}</w:p>`,
    ),
  'shapes of OpenDocument': (rows) =>
    openText(
      `<text:p>${dark(rows, (x, y) => `<draw:rect draw:style-name="g" svg:x="${x / 10}cm" svg:y="${y / 10}cm" svg:width="0.1cm" svg:height="0.1cm"/>`)}</text:p>`,
      '<style:style style:name="g" style:family="graphic"><style:graphic-properties draw:fill-color="#000000"/></style:style>',
    ),
  'a path of OpenDocument': (rows) =>
    openText(
      `<text:p><draw:path svg:x="1cm" svg:y="1cm" svg:d="${dark(rows, (x, y) => `M${x} ${y}h1v1h-1z`)}"/></text:p>`,
    ),
  'a pale picture': (rows) =>
    page(
      `<img src="data:image/png;base64,${writePng(
        rows.flatMap((row) => new Array<boolean[]>(4).fill(row.flatMap((is) => new Array<boolean>(4).fill(is)))),
        { dark: [150, 150, 150], light: [190, 190, 190] },
      ).toString('base64')}">`,
    ),
}

const ALL: Readonly<Record<string, (rows: Rows) => Buffer>> = {
  ...DRAWN,
  ...Object.fromEntries(
    Object.entries(TEXTS).flatMap(([name, write]) => [
      [`text, ${name}`, (rows: Rows) => Buffer.from(`Scan this:\n\n${write(rows)}\n\nThank you.\n`)],
      [`page, ${name}`, (rows: Rows) => page(`<pre>${write(rows)}</pre>`)],
      [
        `document, ${name}`,
        (rows: Rows) =>
          wordDocument(
            write(rows)
              .split('\n')
              .map((line) => `<w:p><w:r><w:t xml:space="preserve">${line}</w:t></w:r></w:p>`)
              .join(''),
          ),
      ],
    ]),
  ),
}

const codesIn = (bytes: Buffer) => inspect(bytes).findings.filter(({ id }) => id === 'Docvet.Qr.Code')

describe('a code of', () => {
  for (const [name, write] of Object.entries(ALL))
    test(name, () =>
      assert.deepEqual(
        codesIn(write(code)).map(({ detail }) => detail),
        ['hxxps://a[.]example/menu'],
      ),
    )
})

test('other grids are no codes', () => {
  for (const [name, write] of Object.entries(ALL)) assert.deepEqual(codesIn(write(board)), [], name)
})

test('many rules with other declarations cost no more for each box', () => {
  const rules = Array.from(
    { length: 200 },
    (_, rule) => `.a{${Array.from({ length: 60 }, (__, at) => `p${rule}-${at}:y`).join(';')}}`,
  )
  const write = (count: number) => page('<i class="a b c d"></i>'.repeat(count), `<style>${rules.join('')}</style>`)
  assertCheap(() => inspect(write(20_000)))
})
