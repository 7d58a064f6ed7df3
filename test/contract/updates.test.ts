import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '#test/support/command.ts'
import { request } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { createRepository, rule, setOf } from '#test/support/tuf-repository.ts'

const folder = temporaryFolder('updates')
const rootFile = path.join(folder, 'root.json')
const repository = createRepository()
let files = repository.publish({ set: setOf(1, rule('First', 'quincunx orchard')), version: 1 })
let server: Server
let proxy: Server
const tunnels: string[] = []
const portOf = (of: Server) => (of.address() as AddressInfo).port
const url = () => `http://127.0.0.1:${portOf(server)}/channel`

/** Two that follow the channel, the second through a proxy, and one without it. */
const services: ScanService[] = []
const keys: string[] = []
const [FIRST, SECOND, OFFLINE] = [0, 1, 2]
const scan = (text: string, at = FIRST) => (services[at] as ScanService).scan(keys[at] as string, text)

interface Seen {
  updates?: { channel: string | null; version: number | null; publishedAt: string | null; rulesAgeHours: number | null }
  engines: { detail: string }[]
}
async function health(at = FIRST): Promise<Seen> {
  return (await request((services[at] as ScanService).port, 'GET', '/api/v1/health')).json() as Seen
}
async function untilHealth(at: number, isMet: (seen: Seen) => boolean): Promise<Seen> {
  let seen = await health(at)
  for (let tries = 0; tries < 300 && !isMet(seen); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    seen = await health(at)
  }
  assert.ok(isMet(seen), JSON.stringify(seen))
  return seen
}
const detailOf = ({ engines: [engine] }: Seen) => engine?.detail ?? ''
const hasVersion = (version: number) => (seen: Seen) => seen.updates?.version === version

