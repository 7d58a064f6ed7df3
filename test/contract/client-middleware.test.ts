/** Programs with the middleware of the client: only clean files get through, and nothing of the others is left. */

import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createConnectionServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Docvet } from '#client/index.ts'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, runCommand } from '#test/support/command.ts'
import { FILE_BYTES_MAX, type ScanService, startScanService } from '#test/support/scanning.ts'
import { freePort, temporaryFolder } from '#test/support/service.ts'

const PROGRAM = path.join(import.meta.dirname, '../support/upload-servers.mjs')
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
const ROUTES = {
  express: ['multer-memory', 'multer-disk', 'multer-array', 'multer-fields', 'fileupload', 'fileupload-disk'],
  fastify: ['fastify'],
  web: ['hono', 'request'],
} as const
type Urls = Record<keyof typeof ROUTES | 'keyed' | 'decoded' | 'attached', string>

let service: ScanService
let key: string
let child: ChildProcessWithoutNullStreams | undefined
let urls: Urls
const uploads = temporaryFolder('uploads')
/** Where @fastify/multipart puts files. */
const temporary = mkdtempSync(path.join(tmpdir(), 'docvet-fastify-'))

before(async () => {
  service = await startScanService({ DOCVET_EMBEDDED_CHILDREN: '1' })
  key = await service.newKey()
  mkdirSync(uploads, { recursive: true })
  const env = { ...process.env, DOCVET_URL: service.url, DOCVET_KEY: key, TMPDIR: temporary }
  child = spawn(process.execPath, [PROGRAM, uploads, `http://127.0.0.1:${await freePort()}`], { env })
  child.stderr.pipe(process.stderr)
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  urls = JSON.parse(String(said))
})
after(async () => {
  child?.kill('SIGKILL')
  await service[Symbol.asyncDispose]()
})

async function upload(url: string, ...files: [name: string, content: string | Uint8Array][]) {
  const form = new FormData()
  for (const [name, content] of files) form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  const response = await fetch(url, { method: 'POST', body: form })
  const text = await response.text()
  const type = response.headers.get('Content-Type')
  const body = type?.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : { text }
  return { status: response.status, type, body }
}

/** Files of requests; those of earlier ones may go meanwhile. */
const left = (...before: string[]) =>
  [...readdirSync(uploads), ...readdirSync(temporary)].filter((name) => !before.includes(name))

for (const [framework, routes] of Object.entries(ROUTES))
  for (const route of routes)
    describe(route, () => {
      const at = (name: string) => `${urls[framework as keyof Urls]}/${name}/${route}`

      test('a clean file passes', async () => {
        const { status, body } = await upload(at('up'), ['a.txt', 'Dear reader'])
        assert.deepEqual([status, body.stored], [200, [['a.txt', 'clean']]])
      })

      test('infected and encrypted files are 422, and the disk is clean', async () => {
        const before = left()
        const infected = await upload(at('up'), ['e.txt', EICAR])
        assert.deepEqual([infected.status, infected.body.code], [422, 'infected_document'])
        assert.match(infected.type ?? '', /^application\/problem\+json/)
        assert.ok(!JSON.stringify(infected.body).includes('Eicar'))
        const locked = await upload(at('up'), ['locked.zip', LOCKED])
        assert.deepEqual([locked.status, locked.body.code], [422, 'encrypted_document'])
        // For who sent the file, who knows nothing of the service.
        assert.equal(locked.body.detail, 'The document is encrypted. Send a copy without a password.')
        assert.deepEqual(left(...before), [])
      })

      test('without a service it is 503, and the disk is clean', async () => {
        const before = left()
        const { status, body } = await upload(at('down'), ['a.txt', 'Dear reader'])
        assert.deepEqual([status, body.code], [503, 'scan_failed'])
        assert.deepEqual(left(...before), [])
      })
    })

describe('several files', () => {
  for (const [framework, route] of [
    ['express', 'multer-array'],
    ['express', 'multer-fields'],
    ['express', 'fileupload'],
    ['fastify', 'fastify'],
    ['web', 'request'],
  ] as const)
    test(`one that is infected blocks all: ${route}`, async () => {
      const before = left()
      const files = [
        ['a.txt', 'Dear reader'],
        ['e.txt', EICAR],
        ['b.txt', 'Dear reader, too'],
      ] satisfies [string, string | Uint8Array][]
      const { status, body } = await upload(`${urls[framework]}/up/${route}`, ...files)
      assert.deepEqual([status, body.fileName], [422, 'e.txt'])
      assert.deepEqual(left(...before), [])
    })
})

test('with failures allowed, the file is not called clean', async () => {
  const { status, body } = await upload(`${urls.express}/down/allow`, ['a.txt', 'Dear reader'])
  assert.deepEqual([status, body.stored], [200, [['a.txt', 'failed']]])
})

