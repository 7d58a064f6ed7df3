/** Codes in pictures of other kinds, in other carriers, and in pieces. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Context } from '#inspect/core/format.ts'
import { INLINE_MAX } from '#inspect/formats/pdf/active/inline-pictures.ts'
import { PICTURES_MAX } from '#inspect/formats/rtf/pictures.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { blankPng, JPEG_TEXT, JPEGS, qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { codesIn, codesOfPieces } from './codes.ts'
import { PIECE_SIDE_MAX, PIECES_MAX } from './pieces.ts'

const { inspect } = useInspector()
const ADDRESS = 'https://a.example/menu'
const SHOWN = 'hxxps://a[.]example/menu'
const rows = qrMatrix(ADDRESS)
const squares = qrMatrix(ADDRESS, { scale: 1, border: 0 })
const context = () => ({}) as Context
const detailOf = (bytes: Uint8Array, id: string) =>
  inspect(bytes).findings.find((finding) => finding.id === `Docvet.Qr.${id}`)?.detail

/** Codes of nine bits, with one that clears before the width would grow. */
function writeGif(points: readonly (readonly boolean[])[]): Buffer {
  const codes = points.flat().flatMap((isDark, i) => (i % 200 === 0 ? [256, isDark ? 0 : 1] : [isDark ? 0 : 1]))
  const bits = [...codes, 257].map((code) => [...code.toString(2).padStart(9, '0')].reverse().join('')).join('')
  const data = Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt([...byte].reverse().join(''), 2)),
  )
  const blocks = Array.from({ length: Math.ceil(data.length / 255) }, (_, i) => data.subarray(i * 255, (i + 1) * 255))
  const [width, height] = [points[0]?.length ?? 0, points.length]
  const size = Buffer.from([width & 255, width >> 8, height & 255, height >> 8])
  return Buffer.concat([
    ...[Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])],
    ...[Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 8])],
    ...blocks.flatMap((block) => [Buffer.from([block.length]), block]),
    Buffer.from([0, 0x3b]),
  ])
}

/** One bit for each point, from the bottom. */
function writeBitmap(points: readonly (readonly boolean[])[]): Buffer {
  const [width, height] = [points[0]?.length ?? 0, points.length]
  const info = Buffer.alloc(48)
  info.writeUInt32LE(40, 0)
  info.writeInt32LE(width, 4)
  info.writeInt32LE(height, 8)
  info.writeUInt16LE(1, 14)
  info.writeUInt32LE(0xffffff, 44)
  const lines = points.toReversed().map((row) => {
    const line = Buffer.alloc(Math.ceil(width / 32) * 4)
    for (const [x, isDark] of row.entries()) if (!isDark) line[x >> 3] = (line[x >> 3] ?? 0) | (128 >> (x & 7))
    return line
  })
  return Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), info, ...lines])
}

/** The picture as the fourth of four components, the others of which are empty. */
function printed(jpeg: Buffer): Buffer {
  const [frame, scan] = [jpeg.indexOf(Buffer.from([0xff, 0xc0])), jpeg.indexOf(Buffer.from([0xff, 0xda]))]
  const size = jpeg.subarray(frame + 4, frame + 9)
  const components = [1, 2, 3, 4].flatMap((id) => [id, 0x11, 0])
  return Buffer.concat([
    ...[jpeg.subarray(0, frame), Buffer.from([0xff, 0xc0, 0, 20]), size, Buffer.from([4, ...components])],
    ...[jpeg.subarray(frame + 13, scan + 5), Buffer.from([4]), jpeg.subarray(scan + 6)],
  ])
}

describe('kinds of pictures', () => {
  for (const [name, bytes, text] of [
    ['GIF', writeGif(rows), ADDRESS],
    ['GIF, seen from behind', writeGif(rows.map((row) => row.toReversed())), ADDRESS],
    ['a bitmap', writeBitmap(rows), ADDRESS],
    ['JPEG in the black of a printer', printed(JPEGS.baseline), JPEG_TEXT],
  ] as const)
    test(name, () => assert.deepEqual(codesIn(bytes, context()), [text]))

  test('that are damaged have no code', () => {
    for (const bytes of [writeGif(rows), writeBitmap(rows)])
      for (const length of [100, 200]) assert.deepEqual(codesIn(bytes.subarray(0, length), context()), [])
    assert.equal(codesIn(writeGif(rows).subarray(0, 14), context()), 'of another kind')
  })
})

