import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WORDS_MAX } from '#inspect/formats/pdf/text/link-texts.ts'
import { LINKED_BYTES_MAX, LINKS_MAX } from '#inspect/formats/pdf/text/texts.ts'
import { MESSAGE_MAX } from '#inspect/formats/text-links.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { ADDRESSES_MAX, addressesIn, linksWithText } from './written.ts'

const { inspect } = useInspector()

function isDeceptive(bytes: Uint8Array, name = 'a.txt'): boolean {
  return inspect(bytes, { name }).findings.some(({ id }) => id === 'Docvet.Link.Deceptive')
}

const EVIL = 'https://www.paypal.com@evil.example/a'
const letter = (address: string) => Buffer.from(`Hello,\n\nplease confirm your account:\n\n${address}\n\nThank you.\n`)
const mail = (body: string, encoding = '8bit') =>
  Buffer.from(
    `From: a@example.org\r\nTo: b@example.net\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`,
  )
const html = (text: string) => `<html><body><a href="https://evil.example/">${text}</a></body></html>`
const formula = (quote: string, text: string) =>
  `HYPERLINK(${quote}https://evil.example/${quote},${quote}${text}${quote})`
const sheet = (text: string) =>
  docx({
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c r="A1"><f>${formula('"', text)}</f></c></row></sheetData></worksheet>`,
  })
const ods = (text: string) =>
  Buffer.from(
    `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><table:table-cell table:formula="of:=${formula('&quot;', text).replace(',', ';')}"/></office:document>`,
  )
const paper = (text: string, { links = 1, length = 0 } = {}) => {
  const content = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`.padEnd(length)
  const others = Array.from(
    { length: links - 1 },
    (_, i) => `<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://${i}.example/) >> >>`,
  )
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R] >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Annot /Subtype /Link /Rect [70 695 400 715] /A << /S /URI /URI (https://evil.example/) >> >>',
    ...others,
  ])
}

describe('links in texts', () => {
  const shown = 'https://www.paypal.com/signin'
  for (const [name, bad, good] of [
    ['a host before an @', letter(EVIL), letter('https://www.paypal.com/a')],
    ['letters of another script', letter('https://www.аррӏе.com/'), letter('https://www.apple.com/')],
    ['Markdown', letter(`[${shown}](https://evil.example/)`), letter(`[${shown}](https://www.paypal.com/a)`)],
    [
      'angle brackets behind an address',
      letter(`${shown} <https://evil.example/>`),
      letter(`[PayPal](${shown}), <https://evil.example/>`),
    ],
    ['a mail', mail(EVIL), mail('https://www.paypal.com/a')],
    ['a mail in Base64', mail(Buffer.from(letter(EVIL)).toString('base64'), 'base64'), mail('aGVsbG8=', 'base64')],
    ['a formula', sheet(shown), sheet('PayPal')],
    ['a formula of OpenDocument', ods(shown), ods('PayPal')],
    [
      'a text from right to left',
      Buffer.from(html(`\u202e${[...shown].reverse().join('')}\u202c`)),
      Buffer.from(html('\u202eabc\u202c')),
    ],
    [
      'characters without a shape',
      Buffer.from(html(shown.replace('pay', 'pa\u200by'))),
      Buffer.from(html('pa\u200bypal')),
    ],
    ['the text of a PDF under a link', paper(shown), paper('https://evil.example/')],
    [
      'as many words under a link as the limit',
      paper(`${'a '.repeat(WORDS_MAX - 1)}${shown}`),
      paper(`${'a '.repeat(WORDS_MAX)}${shown}`),
    ],
    [
      'a part of a line under a link',
      paper(`Cancel: ${shown}`),
      paper(`Cancel here, please. All we know about it is at our site: ${shown}`),
    ],
  ] as const)
    test(name, () => {
      assert.equal(isDeceptive(bad), true)
      assert.equal(isDeceptive(good), false)
    })

  test('do not show where their pictures are', () => {
    const shownBy = (text: string) => Array.from(linksWithText(text), ({ shown }) => shown)
    assert.deepEqual(shownBy('[![npm](https://img.example/npm.svg)](https://www.example.org/notes)'), [])
    assert.deepEqual(shownBy('[![shop.example](https://img.example/a.svg)](https://shop.example/a)'), [])
    assert.deepEqual(shownBy('[<img src="https://img.example/logo.svg" alt="Notes">](https://www.example.org/)'), [' '])
    assert.deepEqual(shownBy('[<https://a.example/>](https://b.example/)'), ['<https://a.example/>'])
    assert.deepEqual(shownBy('https://a.example/ (https://b.example/)'), ['https://a.example/'])
  })

  test('are compared with the text of short PDF documents', () => {
    const texts = [
      { links: LINKS_MAX },
      { links: LINKS_MAX + 1 },
      { length: LINKED_BYTES_MAX },
      { length: LINKED_BYTES_MAX + 1 },
    ]
    assert.deepEqual(
      texts.map((plan) => isDeceptive(paper(shown, plan))),
      [true, false, true, false],
    )
  })

  test('are not judged in lists, in code, in long texts, and in texts about deception', () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => `https://${i}.example/`).join('\n')
    assert.equal(addressesIn(list(ADDRESSES_MAX))?.length, ADDRESSES_MAX)
    assert.equal(addressesIn(list(ADDRESSES_MAX + 1)), null)
    assert.equal(isDeceptive(letter(`${EVIL}\n${list(ADDRESSES_MAX - 1)}`)), true)
    assert.equal(isDeceptive(letter(`${EVIL}\n${list(ADDRESSES_MAX)}`)), false)
    const long = (length: number) =>
      Buffer.from(`${EVIL}\n${'word '.repeat(length).slice(0, length - EVIL.length - 1)}`)
    assert.equal(isDeceptive(long(MESSAGE_MAX)), true)
    assert.equal(isDeceptive(long(MESSAGE_MAX + 1)), false)
    assert.equal(isDeceptive(letter(EVIL), 'a.py'), false)
    assert.equal(isDeceptive(letter(`A phishing page was at ${EVIL}`)), false)
  })
})
