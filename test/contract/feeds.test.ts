import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { request } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'

const feeds = temporaryFolder('feeds')
const PAYLOAD = Buffer.from('Attached is the programme of the conference, as agreed.\n')
const TRUSTED = docx({
  'word/document.xml': '<w:document><w:body><w:p>https://listed.example/trusted</w:p></w:body></w:document>',
})
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const LISTED = 'http://listed.example/gate.php?id=7'

/** As an operator should: a name that appears at once. */
function put(name: string, text: string): void {
  writeFileSync(path.join(feeds, `.${name}`), text)
  renameSync(path.join(feeds, `.${name}`), path.join(feeds, name))
}
function feed(file: string, text: string, settings: Record<string, unknown>): void {
  const source = 'https://feed.example'
  put(
    `${file.replace(/\.\w+$/, '')}.feed.json`,
    JSON.stringify({ action: 'malicious', maxAgeHours: 24, source, ...settings }),
  )
  put(file, text)
}

const services: ScanService[] = []
const keys: string[] = []
const scan = (document: Buffer | string, at = 0) => (services[at] as ScanService).scan(keys[at] as string, document)
async function detailOf(at = 0): Promise<string> {
  const { body } = await request((services[at] as ScanService).port, 'GET', '/api/v1/health')
  return body
}
async function untilHealth(wanted: RegExp): Promise<void> {
  let said = ''
  for (let tries = 0; tries < 300 && !wanted.test(said); tries++) {
    said = await detailOf()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.match(said, wanted)
}

before(async () => {
  mkdirSync(feeds, { recursive: true })
  feed(
    'urls.csv',
    [
      '# Lists of addresses',
      '# id,dateadded,url,url_status,last_online,threat',
      `"1","2026-11-18","${LISTED}","online","2026-11-18","x"`,
      '"2","2026-11-18","https://bücher.example/Pfad?a=%c3%a4","online","","x"',
      '"3","2026-11-18","https://listed.example/trusted","online","","x"',
      '"4","2026-11-18","https://spared.example/a","online","","x"',
    ].join('\r\n'),
    { kind: 'url', column: 'url' },
  )
  feed('hosts.txt', '# hosts\n127.0.0.1 bad-host.example # since today\n0.0.0.0 xn--bcher-kva.test\n', { kind: 'host' })
  feed('files.txt', `${sha256(PAYLOAD).toUpperCase()}\n${sha256(Buffer.alloc(0))}\n`, { kind: 'sha256' })
  feed('maybe.txt', 'http://maybe.example/\n', { kind: 'url', action: 'suspicious' })
  feed('good.json', JSON.stringify([sha256(TRUSTED), sha256(Buffer.from(EICAR))]), { kind: 'sha256', action: 'allow' })
  feed('spared.json', JSON.stringify({ list: ['.spared.example'], version: 1 }), { kind: 'host', action: 'allow' })
  services.push(...(await Promise.all([0, 1].map(() => startScanService({ DOCVET_FEEDS_DIR: feeds })))))
  for (const service of services) keys.push(await service.newKey())
})
after(async () => {
  for (const service of services) await service[Symbol.asyncDispose]()
  rmSync(feeds, { recursive: true, force: true })
})

const page = (links: string) => `<html><body><p>Hello</p>${links}</body></html>`
const mail = (body: string, type = 'text/plain') =>
  `From: a@example.org\r\nTo: b@example.net\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n`
const relation = (target: string) =>
  docx({
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${target.replaceAll('&', '&amp;')}" TargetMode="External"/></Relationships>`,
  })
const runs = (...texts: string[]) =>
  docx({
    'word/document.xml': `<w:document><w:body><w:p>${texts.map((text) => `<w:r><w:t>${text}</w:t></w:r>`).join('')}</w:p></w:body></w:document>`,
  })
const annotation = (target: string) =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${target}) >> >>] >>`,
  ])
const paper = (text: string) =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ])
const code = (target: string) =>
  docx({
    'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>Menu</w:t></w:r></w:p></w:body></w:document>',
    'word/media/image1.png': writePng(qrMatrix(target)),
  })
const zip = (data: Buffer | string) => writeZip([{ name: 'inner.zip', data: writeZip([{ name: 'b.txt', data }]) }])

const URL_FEED = 'Feed.urls'
const found: [string, Buffer | string, string][] = [
  ['a link of Word', relation(LISTED), URL_FEED],
  ['a link of PDF', annotation(LISTED), URL_FEED],
  ['a QR code', code(LISTED), URL_FEED],
  ['the text of a mail', mail(`See ${LISTED}, please.`), URL_FEED],
  ['the page of a mail', mail(page(`<a href="${LISTED}">here</a>`), 'text/html'), URL_FEED],
  ['a text in an archive in an archive', zip(`Go to ${LISTED}.`), URL_FEED],
  ['a plain text', `(${LISTED})`, URL_FEED],
  ['text of Word in two pieces', runs('http://listed.exa', 'mple/gate.php?id=7'), URL_FEED],
  [
    'text of PDF in two pieces',
    paper('BT /F 12 Tf 50 700 Td [(http://listed.exam) (ple/gate.php?id=7)] TJ ET'),
    URL_FEED,
  ],
  ['upper case, a port, a user and a fragment', relation('HTTP://user@LISTED.EXAMPLE:80/gate.php?id=7#x'), URL_FEED],
  ['an international name', relation('https://BÜCHER.example/Pfad?a=%C3%A4'), URL_FEED],
  ['its ASCII form', relation('https://xn--bcher-kva.example/Pfad?a=%c3%a4'), URL_FEED],
  ['an address within another', relation(`https://www.google.com/url?q=${encodeURIComponent(LISTED)}`), URL_FEED],
  ['a script with slashes escaped', page(`<script>var a={"u":"${LISTED.replaceAll('/', '\\/')}"}</script>`), URL_FEED],
  ['UTF-16', Buffer.from(`\uFEFFGo to ${LISTED} now`, 'utf16le'), URL_FEED],
  ['a host', relation('https://bad-host.example/anything'), 'Feed.hosts'],
  ['a host below it', annotation('https://a.b.bad-host.example./x'), 'Feed.hosts'],
  ['an international host', code('https://www.Bücher.test/'), 'Feed.hosts'],
  ['a file server', relation('\\\\bad-host.example\\share\\a.docx'), 'Feed.hosts'],
  ['a file', PAYLOAD, 'Feed.files'],
  ['a file in an archive', zip(PAYLOAD), 'Feed.files'],
]
const passed: [string, Buffer | string][] = [
  ['another path of the same host', relation('http://listed.example/other')],
  ['another query', relation('http://listed.example/gate.php?id=8')],
  ['the address with more behind it', relation(`${LISTED}9`)],
  ['another scheme', relation(LISTED.replace('http:', 'https:'))],
  ['a host that only ends alike', relation('https://notbad-host.example/')],
  ['a host above it', relation('https://example/')],
  ['an address that is not live', `hxxp://listed[.]example/gate.php?id=7`],
  ['an empty file, whatever the lists say', writeZip([{ name: 'empty.txt', data: '' }])],
  ['an address that is only suspicious', relation('http://maybe.example')],
  ['a file that a list trusts', TRUSTED],
  ['a host that a list trusts', relation('https://spared.example/a')],
]

