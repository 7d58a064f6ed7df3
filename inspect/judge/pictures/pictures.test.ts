import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { Context } from '#inspect/core/format.ts'
import { charge, spent, withinBudget } from '#inspect/core/work.ts'
import { COPIES_MAX } from '#inspect/formats/pictures/shown-words.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { blankPng, JPEG_TEXT, JPEGS, packedBits, qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { CONTOURS_MAX, rectangle, searchShapes } from './canvas.ts'
import { WORDS_MAX } from './claims.ts'
import {
  codesIn,
  PICTURES_MAX,
  PICTURES_WORK_MAX,
  POINTS_MAX,
  SEARCH_WORK,
  SIDE_MAX,
  SIDE_MIN,
  search,
  UNPACKED_MAX,
} from './codes.ts'

const { inspect } = useInspector()

const ADDRESS = 'https://a.example/menu'
const SHOWN = 'hxxps://a[.]example/menu'
const code = writePng(qrMatrix(ADDRESS))

const context = () => ({}) as Context

function found(bytes: Uint8Array, id: string): string | null | undefined {
  return inspect(bytes).findings.find((finding) => finding.id === `Docvet.Qr.${id}`)?.detail
}

const word = (picture: Buffer, text = 'Menu', name = 'image1.png') =>
  docx({
    'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
    [`word/media/${name}`]: picture,
  })
const odt = (picture: Buffer) =>
  writeZip([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text' },
    { name: 'content.xml', data: '<office:document-content>Menu</office:document-content>' },
    { name: 'Pictures/a.png', data: picture },
  ])
const mail = (picture: Buffer, text = 'Menu') =>
  Buffer.from(
    [
      'From: a@example.org\r\nTo: b@example.net\r\nSubject: Menu\r\nMIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n',
      `<html><body><p>${text}</p><img src="cid:a"></body></html>\r\n--b`,
      'Content-Type: image/png; name="a.png"\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n',
      `${picture.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`,
    ].join('\r\n'),
  )
const page = (picture: Buffer) =>
  Buffer.from(`<html><body><img src="data:image/png;base64,${picture.toString('base64')}"></body></html>`)