describe('pictures of other kinds', () => {
  const word = (bytes: Buffer, name: string) => docx({ 'word/document.xml': '<w:document/>', [name]: bytes })
  const after = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(100)])
  const OTHERS: Readonly<Record<string, Buffer>> = {
    WebP: after('RIFF\x64\0\0\0WEBPVP8L'),
    TIFF: after('II*\0'),
    'TIFF of another machine': after('MM\0*'),
    'JPEG XR': after('II\xbc\x01'),
    'JPEG 2000': after('\0\0\0\x0cjP  '),
    'JPEG XL': after('\0\0\0\x0cJXL '),
    AVIF: after('\0\0\0\x20ftypavif'),
    HEIC: after('\0\0\0\x18ftypheic'),
    'a drawing of Windows': after(`\x01\0\0\0${'\0'.repeat(36)} EMF`),
    'an older drawing of Windows': after('\xd7\xcd\xc6\x9a'),
  }
  for (const [name, bytes] of Object.entries(OTHERS))
    test(`are named: ${name}`, () => {
      const { findings, obstacle } = inspect(word(bytes, 'word/media/image1.bin'))
      assert.deepEqual(
        findings.map(({ id, severity, detail }) => [id, severity, detail]),
        [['Docvet.Qr.Unread', 'notice', '1, of another kind']],
      )
      assert.equal(obstacle, null)
    })

  test('are not named as the preview of a document, nor as the document itself', () => {
    const drawing = OTHERS['a drawing of Windows'] ?? Buffer.alloc(0)
    assert.equal(detailOf(word(drawing, 'docProps/thumbnail.emf'), 'Unread'), undefined)
    assert.equal(detailOf(OTHERS.WebP ?? Buffer.alloc(0), 'Unread'), undefined)
  })
})

const rtf = (pictures: string) => Buffer.from(String.raw`{\rtf1 Menu ${pictures}\par}`)
const png = (picture: Buffer) => String.raw`{\pict\pngblip\picw9\pich9 ${picture.toString('hex')}}`
const page = (content: string) =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ])
const inline = (points: readonly (readonly boolean[])[]) =>
  `q 90 0 0 90 0 0 cm BI /W ${points.length} /H ${points.length} /CS /G /BPC 8 /F /AHx ID ${points
    .flat()
    .map((isDark) => (isDark ? '00' : 'ff'))
    .join('')}>\nEI Q`
const table = (row: string, cell: (isDark: boolean) => string) =>
  squares.map((line) => `<${row}>${line.map(cell).join('')}</${row}>`).join('')
const sheet = squares
  .map(
    (line, y) =>
      `<row r="${y + 3}">${line.map((isDark, x) => (isDark ? `<c r="${column(x)}${y + 3}" s="4"/>` : '')).join('')}</row>`,
  )
  .join('')

function column(x: number): string {
  return x < 26 ? String.fromCharCode(65 + x) : `A${String.fromCharCode(65 + x - 26)}`
}

