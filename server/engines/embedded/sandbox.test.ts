import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createLog } from '#base/log.ts'
import { startEngine, until, workerPids } from '#test/support/embedded/engine.ts'
import { commandLine, launch, SANDBOXES, type Sandbox } from './sandbox.ts'
import { ATTEMPTS } from './sandbox-probe.ts'
import { runProbe, STRONGEST, selectSandbox } from './select-sandbox.ts'
import { DEFAULTS } from './tuning.ts'

function titleOf({ level, unshare, seccomp, landlock }: Sandbox): string {
  if (landlock) return `${level} with Landlock`
  return unshare ? `${level} without network` : seccomp ? `${level} with a filter` : level
}

/** The denials of each level, stated independently of the code. */
const DENIED: Record<string, readonly string[]> = {
  'bwrap+prlimit with a filter': ['read', 'write', 'spawn', 'network', 'signal', 'memory'],
  'bwrap+prlimit': ['read', 'write', 'spawn', 'network', 'signal', 'memory'],
  'prlimit with Landlock': ['read', 'write', 'spawn', 'network', 'signal', 'memory'],
  'prlimit without network': ['read', 'write', 'spawn', 'network', 'memory'],
  prlimit: ['read', 'write', 'spawn', 'memory'],
  permission: ['read', 'write', 'spawn'],
}