describe('lists of the operator name', () => {
  for (const [name, document, threat] of found)
    test(name, async () => {
      assertInfected(await scan(document), threat)
    })
})

describe('lists of the operator do not name', () => {
  for (const [name, document] of passed)
    test(name, async () => {
      assertClean(await scan(document))
    })
})

test('the report has the list, the address without a link, and the member', async () => {
  const { scanId } = assertInfected(await scan(zip(`Go to ${LISTED}.`)), URL_FEED)
  const { port } = services[0] as ScanService
  const answer = await request(port, 'GET', `/api/v1/scans/${scanId}`, { headers: { 'x-api-key': keys[0] as string } })
  const { findings } = answer.json() as { findings: Record<string, unknown>[] }
  const finding = findings.find(({ id }) => id === URL_FEED)
  assert.equal(finding?.detail, 'hxxp://listed[.]example/gate.php?id=7')
  assert.deepEqual(finding?.path, ['inner.zip', 'b.txt'])
  assert.match(String(finding?.reason), /urls \(https:\/\/feed\.example\)/)
})

test('a list that trusts never makes the test file clean', async () => {
  assertInfected(await scan(EICAR), /Eicar/i)
})

test('a list that is dropped in counts on both replicas, and no more when it is gone', async () => {
  const document = relation('https://later.example/x')
  for (const at of [0, 1]) assertClean(await scan(document, at))
  feed('later.txt', 'https://later.example/x', { kind: 'url' })
  const named = [false, false]
  const look = async (wanted: boolean) => {
    for (const at of [0, 1]) named[at] = ((await scan(document, at)).json() as { status: string }).status === 'infected'
    return named.every((each) => each === wanted)
  }
  for (let tries = 0; tries < 100 && !(await look(true)); tries++)
    await new Promise((resolve) => setTimeout(resolve, 200))
  assert.deepEqual(named, [true, true])
  rmSync(path.join(feeds, 'later.txt'))
  rmSync(path.join(feeds, 'later.feed.json'))
  for (let tries = 0; tries < 100 && !(await look(false)); tries++)
    await new Promise((resolve) => setTimeout(resolve, 200))
  assert.deepEqual(named, [false, false])
})

test('a stale list is named in health and still counts', async () => {
  const old = Date.now() / 1000 - 30 * 3_600
  utimesSync(path.join(feeds, 'hosts.txt'), old, old)
  await untilHealth(/stale lists: hosts is 30 hours old, allowed are 24/)
  assertInfected(await scan(relation('https://bad-host.example/')), 'Feed.hosts')
  const now = Date.now() / 1000
  utimesSync(path.join(feeds, 'hosts.txt'), now, now)
  await untilHealth(/^(?!.*stale lists)/)
})

test('a list that breaks is named in health, and its last good content counts', async () => {
  put('hosts.txt', '<!doctype html>\n<html><body>\n<h1>503 Service Unavailable</h1>\n</body></html>\n')
  await untilHealth(/lists not in use: hosts\.txt has 4 lines of 4 that are no host/)
  assertInfected(await scan(relation('https://bad-host.example/')), 'Feed.hosts')
  put('hosts.txt', 'bad-host.example\n')
  await untilHealth(/^(?!.*lists not in use)/)
})
