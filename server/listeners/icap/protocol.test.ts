/** The ICAP protocol on real sockets, with a scan that answers by the content of the body. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import zlib from 'node:zlib'
import type { Gateway } from '#listeners/gateway.ts'
import { type IcapReply, icapReply, OUTCOMES, type Outcome, type OutcomeName } from '#listeners/outcomes.ts'
import { parseListeners } from '#listeners/specification.ts'
import { displayFileName } from '#scan/file-name.ts'
import { createMultipartReader } from '#scan/multipart.ts'
import { PAGE_FORM_LIMITS, parseBoundary } from '#scan/part-header.ts'
import { exchange, type Target } from '#test/support/clamd-wire.ts'
import { chunked, type IcapResponse, options, readResponses, reqmod, respmod } from '#test/support/icap-wire.ts'
import { CHUNK_LINE_BYTES_MAX } from './decoder.ts'
import { createOriginals, ORIGINAL_BYTES_MAX } from './original.ts'
import { createIcapProtocol, SERVICES } from './protocol.ts'
import { HEADER_BYTES_MAX, SECTION_BYTES_MAX } from './request.ts'

const TAG = '"0123456789abcdef"'
const DOCUMENT_BYTES_MAX = 1_000
const HEAD_BYTES = 16

interface Fixture {
  target: Target
  sockets: Set<Socket>
  events: string[]
  originals: ReturnType<typeof createOriginals>
  close(): Promise<void>
}

interface Choice {
  unscannable?: string
  failure?: string
  idleMs?: number
  originalBytesMax?: number
  other?: string
  tag?: () => string
}

function outcomeOf(text: string): Outcome {
  if (text === 'throw') throw new Error('No scan should do that')
  const wanted = /^outcome:(\w+)/.exec(text)?.[1]
  if (wanted !== undefined) return { name: wanted as OutcomeName, threat: 'Win.Test; <b>HTTP/1.1' }
  return text.includes('virus') ? { name: 'infected', threat: 'Docvet.Test.Eicar' } : { name: 'clean' }
}

/** `outcome:NAME` has that outcome, `refuse:NAME` has it before it is read, `virus` is infected, and all else is clean. */
async function start({
  unscannable = 'found',
  failure = 'error',
  other = 'error',
  ...given
}: Choice = {}): Promise<Fixture> {
  const key = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
  const query = `key=${key}&unscannable=${unscannable}&failure=${failure}&other=${other}`
  const parsed = parseListeners('icap', `tcp://127.0.0.1:1?${query}`)
  const [listener] = 'value' in parsed ? parsed.value : []
  assert.ok(listener)
  const events: string[] = []
  const scan: Gateway['scan'] = async (_client, incoming): Promise<Outcome | null> => {
    const { stream, fileName, declaredType } = incoming
    if (incoming.hasPassed) {
      events.push('passed')
      return { name: 'passed' }
    }
    while (!stream.destroyed && stream.readableLength === 0) await new Promise(setImmediate)
    const first = (stream.read() as Buffer | null) ?? Buffer.alloc(0)
    const refused = /^refuse:(\w+)/.exec(first.toString('latin1'))?.[1]
    if (refused !== undefined) {
      events.push(refused)
      return { name: refused as OutcomeName }
    }
    const rest = await buffer(stream).catch(() => null)
    if (rest === null) {
      events.push('aborted')
      return null
    }
    const text = first.toString('latin1') + rest.toString('latin1')
    events.push(`${fileName} ${declaredType} ${text.length < 60 ? text : text.length}`)
    return outcomeOf(text)
  }
  const originals = createOriginals(given.originalBytesMax ?? 1_000_000_000)
  const protocol = createIcapProtocol({
    gateway: { scan },
    tag: given.tag ?? (() => TAG),
    tools: {
      parseBoundary,
      createFormReader: (boundary, handlers) => createMultipartReader(boundary, handlers, PAGE_FORM_LIMITS),
      displayFileName,
      documentBytesMax: DOCUMENT_BYTES_MAX,
      headBytes: HEAD_BYTES,
      passes: (head, families) => head.length >= HEAD_BYTES && families.includes(head.toString('latin1', 0, 5)),
    },
    connectionsMax: 100,
    originals,
    idleMs: given.idleMs ?? 30_000,
  })
  const sockets = new Set<Socket>()
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const gone = new AbortController()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      gone.abort()
    })
    const state = { setBusy: () => {}, setIdle: () => {}, isRefused: false }
    protocol({ socket, listener, address: '127.0.0.1', gone: gone.signal, ...state })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    target: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    ...{ sockets, events, originals },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

let running: Fixture
before(async () => {
  running = await start()
})
after(() => running.close())

type Sending = Parameters<typeof exchange>[2]
/** Sends everything and no more, and reads to the end. */
const ask = async (sent: string, sending: Sending = {}, target = running.target) =>
  readResponses(await exchange(target, Buffer.from(sent, 'latin1'), { end: true, ...sending }))

const statuses = async (sent: string, sending: Sending = {}) => (await ask(sent, sending)).map(({ status }) => status)