test('files attached to the body are scanned, or an error where they cannot be told from fields', async () => {
  assert.equal((await upload(`${urls.attached}/up/fastify`, ['a.txt', 'Dear reader'])).status, 200)
  assert.equal((await upload(`${urls.attached}/up/fastify`, ['e.txt', EICAR])).status, 422)
  for (const url of [urls.keyed, urls.decoded])
    assert.equal((await upload(`${url}/up/fastify`, ['e.txt', EICAR])).status, 500)
})

test('a limit of @fastify/multipart is 413, and leaves no file behind', async () => {
  const before = left()
  assert.equal((await upload(`${urls.fastify}/up/limited`, ['a.txt', 'Dear reader'])).status, 200)
  assert.equal((await upload(`${urls.fastify}/up/limited`, ['a.txt', 'Dear reader'.repeat(10)])).status, 413)
  assert.deepEqual(left(...before), [])
})

/** As `FormData` does not write it: with names of fields and files as they are given. */
async function uploadParts(url: string, ...parts: [disposition: string, content: string | Uint8Array][]) {
  const body = parts.flatMap(([about, content]) => [
    `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n`,
    content as Uint8Array<ArrayBuffer>,
    '\r\n',
  ])
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  return (await fetch(url, { method: 'POST', headers, body: new Blob([...body, '--b--\r\n']) })).status
}

test('files are found however their fields are named, and where files have fields', async () => {
  const file = (field: string) => `name="${field}"; filename="a.txt"`
  const post = (...parts: [string, string | Uint8Array][]) => uploadParts(`${urls.express}/up/nested`, ...parts)
  assert.equal(await post([file('a[b][0]'), 'Dear reader'], [file('a[b][1]'), 'Dear all']), 200)
  for (const field of ['a[b]', 'a[data]', 'a[path]', 'a[mv]', 'a[fieldname]'])
    assert.equal(await post([file(field), EICAR]), 422, field)
  for (const field of ['a[b]', 'a[b][c]', 'a[x][data]']) {
    assert.equal(await post([file('a'), 'Dear reader'], [file(field), EICAR]), 422, field)
    assert.equal(await post([file('a'), 'Dear reader'], [file(field), 'Dear all']), 200, field)
  }
  for (const field of ['a[data]', 'a[tempFilePath]', 'a[mv]', 'a[name]'])
    assert.notEqual(await post([file('a'), EICAR], [file(field), 'Dear reader']), 200, field)
})

test('names that the service would refuse do not pass for an outage', async () => {
  const url = `${urls.express}/up/allow`
  const names = ["filename*=utf-8''a%00.txt", 'filename="a\\"b;c.txt"', `filename="${'a'.repeat(8_000)}.txt"`]
  for (const name of names) {
    assert.equal(await uploadParts(url, [`name="file"; ${name}`, EICAR]), 422, name.slice(0, 40))
    assert.equal(await uploadParts(url, [`name="file"; ${name}`, 'Dear reader']), 200, name.slice(0, 40))
  }
})

describe('a body that is no form', () => {
  const send = async (url: string, type: string | null, body?: string) => {
    const headers = type === null ? {} : { 'Content-Type': type }
    const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body })
    const text = await response.text()
    return [response.status, JSON.parse(text).code ?? JSON.parse(text).stored]
  }
  const TYPES = ['application/json', 'application/pdf', 'application/octet-stream', 'text/plain']

  for (const framework of ['express', 'fastify'] as const)
    test(`is 415, because nothing in it was scanned, unless the caller lets it pass: ${framework}`, async () => {
      const bodies = `${urls[framework]}/up/bodies`
      for (const type of TYPES) {
        assert.deepEqual(await send(bodies, type, '{}'), [415, 'unsupported_content_type'], type)
        assert.deepEqual(await send(`${bodies}-allowed`, type, '{}'), [200, []], type)
      }
      assert.deepEqual(await send(bodies, null), [200, []])
    })

  test('fields without files pass, and a form that was read as bytes does not', async () => {
    assert.deepEqual(await send(`${urls.express}/up/bodies`, 'application/x-www-form-urlencoded', 'a=b'), [200, []])
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])
      assert.deepEqual(await send(`${urls.express}/up/raw`, type, '--b--'), [415, 'unsupported_content_type'])
  })

  test('is 415 for web requests, and a form that is cut is 400', async () => {
    for (const type of [...TYPES, null])
      assert.deepEqual(await send(`${urls.web}/up/request`, type, '{}'), [415, 'unsupported_content_type'])
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nDear'
    assert.deepEqual(await send(`${urls.web}/up/request`, 'multipart/form-data; boundary=b', cut), [
      400,
      'malformed_multipart',
    ])
    assert.deepEqual(await send(`${urls.web}/up/request`, 'application/x-www-form-urlencoded', 'a=b'), [200, []])
  })
})

test('before the parser of the form, the middleware is an error', async () => {
  assert.equal((await upload(`${urls.express}/up/early`, ['a.txt', 'Dear reader'])).status, 500)
})

test('a storage that the middleware does not know is an error', async () => {
  assert.equal((await upload(`${urls.express}/up/elsewhere`, ['a.txt', 'Dear reader'])).status, 500)
})

