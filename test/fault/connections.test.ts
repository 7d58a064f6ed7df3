/** One client that opens as many connections as it can does not lock out the others. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { until } from '#test/support/scan-process.ts'
import { assertClean, FORM_TYPE, filePart, form, type ScanService, startScanService } from '#test/support/scanning.ts'

const ALL = 40
/** Nine tenths of all. */
const CROWDED = 36
const PER_ADDRESS = 10
const ATTACKER = '127.0.0.2'
const VICTIM = '127.0.0.3'
/** Of a client whose earlier connections cannot still be closing. */
const NEWCOMER = '127.0.0.4'
const PROXY = '127.0.0.9'
const CLOSE_MS_MAX = 10_000

interface Held {
  socket: net.Socket
  text(): string
  /** Sends bytes, and waits for the response to them. */
  ask(bytes: string | Buffer): Promise<string>
}

describe('many connections', () => {
  let service: ScanService
  let key: string
  let held: Held[] = []
  before(async () => {
    service = await startScanService({
      DOCVET_CONNECTIONS: String(ALL),
      DOCVET_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
      DOCVET_TRUSTED_PROXIES: PROXY,
      DOCVET_EMBEDDED_CHILDREN: '1',
    })
    key = await service.newKey()
  })
  after(() => service[Symbol.asyncDispose]())
  afterEach(async () => {
    await Promise.all(
      held.map(({ socket }) => {
        socket.destroy()
        return socket.closed || once(socket, 'close')
      }),
    )
    held = []
  })

  async function hold(localAddress: string): Promise<Held> {
    const socket = net.connect({ port: service.port, host: '127.0.0.1', localAddress }).on('error', () => {})
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    await once(socket, 'connect')
    const connection: Held = {
      socket,
      text: () => text,
      async ask(bytes) {
        text = ''
        socket.write(bytes)
        if (text === '' && !socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')])
        return text
      },
    }
    held.push(connection)
    return connection
  }
  const LIVE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'
  const USAGE = () => `GET /api/v1/usage HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`

  /** A connection that is kept alive after a response. */
  async function idle(address: string): Promise<Held> {
    const connection = await hold(address)
    assert.match(await connection.ask(LIVE), /^HTTP\/1\.1 200 /, `a connection of ${address}`)
    return connection
  }

  /** A scan whose document has arrived in part. */
  async function uploading(address: string): Promise<{ held: Held; finish(): Promise<string> }> {
    const body = form(filePart('Good morning'))
    const connection = await hold(address)
    const head = `POST /api/v1/scan HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: ${FORM_TYPE}\r\n`
    connection.socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
    connection.socket.write(body.subarray(0, 50))
    return { held: connection, finish: () => connection.ask(body.subarray(50)) }
  }

  const closed = async ({ socket }: Held) => (await until(() => socket.closed, CLOSE_MS_MAX, 5)) !== null
  const scanFrom = (localAddress: string) => service.scan(key, 'Good morning', { localAddress })

  test('of one address: another address still gets scans, and uploads in progress are finished', async () => {
    const uploads = await Promise.all(Array.from({ length: PER_ADDRESS }, () => uploading(ATTACKER)))
    const surplus = await Promise.all(Array.from({ length: 300 }, () => hold(ATTACKER)))
    for (let i = 0; i < 5; i++) assertClean(await scanFrom(VICTIM))
    const [first, last] = [surplus[0]!, surplus.at(-1)!]
    assert.match(await first.ask(USAGE()), /^HTTP\/1\.1 429 .*"code":"rate_limited"/s)
    assert.ok(await closed(first))
    assert.ok(await closed(last))
    assert.equal(last.text(), '')

    for (const { finish } of uploads) assert.match(await finish(), /^HTTP\/1\.1 200 .*"status":"clean"/s)
    assertClean(await scanFrom(ATTACKER))
  })

  test('above the limit of its address, a client gets 429 with Retry-After; probes are answered', async () => {
    await Promise.all(Array.from({ length: PER_ADDRESS }, () => uploading(ATTACKER)))
    const answer = await scanFrom(ATTACKER)
    assert.match(assertProblem(answer, 429, 'rate_limited').detail, /the limit is 10\b/)
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.equal(answer.headers.connection, 'close')
    assert.equal((await request(service.port, 'GET', '/livez', { localAddress: ATTACKER })).status, 200)
    await service.logged(/"msg":"Connections refused"/)
  })

  test('that are idle: the longest idle one of the address is closed for a new one', async () => {
    const kept: Held[] = []
    for (let i = 0; i < PER_ADDRESS; i++) kept.push(await idle(NEWCOMER))
    await kept[0]!.ask(LIVE)
    assertClean(await scanFrom(NEWCOMER))
    assert.ok(await closed(kept[1]!))
    assert.deepEqual(
      kept.map(({ socket }) => socket.closed),
      kept.map((_, index) => index === 1),
    )
  })

  test('of many addresses: idle ones are closed, longest idle first, and no upload', async () => {
    const { held: upload, finish } = await uploading('127.0.1.1')
    const kept: Held[] = []
    for (let i = 1; i < CROWDED; i++) kept.push(await idle(`127.0.1.${1 + (i % 8)}`))
    assertClean(await scanFrom(VICTIM))
    assertClean(await scanFrom(VICTIM))
    assert.ok(await closed(kept[0]!))
    assert.equal(kept.at(-1)!.socket.closed, false)
    assert.equal(upload.socket.closed, false)
    assert.match(await finish(), /^HTTP\/1\.1 200 .*"status":"clean"/s)
  })

  test('of many addresses, all busy: an address with few connections is served', async () => {
    for (let i = 0; i < CROWDED; i++) await uploading(`127.0.1.${1 + (i % 4)}`)
    const refused = await hold('127.0.1.1')
    assert.ok(await closed(refused))
    assertClean(await scanFrom(VICTIM))
  })

  test('of a trusted proxy are not limited as those of one address', async () => {
    const forwarded = LIVE.replace('\r\n\r\n', '\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n')
    const kept = await Promise.all(Array.from({ length: 3 * PER_ADDRESS }, () => hold(PROXY)))
    for (const each of kept) assert.match(await each.ask(forwarded), /^HTTP\/1\.1 200 /)
    assert.ok(kept.every(({ socket }) => !socket.closed))
  })
})