const ALLOW = { fields: ['Allow: 204'] }
const PREVIEW = { fields: ['Preview: 4'] }
const HELLO = chunked('hello')
const SLOW = 'Type=2; Resolution=2; Threat=Transfer too slow;'

describe('OPTIONS', () => {
  test('describes the service, byte for byte', async () => {
    const text = await exchange(running.target, options(), { end: true })
    assert.equal(
      text.replace(/^Date: .*$/m, 'Date: now'),
      [
        'ICAP/1.0 200 OK',
        'Date: now',
        'Server: Docvet',
        'Connection: keep-alive',
        `ISTag: ${TAG}`,
        'Methods: REQMOD, RESPMOD',
        'Service: Docvet',
        'Max-Connections: 100',
        'Options-TTL: 3600',
        'Preview: 4096',
        'Allow: 204',
        'Transfer-Preview: *',
        'Encapsulated: null-body=0',
        '\r\n',
      ].join('\r\n'),
    )
  })

  for (const name of SERVICES) {
    test(`answers at ${name}`, async () => assert.deepEqual(await statuses(options(name)), [200]))
  }

  for (const [uri, status] of [
    ['icap://host:1344/avscan?a=b', 200],
    ['/avscan', 200],
    ['avscan', 200],
    ['icap://host/AVSCAN/', 200],
    ['icap://host', 404],
    ['icap://host/other', 404],
    ['icap://host/avscan/other', 404],
  ] as const) {
    test(`${status} at ${uri}`, async () =>
      assert.deepEqual(await statuses(`OPTIONS ${uri} ICAP/1.0\r\nHost: a\r\n\r\n`), [status]))
  }

  test('with a body, which is dropped', async () => {
    const sent = options('avscan', ['Encapsulated: opt-body=0']) + HELLO
    assert.deepEqual(await statuses(sent + options()), [200, 200])
  })
})

/** Everything that a connection gets. The next request shows that nothing of the first is left; an error is the last response. */
const CONVERSATIONS: [what: string, sent: string, expected: number[]][] = [
  ['a clean body with 204', respmod(ALLOW) + HELLO, [204]],
  ['a clean body without 204', respmod() + HELLO, [200]],
  ['an infected body', respmod(ALLOW) + chunked('virus'), [200]],
  ['many chunks', reqmod(ALLOW) + chunked('good morning', 1), [204]],
  ['an empty body', reqmod(ALLOW) + chunked(''), [204]],
  ['an empty body without 204', reqmod() + chunked(''), [200]],
  ['no body', reqmod(ALLOW, 'null-body'), [204]],
  ['no body without 204', reqmod({}, 'null-body'), [200]],
  ['no body in the preview', reqmod({ fields: ['Preview: 0'] }, 'null-body'), [204]],
  ['a whole body in the preview', respmod(PREVIEW) + chunked('hi', 9, '0; ieof'), [204]],
  ['an infected body in the preview', respmod({ fields: ['Preview: 9'] }) + chunked('virus', 9, '0; ieof'), [200]],
  ['chunk extensions and trailers', `${respmod(ALLOW)}5;a="b"\r\nhello\r\n0\r\nA: b\r\n\r\n`, [204]],
  ['lines that end with a newline', `${respmod(ALLOW)}5\nhello\n0\n\n`, [204]],
  ['an unknown service, whose body is read', respmod({ service: 'other' }) + HELLO, [404]],
  ['an unknown service in the preview', respmod({ ...PREVIEW, service: 'other' }) + chunked('hell'), [404]],
  [
    'a body above the limit by its header',
    reqmod({ ...ALLOW, request: ['PUT /a HTTP/1.1', 'Content-Length: 1001'] }) + HELLO,
    [200],
  ],
  [
    'a body at the limit by its header',
    reqmod({ ...ALLOW, request: ['PUT /a HTTP/1.1', 'Content-Length: 1000'] }) + HELLO,
    [204],
  ],
  ['an unknown method', 'FOO icap://a/avscan ICAP/1.0\r\nHost: a\r\n\r\n', [501]],
  ['a method in the wrong case', 'options icap://a/avscan ICAP/1.0\r\nHost: a\r\n\r\n', [501]],
]

