/** Runs the commands of README.md and docs/ as a reader would paste them. */

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { signUp, withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { needs, PYTHON } from '#test/support/suite.ts'

const run = promisify(execFile)
const JSON_TYPE = { 'content-type': 'application/json' }
const ROOT = path.join(import.meta.dirname, '../..')

let service: Service
let folder: string
before(async () => {
  folder = temporaryFolder('readme')
  mkdirSync(path.join(folder, 'data'), { mode: 0o700 })
  copyFileSync(path.join(ROOT, 'README.md'), path.join(folder, 'README.md'))
  service = await startService({}, { dataDir: path.join(folder, 'data') })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function blocksOf(file: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

/** Blocks without npm, npx, git, examples and a model: those need a checkout or another service. */
function commandsOf(file: string): string {
  return blocksOf(file, 'sh')
    .filter((block) => !/\b(?:npm|npx|git)\b|api\/v1\/chat|docs\/examples/.test(block))
    .join('\n')
}

/** In one shell, as if pasted block by block; an unset variable is an error. */
async function paste(...commands: string[]): Promise<string> {
  const env = { PATH: process.env.PATH }
  return (await run('sh', ['-uc', commands.join('\n')], { cwd: folder, env })).stdout
}

const README_BYTES_MAX = 9_000
const EXAMPLES = path.join(ROOT, 'server/http/docs/examples')

/** As the API reference shows it: with the URL of the service. */
const exampleOf = (file: string): string =>
  readFileSync(path.join(EXAMPLES, file), 'utf8').replaceAll('http://127.0.0.1:8080', service.url)

const firstScan = () => commandsOf('README.md')
let signedUp = 0
/** README's sign-up, with another address for each use. */
const setUp = () =>
  (blocksOf('README.md', 'sh').find((each) => each.includes('signup')) ?? '').replace('ada@', `ada${++signedUp}@`)

/** In place of the package, whose archive has a test of its own. */
const INSTALL_CLIENT = [
  'mkdir -p node_modules/@docvet/client && cd node_modules/@docvet/client',
  `echo '{"name":"@docvet/client","exports":{".":"./index.mjs","./express":"./express.mjs"}}' > package.json`,
  `echo "export * from '${path.join(ROOT, 'packages/client/src/index.ts')}'" > index.mjs`,
  `echo "export * from '${path.join(ROOT, 'packages/client/src/express.ts')}'" > express.mjs && cd ../../..`,
].join('\n')

const programOf = async (name: string): Promise<string> => (await run('sh', ['-c', `command -v ${name}`])).stdout.trim()

/** The first group of the first text that matches. What follows is read, so that the program can write on. */
function found(stream: Readable, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      text += chunk
      const [, group] = pattern.exec(text) ?? []
      if (group !== undefined) resolve(group)
    })
    stream.on('end', () => reject(new Error(`Not printed: ${pattern}. Instead: ${text}`)))
  })
}

