/** Links of messages and documents: what those say whose names others take, and what others say. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordDocument } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const eml = (from: string, subject: string, html: string) =>
  Buffer.from(
    `From: ${from}\r\nTo: b@example.org\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body>${html}</body></html>\r\n`,
  )
const plain = (from: string, subject: string, t: string) =>
  Buffer.from(
    `From: ${from}\r\nTo: b@example.org\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${t}\r\n`,
  )
const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
const odt = (body: string) =>
  writeZip([
    { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text'), method: 'stored' },
    {
      name: 'content.xml',
      data: Buffer.from(
        `<office:document-content ${ODF}><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      ),
    },
    { name: 'META-INF/manifest.xml', data: Buffer.from('<manifest:manifest/>') },
  ])
const a = (h: string, t: string) => `<a href="${h}">${t}</a>`
const oa = (h: string, t: string) => `<text:p><text:a xlink:type="simple" xlink:href="${h}">${t}</text:a></text:p>`
const html = (b: string) => Buffer.from(`<!DOCTYPE html><html><body>${b}</body></html>`)
const docxL = (h: string, t: string, before: string) =>
  wordDocument(
    `<w:p><w:r><w:t>${before}</w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:t>${t}</w:t></w:r></w:hyperlink></w:p>`,
    {
      'word/_rels/document.xml.rels': `<Relationships><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${h}" TargetMode="External"/></Relationships>`,
    },
  )
const pdfL = (h: string, t: string) =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link /Rect [70 690 400 720] /A << /S /URI /URI (${h}) >> >>] >>`,
    ((c) => `<< /Length ${c.length} >>\nstream\n${c}\nendstream`)(`BT /F1 12 Tf 72 700 Td (${t}) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
const ATTACKS: readonly (readonly [string, Buffer])[] = [
  [
    'md, four addresses of one host',
    Buffer.from(
      '# Alert\n\nSomebody has tried to sign in.\n\n- Password: [https://github.com/settings/security](https://github-secure.scan-alert.test/settings)\n- [github.com/settings/sessions][s]\n\n[s]: https://github-secure.scan-alert.test/oauth/authorize?scope=repo\n',
    ),
  ],
  [
    'eml answer to another host',
    eml(
      'Fenwick Castings <accounts@fenwickcastings.example>',
      'Updated remittance details',
      `<p>Confirm the new account to ${a('mailto:accounts@fenwick-castlngs.test?subject=Confirmed', 'accounts@fenwickcastings.example')}</p>`,
    ),
  ],
  [
    'eml dhl',
    eml(
      'DHL Express <noreply@parcel.example>',
      'Your DHL parcel is on hold',
      `<p>Dear customer, your DHL parcel is waiting. Pay the customs fee.</p>${a('https://dhl-parcel-fee.example/pay', 'Track your parcel')}`,
    ),
  ],
  [
    'eml dhl2',
    eml(
      'DHL <no-reply@dhl-express.example>',
      'Delivery failed',
      `<p>We could not deliver your parcel. DHL Customer Service</p>${a('https://track-dhl.delivery-update.example/x', 'https://www.dhl.com/track')}`,
    ),
  ],
  [
    'eml dhl3',
    eml(
      'DHL <info@mail.example>',
      'DHL',
      `<p>Your DHL shipment could not be delivered. Confirm your address</p>${a('https://redelivery-portal.example/x', 'Confirm address')}`,
    ),
  ],
  [
    'eml tax',
    eml(
      'HMRC <refund@gov-tax.example>',
      'Tax refund',
      `<p>HM Revenue and Customs: you are due a tax refund of 312.44 GBP. Claim within 24 hours.</p>${a('https://hmrc-refund.example/claim', 'Claim refund')}`,
    ),
  ],
  [
    'eml tax2',
    eml(
      'Tax Office <refund@mail.example>',
      'Tax refund',
      `<p>Your tax refund is ready</p>${a('https://gov.uk.tax-refund.example/claim', 'https://www.gov.uk/claim')}`,
    ),
  ],
  [
    'eml tax3',
    plain(
      'IRS <a@mail.example>',
      'Refund',
      'The IRS owes you a refund. Claim it at https://irs-gov-refund.example/claim today.',
    ),
  ],
  ['odt shown', odt(oa('https://contoso-login.example/a', 'https://portal.contoso.example/a'))],
  [
    'odt brand',
    odt(
      `<text:p>Your Microsoft 365 password expires today.</text:p>${oa('https://microsoft-password.example/a', 'Keep password')}`,
    ),
  ],
  ['odt shown brand', odt(oa('https://collect.example/a', 'https://www.paypal.com/signin'))],
  [
    'chat',
    Buffer.from(
      '[12/03/2026, 10:01] Anna: hi mum\n[12/03/2026, 10:02] Anna: my phone broke, please pay this https://netflix-billing.example/pay\n[12/03/2026, 10:03] Mum: ok\n',
    ),
  ],
  ['chat2', Buffer.from('2026-03-12 10:01 - Bob: look https://paypa1.example/x\n2026-03-12 10:02 - Eve: nice\n')],
  [
    'chat3',
    Buffer.from(
      '12.03.26, 10:01 - Bob: your parcel https://dhl-zustellung.example/x\n12.03.26, 10:02 - Eve: dhl? thanks\n',
    ),
  ],
  [
    'chat4',
    Buffer.from('[10:01] support: sign in here https://login.microsoftonline.com@evil.example/x\n[10:02] me: ok\n'),
  ],
  [
    'html brand',
    html(`<p>Microsoft 365: your mailbox is full</p>${a('https://microsoft365-storage.example/', 'Keep messages')}`),
  ],
  [
    'chat with a time like a number',
    Buffer.from(
      '[12.03.26, 10:01:11] Anna: hi\n[12.03.26, 10:02:11] Anna: look https://paypal.com.konto-pruefen.example/x\n',
    ),
  ],
  [
    'eml in parentheses',
    plain(
      'IT <it@x.example>',
      'Portal',
      'Sign in at https://portal.nordmann.de (https://nordmann-login.example/a) today.',
    ),
  ],
  [
    'eml picture',
    eml(
      'IT <it@x.example>',
      'Portal',
      '<a href="https://nordmann-login.example/a"><img src="a.png" alt="https://portal.nordmann.de/login"></a>',
    ),
  ],
  ['eml bank', plain('Sparkasse <a@b.example>', 'Konto', 'Bitte: https://sparkasse-sicherheit.example/login')],
  ['docx sub', docxL('https://accounts.google.com.verify-session.example/', 'Sign in', 'Google')],
  ['docx shown', docxL('https://bank-verify.example/', 'https://online.nordbank.example/', 'NordBank: confirm')],
  ['docx shown2', docxL('https://nordbank-verify.example/', 'https://online.nordbank.example/', 'NordBank: confirm')],
  ['pdf shown', pdfL('https://nordbank-verify.example/', 'https://online.nordbank.example/')],
  ['pdf shown brand', pdfL('https://a.example/', 'www.docusign.com/review')],
  ['eml puny', eml('a', 'b', a('https://xn--pypal-4ve.example/', 'PayPal'))],
  [
    'eml redirect',
    eml(
      'a',
      'b',
      a(
        'https://www.google.com/url?q=https%3A%2F%2Fwww.bing.com%2Fck%2Fa%3Fu%3Da1aHR0cHM6Ly9ldmlsLmV4YW1wbGUvP2U9Ym9iQGV4YW1wbGUub3Jn',
        'Open',
      ),
    ),
  ],
  [
    'eml double',
    eml('a', 'b', a('https://www.google.com/url?q=https%253A%252F%252Fpaypal-login.example%252F', 'Open')),
  ],
  [
    'eml path brand',
    eml(
      'PayPal <a@b.example>',
      'Account',
      `<p>PayPal: your account is limited, log in</p>${a('https://a.example/www.paypal.com/signin', 'Log in to PayPal')}`,
    ),
  ],
  ['md', Buffer.from('# Notice\n\nPlease [https://www.paypal.com/signin](https://collect.example/a) now.\n')],
  [
    'ics',
    Buffer.from(
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Microsoft account review\r\nDESCRIPTION:Sign in at https://microsoft-account-verify.example/now\r\nURL:https://microsoft-account-verify.example/now\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
  ],
  ['csv', Buffer.from('name,link\na,https://paypal.com.secure-login.example/x\n')],
  [
    'svg',
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="https://docusign-review.example/x"><text>https://www.docusign.com</text></a></svg>`,
    ),
  ],
  [
    'odt state through the server of another',
    odt(
      oa(
        'https://out.region-news.example/r.php?u=https%3A%2F%2Fpokuty.obcan24.example%2Fkarta',
        'https://portal.gov.cz/pokuty/55210',
      ),
    ),
  ],
  [
    'odt through the server of another',
    odt(oa('https://news.example/go?url=https%3A%2F%2Fkarta.obcan24.test%2Fa', 'https://www.nordmann.de/a')),
  ],
  ['odt arrears', odt(oa('https://mvm-hatralek.befizetes-online.example/a', 'https://www.mvm.hu/ugyfel'))],
  ['odt fines', odt(oa('https://pokuty-karta.example/a', 'https://www.mesto-lipa.cz/platba'))],
  [
    'page to sign in among pictures',
    eml(
      'Bank <a@bank.example>',
      'Alert',
      `<p>Your card will be suspended within 24 hours. Sign in to confirm your account.</p>${a('http://www.bakery-losolmos.example/images/.cache/oasis/login.html', 'Continue')}`,
    ),
  ],
  [
    'page to sign in among uploads',
    eml(
      'Bank <a@bank.example>',
      'Sperrung',
      `<p>Ihr Konto wird gesperrt. Melden Sie sich innerhalb von 24 Stunden an und bestätigen Sie Ihr Passwort.</p>${a('https://gartenbau-hansen.example/wp-content/uploads/kunden/login.php', 'Weiter')}`,
    ),
  ],
  [
    'picture that shows a page to sign in',
    eml(
      'Bank <a@bank.example>',
      'Alert',
      '<p>Hello</p><a href="https://bakery-losolmos.example/x"><img src="cid:b" alt="oasisbank.example/login"></a>',
    ),
  ],
]
const HARMLESS: readonly (readonly [string, Buffer])[] = [
  [
    'eml answer to other hosts of the owner',
    eml(
      'Fenwick Castings <accounts@fenwickcastings.example>',
      'Invoice',
      `<p>${a('mailto:accounts@fenwick-castings.example', 'accounts@fenwickcastings.example')} ${a('mailto:billing@castings-group.example', 'accounts@fenwickcastings.example')} ${a('mailto:a@mail.fenwickcastings.example', 'a@fenwickcastings.example')}</p>`,
    ),
  ],
  [
    'newsletter',
    eml(
      'Shop <a@shop.example>',
      'News',
      `<p>Pay with PayPal or Visa. Delivery by DHL. Follow us</p>${a('https://click.mail.shop.example/abc', 'Shop now')}${a('https://www.paypal.com/', 'PayPal')}${a('https://www.dhl.de/track', 'DHL')}`,
    ),
  ],
  [
    'shop order',
    eml(
      'Shop <a@shop.example>',
      'Your order',
      `<p>Your parcel is on its way with DHL. Pay the invoice.</p>${a('https://shop.example/orders/1', 'View order')}`,
    ),
  ],
  [
    'track',
    eml(
      'Shop <a@shop.example>',
      'Your order',
      `<p>DHL delivers tomorrow</p>${a('https://tracking.shop.example/dhl/123', 'Track')}`,
    ),
  ],
  [
    'visa agency',
    eml(
      'Visa Service <a@visa-service.example>',
      'Your visa',
      `<p>Visa service Berlin: your visa for India. Pay the fee</p>${a('https://visa-service.example/pay', 'Pay')}`,
    ),
  ],
  ['odt own', odt(oa('https://www.contoso.example/help', 'https://contoso.example/help'))],
  ['odt other own', odt(oa('https://contoso-group.example/help', 'www.contoso.example'))],
  [
    'chat ok',
    Buffer.from(
      '[12/03/2026, 10:01] Anna: https://www.dhl.de/x\n[12/03/2026, 10:02] Anna: https://maps.app.goo.gl/x\n[12/03/2026, 10:03] Mum: https://bit.ly/abc\n',
    ),
  ],
  ['docx redirect', docxL('https://docs.acme-cloud.example/', 'https://docs.acme.example/', 'Manual')],
  [
    'dealer',
    eml(
      'Telekom Partner <a@telekom-partner.example>',
      'Offer',
      `<p>Your Telekom partner shop in Ulm. New phones.</p>${a('https://telekom-partner-ulm.example/', 'Offers')}`,
    ),
  ],
  [
    'pictures of a bakery',
    eml(
      'Bakery <a@bakery.example>',
      'Photos',
      `<p>Our new bread is here, see the pictures.</p>${a('https://bakery.example/images/bread/index.html', 'Pictures')}`,
    ),
  ],
  [
    'own page to sign in below assets',
    eml(
      'Club <a@club.example>',
      'News',
      `<p>The minutes are online.</p>${a('https://club.example/assets/login', 'Minutes')}`,
    ),
  ],
  ['odt state, moved', odt(oa('https://www.mesto-lipa.example/pokyny', 'https://portal.gov.cz/pokyny'))],
  [
    'odt state through a proxy',
    odt(oa('https://proxy.univ.example/login?url=https%3A%2F%2Fportal.gov.cz%2Fa', 'https://portal.gov.cz/a')),
  ],
]

const isDeceptive = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === 'Docvet.Link.Deceptive')

describe('deceptive', () => {
  for (const [name, bytes] of ATTACKS) test(name, () => assert.ok(isDeceptive(bytes)))
})

describe('not deceptive', () => {
  for (const [name, bytes] of HARMLESS) test(name, () => assert.ok(!isDeceptive(bytes)))
})