describe('a conversation', () => {
  for (const [what, sent, expected] of CONVERSATIONS) {
    test(`${what}: ${expected}, and then the next request`, async () => {
      const next = expected.some((status) => status >= 400) ? [] : [204]
      assert.deepEqual(await statuses(sent + respmod(ALLOW) + HELLO), [...expected, ...next])
    })
    test(`${what}, in packets of one byte`, async () => {
      const next = expected.some((status) => status >= 400) ? [] : [200]
      assert.deepEqual(await statuses(sent + options(), { byteByByte: true }), [...expected, ...next])
    })
  }

  test('ends after the response to `Connection: close`', async () => {
    const sent = respmod({ fields: ['Connection: close'] }) + HELLO
    const [only, ...others] = await ask(sent + options(), { end: false })
    assert.equal(only?.field('Connection'), 'close')
    assert.deepEqual(others, [])
  })

  test('has the tag of its beginning, although the rules change during the scan', async () => {
    let tag = '"old"'
    const own = await start({ tag: () => tag })
    const socket = net.connect(own.target as net.TcpNetConnectOpts).setEncoding('latin1')
    socket.write(`${respmod(ALLOW)}5\r\nhello\r\n`)
    while (own.sockets.size === 0) await new Promise(setImmediate)
    await new Promise((resolve) => setTimeout(resolve, 50))
    tag = '"new"'
    socket.write('0\r\n\r\n')
    assert.equal(readResponses(String((await once(socket, 'data'))[0]))[0]?.field('ISTag'), '"old"')
    await own.close()
  })

  test('of 1,000 requests on one connection', async () => {
    const sent = (respmod(ALLOW) + HELLO + respmod(ALLOW) + chunked('virus')).repeat(500)
    const received = await statuses(sent)
    assert.equal(received.length, 1_000)
    assert.ok(received.every((status, index) => status === (index % 2 === 0 ? 204 : 200)))
  })
})

/** Sends the first part, waits for the interim response, and sends the rest. */
async function inTwoParts(first: string, rest: string, end = true): Promise<string> {
  const socket = net.connect(running.target as net.TcpNetConnectOpts)
  let text = ''
  const closed = once(socket, 'close')
  socket.setEncoding('latin1').on('data', (piece: string) => {
    const isFirst = text === ''
    text += piece
    if (isFirst) socket.write(rest, 'latin1', () => end && socket.end())
  })
  socket.write(first, 'latin1')
  await closed
  return text
}

const CONTINUE = 'ICAP/1.0 100 Continue\r\n\r\n'

describe('a preview', () => {
  test('is continued with exactly the bytes that clients compare', async () => {
    const text = await inTwoParts(
      respmod({ fields: ['Preview: 4', 'Allow: 204'] }) + chunked('hell'),
      chunked('o, virus'),
    )
    assert.ok(text.startsWith(CONTINUE))
    const [answer] = readResponses(text.slice(CONTINUE.length))
    assert.match(answer?.field('X-Infection-Found') ?? '', /Threat=Docvet\.Test\.Eicar;$/)
  })

  for (const [preview, first, rest] of [
    ['4', chunked('hell'), chunked('o, and more')],
    ['0', chunked(''), chunked('hello, and more')],
  ] as const) {
    test(`of ${preview} bytes: after 100 Continue the whole body comes back unless 204 is allowed`, async () => {
      const text = await inTwoParts(respmod({ fields: [`Preview: ${preview}`] }) + first, rest)
      const [answer] = readResponses(text.slice(CONTINUE.length))
      assert.deepEqual([answer?.status, answer?.body], [200, 'hello, and more'])
      const allowed = await inTwoParts(
        respmod({ fields: [`Preview: ${preview}`, 'Allow: 204, trailers'] }) + first,
        rest,
      )
      assert.deepEqual(
        readResponses(allowed.slice(CONTINUE.length)).map(({ status }) => status),
        [204],
      )
    })
  }

  test('is the end of a body that is too large by its header', async () => {
    const sent = respmod({ ...PREVIEW, response: ['HTTP/1.1 200 OK', 'Content-Length: 1001'] }) + chunked('hell')
    const [answer] = await ask(sent)
    assert.match(answer?.field('X-Infection-Found') ?? '', /^Type=2; Resolution=2; Threat=Container size violation;$/)
  })
})

describe('the message that comes back', () => {
  test('has the header and body of a response', async () => {
    const response = ['HTTP/1.1 200 OK', 'Content-Type: text/plain', 'X-Own: \xe9']
    const [answer] = await ask(respmod({ response }) + chunked('hello', 2))
    assert.equal(answer?.http, `${response.join('\r\n')}\r\n\r\n`)
    assert.equal(answer?.body, 'hello')
    assert.equal(answer?.field('Encapsulated'), `res-hdr=0, res-body=${answer?.http.length}`)
  })

  test('has the header and body of a request', async () => {
    const [answer] = await ask(reqmod() + HELLO)
    assert.match(answer?.field('Encapsulated') ?? '', /^req-hdr=0, req-body=\d+$/)
    assert.match(answer?.http ?? '', /^PUT http:\/\/example\.com\/a\.txt HTTP\/1\.1\r\n/)
    assert.equal(answer?.body, 'hello')
    const [without] = await ask(reqmod({}, 'null-body'))
    assert.match(without?.field('Encapsulated') ?? '', /^req-hdr=0, null-body=\d+$/)
  })

  test('is the same for a large body, and its copy is given up', async () => {
    const body = Buffer.alloc(5_000_000, 'good morning ').toString('latin1')
    const [answer] = await ask(respmod() + chunked(body, 65_536))
    assert.equal(answer?.body, body)
    assert.equal(running.originals.used(), 0)
  })

  test('is refused when the copies of the process need too much memory', async () => {
    const small = await start({ originalBytesMax: 5 })
    try {
      const at = await ask(respmod() + HELLO, {}, small.target)
      const past = await ask(respmod() + chunked('hello!', 3), {}, small.target)
      assert.deepEqual(
        [...at, ...past].map(({ status }) => status),
        [200, 503],
      )
      const infected = await ask(respmod() + chunked('a virus'), {}, small.target)
      assert.match(infected[0]?.field('X-Infection-Found') ?? '', /^Type=0/)
    } finally {
      await small.close()
    }
  })

  test('has a limit of its own', () => {
    const original = createOriginals(Number.POSITIVE_INFINITY).create()
    const piece = Buffer.alloc(ORIGINAL_BYTES_MAX / 4)
    for (let index = 0; index < 4; index++) original.add(piece)
    assert.equal(original.problem, null)
    original.add(Buffer.alloc(1))
    assert.equal(original.problem, 'too_large')
    assert.deepEqual(original.pieces, [])
  })
})

