/** Codes of characters, in every carrier that has lines of text. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { page, pdf, slides, wordDocument, workbook } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { openText } from '#inspect/testing/link-carriers.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { qrMatrix } from '#inspect/testing/qr-writer.ts'
import { docx } from '#inspect/testing/samples.ts'

const { inspect } = useInspector()
const code = qrMatrix('https://a.example/menu', { scale: 1, border: 4 })
const halfOf = (up: boolean, down: boolean): string => (up ? (down ? '█' : '▀') : down ? '▄' : ' ')
const HALVES = code.flatMap((row, y) =>
  y % 2 === 0 ? [row.map((up, x) => halfOf(up, code[y + 1]?.[x] ?? false)).join('')] : [],
)
const LETTERS = code.map((row) => row.map((isDark) => (isDark ? 'XX' : '  ')).join(''))
type Lines = readonly string[]

const has = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === 'Docvet.Qr.Code')

const spacesOf = (line: string): string =>
  line.replace(/ {2,}/g, (spaces) => ` <text:s text:c="${spaces.length - 1}"/>`)
const escapesOf = (line: string): string => line.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0)}?`)
const referencesOf = (line: string): string => line.replace(/[^\0-\x7f]| /g, (sign) => `&#${sign.charCodeAt(0)};`)
const notebook = (lines: Lines): Buffer =>
  Buffer.from(
    JSON.stringify(
      { cells: [{ cell_type: 'markdown', metadata: {}, source: lines.map((line) => `${line}\n`) }], nbformat: 4 },
      null,
      1,
    ),
  )
const each = (lines: Lines, write: (line: string, at: number) => string): string => lines.map(write).join('')

const CARRIERS: Readonly<Record<string, (lines: Lines) => Buffer>> = {
  'RTF, paragraphs': (lines) =>
    Buffer.from(`{\\rtf1\\ansi\\uc1 ${each(lines, (line) => `{\\f1 ${escapesOf(line)}}\\par\r\n`)}}`),
  'RTF, lines': (lines) => Buffer.from(`{\\rtf1\\ansi\\uc1 ${each(lines, (line) => `${escapesOf(line)}\\line `)}}`),
  'Word, breaks': (lines) =>
    wordDocument(`<w:p><w:r>${each(lines, (line) => `<w:t xml:space="preserve">${line}</w:t><w:br/>`)}</w:r></w:p>`),
  'Excel, a cell': (lines) =>
    workbook(
      `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${lines.join('\n')}</t></is></c></row></sheetData></worksheet>`,
    ),
  'Excel, rows': (lines) =>
    workbook(
      `<worksheet><sheetData>${each(lines, (line, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>${line}</t></is></c></row>`)}</sheetData></worksheet>`,
    ),
  'Excel, shared texts': (lines) =>
    docx({
      'xl/workbook.xml': '<workbook/>',
      'xl/sharedStrings.xml': `<sst>${each(lines, (line) => `<si><t>${line}</t></si>`)}</sst>`,
    }),
  'PowerPoint, breaks': (lines) =>
    slides(
      `<p:sld xmlns:p="p" xmlns:a="a"><a:p>${each(lines, (line) => `<a:r><a:t>${line}</a:t></a:r><a:br/>`)}</a:p></p:sld>`,
    ),
  'OpenDocument, paragraphs': (lines) => openText(each(lines, (line) => `<text:p>${spacesOf(line)}</text:p>`)),
  'OpenDocument, breaks': (lines) =>
    openText(`<text:p>${each(lines, (line) => `${spacesOf(line)}<text:line-break/>`)}</text:p>`),
  'a page, lines with references': (lines) => page(each(lines, (line) => `<div>${referencesOf(line)}</div>`)),
  'a page, lines with spaces that do not break': (lines) =>
    page(each(lines, (line) => `<p>${line.replaceAll(' ', '&nbsp;')}</p>`)),
  'a page, lines by style': (lines) =>
    page(`<div>${each(lines, (line) => `<span style="display:block">${line.replaceAll(' ', '&nbsp;')}</span>`)}</div>`),
  'SVG, parts of a text': (lines) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg"><text xml:space="preserve">${each(lines, (line, at) => `<tspan x="0" y="${at * 9}">${line}</tspan>`)}</text></svg>`,
    ),
  JSON: (lines) => Buffer.from(JSON.stringify({ text: lines.join('\n') })),
  'a notebook': notebook,
  'a table, rows': (lines) => Buffer.from(`a,b\n${each(lines, (line) => `"${line}",1\n`)}`),
  'a quoted mail': (lines) =>
    Buffer.from(`From: a@example.com\r\nSubject: A\r\n\r\n${each(lines, (line) => `> ${line}\r\n`)}`),
  'a comment': (lines) => Buffer.from(each(lines, (line) => `// ${line}\n`)),
}

describe('a code of characters is found in', () => {
  for (const [name, write] of Object.entries(CARRIERS))
    test(name, () =>
      assert.deepEqual(
        [HALVES, LETTERS].map((lines) => has(write(lines))),
        [true, true],
      ),
    )
})

const FONT =
  '6 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 600>>]/ToUnicode 8 0 R>>\nendobj\n'
function paper(content: string, entries: string): Buffer {
  const table = `/CIDInit begincmap ${entries} endcmap`
  return pdf({
    content: `BT /F2 8 Tf 8 TL ${content} ET`,
    fonts: '/F2 6 0 R',
    objects: `${FONT}8 0 obj\n<</Length ${table.length}>>\nstream\n${table}\nendstream\nendobj\n`,
  })
}
const hexOf = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
/** Two bytes for each character, numbered by the table. */
const NUMBERED = ' █▀▄X'
const numbersOf = (text: string): string =>
  `<${[...text].map((sign) => NUMBERED.indexOf(sign).toString(16).padStart(4, '0')).join('')}>`