describe('the sandbox', () => {
  for (const sandbox of SANDBOXES) {
    it(`${titleOf(sandbox)} denies what it promises, where it is usable`, async (test) => {
      const report = await runProbe(sandbox, DEFAULTS, true)
      if (typeof report === 'string') return test.skip(report)
      const denied = ATTEMPTS.filter((attempt) => report[attempt] !== null)
      assert.deepEqual(denied, DENIED[titleOf(sandbox)])
      assert.equal(existsSync(path.join(tmpdir(), `docvet-probe-${process.pid}`)), false)
    })

    // Without its filter, bwrap contains them all the same.
    if (sandbox.level === STRONGEST && !sandbox.seccomp) continue
    it(`${titleOf(sandbox)} contains the worst documents, where it is usable`, async (test) => {
      const isStrong = sandbox.level === 'bwrap+prlimit' || sandbox.landlock === true
      const lines: string[] = []
      const log = createLog({ level: 'debug', stream: { write: (line) => lines.push(line) } })
      const selected = await selectSandbox(DEFAULTS, log, [sandbox]).catch(() => null)
      if (selected === null) return test.skip(lines.join(''))
      assert.match(lines.join(''), isStrong ? /"level":"info"/ : /"level":"warn"/)
      const { engine, scan } = await startEngine({ workers: 1, sandbox: selected, tuning: { scanMsMax: 3_000 } })
      try {
        assert.match(engine.health().detail ?? '', new RegExp(`^sandbox ${sandbox.level.replace('+', '\\+')}`))
        assert.equal(engine.health().isDegraded ?? false, !isStrong)
        for (const document of ['do: hog', 'do: wasm-hog', 'do: crash']) {
          // A document that ends both workers is unscannable; it only fails while no second worker is ready.
          assert.match((await scan(document)).kind, /^(?:failed|unscannable)$/)
          // A scan does not wait long for the only worker to be replaced.
          await until(() => engine.health().detail?.includes('1 of 1') ?? false)
          assert.deepEqual(await scan('Dear reader'), { kind: 'clean' })
        }
      } finally {
        await engine.close()
      }
      assert.deepEqual(workerPids(), [])
    })
  }

  it('bwrap shows a worker its own files and the libraries of its program, nothing else', async (test) => {
    const [strongest] = SANDBOXES
    assert.equal(strongest?.level, STRONGEST)
    const file = path.join(import.meta.dirname, '../../../test/support/embedded/inside.ts')
    const [program = '', ...args] =
      commandLine(strongest, DEFAULTS, { file, args: [], read: [], permission: false }) ?? []
    if (program === '') return test.skip('bubblewrap is not installed')
    const child = launch([program, ...args])
    const [stdout, stderr] = (await Promise.all([child.stdout.toArray(), child.stderr.toArray()])).map(String)
    if (!stdout) return test.skip(stderr)
    const { files, seccomp, kinds } = JSON.parse(stdout) as { files: string[]; seccomp: string; kinds: string[] }
    assert.equal(seccomp, '2')
    assert.ok(!kinds.some((kind) => kind.includes('io_uring')), kinds.join())
    assert.ok(files.length < 30, `${files.length} files`)
    const isExpected = (each: string) => /\/(?:lib[\w.+-]*|ld[\w-]*)\.so(?:\.\d+)*$/.test(each)
    assert.deepEqual(
      files
        .filter((each) => !isExpected(each))
        .map((each) => path.basename(each))
        .sort(),
      ['inside.ts', 'node', 'prlimit'],
    )
  })

  it('denies files also to a worker that has escaped from Node', async () => {
    for (const sandbox of SANDBOXES.filter(({ level, landlock }) => level === STRONGEST || landlock)) {
      const report = await runProbe(sandbox, DEFAULTS, false)
      assert.ok(typeof report !== 'string', String(report))
      const denied = ATTEMPTS.filter((attempt) => report[attempt] !== null)
      assert.deepEqual(denied, ['read', 'write', 'network', 'signal', 'memory'], titleOf(sandbox))
    }
  })

  describe('an attacker who runs code of his choice in a worker', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvet-attacked-'))
    const database = path.join(folder, 'docvet.sqlite')
    const socket = path.join(folder, 'socket')
    const abstract = `docvet-attacked-${process.pid}`
    const tcp = createServer((each) => each.destroy())
    const unix = createServer((each) => each.destroy())
    const hidden = createServer((each) => each.destroy())
    const signals: string[] = []
    const noteSignal = (name: string) => signals.push(name)
    before(async () => {
      writeFileSync(database, 'secret')
      tcp.listen(0, '127.0.0.1')
      unix.listen(socket)
      hidden.listen(`\0${abstract}`)
      await Promise.all([tcp, unix, hidden].map((each) => once(each, 'listening')))
      process.on('SIGWINCH', noteSignal)
    })
    after(() => {
      for (const each of [tcp, unix, hidden]) each.close()
      process.off('SIGWINCH', noteSignal)
      rmSync(folder, { recursive: true })
    })

    async function attack(sandbox: Sandbox): Promise<{ report: Record<string, string | null>; environment: string[] }> {
      const file = path.join(import.meta.dirname, '../../../test/support/embedded/attacker.ts')
      const port = String((tcp.address() as AddressInfo).port)
      const args = [database, String(process.pid), port, socket, abstract]
      const command = commandLine(sandbox, DEFAULTS, { file, args, read: [], permission: false })
      const child = launch(command ?? [])
      const [stdout, stderr] = (await Promise.all([child.stdout.toArray(), child.stderr.toArray()])).map(String)
      return JSON.parse(stdout || `"${stderr}"`)
    }

    for (const sandbox of SANDBOXES.filter(
      ({ level, landlock, seccomp }) => landlock || (level === STRONGEST && seccomp),
    ))
      it(`reaches nothing under ${titleOf(sandbox)}`, async () => {
        const { mtimeMs, mode, uid } = statSync(database)
        const { report, environment } = await attack(sandbox)
        assert.deepEqual(
          Object.keys(report).filter((attempt) => report[attempt] === null),
          [],
        )
        assert.deepEqual(
          environment.filter((name) => !/^(?:MALLOC_\w+|OPENSSL_CONF|LD_LIBRARY_PATH|PWD)$/.test(name)),
          [],
        )
        assert.equal(readFileSync(database, 'utf8'), 'secret')
        const now = statSync(database)
        assert.deepEqual([now.mtimeMs, now.mode, now.uid, signals], [mtimeMs, mode, uid, []])
      })

    it('reaches all of it without a sandbox, so that the attempts are real', async () => {
      const { report } = await attack({ level: 'permission', unshare: false })
      assert.deepEqual(
        Object.keys(report).filter((attempt) => report[attempt] !== null),
        [],
      )
    })
  })

  it('is an error where none is usable', async () => {
    const log = createLog({ level: 'silent' })
    await assert.rejects(selectSandbox(DEFAULTS, log, []), /No sandbox is usable/)
  })

  for (const sandbox of SANDBOXES.filter(({ level, seccomp }) => level !== STRONGEST || seccomp)) {
    // Without a wrapper program only the closed pipe ends a worker, and one that loops does not read it.
    const document = sandbox.level === 'bwrap+prlimit' || sandbox.unshare || sandbox.landlock ? 'do: loop' : 'idle'
    it(`${titleOf(sandbox)} leaves no worker behind a killed parent (${document})`, async (test) => {
      const program = `
        import { startEngine } from '#test/support/embedded/engine.ts'
        import { selectSandbox } from '#engines/embedded/select-sandbox.ts'
        import { DEFAULTS } from '#engines/embedded/tuning.ts'
        import { createLog } from '#base/log.ts'
        const log = createLog({ level: 'silent' })
        const sandbox = await selectSandbox(DEFAULTS, log, [${JSON.stringify(sandbox)}]).catch(() => process.exit(7))
        const { scan } = await startEngine({ sandbox, workers: 1 })
        ${document === 'idle' ? '' : `void scan('${document}')`}
        setTimeout(() => console.log('ready'), 50)
        setInterval(() => {}, 1000)`
      const root = path.join(import.meta.dirname, '../../..')
      const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { cwd: root })
      const ready = await new Promise((resolve) => {
        parent.stdout.once('data', () => resolve(true))
        parent.once('exit', () => resolve(false))
      })
      if (!ready) return test.skip('not usable here')
      const workers = workerPids(parent.pid)
      assert.equal(workers.length, 1)
      parent.kill('SIGKILL')
      await until(() => !existsSync(`/proc/${workers[0]}`))
    })
  }
})