/** The response for an outcome, whose threat is `threat` if it has one. */
function assertResponse(answer: IcapResponse, expected: IcapReply, ownThreat: string): void {
  assert.match(answer.head, /\r\nEncapsulated: [^\r]*\r\n\r\n$/)
  assert.equal(answer.field('ISTag'), TAG)
  if (expected.kind === 'unmodified') {
    assert.equal(answer.status, 204)
    return
  }
  if (expected.kind === 'error') {
    assert.equal(answer.status, expected.status)
    assert.equal(answer.field('X-Error-Code'), expected.errorCode)
    assert.equal(answer.field('Retry-After'), expected.status === 503 ? '5' : null)
    return
  }
  const threat = expected.threat ?? ownThreat
  const found = `Type=${expected.type}; Resolution=2; Threat=${threat};`
  assert.equal(answer.status, 200)
  assert.equal(answer.field('X-Infection-Found'), found)
  assert.equal(answer.field('X-Virus-ID'), threat)
  assert.equal(answer.field('X-Response-Info'), 'Blocked')
  assert.match(answer.http, /^HTTP\/1\.1 403 Forbidden\r\n/)
  assert.ok(answer.http.includes(`X-Infection-Found: ${found}\r\nX-Virus-ID: ${threat}\r\n`))
  assert.match(answer.body, expected.type === 2 ? /could not be inspected/ : /contains malware/)
  assert.ok(!/HTTP\/|ICAP\/|<b>|<script|src=/.test(answer.body))
}

const CELLS = (Object.keys(OUTCOMES) as OutcomeName[]).flatMap((name) =>
  (['found', 'error'] as const).flatMap((unscannable) =>
    (['error', 'found'] as const).map((failure) => ({ name, unscannable, failure })),
  ),
)

describe('an outcome', () => {
  for (const { name, ...choice } of CELLS) {
    test(`${name} with unscannable=${choice.unscannable} and failure=${choice.failure}`, async () => {
      const own = await start(choice)
      try {
        for (const [word, threat] of [
          ['outcome', 'Win.Test_ _b_HTTP_1.1'],
          ['refuse', 'Docvet.Threat'],
        ]) {
          const [answer, next] = await ask(respmod(ALLOW) + chunked(`${word}:${name}`) + options(), {}, own.target)
          assert.ok(answer && threat)
          assertResponse(answer, icapReply({ name }, choice), threat)
          assert.equal(next?.status, answer.status < 400 ? 200 : undefined)
          assert.equal(answer.field('Connection'), answer.status < 400 ? 'keep-alive' : 'close')
        }
      } finally {
        await own.close()
      }
    })
  }
})

const coded = (coding: string, extra: string[] = []) => ({
  ...ALLOW,
  response: ['HTTP/1.1 200 OK', `Content-Encoding: ${coding}`, ...extra],
})

test('a scan that throws is a failure', async () =>
  assert.deepEqual(await statuses(respmod(ALLOW) + chunked('throw')), [503]))