describe('commands in the documentation', () => {
  test('README: sign-up, clean scan, infected scan', async () => {
    const lines = (await paste(firstScan())).trim().split('\n')
    assert.match(lines[0] ?? '', /^API key: dv_live_\w+$/)
    const [clean, infected] = lines.slice(1).map((line) => JSON.parse(line))
    assert.deepEqual([clean.status, clean.threat, clean.fileName], ['clean', null, 'README.md'])
    assert.deepEqual([infected.status, infected.threat], ['infected', 'Docvet.Test.Eicar'])
    const shown = JSON.parse(blocksOf('README.md', 'json')[0] ?? '')
    for (const field of ['fileName', 'fileSize', 'contentType']) assert.equal(shown[field], infected[field], field)
  })

  test('README: the command scans', async () => {
    const [block = ''] = blocksOf('README.md', 'sh').filter((each) => each.includes('npx docvet'))
    const { stdout } = await run('sh', ['-uc', block], { cwd: ROOT })
    assert.match(stdout, /^README\.md: OK$/m)
  })

  test('README: both blocks that start it, and the one that tests it', async () => {
    const blocks = blocksOf('README.md', 'sh').filter((each) => /\bnpm\b/.test(each))
    assert.deepEqual(blocks, [
      'npm ci && npm start\n',
      'DOCVET_DEFAULT_PLAN=internal npm start\n',
      'npm ci && npm test\n',
    ])
    // The packages of this checkout are in use, so that they are not installed again, and this is the test.
    const npm = path.join(folder, 'bin/npm')
    mkdirSync(path.dirname(npm), { recursive: true })
    writeFileSync(
      npm,
      `#!/bin/sh\ncase $1 in ci) ;; start) exec ${await programOf('npm')} start ;; *) echo "npm $*" ;; esac\n`,
      { mode: 0o755 },
    )
    const env = { ...process.env, PATH: `${path.dirname(npm)}:${process.env.PATH}` }
    for (const block of blocks.slice(0, 2)) {
      const settings = {
        DOCVET_PORT: String(await freePort()),
        DOCVET_DATA_DIR: path.join(folder, `data ${block.length}`),
      }
      const child = spawn('sh', ['-c', block], { cwd: ROOT, env: { ...env, ...settings }, detached: true })
      child.stdout.resume()
      const url = await found(child.stderr, /Docvet is listening on (\S+)/)
      const signup = await fetch(`${url}/api/v1/signup`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: '{"email":"a@b.example"}',
      })
      assert.equal(((await signup.json()) as { plan: string }).plan, block.includes('internal') ? 'internal' : 'free')
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await once(child, 'close')
    }
    assert.equal((await run('sh', ['-c', blocks[2] ?? ''], { cwd: ROOT, env })).stdout, 'npm test\n')
  })

  test('README: the program for Express stores a clean file and refuses an infected one', async () => {
    const place = path.join(folder, 'express')
    mkdirSync(path.join(place, 'node_modules'), { recursive: true })
    for (const name of ['express', 'multer'])
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(place, 'node_modules', name))
    const port = await freePort()
    writeFileSync(path.join(place, 'server.mjs'), blocksOf('README.md', 'js')[0]?.replace('3000', String(port)) ?? '')
    await run('sh', ['-uc', INSTALL_CLIENT], { cwd: place })
    const { apiKey } = await signUp(service.port)
    const child = spawn(process.execPath, ['server.mjs'], {
      cwd: place,
      env: { ...process.env, DOCVET_KEY: apiKey },
      stdio: 'inherit',
    })
    after(() => child.kill())
    const upload = async (name: string): Promise<Response> => {
      const form = new FormData()
      form.set('file', await (await fetch(`${service.url}/samples/${name}`)).blob(), name)
      return await fetch(`http://127.0.0.1:${port}/upload`, { method: 'POST', body: form })
    }
    while (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => false,
        () => true,
      )
    )
      await sleep(50)
    const stored = await upload('clean.pdf')
    assert.deepEqual([stored.status, await stored.text()], [200, 'stored'])
    assert.equal((await upload('infected.zip')).status, 422)
    assert.equal(readdirSync(path.join(place, 'uploads')).length, 1, 'the infected file is removed')
    child.kill()
    await once(child, 'close')
  })

  test('README: at most 9 kB, and every block is one that a test here runs or compares', () => {
    const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
    assert.ok(Buffer.byteLength(text) <= README_BYTES_MAX, `${Buffer.byteLength(text)} bytes`)
    const languages = [...text.matchAll(/^```(\w*)\n.*?^```$/gms)].map(([, language]) => language)
    assert.deepEqual(languages, ['text', 'sh', 'sh', 'sh', 'sh', 'json', 'js', 'sh', 'sh'])
  })

  test('README: the shown response has the fields of a real one', () => {
    const [shown = '{}'] = blocksOf('README.md', 'json')
    const fields = ['scanId', 'status', 'threat', 'fileName', 'fileSize', 'contentType', 'scannedAt']
    assert.deepEqual(Object.keys(JSON.parse(shown)), fields)
  })

  test('README: every example program is linked', () => {
    const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
    for (const file of readdirSync(EXAMPLES)) assert.ok(text.includes(`](server/http/docs/examples/${file})`), file)
  })

  test('docs/api.md: keys, sign-in, password reset and change', async () => {
    const output = await paste(setUp(), commandsOf('docs/api.md'))
    const account = '{"email":"grace@example.com","plan":"free","authProvider":"password"}'
    const lines = output.trim().split('\n').slice(2)
    assert.deepEqual(lines, ['204', account, account, '204', '202', '204', account, '204'])
  })

  test('docs/marketplace.md: a purchase from the sandbox', async () => {
    const output = await paste(setUp(), commandsOf('docs/marketplace.md'))
    const plans = [...output.matchAll(/"plan":"(\w+)","authProvider"/g)].map(([, plan]) => plan)
    assert.deepEqual(plans, ['pro', 'free', 'pro', 'business', 'business', 'free'])
  })

  test('docs/operations.md: a backup of a running service', async () => {
    const backup = blocksOf('docs/operations.md', 'sh').find((block) => block.includes('admin backup')) ?? ''
    await paste(backup.replace('npx docvet', `${process.execPath} ${path.join(ROOT, 'server/main.ts')}`))
    assert.match(readFileSync(path.join(folder, 'docvet-backup.sqlite'), 'latin1'), /^SQLite format 3/)
  })
})

