import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { LINK_CARRIERS } from '#inspect/testing/link-carriers.ts'

const { inspect } = useInspector()
const isDeceptive = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === 'Docvet.Link.Deceptive')
const carrier = (name: string) => LINK_CARRIERS[name] as (target: string, shown: string) => Buffer
const docx = (target: string, shown = 'Open'): Buffer => carrier('docx')(target, shown)
const html = (body: string, head = ''): Buffer =>
  Buffer.from(`<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`)
const mail = (text: string, target: string): Buffer =>
  Buffer.from(
    `From: a@example.net\r\nTo: b@example.org\r\nSubject: News\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>${text}</p><a href="${target}">More</a></body></html>\r\n`,
  )

describe('a name poses', () => {
  for (const target of [
    'https://inps.it-rimborso.com/accesso',
    'https://gov-uk.tax-rebate-portal.net/claim',
    'https://impots.gouv.fr-remboursement.info/form',
    'https://swisscom.ch-rechnung.top/pay',
    'https://nordbank.fr-rueckzahlung.example/',
    'https://rakuten-card.co-jp.cyou/login',
    'https://santander.es.acceso-clientes.app/',
    'https://bunq-identificatie.online/herstel',
    'https://canadapost-postescanada.parcel-hold.info/t',
    'https://evri-redeliver.parcel-fee.click/x',
    'https://mail-owa.outlook-office.ru.com/auth',
    'https://metamask-restore.vercel.app/',
    'https://storage.googleapis.com/onedrive-microsoft-login/index.html',
    'https://sites.google.com/view/metamask-wallet-verify',
    'https://protect-us.mimecast.com/s/AbC?domain=docusign.com.sign-doc.example',
  ])
    test(target, () => assert.ok(isDeceptive(docx(target))))

  for (const target of [
    'https://www.sparkasse-koelnbonn.de/postfach',
    'https://www.siemens-careers.com/job/12',
    'https://netflix-clone.vercel.app/',
    'https://www.it-systems.example/support',
    'https://shop.de-sign.example/login',
    'https://data.gov.uk/dataset',
    'https://www.swedbank.ee/',
    'https://storage.googleapis.com/contoso-press/report.pdf',
    'https://sites.google.com/view/paypal-history-club',
    'https://protect-us.mimecast.com/s/AbC?domain=docusign.com',
    'https://www-sciencedirect-com.proxy.library.uu.nl/science/article/pii/S0140673620301835',
  ])
    test(`not ${target}`, () => assert.ok(!isDeceptive(docx(target))))
})

describe('a text names whom the host poses as', () => {
  const asks = 'Telstra: payment for your last bill failed. Confirm your account today.'
  test('in a mail', () => assert.ok(isDeceptive(mail(asks, 'https://telstra.webportal.example/au'))))
  test('not without a request', () =>
    assert.ok(!isDeceptive(mail('Telstra opens a shop in Perth.', 'https://telstra.webportal.example/au'))))
  test('not a member of a group', () =>
    assert.ok(
      !isDeceptive(mail('Sparkasse: Ihr Konto. Bitte melden Sie sich an.', 'https://www.sparkasse-koelnbonn.de/a')),
    ))
  test('in a PDF, a page and a document', () => {
    const target = 'https://docusign.webspace-files.example/s/1'
    for (const name of ['pdf', 'docx', 'html'])
      assert.ok(isDeceptive(carrier(name)(target, 'DocuSign: please sign the document')), name)
  })
})

describe('another server than the text shows', () => {
  const target = 'https://files.wedding-gallery.example/x'
  const shown = 'https://www.stadtwerke-nord.example/rechnung'
  for (const name of ['docx', 'odt', 'pdf', 'html', 'xlsx'])
    test(`in ${name}`, () => assert.ok(isDeceptive(carrier(name)(target, shown))))
  test('not of a page that has moved', () =>
    assert.ok(!isDeceptive(docx('https://www.merck-group.example/en', 'https://www.darmstadt-pharma.example/report'))))
  test('by the base of a page', () =>
    assert.ok(
      isDeceptive(html(`<a href="/payroll/login">${shown}</a>`, '<base href="https://hr-benefits-check.example/">')),
    ))
  test('by an area of a picture', () =>
    assert.ok(isDeceptive(html(`<map name="m"><area href="${target}" alt="${shown}"></map>`))))
  test('written backwards', () =>
    assert.ok(isDeceptive(html('<a href="https://evil.example/a">\u202e/ti.ocnab.www//:sptth\u202c</a>'))))
  test('in a text that has a word for deception only in its address', () =>
    assert.ok(
      isDeceptive(
        Buffer.from(
          'Subject: A\r\nFrom: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nPlease confirm: https://accounts.google.com%2Fsignin@phish.example.org/x\r\n',
        ),
      ),
    ))
})