describe('the coding of a body', () => {
  const ENCODERS: [coding: string, encode: (text: string) => Buffer][] = [
    ['gzip', (text) => zlib.gzipSync(text)],
    ['x-gzip', (text) => zlib.gzipSync(text)],
    ['GZip', (text) => zlib.gzipSync(text)],
    ['deflate', (text) => zlib.deflateSync(text)],
    ['deflate', (text) => zlib.deflateRawSync(text)],
    ['br', (text) => zlib.brotliCompressSync(text)],
    ['zstd', (text) => zlib.zstdCompressSync(text)],
    ['identity', (text) => Buffer.from(text)],
  ]
  for (const [index, [coding, encode]] of ENCODERS.entries()) {
    const typeOf = async (body: Buffer, size?: number): Promise<string> => {
      const [answer] = await ask(respmod(coded(coding)) + chunked(body, size))
      return answer?.status === 204 ? 'clean' : (answer?.field('X-Infection-Found') ?? `${answer?.status}`)
    }
    test(`${coding} (${index}) is decoded`, async () => {
      assert.equal(await typeOf(encode('good morning')), 'clean')
      assert.equal(await typeOf(encode('good morning'), 3), 'clean')
      assert.match(await typeOf(encode('a virus')), /Docvet\.Test\.Eicar/)
      assert.match(await typeOf(encode('a virus'), 1), /Docvet\.Test\.Eicar/)
    })
    if (coding === 'identity') continue
    if (coding === 'zstd') {
      test('zstd with a window that HTTP does not allow is never clean', async () => {
        // One raw block, which is the last.
        const withWindow = (log: number) =>
          Buffer.concat([
            Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3, (5 << 3) | 1, 0, 0),
            Buffer.from('hello'),
          ])
        assert.equal(await typeOf(withWindow(23)), 'clean')
        assert.match(await typeOf(withWindow(24)), /Malformed/)
      })
    }
    test(`${coding} (${index}) that is damaged, cut off or followed by other bytes is never clean`, async () => {
      const body = encode('good morning')
      assert.match(await typeOf(body.subarray(0, -2)), /Malformed/)
      assert.match(await typeOf(Buffer.from('no such coding')), /Malformed/)
      assert.match(await typeOf(Buffer.concat([body, Buffer.from('virus')])), /Malformed|Eicar/)
      assert.match(await typeOf(Buffer.concat([body, Buffer.from('virus')]), 1), /Malformed|Eicar/)
    })
  }

  for (const response of [
    coded('compress'),
    coded('gzip, br'),
    coded('gzip', ['Content-Encoding: gzip']),
    coded('constructor'),
    { ...ALLOW, response: ['HTTP/1.1 206 Partial Content'] },
    { ...ALLOW, response: ['HTTP/1.1 200 OK', 'Content-Range: bytes 0-4/5'] },
    { ...ALLOW, response: ['HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked'] },
  ]) {
    test(`${response.response.slice(-1)} is too complex`, async () => {
      const [answer] = await ask(respmod(response) + HELLO)
      assert.match(answer?.field('X-Infection-Found') ?? '', /^Type=2; Resolution=2; Threat=Container size violation;$/)
    })
  }

  for (const coding of ['gzip', 'br']) {
    test(`${coding} of a request is too complex, because its server may store it as it is`, async () => {
      running.events.length = 0
      const request = ['PUT /a.pdf HTTP/1.1', `Content-Encoding: ${coding}`]
      const body = coding === 'gzip' ? zlib.gzipSync('good morning') : zlib.brotliCompressSync('good morning')
      const [answer] = await ask(reqmod({ ...ALLOW, request }) + chunked(body))
      assert.match(answer?.field('X-Infection-Found') ?? '', /^Type=2; Resolution=2; Threat=Container size violation;$/)
      assert.deepEqual(running.events, [])
    })
  }

  test('comes back as it was', async () => {
    const body = zlib.gzipSync('good morning').toString('latin1')
    const sent = respmod({ response: ['HTTP/1.1 200 OK', 'Content-Encoding: gzip'] })
    const [answer] = await ask(sent + chunked(Buffer.from(body, 'latin1')))
    assert.equal(answer?.body, body)
  })
})