before(async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(rootFile, repository.root)
  server = createServer((incoming, reply) => {
    const bytes = files.get(incoming.url?.replace('/channel/', '') ?? '')
    reply.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  })
  proxy = createServer((_incoming, reply) => reply.writeHead(400).end())
  proxy.on('connect', ({ url: authority = '' }, socket) => {
    tunnels.push(authority)
    const to = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(to).pipe(socket)
    })
    for (const [end, other] of [
      [socket, to],
      [to, socket],
    ])
      end?.on('error', () => other?.destroy())
  })
  for (const each of [server, proxy]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
  const following = { DOCVET_UPDATES: url(), DOCVET_UPDATES_ROOT: rootFile, DOCVET_UPDATES_INTERVAL: '1s' }
  const one = { DOCVET_EMBEDDED_CHILDREN: '1' }
  const behind = { ...following, DOCVET_UPDATES_PROXY: `http://127.0.0.1:${portOf(proxy)}` }
  services.push(...(await Promise.all([following, behind, {}].map((env) => startScanService({ ...one, ...env })))))
  for (const service of services) keys.push(await service.newKey())
})
after(async () => {
  for (const service of services) await service[Symbol.asyncDispose]()
  for (const each of [server, proxy]) {
    each.closeAllConnections()
    each.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

test('a set of the channel is in use on both replicas, and health shows it', async () => {
  for (const at of [FIRST, SECOND]) {
    const { updates } = await untilHealth(at, hasVersion(1))
    assert.deepEqual([updates?.channel, updates?.publishedAt], [url(), '2026-11-18T00:00:00Z'])
    assert.ok(Number.isInteger(updates?.rulesAgeHours))
    assertInfected(await scan('In the quincunx orchard.', at), 'Docvet.Rule.First')
  }
})

test('the proxy is asked for a tunnel to the channel, by one replica only', () => {
  assert.deepEqual([...new Set(tunnels)], [`127.0.0.1:${portOf(server)}`])
})

test('both replicas take the next set, and leave the last one', async () => {
  files = repository.publish({ set: setOf(2, rule('Second', 'zygote lantern')), version: 2 })
  for (const at of [FIRST, SECOND]) {
    await untilHealth(at, hasVersion(2))
    assertInfected(await scan('A zygote lantern.', at), 'Docvet.Rule.Second')
    assertClean(await scan('In the quincunx orchard.', at))
  }
})

describe('is named in health, while the last set stays in use:', () => {
  const stays = async () => {
    assert.equal((await health()).updates?.version, 2)
    assertInfected(await scan('A zygote lantern.'), 'Docvet.Rule.Second')
  }
  let versions = 5
  const LIST = { name: 'campaign', kind: 'host', action: 'malicious', source: 'test' }
  const cases: [string, () => typeof files, RegExp][] = [
    [
      'a rule that hits a document of the self-check',
      () => repository.publish({ set: setOf(3, rule('Loud', 'Dear customer')), version: 3 }),
      /updates not in use: version 3 was refused: Docvet\.Rule\.Loud hits english text\.txt of the self-check/,
    ],
    [
      'a rule that hits a canary',
      () => repository.publish({ set: setOf(4, rule('Wrong', 'this text is harmless')), version: 4 }),
      /version 4 was refused: .*harmless text/,
    ],
    [
      'a rule that does not compile',
      () => repository.publish({ set: setOf(5, { name: 'bad.yar', text: 'rule {' }), version: 5 }),
      /version 5 was refused/,
    ],
    ...(
      [
        [
          'a table that accuses a document of the self-check',
          { tables: { brands: [{ name: 'wikipedia', domains: ['wikipedia.example'] }] } },
          /Docvet\.Link\.Deceptive hits known hosts \d+\.html of the self-check/,
        ],
        [
          'a table with a row that hits everything',
          { tables: { brands: [{ name: 'login', domains: ['a.example'] }] } },
          /the brand login is a word that many hosts have/,
        ],
        [
          'a table with a pattern',
          { tables: { brands: [{ name: '(a+)+', domains: ['a.example'] }] } },
          /wrong shape at/,
        ],
        [
          'a list with a host of a known owner',
          { lists: [{ ...LIST, indicators: ['microsoft.com'] }] },
          /Docvet\.List\.campaign hits known hosts \d+\.html of the self-check/,
        ],
        ['a list with a top-level domain', { lists: [{ ...LIST, indicators: ['com'] }] }, /row 1 of the list campaign/],
      ] as const
    ).map(([name, content, said]): (typeof cases)[number] => {
      const version = ++versions
      return [name, () => repository.publish({ set: { ...setOf(version), ...content }, version }), said]
    }),
    [
      'an older set',
      () => repository.publish({ set: setOf(9, rule('Older', 'zygote')), version: 1 }),
      /the channel was refused: .*less than/,
    ],
    [
      'a set with the keys of somebody else',
      () => createRepository().publish({ set: setOf(9, rule('Other', 'zygote')), version: 9 }),
      /the channel was refused: .*signed by/,
    ],
    ['a channel that is gone', () => new Map(), /the channel was refused: .*no such file/i],
  ]
  for (const [name, publish, said] of cases)
    test(name, async () => {
      files = publish()
      await untilHealth(FIRST, (seen) => said.test(detailOf(seen)))
      await stays()
    })

  test('and nothing is, when the channel is well again', async () => {
    files = repository.publish({ set: setOf(20, rule('Sixth', 'vellum harbour')), version: 20 })
    const seen = await untilHealth(
      FIRST,
      (each) => hasVersion(20)(each) && !detailOf(each).includes('updates not in use'),
    )
    assert.equal(seen.updates?.version, 20)
    assertInfected(await scan('The vellum harbour.'), 'Docvet.Rule.Sixth')
  })
})

describe('a machine without a network', () => {
  const carried = path.join(folder, 'carried')
  const command = (...args: string[]) => runCommand(['updates', ...args], { cwd: folder })
  const importing = (...more: string[]) =>
    command('import', '--root', rootFile, '--data', (services[OFFLINE] as ScanService).dataDir, ...more, carried)

  test('uses what was exported elsewhere', async () => {
    const exported = await command('export', '--root', rootFile, '--from', url(), carried)
    assert.deepEqual([exported.code, exported.stderr], [0, ''])
    assert.equal((await health(OFFLINE)).updates, undefined)
    const imported = await importing()
    assert.deepEqual(
      [imported.code, imported.stdout],
      [0, 'Version 20 will be in use within seconds.\n'],
      imported.stderr,
    )
    const { updates } = await untilHealth(OFFLINE, hasVersion(20))
    assert.equal(updates?.channel, null)
    assertInfected(await scan('The vellum harbour.', OFFLINE), 'Docvet.Rule.Sixth')
    const again = await importing()
    assert.match(again.stdout, /Version 20 is not newer/)
  })

  test('refuses what was changed, what is older, and what hits the self-check', async () => {
    const timestamp = path.join(carried, 'metadata/timestamp.json')
    const bytes = readFileSync(timestamp)
    writeFileSync(timestamp, Buffer.from(bytes.toString().replace('"version":20', '"version":21')))
    assert.equal((await importing()).code, 1)
    const write = (some: typeof files) => {
      for (const [name, content] of some) writeFileSync(path.join(carried, name), content)
    }
    write(repository.publish({ set: setOf(9, rule('Older', 'zygote')), version: 5 }))
    const older = await importing('--allow-expired')
    assert.equal(older.code, 1)
    assert.match(older.stderr, /Refused: .*less than/)
    write(repository.publish({ set: setOf(30, rule('Loud', 'Dear customer')), version: 30 }))
    const loud = await importing()
    assert.match(loud.stderr, /Refused: version 30: Docvet\.Rule\.Loud hits/)
    assert.equal((await health(OFFLINE)).updates?.version, 20)
  })

  test('takes what has expired on its way only with --allow-expired', async () => {
    const late = repository.publish({ set: setOf(31, rule('Late', 'marmoreal')), version: 31, expiresInDays: -1 })
    for (const [name, content] of late) writeFileSync(path.join(carried, name), content)
    const refused = await importing()
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /expired/)
    assert.equal((await importing('--allow-expired')).code, 0)
    await untilHealth(OFFLINE, hasVersion(31))
  })

  test('wrong usage is exit 2', async () => {
    for (const args of [
      [],
      ['import'],
      ['import', carried],
      ['export', '--root', rootFile, carried],
      ['fetch', carried],
    ])
      assert.equal((await command(...args)).code, 2, args.join(' '))
  })
})
