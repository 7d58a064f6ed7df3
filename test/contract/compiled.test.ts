/** The first start compiles the service; the next ones use the result, and none uses code of other sources. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { workerPids } from '#test/support/embedded/engine.ts'
import { startService, temporaryFolder } from '#test/support/service.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** Copied too, because the sandbox of a worker does not follow links. */
const YARA = 'node_modules/@virustotal'
const QR = 'node_modules/qr'
const COPIED = [
  'server',
  'inspect',
  'cli',
  'packages/client/src',
  'scripts',
  'web/src/paths.ts',
  'web/src/styles/tokens.css',
  'package.json',
  'package-lock.json',
  YARA,
  QR,
]
const PROGRAMS = ['analyser.mjs', 'command.mjs', 'probe.mjs', 'service.mjs', 'worker.mjs']
const SNAPSHOT = 'worker.blob'

/** A checkout of its own, with the packages of this one. */
const checkout = temporaryFolder('checkout')
const cache = path.join(checkout, 'node_modules/.cache')
for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(checkout, name), { recursive: true })
for (const name of readdirSync(path.join(ROOT, 'node_modules')).filter((each) => !/^\.|^@virustotal$|^qr$/.test(each)))
  symlinkSync(path.join(ROOT, 'node_modules', name), path.join(checkout, 'node_modules', name))
after(() => rmSync(checkout, { recursive: true, force: true }))

const folders = () => readdirSync(path.join(cache, 'docvet')).filter((name) => name !== 'v8')

async function help(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['server/main.ts', '--help'], {
    cwd: checkout,
  })
  assert.equal(stderr, '')
  return stdout
}

/** Starts the service of the checkout; the program of its worker, below the checkout, and what the service logged of snapshots. */
async function startedWorker() {
  await using service = await startService({}, { main: path.join(checkout, 'server/main.ts') })
  const [worker] = workerPids(service.pid)
  const words = readFileSync(`/proc/${worker}/cmdline`, 'utf8')
    .split('\0')
    .map((each) => each.replace('--snapshot-blob=', ''))
  const program = words.find((each) => each.startsWith(checkout) && /worker\.\w+$/.test(each))
  const logged = service.stdoutLines().filter((line) => line.includes('snapshot')).length
  return { program: program && path.relative(checkout, program), logged }
}

test('where nothing can be written, the service runs from its sources', async () => {
  writeFileSync(cache, '')
  assert.deepEqual(await startedWorker(), { program: 'server/engines/embedded/worker.ts', logged: 0 })
  rmSync(cache)
})

test('several first starts at once compile the service, and leave one complete result', async () => {
  const texts = await Promise.all([help(), help()])
  assert.match(texts[0], /^Usage: npm start/)
  assert.equal(texts[0], texts[1])
  const [folder = '', ...others] = folders()
  assert.deepEqual(others, [])
  assert.deepEqual(readdirSync(path.join(cache, 'docvet', folder)).sort(), [...PROGRAMS, SNAPSHOT].sort())
})

test('workers start from their snapshot, and from the compiled program where that is broken or missing', async () => {
  const [folder = ''] = folders()
  const below = path.join('node_modules/.cache/docvet', folder)
  const snapshot = path.join(checkout, below, SNAPSHOT)
  assert.deepEqual(await startedWorker(), { program: path.join(below, SNAPSHOT), logged: 0 })
  const bytes = readFileSync(snapshot)
  writeFileSync(snapshot, bytes.subarray(0, bytes.length / 2))
  assert.deepEqual(await startedWorker(), { program: path.join(below, 'worker.mjs'), logged: 1 })
  rmSync(snapshot)
  assert.deepEqual(await startedWorker(), { program: path.join(below, 'worker.mjs'), logged: 0 })
  writeFileSync(snapshot, bytes)
})

test('no program has a character past Latin-1, for which V8 would keep the whole text in twice the memory', () => {
  const [folder = ''] = folders()
  for (const name of PROGRAMS) {
    const lines = readFileSync(path.join(cache, 'docvet', folder, name), 'utf8').split('\n')
    assert.deepEqual(
      lines.filter((line) => /[^\0-\xff]/.test(line)),
      [],
      `${name}: put the text into a constant, because the compiler leaves tagged templates as they are`,
    )
  }
})

/** Prints what is loaded of the client of the web, which takes as long as a tenth of the program. */
const PRINT_LOADED = `process.on('exit', () => {
  console.error(process.moduleLoadList.filter((name) => name.includes('undici')).join())
})`

test('no program loads the client of the web at its start', async () => {
  const [folder = ''] = folders()
  for (const name of ['command.mjs', 'service.mjs']) {
    const args = [`--import=data:text/javascript,${encodeURIComponent(PRINT_LOADED)}`, name, '--version']
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: path.join(cache, 'docvet', folder) })
    assert.equal(stderr, '\n', name)
  }
})

test('calls of which only the exception matters are compiled too', async () => {
  const env = { ...process.env, DOCVET_DATABASE_URL: 'postgres://ada:50%zz@localhost/docvet' }
  const start = promisify(execFile)(process.execPath, ['server/main.ts'], { cwd: checkout, env })
  await assert.rejects(start, /the user or password has a % that does not begin a percent-encoded character/)
})

test('the compiled service runs only while its sources are the same', async () => {
  const [folder = ''] = folders()
  const program = path.join(cache, 'docvet', folder, 'service.mjs')
  const text = readFileSync(program, 'utf8')
  writeFileSync(program, `process.stdout.write('compiled ');${text}`)
  assert.match(await help(), /^compiled Usage: npm start/)
  const source = path.join(checkout, 'server/config/help.ts')
  writeFileSync(source, readFileSync(source, 'utf8').replace('Usage: npm start', 'Usage: npm restart'))
  assert.match(await help(), /^Usage: npm restart/)
  assert.equal(folders().length, 2)
})