describe('a form', () => {
  const TYPE = 'Content-Type: multipart/form-data; boundary=bb'
  const part = (head: string, value: string) => `--bb\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const file = (name: string, value: string) => part(`name="files[]"; filename="${name}"`, value)
  const scanned = async (form: string, size?: number) => {
    running.events.length = 0
    const sent = reqmod({ ...ALLOW, request: ['POST /upload HTTP/1.1', TYPE] }) + chunked(form, size)
    const [answer] = await ask(sent)
    return [answer?.status, answer?.field('X-Infection-Found') ?? null, ...running.events.sort()]
  }
  const INFECTED = 'Type=0; Resolution=2; Threat=Docvet.Test.Eicar;'
  const DAMAGED = 'Type=2; Resolution=2; Threat=Malformed container violation;'

  for (const size of [undefined, 1, 7]) {
    test(`has each file scanned as a document (chunks of ${size ?? 'all'} bytes)`, async () => {
      const form = `${part('name="a"', 'text')}${file('a.txt', 'good')}${file('C:\\b.txt', 'morning')}--bb--\r\n`
      assert.deepEqual(await scanned(form, size), [204, null, 'a.txt null good', 'b.txt null morning'])
    })
    test(`is blocked for the worst of its files (chunks of ${size ?? 'all'} bytes)`, async () => {
      const bad = file('b.txt', 'a virus')
      const good = file('a.txt', 'good')
      for (const files of [
        good + bad,
        bad + good,
        bad + file('c', 'outcome:failed'),
        file('c', 'outcome:encrypted') + bad,
      ])
        assert.deepEqual((await scanned(`${files}--bb--\r\n`, size)).slice(0, 2), [200, INFECTED])
    })
  }

  test('with a failure and a refusal is refused, and with a failure alone fails', async () => {
    const failing = file('a', 'outcome:failed')
    assert.match(String((await scanned(`${failing}${file('b', 'outcome:encrypted')}--bb--\r\n`))[1]), /Encrypted/)
    assert.equal((await scanned(`${failing}${file('b', 'good')}--bb--\r\n`))[0], 503)
  })

  test('without a file, or with an empty one, is not scanned', async () => {
    assert.deepEqual(await scanned(`${part('name="a"', 'text')}${file('', '')}--bb--\r\n`), [204, null])
  })

  test('has a field of another type than text scanned', async () => {
    const field =
      '--bb\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/pdf\r\n\r\na virus\r\n--bb--\r\n'
    assert.deepEqual((await scanned(field)).slice(0, 2), [200, INFECTED])
  })

  for (const [what, form] of [
    ['that is cut off', file('a', 'good')],
    ['without a boundary', 'good morning'],
    ['with bytes after its end', `${file('a', 'good')}--bb--\r\nvirus`],
    [
      'in a form',
      `--bb\r\nContent-Disposition: form-data; name=a\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--bb--`,
    ],
  ] as const) {
    test(`${what} is damaged`, async () => assert.deepEqual((await scanned(form)).slice(0, 2), [200, DAMAGED]))
  }

  test('has a limit for its parts, and for the length of a field', async () => {
    const { partsMax, valueBytesMax } = PAGE_FORM_LIMITS
    const forms = [
      [file('a', 'x').repeat(partsMax), 204],
      [file('a', 'x').repeat(partsMax + 1), 200],
      [part('name="a"', 'x'.repeat(valueBytesMax)), 204],
      [part('name="a"', 'x'.repeat(valueBytesMax + 1)), 200],
    ] as const
    for (const [form, status] of forms) assert.equal((await scanned(`${form}--bb--\r\n`))[0], status)
  })
})

describe('the name of a document', () => {
  for (const [head, name] of [
    [['GET http://a/b/c%20d.pdf?token=1 HTTP/1.1'], 'c d.pdf'],
    [['GET /b/%zz.pdf HTTP/1.1'], '%zz.pdf'],
    [['GET http://a HTTP/1.1'], 'document'],
  ] as const) {
    test(`${head[0]}: ${name}`, async () => {
      running.events.length = 0
      await ask(respmod({ ...ALLOW, request: head, response: ['HTTP/1.1 200 OK'] }) + HELLO)
      assert.deepEqual(running.events, [`${name} null hello`])
    })
  }
  for (const [field, name] of [
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=../../x.pdf', 'x.pdf'],
    ["attachment; filename=a.pdf; filename*=UTF-8''%e2%82%ac.pdf", '€.pdf'],
    ['inline', 'a.txt'],
  ] as const) {
    test(`${field}: ${name}`, async () => {
      running.events.length = 0
      await ask(respmod({ ...ALLOW, response: ['HTTP/1.1 200 OK', `Content-Disposition: ${field}`] }) + HELLO)
      assert.deepEqual(running.events, [`${name} null hello`])
    })
  }
})

/** The length of a header, with everything around it. */
function padded(bytes: number): string {
  const [before, after] = ['OPTIONS icap://a/avscan ICAP/1.0\r\nX: ', '\r\n\r\n']
  return before + 'x'.repeat(bytes - before.length - after.length) + after
}

const sectionOf = (bytes: number): string[] => [
  'PUT /a HTTP/1.1',
  `X: ${'x'.repeat(bytes - 'PUT /a HTTP/1.1\r\nX: \r\n\r\n'.length)}`,
]

const INVALID: [what: string, sent: string, status: number][] = [
  ['another version', 'OPTIONS icap://a/avscan ICAP/2.0\r\n\r\n', 505],
  ['HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['binary data', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n', 400],
  ['no Encapsulated', 'REQMOD icap://a/avscan ICAP/1.0\r\n\r\n', 400],
  ...[
    'null-body',
    'req-hdr=0',
    'req-hdr=0, req-body=-1',
    'req-hdr=5, req-body=9',
    'req-hdr=0, req-body=0',
    'req-hdr=0, req-body=3',
    'req-hdr=0, req-hdr=3, req-body=9',
    'req-hdr=0, req-body=9, res-body=9',
    'other=0, req-body=9',
    'req-hdr=0, req-body=9999999',
    `req-hdr=0, req-body=${SECTION_BYTES_MAX + 1}`,
  ].map((value): [string, string, number] => [
    `Encapsulated: ${value}`,
    `REQMOD icap://a/avscan ICAP/1.0\r\nEncapsulated: ${value}\r\n\r\nPUT /a HTTP/1.1\r\n\r\n${HELLO}`,
    400,
  ]),
  [
    'an offset before the end of a header, whose last line would be the end of the body',
    `REQMOD icap://a/avscan ICAP/1.0\r\nEncapsulated: req-hdr=0, req-body=17\r\n\r\nPUT /a HTTP/1.1\r\n0\r\n\r\n${HELLO}`,
    400,
  ],
  ['a preview that is no number', respmod({ fields: ['Preview: many'] }) + HELLO, 400],
  ['a chunk without a length', `${respmod()}\r\nhello\r\n0\r\n\r\n`, 400],
  ['a chunk with a wrong length', `${respmod()}x\r\nhello\r\n0\r\n\r\n`, 400],
  ['a chunk with a negative length', `${respmod()}-5\r\nhello\r\n0\r\n\r\n`, 400],
  ['a chunk with a length that is too long', `${respmod()}000000005\r\nhello\r\n0\r\n\r\n`, 400],
  ['a chunk that is longer than its length', `${respmod()}4\r\nhello\r\n0\r\n\r\n`, 400],
  ['a chunk that is longer by one byte', `${respmod()}4\r\nhello\n0\r\n\r\n`, 400],
  ['a header past the limit', padded(HEADER_BYTES_MAX + 1), 400],
  ['a header past the limit without an end', 'x'.repeat(HEADER_BYTES_MAX + 1), 400],
  ['an encapsulated header past the limit', reqmod({ request: sectionOf(SECTION_BYTES_MAX + 1) }) + HELLO, 400],
  ['a chunk line past the limit', `${respmod()}5;${'x'.repeat(CHUNK_LINE_BYTES_MAX)}\r\nhello\r\n0\r\n\r\n`, 400],
  ['a trailer past the limit', `${respmod()}0\r\n${'A: b\r\n'.repeat(HEADER_BYTES_MAX / 4 + 1)}\r\n`, 400],
]