describe('example programs', needs('go', 'php', 'java', 'ruby'), () => {
  /** By file: what is run once, and the program that scans. */
  const COMMANDS: Record<string, { build?: string; scan: string }> = {
    'scan.sh': { scan: 'sh scan.sh' },
    'scan.mjs': { scan: 'node scan.mjs' },
    'scan.py': { scan: `${PYTHON} scan.py` },
    'scan.php': { scan: 'php scan.php' },
    'Scan.java': { build: 'javac Scan.java', scan: 'java -XX:TieredStopAtLevel=1 Scan' },
    'scan.rb': { scan: 'ruby scan.rb' },
    'client.mjs': { build: INSTALL_CLIENT, scan: 'node client.mjs' },
    'client.py': { scan: `PYTHONPATH=${path.join(ROOT, 'packages/python/src')} ${PYTHON} client.py` },
    'scan.go': { build: 'go build -o scan-go scan.go', scan: './scan-go' },
  }
  const LOCKED = lockAgile(docx(), { password: 'secret' })
  const NAME = "Rechnung ü (1), it's; final.txt"

  test('all are tried, but the one for C#', () => {
    const files = readdirSync(EXAMPLES).sort()
    assert.deepEqual(files, [...Object.keys(COMMANDS), 'Scan.cs'].sort())
  })

  for (const [file, { build = 'true', scan }] of Object.entries(COMMANDS)) {
    test(`${file}: clean, infected and no verdict`, async () => {
      const place = temporaryFolder('example')
      after(() => rmSync(place, { recursive: true, force: true }))
      writeFileSync(path.join(place, file), exampleOf(file))
      writeFileSync(path.join(place, NAME), 'Dear reader')
      writeFileSync(path.join(place, 'eicar.txt'), EICAR)
      writeFileSync(path.join(place, 'locked.docx'), LOCKED)
      const { apiKey } = await signUp(service.port)
      const each = (name: string) => `${scan} "${name}" 2>&1; echo "= $?"`
      const commands = [build, ...[NAME, 'eicar.txt', 'locked.docx'].map(each), `DOCVET_KEY=wrong ${each('eicar.txt')}`]
      const env = { PATH: process.env.PATH, DOCVET_KEY: apiKey, HOME: place, LC_ALL: 'C.UTF-8' }
      const { stdout } = await run('sh', ['-uc', commands.join('\n')], { cwd: place, env })
      const [clean, infected, locked, wrong] = stdout.split(/(?<== \d)\n/)
      assert.equal(clean, 'clean\n= 0')
      assert.equal(infected, 'infected: Docvet.Test.Eicar\n= 1')
      assert.match(locked ?? '', /^no verdict: [\s\S]*encrypted_document[\s\S]*\n= 2$/)
      assert.match(wrong ?? '', /^no verdict: [\s\S]*unauthenticated[\s\S]*\n= 2$/)
      const answer = await request(service.port, 'GET', '/api/v1/scans?status=clean', { headers: withKey(apiKey) })
      assert.deepEqual(
        (answer.json() as { items: { fileName: string }[] }).items.map(({ fileName }) => fileName),
        [NAME],
      )
    })
  }
})
