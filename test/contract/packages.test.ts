/** The published packages: packed, installed in an empty folder, and run without a network. */

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { VERSION } from '#base/version.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { freePort, startService, temporaryFolder } from '#test/support/service.ts'
import { pack } from '../../scripts/pack.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const YARA = path.join(ROOT, 'node_modules/@virustotal/yara-x')
const BYTES_MAX = { command: 15_000_000, server: 60_000_000, client: 60_000 }
const run = promisify(execFile)

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
  assert.match(readFileSync(path.join(target, 'node_modules/docvet/docvet.1'), 'utf8'), /^\.TH DOCVET 1/)
  assert.ok(!existsSync(path.join(target, 'node_modules/docvet/dist/service.mjs')))
})

test('@docvet/server: starts with a database and the dashboard', { timeout: 120_000 }, async () => {
  const target = install('server', [await pack('server', folder), yara])
  const bytes = bytesIn(path.join(target, 'node_modules'))
  assert.ok(bytes < BYTES_MAX.server, `${bytes} bytes`)
  checkManifest(target, '@docvet/server', ONE_DEPENDENCY)
  const bin = 'node_modules/@docvet/server/bin/docvet-server.cjs'
  const child = spawn(process.execPath, [bin], {
    cwd: target,
    env: { PATH: process.env.PATH, DOCVET_PORT: String(await freePort()), DOCVET_EMBEDDED_CHILDREN: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const url = () => /listening on (http:\S+?)[\s"\\]/.exec(said)?.[1]
  while (url() === undefined) await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), failed()])
  async function failed(): Promise<never> {
    await once(child, 'exit')
    assert.fail(said)
  }
  const signup = await fetch(`${url()}/api/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"email":"ada@example.com"}',
  })
  const { apiKey } = (await signup.json()) as { apiKey: string }
  const form = new FormData()
  form.append('file', new Blob([EICAR]), 'invoice.txt')
  const scanned = await fetch(`${url()}/api/v1/scan`, { method: 'POST', headers: { 'X-API-Key': apiKey }, body: form })
  assert.equal(((await scanned.json()) as { threat: string }).threat, 'Docvet.Test.Eicar')
  for (const page of ['/', '/docs', '/openapi.json']) assert.equal((await fetch(`${url()}${page}`)).status, 200, page)
  assert.match(await (await fetch(`${url()}/`)).text(), /<script type="module"/)
  assert.ok(existsSync(path.join(target, 'data/docvet.sqlite')))
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, said)
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

  test('scans with a service', async () => {
    await using service = await startService()
    const signup = await fetch(`${service.url}/api/v1/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":"ada@example.com"}',
    })
    const { apiKey } = (await signup.json()) as { apiKey: string }
    writeFileSync(path.join(target, 'eicar.txt'), EICAR)
    writeFileSync(
      path.join(target, 'scan.mjs'),
      `import { Docvet } from '@docvet/client'
const { status, threat } = await new Docvet().scan('eicar.txt')
console.log(status, threat)`,
    )
    const env = { PATH: process.env.PATH, DOCVET_URL: service.url, DOCVET_KEY: apiKey }
    const { stdout } = await run(process.execPath, ['scan.mjs'], { cwd: target, env })
    assert.equal(stdout, 'infected Docvet.Test.Eicar\n')
  })
})
