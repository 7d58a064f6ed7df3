/** Requests of fraudsters in mails and PDF documents, and honest documents with the same words. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pdf } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

type Carrier = (lines: readonly string[]) => Uint8Array
const mail: Carrier = (lines) =>
  Buffer.from(
    `From: A <a@example.com>\r\nTo: b@example.org\r\nSubject: Note\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(lines.join('\r\n')).toString('base64')}\r\n`,
  )
const printed: Carrier = (lines) => {
  const table = '/CIDInit begincmap 1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap'
  return pdf({
    content: lines
      .map((line, i) => {
        const codes = Buffer.from(line, 'utf16le').swap16().toString('hex')
        return `BT /F2 11 Tf 40 ${780 - i * 18} Td <${codes}> Tj ET`
      })
      .join('\n'),
    fonts: '/F2 6 0 R',
    objects: `6 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 500>>]/ToUnicode 8 0 R>>\nendobj\n8 0 obj\n<</Length ${table.length}>>\nstream\n${table}\nendstream\nendobj\n`,
  })
}
const CARRIERS: Record<string, Carrier> = { mail, PDF: printed }

function found(bytes: Uint8Array): string | undefined {
  const { findings, obstacle } = inspect(bytes)
  assert.equal(obstacle, null)
  return findings.find(({ severity }) => severity !== 'notice')?.id.replace('Docvet.Link.', '')
}

const TEXTS: Record<string, [string | undefined, readonly string[]]> = {
  'a call, in English': [
    'Callback',
    [
      'PayPal: you paid $412.10 to Harbour Antivirus.',
      'Not you? If you did not authorise it, call +1 (802) 555-0111 within 48 hours.',
      'Our agent will connect to your computer and fill in the cancellation form.',
    ],
  ],
  'a call, in German': [
    'Callback',
    [
      'PayPal: EUR 412,10 wurden abgebucht.',
      'Nicht autorisiert? Rufen Sie uns innerhalb von 24 Stunden an: +49 30 5550 1234.',
      'Halten Sie Ihr Online-Banking bereit.',
    ],
  ],
  'a call, in Spanish': [
    'Callback',
    [
      'PayPal: se ha renovado su suscripción por 412,10 EUR.',
      'Si no la autorizó, no autorizada por usted: llame en 24 horas al +34 910 555 012 para cancelar.',
      'El agente se conectará a su equipo y abrirá el formulario de reembolso.',
    ],
  ],
  'a call whose number is written with letters': [
    'FraudRequest',
    [
      'PayPal: you paid $412.10.',
      'If you did not make this order, call +1 (8O2) 555 - O1 11 within 24 hours for a refund.',
    ],
  ],
  'a call without a term': [
    'FraudRequest',
    [
      'PayPal: you paid $412.10.',
      'If you did not make this order, call +1 (802) 555-0111. Our agent will connect to your device.',
    ],
  ],
  'a secret group, in Japanese': [
    'FraudRequest',
    [
      '社長の山本です。業務用のLINEグループを作成してください。',
      '他の社員は追加しないで、QRコードを返信してください。',
      '本日の口座残高も教えてください。',
    ],
  ],
  'a secret group, in English': [
    'FraudRequest',
    [
      'Please create a new WhatsApp group for our project and reply with its QR code.',
      'This is confidential: do not add anyone else. Our accountant will join for the payment.',
    ],
  ],
  'a secret group, in German': [
    'FraudRequest',
    [
      'Bitte eine neue WhatsApp-Gruppe für das Projekt erstellen und mir den QR-Code senden.',
      'Sagen Sie es niemandem. Es geht um eine Überweisung.',
    ],
  ],
  'a secret group, in Chinese': ['FraudRequest', ['请新建群，并把二维码发给我。', '不要告诉其他人。稍后安排付款。']],
  'an honest receipt': [
    undefined,
    ['PayPal: you paid $42.10.', 'Not you? If you did not authorise it, call us at +1 (802) 555-0111, 24 hours a day.'],
  ],
  'an honest ticket': [
    undefined,
    [
      'Paid with PayPal: $212.10. Please read the rules.',
      'To cancel within 24 hours and get a refund, call +1 (802) 555-0111 or use our refund form.',
    ],
  ],
  'an honest order of a technician': [
    undefined,
    [
      'Best Buy order: computer check, $99.00. A technician will connect to your computer.',
      'To cancel up to 24 hours before, call +1 (802) 555-0111.',
    ],
  ],
  'an honest receipt that was scanned': [
    undefined,
    ['PayPal: you paid $42.10.', 'If you did not make this order, call +1 (8O2) 555-O111.'],
  ],
  'an honest order of a remote service': [
    undefined,
    ['Invoice: remote support, $42.10.', 'Call +1 (802) 555-0111 with questions, or to cancel within 24 hours.'],
  ],
  'a group of parents': [
    undefined,
    [
      'Please scan the QR code to join our new WhatsApp group, or create a group of your own.',
      'The payment for the trip is due on Friday.',
    ],
  ],
  'a warning': [
    undefined,
    [
      'Warning: scammers send invoices in the name of PayPal over $412.10 and ask victims to call +1 (802) 555-0111 within 24 hours.',
      'If you did not authorise it, do not call. They connect to your computer and show a refund form.',
    ],
  ],
}

for (const [carrier, write] of Object.entries(CARRIERS))
  suite(`in a ${carrier}`, () => {
    for (const [name, [id, lines]] of Object.entries(TEXTS)) test(name, () => assert.equal(found(write(lines)), id))
  })

test('a download that is only for Windows', () => {
  const linked = (text: string): Uint8Array =>
    Buffer.from(
      `From: A <a@example.com>\r\nTo: b@example.org\r\nSubject: Note\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>${text}</p><a href="https://files.greenfield.example/a">Download</a></body></html>\r\n`,
    )
  for (const text of [
    'Your invoice is ready. It can only be opened on a Windows PC.',
    'Su factura. Abra el archivo en una computadora con Windows.',
    'Ihre Rechnung. Bitte nur auf einem Windows-Rechner öffnen.',
  ])
    assert.equal(found(linked(text)), 'FraudRequest', text)
  assert.equal(found(linked('Our program runs only on a Windows PC.')), undefined)
  assert.equal(found(linked('Your invoice for the app. The app runs only on a Windows PC.')), undefined)
  assert.equal(found(mail(['Your invoice can only be opened on a Windows PC.'])), undefined)
})