const stream = (dictionary: string, data: Buffer) =>
  `<< ${dictionary} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
const paper = (dictionary: string, data: Buffer, text = 'BT (Menu) Tj ET', filter = '/FlateDecode') =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    stream('', Buffer.from(text)),
    stream(
      `/Type /XObject /Subtype /Image /Filter ${filter} ${dictionary}`,
      filter === '/FlateDecode' ? deflateSync(data) : data,
    ),
  ])

describe('a QR code is found', () => {
  const matrix = qrMatrix(ADDRESS)
  const [width, height] = [matrix[0]?.length ?? 0, matrix.length]
  const size = `/Width ${width} /Height ${height}`
  const points = (dark: readonly number[], light: readonly number[]) =>
    Buffer.from(matrix.flatMap((row) => row.flatMap((isDark) => (isDark ? dark : light))))
  const bits = Buffer.concat(matrix.map((row) => packedBits(row)))
  const inverted = Buffer.from(bits.map((byte) => 255 - byte))
  for (const [name, bytes] of [
    ['in Word', word(code)],
    ['in OpenDocument', odt(code)],
    ['in a mail', mail(code)],
    ['in a page', page(code)],
    ['light on dark', word(writePng(matrix, { dark: [255], light: [0] }))],
    ['in colours', word(writePng(matrix, { dark: [32, 48, 96], light: [255, 232, 192] }))],
    ['in colours by number', word(writePng(matrix, { dark: [0, 0, 90], light: [250, 250, 200], isIndexed: true }))],
    ['without a margin', word(writePng(qrMatrix(ADDRESS, { border: 0 })))],
    ['with one point for each square', word(writePng(qrMatrix(ADDRESS, { scale: 1, border: 0 })))],
    ['in grey in PDF', paper(`${size} /ColorSpace /DeviceGray /BitsPerComponent 8`, points([0], [255]))],
    [
      'in colours in PDF',
      paper(`${size} /ColorSpace /DeviceRGB /BitsPerComponent 8`, points([0, 0, 90], [255, 255, 200])),
    ],
    [
      'in colours of printers in PDF',
      paper(`${size} /ColorSpace /DeviceCMYK /BitsPerComponent 8`, points([0, 0, 0, 255], [0, 0, 0, 0])),
    ],
    ['as a mask in PDF', paper(`${size} /ImageMask true`, inverted)],
    [
      'in colours by number in PDF',
      paper(`${size} /ColorSpace [/Indexed /DeviceRGB 1 <FFFFFF000040>] /BitsPerComponent 1`, bits),
    ],
  ] as const)
    test(name, () => assert.equal(found(bytes, 'Code'), SHOWN))

  for (const [kind, bytes] of Object.entries(JPEGS))
    test(`in a ${kind} JPEG`, () => {
      const shown = JPEG_TEXT.replace('http', 'hxxp').replace('evil.', 'evil[.]')
      assert.equal(found(word(bytes, 'Menu', 'image1.jpeg'), 'Code'), shown)
      assert.equal(found(paper('/Width 87 /Height 87 /BitsPerComponent 8', bytes, '', '/DCTDecode'), 'Code'), shown)
    })

  for (const [text, kind] of [
    ['BCD\n002\n1\nSCT\n\nA\nDE02120300000000202051\nEUR1', 'payment (EPC)'],
    ['WIFI:T:WPA;S:guest;P:secret;;', 'network'],
    ['BEGIN:VCARD\nFN:A\nEND:VCARD', 'contact'],
    ['Ticket 4711', 'text'],
  ] as const)
    test(`without its content: ${kind}`, () => assert.equal(found(word(writePng(qrMatrix(text))), 'Code'), kind))

  for (const [text, shown] of [
    ['a.example/menu?cf=1', 'hxxp://a[.]example/menu?cf=1'],
    ['www.a.example', 'hxxp://www[.]a[.]example'],
    ['orders.example.co.uk', 'hxxp://orders[.]example[.]co[.]uk'],
    ['example.com:8443/a', 'hxxp://example[.]com:8443/a'],
    ['b\u00fccher.de', 'hxxp://xn--bcher-kva[.]de/'],
    ['URLTO:a.example/menu', 'hxxp://a[.]example/menu'],
    ['URL:https://a.example/menu', SHOWN],
    ['MEBKM:TITLE:Menu;URL:https\\://a.example/menu;;', SHOWN],
    [' \n https://a.example/menu', SHOWN],
    ['https://b\u00fccher.de/a', 'hxxps://xn--bcher-kva[.]de/a'],
    ['Ticket 12.50/2', 'text'],
    ['INV.2026/44', 'text'],
    ['report.pdf', 'text'],
    ['setup.zip', 'text'],
    ['1.2.3', 'text'],
    ['reader@example.com', 'text'],
    ['Seat 4.B/12', 'text'],
  ] as const)
    test(`without a scheme, as phones open it: ${text.trim()}`, () =>
      assert.equal(found(word(writePng(qrMatrix(text))), 'Code'), shown))

  test('as a notice, whose address is judged like that of a link', () => {
    const { findings } = inspect(word(writePng(qrMatrix('https://paypa1.com/'))))
    assert.equal(findings.find(({ id }) => id === 'Docvet.Qr.Code')?.severity, 'notice')
    assert.equal(findings.find(({ id }) => id === 'Docvet.Link.Deceptive')?.severity, 'suspicious')
  })
})

/** Neither, the lower, the upper, both. */
const HALVES = [' ', '\u2584', '\u2580', '\u2588']

describe('a code is found that is drawn', () => {
  const squares = qrMatrix(ADDRESS, { scale: 1, border: 0 })
  const dark = squares.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])))
  const runs = squares.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const lines = runs.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ index, 0: run }) => [index, y, run.length] as const),
  )
  const svg = (content: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><rect width="300" height="300" fill="#fff"/>${content}</svg>`)
  const text = (signs: string) => Buffer.from(signs)
  const cells = squares
    .map((row) => `<tr>${row.map((isDark) => `<td style="background:${isDark ? '#000' : '#fff'}">`).join('')}</tr>`)
    .join('')
  const halves = Array.from({ length: Math.ceil(squares.length / 2) }, (_, i) =>
    (squares[2 * i] ?? [])
      .map((upper, x) => HALVES[Number(upper) * 2 + Number(squares[2 * i + 1]?.[x] ?? false)])
      .join(''),
  )
  const page = (content: string) => paper('/Width 1 /Height 1 /BitsPerComponent 8', Buffer.from([255]), content)
  for (const [name, bytes] of [
    [
      'of rectangles in SVG',
      svg(dark.map(([x, y]) => `<rect x="${x * 5}" y="${y * 5}" width="5" height="5"/>`).join('')),
    ],
    [
      'of rows in SVG',
      svg(`<path fill="#123" d="${lines.map(([x, y, length]) => `M${x} ${y}h${length}v1h-${length}z`).join('')}"/>`),
    ],
    [
      'of lines in SVG',
      svg(`<path stroke="#000" d="${lines.map(([x, y, length]) => `M${x} ${y + 0.5}h${length}`).join('')}"/>`),
    ],
    [
      'of light squares on a dark drawing',
      Buffer.from(
        `<svg viewBox="0 0 400 400"><rect width="400" height="400" fill="#0b1530"/>${dark.map(([x, y]) => `<rect x="${x * 5 + 60}" y="${y * 5 + 60}" width="5" height="5" fill="#f5f0d0"/>`).join('')}</svg>`,
      ),
    ],
    [
      'of dots in SVG, in a group that is turned',
      svg(
        `<g transform="translate(150 20) rotate(30) scale(2.5)" fill="#333">${dark.map(([x, y]) => `<circle cx="${x + 0.5}" cy="${y + 0.5}" r="0.5"/>`).join('')}</g>`,
      ),
    ],
    [
      'of a square that is used, with a class',
      svg(
        `<style>.m{fill:#222}</style><defs><path id="m" class="m" d="M0 0h6v6H0z"/></defs>${dark.map(([x, y]) => `<use href="#m" x="${x * 6}" y="${y * 6}"/>`).join('')}`,
      ),
    ],
    [
      'of outlines with holes in SVG',
      svg(
        `<path d="M0 0H7V7H0zM1 1V6H6V1zM2 2H5V5H2z M${squares.length - 7} 0h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z M0 ${squares.length - 7}h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z ${dark
          .filter(([x, y]) => !isFinder(x, y, squares.length))
          .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
          .join('')}"/>`,
      ),
    ],
    [
      'of lines in PDF',
      page(
        `q 2 0 0 2 50 300 cm 1 w ${lines.map(([x, y, length]) => `${x} ${-y} m ${x + length} ${-y} l S`).join('\n')} Q`,
      ),
    ],
    [
      'of outlines in PDF, turned, light on dark',
      page(
        `0.1 0.1 0.3 rg 0 0 600 800 re f 1 1 0.9 rg q 2 2 -2 2 300 200 cm ${dark.map(([x, y]) => `${x} ${-y} m ${x + 1} ${-y} l ${x + 1} ${-y - 1} l ${x} ${-y - 1} l h`).join('\n')} f* Q`,
      ),
    ],
    [
      'of light cells on a dark page',
      Buffer.from(
        `<html><body style="background:#000"><table>${cells.replaceAll('#000', '#eee').replaceAll('#fff', '#111')}</table></body></html>`,
      ),
    ],
    ['of cells in a page', Buffer.from(`<html><body><table>${cells}</table></body></html>`)],
    ['of number signs', text(runs.map((row) => row.replaceAll('1', '##').replaceAll('0', '  ')).join('\n'))],
    ['of blocks', text(runs.map((row) => row.replaceAll('1', '\u2588\u2588').replaceAll('0', '  ')).join('\n'))],
    ['of half blocks', text(halves.join('\n'))],
    ['of half blocks in a page', text(`<html><pre>${halves.join('<br>')}</pre></html>`)],
    [
      'of squares in PDF',
      page(`q 1 g 0 0 300 300 re f 0 g ${dark.map(([x, y]) => `${x * 4} ${-y * 4} 4 4 re f`).join('\n')} Q`),
    ],
    [
      'of moved squares in PDF',
      page(dark.map(([x, y]) => `q 1 0 0 1 ${x * 3} ${-y * 3} cm 0 0 3 3 re f Q`).join('\n')),
    ],
  ] as const)
    test(name, () => assert.equal(found(bytes, 'Code'), SHOWN))
})

