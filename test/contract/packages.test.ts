/** The published packages: packed, installed in an empty folder, and run without a network. */

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { VERSION } from '#base/version.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { freePort, temporaryFolder } from '#test/support/service.ts'
import { pack } from '../../scripts/pack.ts'
import { buildSingleFile } from '../../scripts/single-file.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const YARA = path.join(ROOT, 'node_modules/@virustotal/yara-x')
const BYTES_MAX = { command: 15_000_000, server: 60_000_000, client: 60_000 }
const run = promisify(execFile)

const CLONE_BYTES_MAX = 300 * 2 ** 20
const folder = temporaryFolder('packages')
after(() => rmSync(folder, { recursive: true, force: true }))

/** A command line that runs another one without a network, where the system allows that. */
const UNSHARE = [[], ['--user', '--map-root-user']].map((flags) => ['unshare', ...flags, '--net'])
const WITHOUT_NETWORK =
  UNSHARE.find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0) ?? []

function bytesIn(target: string): number {
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0)
}

/** The same, for a program that needs the address of this machine itself. */
const WITH_LOOPBACK =
  WITHOUT_NETWORK.length === 0 ? [] : [...WITHOUT_NETWORK, 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh']

/** An empty folder with the package and nothing else, from archives only. */
function install(name: string, archives: readonly string[]): string {
  const target = path.join(folder, `installed-${name}`)
  mkdirSync(target)
  const flags = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', [...flags, ...archives], { cwd: target })
  return target
}

let yara = ''
before(() => {
  const flags = ['pack', '--silent', '--offline', '--ignore-scripts', '--pack-destination', folder, YARA]
  yara = path.join(folder, execFileSync('npm', flags, { cwd: folder, encoding: 'utf8' }).trim())
})

/** None of the packages may run code when it is installed. */
function checkManifest(target: string, name: string, dependencies: object | undefined): void {
  const manifest = JSON.parse(readFileSync(path.join(target, 'node_modules', name, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.version, manifest.scripts, manifest.dependencies], [VERSION, undefined, dependencies])
  assert.ok(existsSync(path.join(target, 'node_modules', name, 'LICENSE')))
}

const ONE_DEPENDENCY = {
  '@virustotal/yara-x': JSON.parse(readFileSync(path.join(YARA, 'package.json'), 'utf8')).version,
}

test('docvet: is small, scans, and needs no network', async () => {
  const target = install('command', [await pack('command', folder), yara])
  const bytes = bytesIn(path.join(target, 'node_modules'))
  assert.ok(bytes < BYTES_MAX.command, `${bytes} bytes`)
  checkManifest(target, 'docvet', ONE_DEPENDENCY)
  writeFileSync(path.join(target, 'eicar.txt'), EICAR)
  writeFileSync(
    path.join(target, 'rule.pdf'),
    `%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj`,
  )
  const docvet = async (...args: string[]) => {
    const [program = '', ...rest] = [
      ...WITHOUT_NETWORK,
      process.execPath,
      'node_modules/docvet/bin/docvet.cjs',
      ...args,
    ]
    return await run(program, rest, { cwd: target }).catch((error) => error)
  }
  const { code, stdout, stderr } = await docvet('scan', '--no-summary', 'eicar.txt', 'package.json', 'rule.pdf')
  assert.equal(code, 1, stderr)
  assert.match(stdout, /^eicar\.txt: Docvet\.Test\.Eicar FOUND$/m)
  assert.match(stdout, /^package\.json: OK$/m)
  assert.equal((await docvet('--version')).stdout, `${VERSION}\n`)
  assert.match((await docvet()).stdout, /^Usage: docvet /)
  assert.match((await docvet('admin', 'accounts', 'list')).stderr, /^Accounts and keys .* npx @docvet\/server admin$/m)
  assert.match(readFileSync(path.join(target, 'node_modules/docvet/docvet.1'), 'utf8'), /^\.TH DOCVET 1/)
  assert.ok(!existsSync(path.join(target, 'node_modules/docvet/dist/service.mjs')))
})

test('the single file: scans without Node, packages and a network, and leaves nothing where it can keep nothing', async () => {
  const target = path.join(folder, 'single')
  mkdirSync(target)
  const file = await buildSingleFile(target)
  writeFileSync(path.join(target, 'eicar.txt'), EICAR)
  writeFileSync(path.join(target, 'clean.txt'), 'Dear reader')
  const home = path.join(target, 'home "of" Ada')
  mkdirSync(home)
  const temporary = path.join(target, 'tmp')
  mkdirSync(temporary)
  const docvet = async (HOME: string, ...args: string[]) => {
    const [program = '', ...rest] = [...WITHOUT_NETWORK, file, ...args]
    const env = { PATH: '/usr/bin:/bin', HOME, TMPDIR: temporary }
    return await run(program, rest, { cwd: target, env, timeout: 60_000 }).catch((error) => error)
  }
  for (const place of [home, home, path.join(target, 'nowhere')]) {
    const { code, stdout, stderr } = await docvet(place, 'scan', '--no-summary', 'eicar.txt', 'clean.txt')
    assert.deepEqual([code, stderr], [1, ''])
    assert.deepEqual(stdout.trim().split('\n').sort(), ['clean.txt: OK', 'eicar.txt: Docvet.Test.Eicar FOUND'])
  }
  assert.equal((await docvet(home, '--version')).stdout, `${VERSION}\n`)
  const [kept = '', ...others] = readdirSync(path.join(home, '.cache/docvet'))
  assert.deepEqual([others, readdirSync(temporary)], [[], []])
  assert.ok(existsSync(path.join(home, '.cache/docvet', kept, 'LICENSE-node')))
  // A folder that others can write to is not trusted.
  chmodSync(path.join(home, '.cache/docvet'), 0o777)
  rmSync(path.join(home, '.cache/docvet', kept), { recursive: true })
  assert.equal((await docvet(home, '--version')).stdout, `${VERSION}\n`)
  assert.deepEqual(readdirSync(path.join(home, '.cache/docvet')), [])
})

/** Runs in the folder of the packages, perhaps without a network. */
const SERVER_AND_CLIENT = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { Docvet } from '@docvet/client'

const child = spawn(process.execPath, ['node_modules/@docvet/server/bin/docvet-server.cjs'], { stdio: ['ignore', 'pipe', 'pipe'] })
let said = ''
for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { said += text })
child.on('exit', (code) => code !== 0 && console.error(said))
const urlOf = () => /listening on (http:\\S+?)[\\s"\\\\]/.exec(said)?.[1]
while (urlOf() === undefined) await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
const url = urlOf()
const signup = await fetch(url + '/api/v1/signup', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"email":"ada@example.com"}',
})
const { apiKey: key } = await signup.json()
const docvet = new Docvet({ url, key })
const verdicts = []
for (const name of ['eicar.txt', 'clean.txt']) verdicts.push((await docvet.scan(name)).status)
const pages = []
for (const page of ['/', '/docs', '/openapi.json', '/samples/']) pages.push((await fetch(url + page)).status)
const isApp = /<script type="module"/.test(await (await fetch(url + '/')).text())
child.kill('SIGTERM')
const [code] = await once(child, 'exit')
console.log(JSON.stringify({ verdicts, pages, isApp, code, interfaces: Object.keys(networkInterfaces()) }))
`

test('@docvet/server and @docvet/client: a database, the dashboard and verdicts, without a network', async () => {
  const target = install('server', [await pack('server', folder), await pack('client', folder), yara])
  const bytes = bytesIn(path.join(target, 'node_modules'))
  assert.ok(bytes < BYTES_MAX.server, `${bytes} bytes`)
  checkManifest(target, '@docvet/server', ONE_DEPENDENCY)
  writeFileSync(path.join(target, 'eicar.txt'), EICAR)
  writeFileSync(path.join(target, 'clean.txt'), 'Dear reader')
  for (const words of [['--help'], ['admin', '--help'], ['admin', 'accounts', 'list', '--help']]) {
    const service = path.join(target, 'node_modules/@docvet/server/bin/docvet-server.cjs')
    const { stdout } = await run(process.execPath, [service, ...words], { cwd: target })
    assert.match(stdout, /^Usage: npx @docvet\/server /)
    assert.doesNotMatch(stdout, /^ *(?:or|Usage): (?:npm|npx docvet|docvet)\b/m)
  }
  writeFileSync(path.join(target, 'try.mjs'), SERVER_AND_CLIENT)
  const [program = '', ...args] = [...WITH_LOOPBACK, process.execPath, 'try.mjs']
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin`,
    DOCVET_PORT: String(await freePort()),
    DOCVET_EMBEDDED_CHILDREN: '1',
  }
  const { stdout, stderr } = await run(program, args, { cwd: target, env, timeout: 120_000 }).catch((error) => error)
  const { interfaces, ...tried } = JSON.parse(stdout || 'null') ?? assert.fail(stderr)
  assert.deepEqual(tried, { verdicts: ['infected', 'clean'], pages: [200, 200, 200, 200], isApp: true, code: 0 })
  if (WITH_LOOPBACK.length > 0) assert.deepEqual(interfaces, ['lo'])
  assert.ok(existsSync(path.join(target, 'data/docvet.sqlite')))
})