describe('invalid input', () => {
  for (const [what, sent, status] of INVALID) {
    test(`${what}: ${status}, and the connection is closed`, async () => {
      const [answer, ...others] = await ask(sent + options(), { end: false })
      assert.equal(answer?.status, status)
      assert.equal(answer?.field('Connection'), 'close')
      assert.deepEqual(others, [])
    })
  }

  test('at the limits is valid', async () => {
    const line = `5;${'x'.repeat(CHUNK_LINE_BYTES_MAX - 3)}\r\nhello\r\n0\r\n\r\n`
    for (const [sent, status] of [
      [padded(HEADER_BYTES_MAX), 200],
      [reqmod({ ...ALLOW, request: sectionOf(SECTION_BYTES_MAX) }) + HELLO, 204],
      [respmod(ALLOW) + line, 204],
    ] as const)
      assert.deepEqual(await statuses(sent), [status])
  })

  test('sections in any order are read by their offsets', async () => {
    const http = 'PUT /a HTTP/1.1\r\n\r\n'
    const value = `req-body=${http.length}, req-hdr=0`
    const sent = `REQMOD icap://a/avscan ICAP/1.0\r\nAllow: 204\r\nEncapsulated: ${value}\r\n\r\n${http}${HELLO}`
    assert.deepEqual(await statuses(sent), [204])
  })
})

describe('the end of a connection', () => {
  for (const [what, sent] of [
    ['in a header', 'OPTIONS icap://a/av'],
    ['in an encapsulated header', respmod().slice(0, -10)],
    ['in a chunk', `${respmod(ALLOW)}5\r\nhel`],
    ['before the last chunk', `${respmod(ALLOW)}5\r\nhello\r\n`],
    ['in the trailer', `${respmod(ALLOW)}5\r\nhello\r\n0\r\n`],
  ] as const) {
    test(`${what} gets no response`, async () => assert.deepEqual(await ask(sent), []))
  }

  test('after 100 Continue gets no verdict', async () => {
    assert.equal(
      await inTwoParts(respmod({ fields: ['Preview: 4', 'Allow: 204'] }) + chunked('hell'), '1\r\n'),
      CONTINUE,
    )
  })

  test('aborts the scan', async () => {
    running.events.length = 0
    const socket = net.connect(running.target as net.TcpNetConnectOpts)
    socket.write(`${respmod(ALLOW)}5\r\nhello\r\n`)
    await once(socket, 'connect')
    while (running.sockets.size === 0) await new Promise(setImmediate)
    setTimeout(() => socket.destroy(), 50)
    while (running.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(running.events, ['aborted'])
  })

  for (const [what, sent, expected] of [
    ['without a request', '', []],
    ['in a header', 'OPTIONS icap', [408, null]],
    ['in a preview', `${respmod(PREVIEW)}2\r\nhe`, [200, SLOW]],
    ['before a preview', respmod(PREVIEW), [200, SLOW]],
  ] as const) {
    test(`comes after the time for a request, ${what}`, async () => {
      const own = await start({ idleMs: 50 })
      try {
        const received = await ask(sent, { end: false }, own.target)
        assert.deepEqual(
          received.flatMap(({ status, field }) => [status, field('X-Infection-Found')]),
          expected,
        )
      } finally {
        await own.close()
      }
    })
  }

  /** Sends the first part, and the rest when a minute has passed since a scan that is over. */
  async function afterAMinute(t: TestContext, { target, events }: Fixture, first: string, rest: string) {
    events.length = 0
    const socket = net.connect(target as net.TcpNetConnectOpts)
    const closed = once(socket, 'close')
    let text = ''
    socket
      .setEncoding('latin1')
      .on('error', () => {})
      .on('data', (piece) => {
        text += piece
      })
    socket.write(first, 'latin1')
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + 60_000)
    socket.write(rest, 'latin1')
    await closed.catch(() => {})
    return readResponses(text).map(({ field }) => field('X-Infection-Found'))
  }

  test('comes after the response where a body is too slow, without its end', async () => {
    const responses = await ask(`${respmod(ALLOW)}f\r\nrefuse:too_slow\r\n`, { end: false })
    assert.deepEqual(
      responses.map(({ field }) => [field('X-Infection-Found'), field('Connection')]),
      [[SLOW, 'close']],
    )
  })

  test('comes after the response where the rest of a refused body is too slow', async (t) => {
    const sent = `${respmod(ALLOW)}10\r\nrefuse:encrypted\r\n`
    const [found] = await afterAMinute(t, running, sent, '1\r\na\r\n')
    assert.match(found ?? '', /Encrypted/)
  })

  test('comes without a response where the rest of what passes is too slow, because it is not complete', async (t) => {
    const own = await start({ other: 'pass:image' })
    try {
      for (const message of [{}, ALLOW]) {
        const sent = `${respmod(message)}14\r\n${'image'.padEnd(20)}\r\n`
        assert.deepEqual(await afterAMinute(t, own, sent, '1\r\na\r\n'), [])
        t.mock.restoreAll()
      }
    } finally {
      await own.close()
    }
  })
})

