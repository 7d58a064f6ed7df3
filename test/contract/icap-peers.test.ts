/** Real clients of ICAP, and rspamd over both protocols, each configured as its page says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { UNKNOWN_ID } from '#test/support/client.ts'
import { type FakeClamd, startFakeClamd } from '#test/support/fake-clamd.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { mailWith, type Rspamd, startRspamd } from '#test/support/rspamd.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { type Squid, startSquid } from '#test/support/squid.ts'
import { needs } from '#test/support/suite.ts'

const run = promisify(execFile)
const ENCRYPTED = writeZip([{ name: 'a.txt', data: 'Good morning', local: { flags: 1 }, central: { flags: 1 } }])
const FILES = {
  clean: Buffer.from('Good morning'),
  text: Buffer.alloc(5_000, 'Good morning. '),
  eicar: Buffer.from(EICAR),
  encrypted: ENCRYPTED,
  /** The beginning of a signature of S/MIME. */
  signature: Buffer.from('3082057206092a864886f70d010702a08205633082055f020101310f300d', 'hex'),
}
type FileName = keyof typeof FILES

let service: ListenerService
/** Of each protocol. The second has no key, so that every scan fails. */
let ports: number[]
let clamdPorts: number[]
let engine: FakeClamd
const folder = temporaryFolder('peers')
before(async () => {
  engine = await startFakeClamd({ onDocument: () => 'stream: OK\0' })
  const [found, withoutKey] = ['unscannable=found&failure=limits', `key=${UNKNOWN_ID}`]
  // As without a clamd engine, where content that is no document is refused.
  const listeners = { clamd: [`${found}&other=error`, `${withoutKey}&${found}`], icap: ['other=error', withoutKey] }
  service = await startListenerService(listeners, { DOCVET_CLAMD_URL: engine.url })
  const all = service.targets.map((target) => ('port' in target ? target.port : 0))
  clamdPorts = all.slice(0, 2)
  ports = all.slice(2)
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(path.join(folder, name), bytes)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('c-icap-client', needs('cIcap'), () => {
  async function ask(port: number | undefined, file: FileName, ...args: string[]) {
    const output = path.join(folder, 'output')
    rmSync(output, { force: true })
    const { stdout, stderr } = await run('c-icap-client', [
      ...['-i', '127.0.0.1', '-p', String(port), '-s', 'avscan', '-v'],
      ...['-f', path.join(folder, file), '-o', output, ...args],
    ])
    const [, status] = /ICAP\/1\.0 (\d+)/.exec(stdout + stderr) ?? []
    const [, threat = null] = /X-Infection-Found: (.*);\s*$/m.exec(stdout + stderr) ?? []
    return { status, threat, body: status === '200' ? readFileSync(output) : null }
  }

  test('reads the options', async () => {
    const { stdout, stderr } = await run('c-icap-client', ['-i', '127.0.0.1', '-p', String(ports[0]), '-s', 'avscan'])
    assert.match(stdout + stderr, /Allow 204: Yes.*Preview: 4096.*Keep alive: Yes/s)
  })

  const TARGET = 'http://example.com/a.txt'
  /** The last: whether a file of 12 bytes is in the preview, and 204 is allowed for one that is not. */
  const WAYS: [args: string[], isInPreview: boolean, allows204: boolean][] = [
    [[], true, true],
    [['-nopreview'], false, true],
    [['-no204'], true, false],
    [['-w', '0'], false, true],
    [['-nopreview', '-no204'], false, false],
    [['-w', '0', '-no204'], false, false],
  ]
  for (const method of ['-resp', '-req']) {
    for (const [args, isInPreview, allows204] of WAYS) {
      const name = `${method} ${args.join(' ')}`
      test(`${name}: clean, and the body comes back where 204 is not allowed`, async () => {
        for (const file of ['clean', 'text'] as const) {
          const is204 = allows204 || (isInPreview && file === 'clean')
          const { status, body } = await ask(ports[0], file, method, TARGET, ...args)
          assert.deepEqual([status, body], is204 ? ['204', null] : ['200', FILES[file]])
        }
      })
      test(`${name}: infected, encrypted and failed`, async () => {
        const infected = await ask(ports[0], 'eicar', method, TARGET, ...args)
        assert.match(infected.threat ?? '', /^Type=0; Resolution=2; Threat=\S*Eicar$/)
        assert.match((await ask(ports[0], 'encrypted', method, TARGET, ...args)).threat ?? '', /^Type=2.*Encrypted/)
        // It shows no status of a failure in the preview.
        const failed = await ask(ports[1], 'clean', method, TARGET, ...args)
        assert.equal(failed.status, isInPreview ? undefined : '503')
      })
    }
  }
})

describe('Squid with the services of its page', needs('squid'), () => {
  let squid: Squid
  let origin: http.Server
  let url: string
  const MB5 = Buffer.alloc(5_000_000, 'Good morning. ')
  const BODIES: Record<string, { body: Buffer; headers?: http.OutgoingHttpHeaders; isChunked?: boolean }> = {
    '/15': { body: Buffer.from('Good morning ab') },
    '/5000': { body: FILES.text },
    '/5000000': { body: MB5 },
    '/chunked': { body: MB5, isChunked: true },
    '/long-header': { body: FILES.text, headers: { 'x-long': 'y'.repeat(60_000) } },
    '/gzip': { body: zlib.gzipSync(FILES.text), headers: { 'content-encoding': 'gzip' } },
    '/eicar': { body: FILES.eicar },
    '/eicar-large': {
      body: writeZip([
        { name: 'a.txt', data: MB5 },
        { name: 'b.txt', data: EICAR },
      ]),
    },
    '/eicar-gzip': { body: zlib.gzipSync(EICAR), headers: { 'content-encoding': 'gzip' } },
    '/encrypted': { body: ENCRYPTED },
  }
  before(async () => {
    origin = http.createServer((asked, answer) => {
      if (asked.url === '/slow') {
        answer.writeHead(200, { 'content-type': 'text/plain' }).write('Good')
        return
      }
      const { body, headers = {}, isChunked = false } = BODIES[asked.url ?? ''] ?? { body: Buffer.from('Stored') }
      asked.resume().once('end', () => {
        const length = isChunked ? {} : { 'content-length': body.length }
        answer.writeHead(200, { 'content-type': 'text/plain', ...headers, ...length })
        answer.end(body)
      })
    })
    origin.listen(0, '127.0.0.1')
    await once(origin, 'listening')
    url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
    const page = readFileSync(new URL('../../docs/connect/squid.md', import.meta.url), 'utf8')
    const [, rules = ''] = /squid\.conf`:\s+```text\n(.*?)```/s.exec(page) ?? []
    squid = await startSquid(rules.replaceAll('127.0.0.1:1344', `127.0.0.1:${ports[0]}`))
  })
  after(async () => {
    await squid?.[Symbol.asyncDispose]()
    origin.close()
    origin.closeAllConnections()
  })

  for (const at of ['/15', '/5000', '/5000000', '/chunked', '/long-header', '/gzip']) {
    test(`${at} arrives unchanged`, async () => {
      const { status, body } = await squid.request('GET', `${url}${at}`)
      assert.equal(status, 200)
      assert.ok(body.equals(BODIES[at]?.body ?? Buffer.alloc(0)))
    })
  }

  for (const at of ['/eicar', '/eicar-large', '/eicar-gzip']) {
    test(`${at} is blocked with our page`, async () => {
      const { status, body } = await squid.request('GET', `${url}${at}`)
      assert.equal(status, 403)
      assert.match(body.toString(), /<code>\S*Eicar/)
    })
  }

  const form = (second: string) =>
    ['Good morning', second]
      .map((text) => `--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${text}\r\n`)
      .join('')
      .concat('--b--\r\n')

  const FORM = { 'content-type': 'multipart/form-data; boundary=b' }
  for (const [what, method, body, headers, status] of [
    ['a text', 'PUT', FILES.text, {}, 200],
    ['5 MB', 'PUT', MB5, {}, 200],
    ['a form', 'POST', form('Good'), FORM, 200],
    ['EICAR', 'PUT', EICAR, {}, 403],
    ['a form with EICAR', 'POST', form(EICAR), FORM, 403],
  ] as const) {
    test(`an upload of ${what}: ${status}`, async () => {
      const answer = await squid.request(method, `${url}/new`, body, headers)
      assert.equal(answer.status, status)
    })
  }

  // Squid takes its full buffer for the end of the connection, unless the buffer is larger than the upload.
  test('an upload that arrives faster than it is scanned', async () => {
    process.kill(service.pid, 'SIGSTOP')
    const answering = squid.request('PUT', `${url}/new`, Buffer.alloc(20_000_000, 'Good morning. '))
    // Enough for Squid to fill its buffers; less makes the test easier to pass.
    await Promise.race([answering, sleep(1_000)]).finally(() => process.kill(service.pid, 'SIGCONT'))
    assert.equal((await answering).status, 200)
  })

  test('50 encrypted documents do not suspend the service', async () => {
    for (let index = 0; index < 50; index++) {
      const { status, body } = await squid.request('GET', `${url}/encrypted`)
      assert.equal(status, 403)
      assert.match(body.toString(), /could not be inspected/)
    }
    assert.equal((await squid.request('GET', `${url}/15`)).status, 200)
    assert.doesNotMatch(squid.log(), /suspend/i)
  })

  test('web servers that send too slowly do not suspend the service', async () => {
    const slow = Array.from({ length: 15 }, () => squid.request('GET', `${url}/slow`))
    for (const { status, body } of await Promise.all(slow)) {
      assert.equal(status, 403)
      assert.match(body.toString(), /Transfer too slow/)
    }
    assert.equal((await squid.request('GET', `${url}/15`)).status, 200)
    assert.doesNotMatch(squid.log(), /suspend/i)
  })
})

describe('rspamd with the rules of its page', needs('rspamd'), () => {
  let rspamd: Rspamd
  before(async () => {
    const page = readFileSync(new URL('../../docs/connect/rspamd.md', import.meta.url), 'utf8')
    const ruleOf = (file: string) =>
      new RegExp(`${file}\\.conf\`:\\s+\`\`\`text\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''
    /** Twice: with the listener that scans, and as a rule FAILING with the one that cannot. */
    const rulesAt = (rule: string, address: string, name: RegExp, symbol: string, [good, bad]: number[]) => {
      const at = (port: number | undefined) => rule.replace(address, `127.0.0.1:${port}`)
      return `${at(good)} ${at(bad).replace(name, 'failing {').replace(symbol, `FAILING_${symbol}`)}`
    }
    const antivirus = rulesAt(ruleOf('antivirus'), '127.0.0.1:3310', /^clamav \{/, 'CLAM_VIRUS', clamdPorts)
    const icap = rulesAt(ruleOf('external_services'), '127.0.0.1:1344', /^icap \{/, 'ICAP_VIRUS', ports)
    rspamd = await startRspamd(`antivirus { ${antivirus} } external_services { ${icap} }`)
  })
  after(() => rspamd?.[Symbol.asyncDispose]())

  const symbolsOf = async (attachment: Buffer, id: string) =>
    (await rspamd.check(mailWith(attachment, id))).filter((symbol) => /CLAM|ICAP/.test(symbol)).sort()
  const FAILED = ['FAILING_CLAM_VIRUS_FAIL', 'FAILING_ICAP_VIRUS_FAIL']

  for (const [file, symbols] of [
    ['clean', []],
    ['signature', []],
    ['eicar', ['CLAM_VIRUS', 'ICAP_VIRUS']],
    ['encrypted', ['CLAM_VIRUS_ENCRYPTED', 'ICAP_VIRUS_FAIL']],
  ] as const) {
    test(`has its symbols for the file ${file}, and where the scan fails, those of a failure`, async () => {
      assert.deepEqual(await symbolsOf(FILES[file], file), [...symbols, ...FAILED].sort())
    })
  }

  test('has the symbols of a failure when an engine is stopped', async () => {
    await engine.close()
    assert.deepEqual(await symbolsOf(FILES.clean, 'stopped'), [...FAILED, 'CLAM_VIRUS_FAIL', 'ICAP_VIRUS_FAIL'].sort())
  })
})
