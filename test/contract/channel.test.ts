/** A channel that is made by the command as docs/updates.md says, and a service that follows it. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { commandFolder, runCommand } from '#test/support/command.ts'
import { request } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'
import { freePort } from '#test/support/service.ts'

const { folder, at, file } = commandFolder('channel')
let server: Server
let service: ScanService
let key: string
let metricsPort: number

const channel = (...args: string[]) => runCommand(['channel', ...args], { cwd: folder })
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await channel(...args)
  assert.deepEqual([code, stderr], [0, ''], args.join(' '))
  return stdout
}
async function refused(why: RegExp, ...args: string[]): Promise<void> {
  const { code, stderr } = await channel(...args)
  assert.equal(code, 1, stderr)
  assert.match(stderr, why)
}
const options = (name: string, ...files: string[]) => files.flatMap((each) => [`--${name}`, each])
const ROOTS = ['ann', 'ben', 'cleo']
const ONLINE = [
  ...options('targets-key', 'release'),
  ...options('snapshot-key', 'release'),
  ...options('timestamp-key', 'server'),
]
const publishing = () => done('publish', 'repository', '--set', 'set', ...ONLINE)
async function untilVersion(version: number): Promise<void> {
  let seen: unknown
  for (let tries = 0; tries < 300; tries++) {
    seen = (await request(service.port, 'GET', '/api/v1/health')).json()
    if ((seen as { updates?: { version: number } }).updates?.version === version) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(JSON.stringify(seen))
}
const scan = (text: string) => service.scan(key, text)

before(async () => {
  server = createServer((incoming, reply) => {
    const name = path.join(folder, 'repository', path.normalize(incoming.url ?? ''))
    const isThere = existsSync(name) && statSync(name).isFile()
    reply.writeHead(isThere ? 200 : 404).end(isThere ? readFileSync(name) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
})

test('keys are made and never overwritten, and two of three make the root', async () => {
  for (const name of [...ROOTS, 'release', 'server']) assert.match(await done('key', name), /^Key [0-9a-f]{64}\n/)
  assert.equal(statSync(at('ann')).mode & 0o777, 0o600)
  assert.equal((await channel('key', 'ann')).code, 2)
  const pub = (...names: string[]) => names.map((name) => `${name}.pub`)
  const drafted = await done(
    ...['root', 'repository', ...options('root-key', ...pub(...ROOTS)), ...options('targets-key', 'release.pub')],
    ...[...options('snapshot-key', 'release.pub'), ...options('timestamp-key', 'server.pub')],
  )
  assert.match(drafted, /root: 2 of 3\n/)
  const draft = 'repository/next.root.json'
  await done('sign', draft, ...options('key', 'ann'))
  await refused(/1 keys of the new root have signed it, and 2 must/, 'accept', 'repository')
  await done('sign', draft, ...options('key', 'ben'))
  assert.match(await done('accept', 'repository'), /repository\/metadata\/1\.root\.json to those who follow/)
})

test('a set that would accuse harmless documents is not published', async () => {
  file('set/loud.yar', 'rule Loud { strings: $a = "Dear customer" condition: $a }')
  await refused(/Docvet\.Rule\.Loud hits english text\.txt/, 'publish', 'repository', '--set', 'set', ...ONLINE)
  file('set/loud.yar', 'rule {')
  await refused(/loud\.yar/, 'publish', 'repository', '--set', 'set', ...ONLINE)
  assert.equal(existsSync(at('repository/metadata/timestamp.json')), false)
})

test('rules, tables and lists of a set are in use at a service that follows', async () => {
  file('set/loud.yar', 'rule First { strings: $a = "quincunx orchard" condition: $a }')
  file('set/tables.json', JSON.stringify({ brands: [{ name: 'northwindbank', domains: ['northwindbank.example'] }] }))
  file('set/lists/campaign.txt', '# seen in November\nbad-invoices.example\n')
  file(
    'set/lists/campaign.feed.json',
    JSON.stringify({ kind: 'host', action: 'malicious', maxAgeHours: 48, source: 'our own analysts' }),
  )
  assert.match(await publishing(), /^Version 1 is published in repository\.\nVersion 1 of .*: 1 rule files, 1 lists\n/)
  metricsPort = await freePort()
  service = await startScanService({
    DOCVET_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
    ...{ DOCVET_EMBEDDED_CHILDREN: '1', DOCVET_SENSITIVITY: 'strict', DOCVET_UPDATES_INTERVAL: '1s' },
    DOCVET_UPDATES: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DOCVET_UPDATES_ROOT: at('repository/metadata/1.root.json'),
  })
  key = await service.newKey()
  await untilVersion(1)
  const { body } = await request(metricsPort, 'GET', '/metrics')
  assert.match(body, /^docvet_updates_version 1$/m)
  assert.match(body, /^docvet_updates_current 1$/m)
  assertInfected(await scan('In the quincunx orchard.'), 'Docvet.Rule.First')
  assertInfected(await scan('See https://www.bad-invoices.example/7 now.'), 'Docvet.List.campaign')
  const posing = '<!doctype html><html><body><a href="https://northwindbank-billing.test/">Open</a></body></html>'
  assertInfected(await scan(posing), 'Docvet.Link.Deceptive')
  assertClean(await scan(posing.replace('northwindbank-billing.test', 'www.northwindbank.example')))
})

test('the timestamp is renewed by its key alone, and what expires soon is named', async () => {
  await done('renew', 'repository', '--days', '3', ...options('timestamp-key', 'server'))
  await refused(/^Refused: timestamp expires at /, 'check', 'repository', '--days', '7')
  await refused(/0 keys of timestamp/, 'renew', 'repository', ...options('timestamp-key', 'release'))
  await done('renew', 'repository', ...options('timestamp-key', 'server'))
  await done('check', 'repository', '--days', '7')
})

test('a key is replaced by a new root, which the service follows', async () => {
  await done('key', 'server2')
  await done('root', 'repository', ...options('timestamp-key', 'server2.pub'))
  await done('sign', 'repository/next.root.json', ...options('key', 'ben', 'cleo'))
  await done('accept', 'repository')
  await refused(/0 keys of timestamp/, 'publish', 'repository', '--set', 'set', ...ONLINE)
  ONLINE.splice(-1, 1, 'server2')
  file('set/loud.yar', 'rule Second { strings: $a = "zygote lantern" condition: $a }')
  await publishing()
  await untilVersion(2)
  assertInfected(await scan('A zygote lantern.'), 'Docvet.Rule.Second')
  assertClean(await scan('In the quincunx orchard.'))
})

test('an operator takes a set back, and the next one is used again', async () => {
  const back = () => runCommand(['updates', 'back', '--data', service.dataDir], { cwd: folder })
  assert.equal((await back()).stdout, 'Version 1 will be in use within seconds; version 2 is not used again.\n')
  await untilVersion(1)
  assertInfected(await scan('In the quincunx orchard.'), 'Docvet.Rule.First')
  assertClean(await scan('A zygote lantern.'))
  assert.deepEqual([(await back()).code], [1])
  await publishing()
  await untilVersion(3)
  assertInfected(await scan('A zygote lantern.'), 'Docvet.Rule.Second')
})

test('wrong usage is exit 2', async () => {
  for (const args of [
    [],
    ['key'],
    ['steal', 'repository'],
    ['publish', 'repository'],
    ['sign', 'repository/metadata/1.root.json'],
    ['root', 'repository', '--threshold', 'root'],
    ['renew', 'repository', '--days', '0'],
    ['renew', 'repository', '--timestamp-key', 'set/loud.yar'],
  ])
    assert.equal((await channel(...args)).code, 2, args.join(' '))
})