describe('content that passes by its first bytes', () => {
  const IMAGE = 'image'.padEnd(2_000, '.')
  const at = (bytes: number, more: string[] = []) => ({
    fields: [`Preview: ${bytes}`, ...more],
    response: ['HTTP/1.1 200 OK', 'Content-Length: 5000'],
  })
  let passing: Fixture
  before(async () => {
    passing = await start({ other: 'pass:image,video' })
  })
  after(() => passing.close())
  const ask = async (sent: string) => {
    passing.events.length = 0
    const responses = readResponses(await exchange(passing.target, Buffer.from(sent, 'latin1'), { end: true }))
    return responses.map(({ status }) => status)
  }

  for (const [what, size] of [
    ['of which the preview has enough', HEAD_BYTES],
    ['of which the preview has more', 1_000],
  ] as const) {
    test(`${what} is answered in the preview, also if it is too large to be scanned, and the connection is used again`, async () => {
      const sent = respmod(at(size)) + chunked(IMAGE.slice(0, size))
      assert.deepEqual(await ask(sent + sent), [204, 204])
      assert.deepEqual(passing.events, ['passed', 'passed'])
    })
  }

  test('of which the preview has one byte less is decided by the rest', async () => {
    const message = { fields: [`Preview: ${HEAD_BYTES - 1}`] }
    const sent = respmod(message) + chunked(IMAGE.slice(0, HEAD_BYTES - 1)) + chunked(IMAGE.slice(HEAD_BYTES - 1))
    assert.deepEqual(await ask(sent).catch(String), [100, 200])
    assert.deepEqual(passing.events, ['passed'])
  })

  test('without a preview comes back, or is a 204 where that is allowed', async () => {
    assert.deepEqual(await ask(respmod() + chunked(IMAGE)), [200])
    assert.deepEqual(await ask(respmod({ fields: ['Allow: 204'] }) + chunked(IMAGE)), [204])
    assert.deepEqual(passing.events, ['passed'])
  })

  test('is scanned if it is shorter, of another kind, encoded or in a form', async () => {
    const allow = { fields: ['Allow: 204'] }
    const gzip = { ...allow, response: ['HTTP/1.1 200 OK', 'Content-Encoding: gzip'] }
    const form = { ...allow, request: ['POST /a HTTP/1.1', 'Content-Type: multipart/form-data; boundary=b'] }
    for (const sent of [
      respmod(allow) + chunked(IMAGE.slice(0, HEAD_BYTES - 1)),
      respmod(allow) + chunked('audio'.padEnd(500)),
      respmod(gzip) + chunked(zlib.gzipSync(IMAGE.slice(0, 500))),
      reqmod(form) +
        chunked(
          `--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${IMAGE.slice(0, 500)}\r\n--b--\r\n`,
        ),
    ]) {
      assert.deepEqual(await ask(sent), [204])
      assert.notDeepEqual(passing.events, ['passed'], sent.slice(0, 300))
      assert.equal(passing.events.length, 1)
    }
  })

  for (const [what, head] of [
    ['is encoded', respmod(coded('br'))],
    ['is a part of a file', respmod({ ...ALLOW, response: ['HTTP/1.1 206 Partial Content'] })],
    [
      'should be a form',
      reqmod({ ...ALLOW, request: ['POST /a HTTP/1.1', 'Content-Type: multipart/form-data; boundary=b'] }),
    ],
  ] as const) {
    test(`does not pass if it ${what}`, async () => {
      assert.deepEqual(await ask(head + chunked(IMAGE)), [200])
      assert.ok(!passing.events.includes('passed'))
    })
  }

  test('is refused by its length if its first bytes are of another kind', async () => {
    const [blocked] = readResponses(
      await exchange(passing.target, Buffer.from(respmod(at(500)) + chunked('letter'.padEnd(500)), 'latin1'), {
        end: true,
      }),
    )
    assert.match(blocked?.field('X-Infection-Found') ?? '', /Container size violation/)
  })
})