const NUMBERS = `5 beginbfchar ${[...NUMBERED].map((sign, at) => `<${at.toString(16).padStart(4, '0')}> ${hexOf(sign)}`).join(' ')} endbfchar`
const UNICODE = '1 beginbfrange <0000> <ffff> <0000> endbfrange'

const PAPERS: Readonly<Record<string, (lines: Lines) => Buffer>> = {
  'lines below each other': (lines) => paper(`72 600 Td ${each(lines, (line) => `${hexOf(line)} Tj T* `)}`, UNICODE),
  'numbers of characters': (lines) => paper(`72 600 Td ${each(lines, (line) => `${numbersOf(line)} Tj T* `)}`, NUMBERS),
  'a place for each line': (lines) =>
    paper(
      each(lines, (line, at) => `1 0 0 1 72 ${600 - at * 8} Tm ${numbersOf(line)} Tj `),
      NUMBERS,
    ),
  'a place for each character': (lines) =>
    paper(
      each(lines, (line, at) =>
        [...line]
          .map((sign, x) => (sign === ' ' ? '' : `1 0 0 1 ${72 + x * 4} ${600 - at * 8} Tm ${numbersOf(sign)} Tj `))
          .join(''),
      ),
      NUMBERS,
    ),
  'lines without their first spaces': (lines) =>
    paper(
      each(
        lines,
        (line, at) =>
          `1 0 0 1 ${72 + (line.length - line.trimStart().length) * 4} ${600 - at * 8} Tm ${numbersOf(line.trim())} Tj `,
      ),
      NUMBERS,
    ),
  'pieces of one text': (lines) =>
    paper(
      `72 600 Td ${each(lines, (line) => `[${numbersOf(line.slice(0, 9))} 5 ${numbersOf(line.slice(9))}] TJ T* `)}`,
      NUMBERS,
    ),
  'lines in another order': (lines) =>
    paper(
      lines
        .map((line, at) => `1 0 0 1 72 ${600 - at * 8} Tm ${numbersOf(line)} Tj `)
        .toReversed()
        .join(''),
      NUMBERS,
    ),
}

describe('a code of blocks in two bytes each is found in', () => {
  const wide = (end: string): Buffer => Buffer.from(HALVES.join(end), 'utf16le')
  const streams: Readonly<Record<string, Record<string, Uint8Array>>> = {
    'a message of Outlook': { '__properties_version1.0': Buffer.alloc(32), '__substg1.0_1000001F': wide('\r\n') },
    'a document of Word': { WordDocument: Buffer.concat([Buffer.alloc(1536), wide('\r'), Buffer.alloc(4096)]) },
    'a document of PowerPoint': {
      'PowerPoint Document': Buffer.concat([Buffer.alloc(1537), wide('\v'), Buffer.alloc(4096)]),
    },
  }
  for (const [name, each] of Object.entries(streams)) test(name, () => assert.ok(has(writeOle({ streams: each }))))
})

describe('a code of characters is found in PDF, as', () => {
  for (const [name, write] of Object.entries(PAPERS))
    test(name, () =>
      assert.deepEqual(
        [HALVES, LETTERS].map((lines) => has(write(lines))),
        [true, true],
      ),
    )

  test('letters of a common font', () => {
    const lines = each(LETTERS, (line) => `(${line}) Tj T* `)
    assert.ok(has(pdf({ content: `BT /F1 8 Tf 8 TL 72 600 Td ${lines} ET` })))
  })

  for (const [dark, light] of [
    ['A', 'B'],
    ['g', 't'],
    ['0', 'O'],
    [',', ';'],
  ] as const)
    test(`the two signs of a font of squares: ${dark}${light}`, () => {
      const tight = qrMatrix('https://a.example/menu', { scale: 1, border: 0 })
      for (const rows of [code, tight]) {
        const lines = rows.map((row) => row.map((isDark) => (isDark ? dark : light)).join(''))
        assert.ok(has(pdf({ content: `BT /F1 4 Tf 4 TL 72 600 Td ${each(lines, (line) => `(${line}) Tj T* `)} ET` })))
        assert.ok(has(paper(`72 600 Td ${each(lines, (line) => `${hexOf(line)} Tj T* `)}`, UNICODE)))
      }
      const noise = tight.map((row, y) => row.map((_, x) => ((x * y) % 3 === 0 ? dark : light)).join(''))
      assert.ok(!has(pdf({ content: `BT /F1 4 Tf 4 TL 72 600 Td ${each(noise, (line) => `(${line}) Tj T* `)} ET` })))
    })

  test('but not where nobody sees it', () => {
    const lines = each(HALVES, (line) => `${hexOf(line)} Tj T* `)
    assert.ok(!has(paper(`3 Tr 72 600 Td ${lines}`, UNICODE)))
  })

  test('with what is said beside it', () => {
    const asks = '(VPN: scan the square below, enter user name, domain password and the code of the token) Tj'
    const lines = each(HALVES, (line) => `${hexOf(line)} Tj T* `)
    const bytes = paper(`/F1 8 Tf 72 640 Td ${asks} /F2 8 Tf 0 -40 Td ${lines}`, UNICODE)
    assert.ok(inspect(bytes).findings.some(({ id }) => id === 'Docvet.Qr.Phishing'))
  })
})
