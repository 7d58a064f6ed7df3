import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { BRANDS } from './brands.ts'
import { domainOf } from './domains.ts'
import { skeletonOf } from './skeleton.ts'
import { LEVELS_MAX, unwrap } from './unwrap.ts'

const { inspect } = useInspector()

const page = (links: string) => Buffer.from(`<html><body><p>Hello</p>${links}</body></html>`)
const mail = (links: string) =>
  Buffer.from(
    `From: a@example.org\r\nTo: b@example.net\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${page(links)}`,
  )
const link = (target: string, text = 'here') => `<a href="${target}">${text}</a>`

/** The detail of the finding; null: none. */
function deceptive(bytes: Uint8Array): string | null {
  return inspect(bytes).findings.find(({ id }) => id === 'Docvet.Link.Deceptive')?.detail ?? null
}

describe('registered domains', () => {
  for (const [host, registered] of [
    ['www.example.com', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['example.github.io', 'example.github.io'],
    ['b.ipfs.dweb.link', 'b.ipfs.dweb.link'],
    ['www.city.kobe.jp', 'city.kobe.jp'],
    ['a.b.other.kobe.jp', 'b.other.kobe.jp'],
    ['com', 'com'],
    ['co.uk', 'co.uk'],
    ['www.unknown-suffix', 'www.unknown-suffix'],
    ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ] as const)
    test(host, () => assert.equal(domainOf(host).registered, registered))
})

test('names that look alike have one skeleton', () => {
  for (const name of ['paypa1', 'раураl', 'pаypal', 'páypal'])
    assert.equal(skeletonOf(name), skeletonOf('paypal'), name)
  assert.equal(skeletonOf('rnicr0soft'), skeletonOf('microsoft'))
  assert.notEqual(skeletonOf('example'), skeletonOf('paypal'))
})

test('every brand has a domain, and no two have the same name', () => {
  assert.ok(BRANDS.length > 150)
  for (const { domain, name } of BRANDS) assert.match(domain, /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, name)
  assert.equal(new Set(BRANDS.map(({ name }) => name)).size, BRANDS.length)
})

describe('addresses within others', () => {
  const inner = 'https://evil.example/a?b=c'
  const coded = encodeURIComponent(inner)
  for (const outer of [
    `https://www.google.com/url?sa=t&q=${coded}`,
    `https://www.google.co.uk/url?q=${coded}`,
    'https://www.google.com/amp/s/evil.example/a?b=c',
    `https://www.bing.com/ck/a?u=a1${Buffer.from(inner).toString('base64url')}`,
    `https://l.facebook.com/l.php?u=${coded}`,
    `https://eur01.safelinks.protection.outlook.com/?url=${coded}&data=05`,
    `https://urldefense.com/v3/__${inner}__;!!token$`,
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_a-3Fb-3Dc&d=Dw',
    `https://linkprotect.cudasvc.com/url?a=${coded}&c=E`,
    `https://t.umblr.com/redirect?z=${coded}`,
    `https://web.archive.org/web/20200101000000/${inner}`,
  ])
    test(new URL(outer).host, () => assert.equal(unwrap(new URL(outer)).known.href, inner))

  const nested = (levels: number): string =>
    levels === 0 ? inner : `https://www.google.com/url?q=${encodeURIComponent(nested(levels - 1))}`
  test('as many as the limit', () => assert.equal(unwrap(new URL(nested(LEVELS_MAX))).known.href, inner))
  test('one more is left as it is', () =>
    assert.equal(unwrap(new URL(nested(LEVELS_MAX + 1))).known.hostname, 'www.google.com'))
  test('a parameter of any server is judged as well, but not trusted', () => {
    const { urls, known } = unwrap(new URL(`https://go.example.org/out?url=${coded}`))
    assert.equal(urls.length, 2)
    assert.equal(known.hostname, 'go.example.org')
  })
})

const READER = Buffer.from('reader@example.com').toString('base64')

test('a coded address that a server leads on to, and a reader that it names, are no deception by themselves', () => {
  const coded = Buffer.from('https://www.example.net/news').toString('base64url')
  for (const address of [
    `https://go.example.org/r?url=${coded}&m=reader@example.com`,
    `https://go.example.org/r?url=${coded}`,
    'https://go.example.org/list#reader@example.com',
    'https://go.example.org/r?next=https://www.example.org/a#reader@example.com',
  ])
    assert.equal(deceptive(page(link(address))), null, address)
})

describe('deceptive', () => {
  for (const [name, links] of [
    ['a digit for a letter', link('https://paypa1.com/')],
    ['two letters for one', link('https://www.rnicrosoft.com/')],
    ['letters of another script', link('https://xn--pypal-4ve.com/')],
    ['the same, not coded', link('https://p\u0430ypal.com/')],
    ['a lookalike with another word', link('https://paypa1-service.example/')],
    ['the domain of a brand in front', link('https://microsoft.com.login-x.example/')],
    ['the domain of a brand with a hyphen', link('https://login.microsoft.com-mfa.example/')],
    ['a host as a user', link('https://www.paypal.com@evil.example/')],
    ['two scripts in one word', link('https://xn--exmple-4nf.org/'.replace('xn--exmple-4nf', 'ex\u0430mple'))],
    ['a brand and a pretext, on a tunnel', link('https://microsoft-login.trycloudflare.com/')],
    ['a number and the reader', link('http://203.0.113.9/?u=reader@example.com')],
    ['a number in another form', link('http://3405803785/account')],
    ['a number in hexadecimal', link('http://0xCB.0x00.0x71.0x09/')],
    ['the text of a brand, on a number', link('http://203.0.113.9/a', 'https://www.paypal.com/signin')],
    ['a short address and the reader', link(`https://bit.ly/abc#${READER}`)],
    [
      'IPFS and the reader',
      link(`https://ipfs.io/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPo/#reader@example.com`),
    ],
    [
      'the reader in a fragment that is led on, coded',
      link(`https://go.example.org/r?u=a1${Buffer.from('https://sign.example.net/').toString('base64url')}#${READER}`),
    ],
    [
      'the reader in a fragment that is led on',
      link('https://go.example.org/r?url=https://sign.example.net/#reader@example.com'),
    ],
    [
      'inside a link that protects',
      link(`https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://paypa1.com/')}`),
    ],
    ['the text of a brand', link('https://evil.example/a', 'https://www.paypal.com/signin')],
    ['the text of a brand without a scheme', link('https://evil.example/a', 'paypal.com/signin')],
    ['the text of a brand in markup', link('https://evil.example/a', '<b>https://www.<i>paypal</i>.com</b>')],
  ] as const)
    test(name, () => assert.notEqual(deceptive(page(links)), null))

  test('in a mail, also the text of any other server', () => {
    const links = link('https://evil.example/a', 'https://portal.bank.example.org/report')
    assert.equal(deceptive(page(links)), null)
    assert.equal(deceptive(mail(links)), 'shows portal.bank.example.org: hxxps://evil[.]example/a')
  })

  test('a list of links that all show the same other host', () => {
    const list = (shown: (i: number) => string, target: (i: number) => string) =>
      deceptive(page([1, 2, 3, 4, 5].map((i) => link(target(i), shown(i))).join('\n')))
    const paypal = (i: number) => `https://www.paypal.com/payout/${i}`
    assert.notEqual(
      list(paypal, (i) => `https://evil.example/p/${i}`),
      null,
    )
    const counted = (i: number) => `https://counted.example/p/${i}`
    assert.equal(
      list((i) => (i === 1 ? paypal(i) : 'our offers'), counted),
      null,
    )
    assert.equal(
      list((i) => (i === 1 ? paypal(i) : 'https://www.shop.example/'), counted),
      null,
    )
    assert.equal(
      list(
        (i) => `https://www.old-choir.example/${i}`,
        (i) => `https://singers.example/${i}`,
      ),
      null,
    )
  })

  test('in a page, the text of a server at which somebody signs in or pays', () => {
    for (const shown of ['https://portal.bank.example.org/login', 'https://www.stadtwerke.example.org/rechnung'])
      assert.notEqual(deceptive(page(link('https://evil.example/a', shown))), null, shown)
  })

  test('as a suspicion, with the brand and an address that nothing opens', () => {
    const { findings } = inspect(page(link('https://paypa1.com/')))
    const found = findings.find(({ id }) => id === 'Docvet.Link.Deceptive')
    assert.equal(found?.severity, 'suspicious')
    assert.equal(found?.detail, 'poses as paypal.com: hxxps://paypa1[.]com/')
  })
})

/** As a newsletter: each link leads over one server that counts. */
const NEWSLETTER = [
  'www.shop.example',
  'www.facebook.com/shop',
  'instagram.com/shop',
  'www.partner.example',
  'Unsubscribe',
]
  .map((text, i) => link(`https://shop-clicks.example/c/${i}`, text))
  .join('\n')

describe('harmless', () => {
  for (const [name, links] of [
    ['a newsletter that counts clicks', NEWSLETTER],
    [
      'a service for newsletters',
      link('https://u123.ct.sendgrid.net/ls/click?upn=abcdefghijklmnopqrstuvwxyz', 'www.example.org'),
    ],
    [
      'a server for clicks',
      link('https://click.shop.example/f/a/AbCdEfGhIjKlMnOpQrStUvWxYz', 'https://www.facebook.com/shop'),
    ],
    [
      'a link that protects',
      link(
        `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://www.example.org/a')}&data=05`,
        'https://www.example.org/a',
      ),
    ],
    ['a way to unsubscribe', link('https://lists.example.org/unsubscribe?email=reader@example.com', 'unsubscribe')],
    [
      'a redirector of a company',
      link(
        `https://go.company.example/out?url=${encodeURIComponent('https://www.partner.example/')}`,
        'https://www.partner.example/',
      ),
    ],
    [
      'an export of an online document',
      link(
        `https://www.google.com/url?q=${encodeURIComponent('https://example.org/?m=a@example.org')}&sa=D&source=editors`,
        'example',
      ),
    ],
    [
      'a picture in Markdown',
      link('https://www.example.org/', '\n![Logo](https://raw.githubusercontent.com/a/b/logo.svg)\n'),
    ],
    ['a short address', link('https://bit.ly/abc', 'https://www.example.org/long')],
    ['a number', link('http://203.0.113.9:8080/status', 'status')],
    ['a number, under the name of its server', link('http://203.0.113.9/', 'https://portal.example.org/')],
    ['a private number in another form', link('http://3232235777/', 'router')],
    ['a host of Persian letters', link('https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example/')],
    ['a host of Indic letters', link('https://\u0909\u0926\u093e\u0939\u0930\u0923.example/')],
    [
      'a host of Cyrillic letters',
      link(
        'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
        'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
      ),
    ],
    ['words of two scripts', link('https://\u043a\u0430\u0444\u0435-wifi.example/')],
    ['a host of Chinese and Latin letters', link('https://\u4f8b\u5b50abc.example/')],
    ['an accent', link('https://m\u00fcnchen.example/')],
    ['a brand in its country', link('https://www.amazon.it/', 'amazon.com')],
    ['two domains of one owner', link('https://login.microsoftonline.com/', 'https://www.office.com')],
    ['the same name under another suffix', link('https://www.example.de/', 'www.example.com')],
    ['a proxy of a library', link('https://www.linkedin.com.ezproxy.university.example/learning')],
    ['a name of a person as a user', link('https://john.smith@git.example.org/a.git')],
    [
      'a page in an archive',
      link('https://web.archive.org/web/2010/http://www.example.org/', 'http://www.example.org/'),
    ],
    ['a name of a file', link('https://git.example.org/readme', 'readme.md')],
    ['a brand as the name of a tenant', link('https://microsoft.github.io/')],
    ['a word that is also a brand', link('https://apple-orchard.example/')],
    ['a server of the company', link('http://intranet/login?u=a@example.org', 'https://portal.example.org')],
  ] as const)
    test(name, () => {
      assert.equal(deceptive(page(links)), null)
      assert.equal(deceptive(mail(links)), null)
    })

  // In a document, addresses of those who write it may have moved.
  for (const [name, links] of [
    [
      'the account of a customer',
      link('https://nordmann.webportal.example/login', 'https://www.nordmann.example/portal'),
    ],
    ['a page for jobs', link('https://nordmann-jobs.webportal.example/', 'https://www.nordmann.example/')],
    ['a well-known service', link('https://accounts.google.com/signin', 'https://calendar.nordmann.example/')],
  ] as const)
    test(name, () => assert.equal(deceptive(page(links)), null))
})

const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
const relations = (target: string) =>
  `<Relationships><Relationship Id="a" Type="${RELATIONSHIP}" Target="${target}" TargetMode="External"/></Relationships>`
const office = (part: string, content: string, target = 'https://evil.example/') =>
  docx({ [part]: content, [part.replace(/([^/]+)$/, '_rels/$1.rels')]: relations(target) })
const odf = (target: string, text: string) =>
  Buffer.from(
    `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><text:a xlink:href="${target}">${text}</text:a></office:document>`,
  )

describe('in other formats', () => {
  const shown = 'https://www.paypal.com/'
  const word = (text: string) =>
    `<w:document><w:hyperlink r:id="a"><w:r><w:t>${text.slice(0, 9)}</w:t></w:r><w:r><w:t>${text.slice(9)}</w:t></w:r></w:hyperlink></w:document>`
  const slide = (text: string) => `<p:sld><a:r><a:rPr><a:hlinkClick r:id="a"/></a:rPr><a:t>${text}</a:t></a:r></p:sld>`
  const sheet = (text: string) => `<worksheet><hyperlink ref="A1" r:id="a" display="${text}"/></worksheet>`
  const rtf = (target: string) => Buffer.from(String.raw`{\rtf1{\field{\*\fldinst HYPERLINK "${target}"}{\fldrslt a}}}`)
  const uri = (target: string) =>
    pdf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Annot /Subtype /Link /A << /S /URI /URI (${target}) >> >>`])
  const field = (text: string) =>
    `<w:document><w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> HYPERLINK "https://evil.example/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${text.slice(0, 9)}</w:t></w:r><w:r><w:t>${text.slice(9)}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:document>`
  const simple = (text: string) =>
    `<w:document><w:p><w:fldSimple w:instr=" HYPERLINK &quot;https://evil.example/&quot; "><w:r><w:t>${text}</w:t></w:r></w:fldSimple></w:p></w:document>`
  const rich = (text: string) =>
    Buffer.from(
      String.raw`{\rtf1 {\field{\*\fldinst { HYPERLINK "https://evil.example/" }}{\fldrslt {\cs15\ul ${text.slice(0, 9)}}{\b ${text.slice(9)}}}} end}`,
    )
  for (const [name, bad, good] of [
    ['a field in Word', docx({ 'word/document.xml': field(shown) }), docx({ 'word/document.xml': field('see a.b') })],
    [
      'a field of one element',
      docx({ 'word/document.xml': simple(shown) }),
      docx({ 'word/document.xml': simple('a.b') }),
    ],
    ['a field in RTF', rich(shown), rich('https://evil.example/')],
    [
      'the text of a link in Word',
      office('word/document.xml', word(shown)),
      office('word/document.xml', word('https://evil.example/a')),
    ],
    [
      'the text of a link on a slide',
      office('ppt/slides/slide1.xml', slide(shown)),
      office('ppt/slides/slide1.xml', slide('paypal')),
    ],
    [
      'the text of a link in a sheet',
      office('xl/worksheets/sheet1.xml', sheet(shown)),
      office('xl/worksheets/sheet1.xml', sheet('')),
    ],
    [
      'the target of a link in Word',
      office('word/document.xml', word('a'), 'https://paypa1.com/'),
      office('word/document.xml', word('a'), 'https://paypal.com/'),
    ],
    ['OpenDocument', odf('https://evil.example/', shown), odf('https://evil.example/', 'evil')],
    ['RTF', rtf('https://paypa1.com/'), rtf('https://paypal.com/')],
    ['PDF', uri('https://paypa1.com/'), uri('https://paypal.com/')],
  ] as const)
    test(name, () => {
      assert.notEqual(deceptive(bad), null)
      assert.equal(deceptive(good), null)
    })
})