/** In one of the three squares of the corners. */
function isFinder(x: number, y: number, side: number): boolean {
  return (x < 7 && y < 7) || (x >= side - 7 && y < 7) || (x < 7 && y >= side - 7)
}

test('a picture without a code has none', () => {
  const rows = Array.from({ length: 200 }, (_, y) => Array.from({ length: 200 }, (_, x) => (x * y) % 7 === 0))
  assert.deepEqual(codesIn(writePng(rows), context()), [])
})

describe('phishing', () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
  const short = writePng(qrMatrix('https://bit.ly/abc'))
  const reader = writePng(qrMatrix('https://a.example/#reader@example.com'))
  for (const [name, bytes] of [
    ['a pretext', word(code, 'Scan to renew your multi-factor authentication')],
    ['a pretext in a mail', mail(code, 'Your password expires today')],
    ['a brand that is not the owner', word(code, 'Microsoft')],
    ['a short address', word(short)],
    ['the address of the reader', word(reader)],
    [
      'a pretext in PDF',
      paper(
        '/Width 87 /Height 87 /BitsPerComponent 8',
        JPEGS.baseline,
        'BT [(Your pay)-20(roll state)5(ment)] TJ ET',
        '/DCTDecode',
      ),
    ],
    ['as many words as the limit', word(short, `Netflix ${words(WORDS_MAX - 1)}`)],
    ...[
      'Su identità digitale scade: acceda con le sue credenziali',
      'Votre mot de passe expire',
      'Inicie sesión para firmar la nómina',
      'Zaloguj się, aby podpisać dokument',
      'Logga in med BankID',
      'Şifrenizi doğrulayın',
      'Подтвердите пароль',
      '请登录并签署文件',
      'パスワードの有効期限が切れます',
      'سجل الدخول لتاكيد هويتك',
    ].map((text) => [text, word(code, text)] as const),
    [
      'a parcel and the name of another in the address',
      word(writePng(qrMatrix('https://dhl-zoll.example/a')), 'Ihre Sendung wartet auf Zollgebühren'),
    ],
    ['a pretext in Russian with references', mail(code, 'Подтвердите&nbsp;пароль до завтра')],
    [
      'a pretext in Russian of references',
      mail(code, [...'Подтвердите пароль'].map((sign) => `&#${sign.codePointAt(0)};`).join('')),
    ],
    [
      'a host without a scheme',
      word(
        writePng(qrMatrix('agenziaentrate-rimborsi.example/r?cf=')),
        'Agenzia delle Entrate: rimborso, inserisca i dati della carta di credito',
      ),
    ],
    ['a deceptive address beside many words', word(writePng(qrMatrix('https://paypa1.com/a')), words(WORDS_MAX + 1))],
  ] as const)
    test(name, () => assert.notEqual(found(bytes, 'Phishing'), undefined))

  for (const [name, size] of [
    ['are kept', COPIES_MAX],
    ['are not', COPIES_MAX + 1],
  ] as const)
    test(`a pretext in an archive, as far as copies of its texts ${name}`, () => {
      const pretext = 'Scan to renew your multi-factor authentication'
      const others = (size - pretext.length) / 50
      const texts = Array.from({ length: 50 }, (_, i) => ({ name: `${i}.txt`, data: 'a '.repeat(others / 2) }))
      const rest = { name: '50.txt', data: 'a'.repeat(size - pretext.length - 50 * Math.floor(others / 2) * 2) }
      const archive = [{ name: 'a/media/1.png', data: code }, ...texts, rest, { name: '51.txt', data: pretext }]
      assert.notEqual(found(writeZip(archive), 'Phishing'), undefined)
    })

  for (const [name, bytes] of [
    ['a menu', word(code, 'Scan me for our menu')],
    ['a profile', word(writePng(qrMatrix('https://www.instagram.com/shop')), 'Follow us on Instagram')],
    [
      'the page of a program in a shop',
      word(
        writePng(qrMatrix('https://apps.apple.com/app/microsoft-authenticator/id983156458')),
        'Install Microsoft Authenticator and sign in',
      ),
    ],
    ['a ticket', word(code, 'Biglietto: mostrare questo codice per l’accesso. Totale pagato 20 €')],
    ['a menu in Polish', word(code, 'Menu na dziś, smacznego')],
    ['a payment', word(writePng(qrMatrix('BCD\n002\n1\nSCT\n\nA\nDE02120300000000202051\nEUR1')), 'Please sign in')],
    ['more words than the limit', word(short, `Netflix ${words(WORDS_MAX)}`)],
    ['a short address on a poster', word(short, 'Volunteers for the river cleanup: scan to join us')],
    ['a pretext without a code', word(blankPng(99, 99), 'Your password expires today')],
  ] as const)
    test(`is not ${name}`, () => assert.equal(found(bytes, 'Phishing'), undefined))
})