describe('carriers', () => {
  for (const [name, bytes] of [
    ['RTF', rtf(png(writePng(rows)))],
    ['a bitmap in RTF', rtf(String.raw`{\pict\dibitmap0 ${writeBitmap(rows).subarray(14).toString('hex')}}`)],
    ['the content of a PDF page', page(inline(rows))],
    [
      'cells of a sheet',
      docx({ 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>` }),
    ],
    [
      'cells of a document',
      docx({
        'word/document.xml': `<w:document><w:tbl>${table('w:tr', (isDark) => `<w:tc><w:tcPr><w:shd w:val="clear" w:fill="${isDark ? '000000' : 'FFFFFF'}"/></w:tcPr></w:tc>`)}</w:tbl></w:document>`,
      }),
    ],
    [
      'cells of OpenDocument',
      Buffer.from(
        `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><table:table>${table('table:table-row', (isDark) => `<table:table-cell table:style-name="${isDark ? 'a' : 'b'}"/>`)}</table:table></office:document>`,
      ),
    ],
  ] as const)
    test(name, () => assert.equal(detailOf(bytes, 'Code'), SHOWN))

  test('with a pretext beside them', () => {
    const poses = writePng(qrMatrix('https://dhl-fee.example/pay'))
    const named = rtf(`DHL: pay the fee ${png(poses)}`)
    assert.notEqual(detailOf(named, 'Phishing'), undefined)
    assert.equal(detailOf(rtf(png(poses)), 'Phishing'), undefined)
    const garden = png(writePng(qrMatrix('https://orange-garden.example/menu')))
    assert.equal(detailOf(rtf(`Orange Garden, pay at the table ${garden}`), 'Phishing'), undefined)
    assert.equal(detailOf(rtf(`Our garden with an orange tree ${garden}`), 'Phishing'), undefined)
    assert.notEqual(detailOf(rtf(`Orange: pay your invoice ${garden}`), 'Phishing'), undefined)
    const own = rtf(`Manage your booking at easyJet, sign in ${png(writePng(qrMatrix('https://www.easyjet.com/a')))}`)
    assert.equal(detailOf(own, 'Phishing'), undefined)
  })

  test('up to their limits', () => {
    const small = png(blankPng(3, 3))
    assert.equal(detailOf(rtf(small.repeat(PICTURES_MAX - 1) + png(writePng(rows))), 'Code'), SHOWN)
    assert.equal(detailOf(rtf(small.repeat(PICTURES_MAX) + png(writePng(rows))), 'Code'), undefined)
    const dot = inline([[true]])
    assert.equal(detailOf(page(`${`${dot}\n`.repeat(INLINE_MAX - 1)}${inline(rows)}`), 'Code'), SHOWN)
    assert.equal(detailOf(page(`${`${dot}\n`.repeat(INLINE_MAX)}${inline(rows)}`), 'Code'), undefined)
  })
})

describe('pieces', () => {
  const cut = (points: readonly (readonly boolean[])[], across: number, down: number) => {
    const [wide, high] = [Math.ceil((points[0]?.length ?? 0) / across), Math.ceil(points.length / down)]
    return Array.from({ length: across * down }, (_, i) => {
      const [x, y] = [(i % across) * wide, Math.floor(i / across) * high]
      return writePng(
        Array.from({ length: high }, (_, dy) =>
          Array.from({ length: wide }, (_, dx) => points[y + dy]?.[x + dx] ?? false),
        ),
      )
    })
  }
  const joined = (pieces: readonly Buffer[]) => {
    const one = context()
    for (const piece of pieces) assert.deepEqual(codesIn(piece, one), [])
    return codesOfPieces(one)
  }

  for (const [across, down] of [
    [2, 1],
    [1, 2],
    [2, 2],
    [3, 1],
  ] as const)
    test(`${across} by ${down}`, () => assert.deepEqual(joined(cut(rows, across, down)), [ADDRESS]))

  test('in any order of two', () => assert.deepEqual(joined(cut(rows, 2, 1).toReversed()), [ADDRESS]))
  test('up to their limits', () => {
    assert.deepEqual(joined(cut(rows, 3, PIECES_MAX / 3)), [ADDRESS])
    assert.deepEqual(joined([...cut(rows, 3, PIECES_MAX / 3), blankPng(40, 40)]), [])
    const scale = Math.floor(PIECE_SIDE_MAX / squares.length)
    const exact = qrMatrix(ADDRESS, { scale, border: 0 })
    const padded = (height: number) =>
      Array.from({ length: height }, (_, y) => [...(exact[y] ?? []), ...new Array(height).fill(false)].slice(0, height))
    assert.deepEqual(joined(cut(padded(PIECE_SIDE_MAX), 2, 1)), [ADDRESS])
    assert.deepEqual(joined(cut(padded(PIECE_SIDE_MAX + 1), 2, 1)), [])
  })
})
