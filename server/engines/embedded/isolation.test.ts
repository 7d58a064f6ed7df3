import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createLog } from '#base/log.ts'
import { DEFAULTS } from './engine.ts'
import { findIsolation, runProbe } from './isolation.ts'
import { ATTEMPTS } from './probe.ts'
import { CAGES, type Cage } from './sandbox.ts'
import { childPids, startEngine, until } from './stand-in/start.ts'

function titleOf({ level, unshare }: Cage): string {
  return unshare ? `${level} without network` : level
}

/** What each level denies by the words of this test, not of the code. */
const DENIED: Record<string, readonly string[]> = {
  'bwrap+prlimit': ['read', 'write', 'spawn', 'network', 'signal', 'memory'],
  'prlimit without network': ['read', 'write', 'spawn', 'network', 'memory'],
  prlimit: ['read', 'write', 'spawn', 'memory'],
  permission: ['read', 'write', 'spawn'],
}

describe('isolation', () => {
  for (const cage of CAGES) {
    it(`by ${titleOf(cage)} denies what it promises, where it works`, async (test) => {
      const report = await runProbe(cage, DEFAULTS, true)
      if (typeof report === 'string') return test.skip(report)
      const denied = ATTEMPTS.filter((attempt) => report[attempt] !== null)
      assert.deepEqual(denied, DENIED[titleOf(cage)])
      assert.equal(existsSync(path.join(tmpdir(), `docvet-probe-${process.pid}`)), false)
    })

    it(`by ${titleOf(cage)} holds the worst documents, where it works`, async (test) => {
      const lines: string[] = []
      const log = createLog({ level: 'debug', stream: { write: (line) => lines.push(line) } })
      const isolation = await findIsolation(DEFAULTS, log, [cage]).catch(() => null)
      if (isolation === null) return test.skip(lines.join(''))
      assert.match(lines.join(''), cage.level === 'bwrap+prlimit' ? /"level":"info"/ : /"level":"warn"/)
      const { engine, scan } = await startEngine({ children: 1, isolation, tuning: { scanMsMax: 3_000 } })
      try {
        assert.match(engine.health().detail ?? '', new RegExp(`^isolation ${cage.level.replace('+', '\\+')}`))
        for (const document of ['do: hog', 'do: wasm-hog', 'do: crash']) {
          assert.equal((await scan(document)).kind, 'failed')
          // A scan does not wait long for the only child to be replaced.
          await until(() => engine.health().detail?.includes('1 of 1') ?? false)
          assert.deepEqual(await scan('Dear reader'), { kind: 'clean' })
        }
      } finally {
        await engine.close()
      }
      assert.deepEqual(childPids(), [])
    })
  }

  it('is not found where nothing holds', async () => {
    const log = createLog({ level: 'silent' })
    await assert.rejects(findIsolation(DEFAULTS, log, []), /No isolation works/)
  })

  for (const cage of CAGES) {
    // Nothing but its own end of the pipe tells a child without a wrapper, and one that loops does not look.
    const document =
      cage.level === 'permission' || !(cage.level === 'bwrap+prlimit' || cage.unshare) ? 'idle' : 'do: loop'
    it(`by ${titleOf(cage)} leaves no child behind a killed parent (${document})`, async (test) => {
      const program = `
        import { startEngine } from '#engines/embedded/stand-in/start.ts'
        import { findIsolation } from '#engines/embedded/isolation.ts'
        import { DEFAULTS } from '#engines/embedded/engine.ts'
        import { createLog } from '#base/log.ts'
        const cage = ${JSON.stringify(cage)}
        const isolation = await findIsolation(DEFAULTS, createLog({ level: 'silent' }), [cage]).catch(() => process.exit(7))
        const { scan } = await startEngine({ isolation, children: 1 })
        ${document === 'idle' ? '' : `void scan('${document}')`}
        setTimeout(() => console.log('ready'), 50)
        setInterval(() => {}, 1000)`
      const root = path.join(import.meta.dirname, '../../..')
      const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { cwd: root })
      const ready = await new Promise((resolve) => {
        parent.stdout.once('data', () => resolve(true))
        parent.once('exit', () => resolve(false))
      })
      if (!ready) return test.skip('it does not work here')
      const children = childPids(parent.pid)
      assert.equal(children.length, 1)
      parent.kill('SIGKILL')
      await until(() => !existsSync(`/proc/${children[0]}`), 3_000)
    })
  }
})