describe('limits are read from the head', () => {
  for (const [name, picture, expected] of [
    ['the longest side', blankPng(SIDE_MAX, SIDE_MIN), []],
    ['a longer side', blankPng(SIDE_MAX + 1, SIDE_MIN), 'too large'],
    ['the most points', blankPng(4_000, POINTS_MAX / 4_000), []],
    ['more points', blankPng(4_000, POINTS_MAX / 4_000 + 1), 'too large'],
    ['fewer points than a code has', blankPng(SIDE_MIN - 1, SIDE_MAX + 1), []],
  ] as const)
    test(name, () => assert.deepEqual(codesIn(picture, context()), expected))

  const small = blankPng(SIDE_MIN, SIDE_MIN)
  test('pictures of a document', () => {
    const one = context()
    for (let i = 0; i < PICTURES_MAX; i++) assert.deepEqual(codesIn(small.slice(), one), [])
    assert.equal(codesIn(small.slice(), one), 'too many')
  })

  test('a picture that is read in two ways counts once', () => {
    const one = context()
    for (let i = 0; i <= PICTURES_MAX; i++) assert.deepEqual(codesIn(small, one), [])
  })

  test('bytes and work, before anything is read', () => {
    const read = () => assert.fail()
    const head = { width: 100, height: 100, unpackedBytes: UNPACKED_MAX, work: 0 }
    const searched = 100 * 100 * SEARCH_WORK
    assert.equal(
      search({ ...head, work: PICTURES_WORK_MAX - searched }, () => null, context()),
      'damaged',
    )
    assert.equal(search({ ...head, work: PICTURES_WORK_MAX - searched + 1 }, read, context()), 'too many')
    assert.equal(search({ ...head, unpackedBytes: UNPACKED_MAX + 1 }, read, context()), 'too large')
  })

  test('pictures past them are named, and the document is clean', () => {
    const { findings, obstacle } = inspect(word(blankPng(20_000, 20_000)))
    assert.equal(obstacle, null)
    assert.deepEqual(
      findings.map(({ id, severity, detail }) => [id, severity, detail]),
      [['Docvet.Qr.Unread', 'notice', '1, too large']],
    )
  })

  test('pictures take nothing from the work that the document may cost otherwise', () => {
    const limits = { workMax: 1_000, keptBytesMax: 1_000 }
    const { exceeded, work } = withinBudget(limits, () => {
      assert.deepEqual(codesIn(code, context()), [ADDRESS])
      charge(1_000)
    })
    assert.deepEqual([exceeded, work > 100_000], [false, true])
    assert.equal(
      withinBudget(limits, () => {
        codesIn(code, context())
        charge(1_001)
      }).exceeded,
      true,
    )
  })

  test('outlines without a place are passed over, and cost what the others do', () => {
    const broken = { contours: [[Number.NaN, 0, 1, 0, 1, 1]], shade: 0 }
    const drawn = qrMatrix(ADDRESS, { scale: 1, border: 0 }).flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [{ contours: [rectangle(x, y, 1, 1)], shade: 0 }] : [])),
    )
    const before = spent()
    assert.deepEqual(searchShapes([broken, ...drawn], context()), [ADDRESS])
    assert.ok(spent() > before)
  })

  test('outlines of a drawing', () => {
    const squares = qrMatrix(ADDRESS, { scale: 1, border: 0 }).flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [{ contours: [rectangle(x, y, 1, 1)], shade: 0 }] : [])),
    )
    const of = (count: number) => Array.from({ length: count }, (_, i) => squares[i % squares.length] ?? squares[0])
    const drawn = (count: number) =>
      searchShapes(
        of(count).filter((one) => one !== undefined),
        context(),
      )
    assert.deepEqual(drawn(CONTOURS_MAX), [ADDRESS])
    assert.deepEqual(drawn(CONTOURS_MAX + 1), [])
  })

  test('a JPEG of very many scans is not read', () => {
    const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0])
    const head = Buffer.from([0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0x0f, 0xa0, 0x0f, 0xa0, 1, 1, 0x11, 0])
    const bytes = Buffer.concat([head, ...Array.from({ length: 50 }, () => scan), Buffer.from([0xff, 0xd9])])
    assert.equal(codesIn(bytes, context()), 'damaged')
  })
})

test('names a picture with more corners than are compared', () => {
  const side = 400
  const isDark = (x: number, y: number): boolean => {
    const distance = Math.max(Math.abs((x % 8) - 3), Math.abs((y % 8) - 3))
    return distance === 3 || distance <= 1
  }
  const rows = Array.from({ length: side }, (_, y) => Array.from({ length: side }, (__, x) => isDark(x, y)))
  assert.equal(codesIn(writePng(rows), context()), 'too many')
})