test('a clone: what npm ci installs has at most 300 MB', () => {
  const modules = path.join(import.meta.dirname, '../../node_modules')
  const files = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !path.relative(modules, entry.parentPath).startsWith('.cache'))
    .map(({ parentPath, name }) => statSync(path.join(parentPath, name)))
  // By their number, because a file can have several names.
  const sizes = new Map(files.map(({ ino, size }) => [ino, size]))
  const bytes = sizes.values().reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= CLONE_BYTES_MAX, `${bytes} bytes`)
})

describe('@docvet/client', () => {
  let target = ''
  before(async () => {
    target = install('client', [await pack('client', folder)])
  })

  test('is small, without dependencies, and loads as ESM and CommonJS', async () => {
    const bytes = bytesIn(path.join(target, 'node_modules/@docvet/client'))
    assert.ok(bytes < BYTES_MAX.client, `${bytes} bytes`)
    assert.deepEqual(
      readdirSync(path.join(target, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@docvet'],
    )
    checkManifest(target, '@docvet/client', undefined)
    const entries = ['', '/express', '/fastify', '/web'].map((name) => `@docvet/client${name}`)
    const esm = entries.map((name) => `console.log(Object.keys(await import('${name}')).join())`).join('\n')
    const cjs = entries.map((name) => `console.log(Object.keys(require('${name}')).join())`).join('\n')
    writeFileSync(path.join(target, 'a.mjs'), esm)
    writeFileSync(path.join(target, 'a.cjs'), cjs)
    const said = [
      'Docvet,DocvetError,InfectedError,UnscannableError,WebhookError,verifyWebhook',
      ...Array.from({ length: 3 }, () => 'requireClean'),
    ]
    for (const file of ['a.mjs', 'a.cjs']) {
      const { stdout } = await run(process.execPath, [file], { cwd: target })
      const sorted = stdout
        .trim()
        .split('\n')
        .map((line) =>
          line
            .split(',')
            .filter((name) => name !== '__esModule')
            .sort()
            .join(),
        )
      assert.deepEqual(sorted, said, file)
    }
  })

  test('has strict types for both', async () => {
    const program = `import { Docvet, type ScanResult } from '@docvet/client'
import { requireClean } from '@docvet/client/express'
import { requireClean as checkRequest } from '@docvet/client/web'
const docvet = new Docvet({ url: 'http://127.0.0.1', key: 'x' })
export default async function use(request: Request): Promise<string> {
  const result: ScanResult = await docvet.scan(new Blob(['x']), { fileName: 'a.txt' })
  const { response } = await checkRequest(docvet, request)
  if (response !== null) return String(response.status)
  requireClean(docvet, { onFailure: 'allow' })
  // @ts-expect-error: there is no such status.
  if (result.status === 'unknown') return ''
  return result.status === 'infected' ? result.threat.toUpperCase() : (result.reason ?? 'clean')
}
`
    writeFileSync(path.join(target, 'use.mts'), program)
    writeFileSync(path.join(target, 'use.cts'), program)
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = [
      '--ignoreConfig',
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      '',
    ]
    const { stdout } = await run(process.execPath, [tsc, ...flags, 'use.mts', 'use.cts'], { cwd: target }).catch(
      (error) => error,
    )
    assert.equal(stdout, '')
  })
})