test('a stream of the largest size, and a verdict that is charged once for the same key', async () => {
  const docvet = new Docvet({ url: service.url, key })
  async function* largest() {
    for (let left = FILE_BYTES_MAX; left > 0; left -= 65_536)
      yield Buffer.alloc(Math.min(left, 65_536), 'Dear reader\n')
  }
  assert.equal((await docvet.scan(largest(), { fileName: 'a.txt' })).status, 'clean')
  const before = await service.used(key)
  let calls = 0
  const flaky: typeof fetch = async (...args) => {
    const response = await fetch(...args)
    // The verdict is lost on its way, twice.
    if (++calls > 2) return response
    await response.arrayBuffer()
    return new Response('{}', { status: 503, headers: { 'Retry-After': '0' } })
  }
  const retrying = new Docvet({ url: service.url, key, fetch: flaky })
  assert.equal((await retrying.scan(Buffer.from('Dear reader'), { fileName: 'b.txt' })).status, 'clean')
  assert.deepEqual([calls, (await service.used(key)) - before], [3, 1])
})

describe('docvet scan --server', () => {
  const { folder, file } = commandFolder('server')
  file('clean.txt', 'Dear reader')
  file('eicar.txt', EICAR)
  file('locked.docx', lockAgile(docx({}), { password: 'secret' }))
  const scan = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    runCommand(['scan', '--no-summary', '--server', service.url, ...args], { cwd: folder, env })

  test('has the service scan, with a key from the environment or a file', async () => {
    const { code, stdout } = await scan({ DOCVET_KEY: key }, 'clean.txt', 'eicar.txt', 'locked.docx')
    assert.equal(code, 1)
    assert.deepEqual(stdout.trimEnd().split('\n').sort().slice(0, 2), [
      'clean.txt: OK',
      'eicar.txt: Docvet.Test.Eicar FOUND',
    ])
    assert.match(stdout, /^locked\.docx: .* Send its password in the option --password, .* ERROR$/m)
    const wrong = await scan({ DOCVET_KEY: key }, '--password', 'wrong', 'locked.docx')
    assert.match(wrong.stdout, /^locked\.docx: The password in the option --password does not open .* ERROR$/m)
    file('key', `${key}\n`)
    assert.equal((await scan({ DOCVET_KEY: undefined }, '--key-file', 'key', 'clean.txt')).code, 0)
  })

  test('has the findings of infected files from their reports', async () => {
    const { stdout } = await scan({ DOCVET_KEY: key }, '--json', 'eicar.txt')
    const [result] = JSON.parse(stdout).results
    assert.deepEqual(
      result.findings.map(({ id, severity, path }: Record<string, unknown>) => [id, severity, path]),
      [['Docvet.Test.Eicar', 'malicious', []]],
    )
  })

  test('a wrong key, no key and options of the embedded engine are 2', async () => {
    for (const failOn of ['infected', 'never']) {
      const wrong = await scan({ DOCVET_KEY: 'dv_live_wrong' }, '--fail-on', failOn, 'clean.txt')
      assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
      assert.match(wrong.stderr, /^--server: \S+: The service does not accept the API key\.$/m)
    }
    const unread = await scan({}, '--key-file', 'missing', 'clean.txt')
    assert.match(unread.stderr, /^--key-file: missing: No such file or folder$/m)
    assert.equal((await scan({ DOCVET_KEY: undefined }, 'clean.txt')).code, 2)
    assert.equal((await scan({ DOCVET_KEY: key }, '--strict', 'clean.txt')).code, 2)
    const named = await scan({ DOCVET_KEY: key }, '--server', 'http://ada:secret@127.0.0.1', 'clean.txt')
    assert.deepEqual([named.code, named.stdout, named.stderr.includes('secret')], [2, '', false])
  })

  test('a service that is not there, or is elsewhere, is 2 with one message, before any file is sent', async (t) => {
    let [connections, requests] = [0, 0]
    const server = createServer((_, response) => {
      requests++
      response.writeHead(308, { Location: 'https://docvet.example/x' }).end()
    }).listen(0, '127.0.0.1')
    const closing = createConnectionServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    t.after(() => {
      server.close()
      closing.close()
    })
    await Promise.all([once(server, 'listening'), once(closing, 'listening')])
    const portOf = (of: { address(): unknown }) => (of.address() as { port: number }).port
    const at = (port: number, ...args: string[]) =>
      scan({ DOCVET_KEY: key }, '--fail-on', 'never', '--server', `http://127.0.0.1:${port}`, ...args, '.')
    for (const format of ['--infected', '--json', '--sarif']) {
      const gone = await at(portOf(closing), format)
      assert.deepEqual([gone.code, gone.stdout], [2, ''])
      assert.match(gone.stderr, /^--server: http:\S+: The service cannot be reached: .*$/m)
    }
    assert.equal(connections, 3 * 4)
    const moved = await at(portOf(server))
    assert.deepEqual([moved.code, moved.stdout, requests], [2, '', 1])
    assert.match(moved.stderr, /Redirects to https:\/\/docvet\.example\. /)
  })
})
