/** Real clients of ICAP against the listener, each configured as its page says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { UNKNOWN_ID } from '#test/support/client.ts'
import { type ListenerService, startIcapService } from '#test/support/listener-service.ts'
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
}
type FileName = keyof typeof FILES

let service: ListenerService
/** The second has no key, so that every scan fails. */
let ports: number[]
const folder = temporaryFolder('peers')
before(async () => {
  service = await startIcapService(['', `key=${UNKNOWN_ID}`])
  ports = service.targets.map((target) => ('port' in target ? target.port : 0))
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(path.join(folder, name), bytes)
})
after(async () => {
  await service[Symbol.asyncDispose]()
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
    assert.match(stdout + stderr, /Allow 204: Yes.*Preview: 1024.*Keep alive: Yes/s)
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
        assert.equal(infected.threat, 'Type=0; Resolution=2; Threat=Docvet.Test.Eicar')
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
    '/gzip': { body: zlib.gzipSync(FILES.text), headers: { 'content-encoding': 'gzip' } },
    '/eicar': { body: FILES.eicar },
    '/eicar-large': { body: writeZip([{ name: 'a.txt', data: MB5 }, { name: 'b.txt', data: EICAR }]) },
    '/eicar-gzip': { body: zlib.gzipSync(EICAR), headers: { 'content-encoding': 'gzip' } },
    '/encrypted': { body: ENCRYPTED },
  }
  before(async () => {
    origin = http.createServer((asked, answer) => {
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
  })

  for (const at of ['/15', '/5000', '/5000000', '/chunked', '/gzip']) {
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
      assert.match(body.toString(), /Docvet\.Test\.Eicar/)
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

  test('50 encrypted documents do not suspend the service', async () => {
    for (let index = 0; index < 50; index++) {
      const { status, body } = await squid.request('GET', `${url}/encrypted`)
      assert.equal(status, 403)
      assert.match(body.toString(), /could not be inspected/)
    }
    assert.equal((await squid.request('GET', `${url}/15`)).status, 200)
    assert.doesNotMatch(squid.log(), /suspend/i)
  })
})
