import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { breakable, type Started, startEngine, until, workerPids } from '#test/support/embedded/engine.ts'

const QUICK = { rulesEveryMs: 30, scansMax: 1_000_000 }
/** The harmless text of the self-test contains this word, so a rule that matches it fails the self-test. */
const WRONG = 'reader'

describe('a rejected rule file', () => {
  let folder: string
  let rulesDir: string
  let started: Started | undefined
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
    rulesDir = path.join(folder, 'rules')
    mkdirSync(rulesDir)
  })
  afterEach(async () => {
    await started?.engine.close()
    started = undefined
    rmSync(folder, { recursive: true, force: true })
    assert.deepEqual(workerPids(), [])
  })

  const put = (name: string, text: string) => writeFileSync(path.join(rulesDir, name), text)
  const remove = (name: string) => rmSync(path.join(rulesDir, name), { recursive: true })
  const detail = () => started?.engine.health().detail ?? ''
  const start = async (options: Parameters<typeof startEngine>[0] = {}) => {
    started = await startEngine({ workers: 1, rulesDir, tuning: QUICK, ...options })
    return started
  }

  async function noWorkerIsStarted(): Promise<void> {
    await until(() => workerPids().length === 1)
    const pids = workerPids()
    for (let look = 0; look < 20; look++) {
      assert.deepEqual(workerPids(), pids, 'a worker was started for rules that are known to be rejected')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('is named and left out at start when a worker fails its self-test with it, and not tried again', async () => {
    put('a.yar', 'firstword')
    put('b.yar', WRONG)
    put('c.yar', 'secondword')
    put('d.yar', 'die at start')
    const { engine, scan, logged } = await start()
    assert.equal(engine.health().status, 'UP')
    const said = 'b.yar fails the self-test with a harmless text, d.yar prevents workers from starting'
    assert.ok(detail().endsWith(`; rules not in use: ${said}`), detail())
    assert.equal(logged.filter((line) => line.includes('b.yar') && line.includes('d.yar')).length, 1)
    for (const word of ['firstword', 'secondword']) assert.equal((await scan(word)).kind, 'detected')
    assert.equal((await scan(`Dear ${WRONG}`)).kind, 'clean')
    await noWorkerIsStarted()
    remove('b.yar')
    remove('d.yar')
    await until(() => !detail().includes('rules not in use'))
    assert.match(engine.health().signatures ?? '', /^3 rules/)
  })

  it('is named while running; the last good rules stay, and its problem disappears with it', async () => {
    put('a.yar', 'firstword')
    const { engine, scan, logged } = await start()
    for (const [name, text, said] of [
      ['b.yar', WRONG, 'fails the self-test with a harmless text'],
      ['c.yar', 'die at start', 'prevents workers from starting'],
    ] as const) {
      put(name, text)
      await until(() => detail().endsWith(`; rules not in use: ${name} ${said}`))
      assert.equal(engine.health().status, 'UP')
      await noWorkerIsStarted()
      assert.equal((await scan('firstword')).kind, 'detected')
      assert.equal(logged.filter((line) => line.includes('Operator rules rejected')).length, 1)
      logged.length = 0
      remove(name)
      await until(() => !detail().includes('rules not in use'))
    }
  })

  it('is shown by name and line, without paths, rule text or system errors', async () => {
    put('bad.yar', 'syntax error')
    const { logged } = await start()
    assert.match(detail(), /; rules not in use: bad\.yar does not compile, line 7$/)
    assert.match(logged.join(''), /bad rule files: bad\.yar/)
    renameSync(rulesDir, `${rulesDir}-away`)
    await until(() => detail().endsWith('; rules not in use: the rules folder cannot be read'))
    assert.match(logged.join(''), /ENOENT/)
    assert.ok(!detail().includes(folder))
    // The same folder again, with the same rejected file.
    renameSync(`${rulesDir}-away`, rulesDir)
    await until(() => detail().endsWith('; rules not in use: bad.yar does not compile, line 7'))
  })

  it('is not searched for when a good folder was missing for a while', async () => {
    put('a.yar', 'firstword')
    const { scan } = await start()
    const pids = workerPids()
    renameSync(rulesDir, `${rulesDir}-away`)
    await until(() => detail().includes('cannot be read'))
    assert.equal((await scan('firstword')).kind, 'detected')
    renameSync(`${rulesDir}-away`, rulesDir)
    await until(() => !detail().includes('rules not in use'))
    assert.deepEqual(workerPids(), pids)
  })

  it('may be a pipe, a folder, a device or a broken link; a link to a file is a file', async () => {
    writeFileSync(path.join(folder, 'elsewhere'), 'linkedword')
    execFileSync('mkfifo', [path.join(rulesDir, 'a-pipe.yar')])
    mkdirSync(path.join(rulesDir, 'b-folder.yar'))
    symlinkSync('/dev/zero', path.join(rulesDir, 'c-device.yar'))
    symlinkSync('nowhere', path.join(rulesDir, 'd-nowhere.yar'))
    symlinkSync(path.join(folder, 'elsewhere'), path.join(rulesDir, 'e-link.yar'))
    const { scan } = await start()
    assert.equal((await scan('linkedword')).kind, 'detected')
    const said = 'a-pipe.yar is not a file, b-folder.yar is not a file, c-device.yar is not a file'
    assert.ok(detail().endsWith(`; rules not in use: ${said}, d-nowhere.yar cannot be read`), detail())
    await noWorkerIsStarted()
    for (const name of ['a-pipe.yar', 'b-folder.yar', 'c-device.yar', 'd-nowhere.yar']) remove(name)
    await until(() => !detail().includes('rules not in use'))
    execFileSync('mkfifo', [path.join(rulesDir, 'f-pipe.yar')])
    await until(() => detail().includes('f-pipe.yar is not a file'))
    assert.equal((await scan('linkedword')).kind, 'detected')
  })

  it('is not blamed when no worker starts without it either', async () => {
    put('a.yar', 'firstword')
    let broken = false
    const { logged } = await start({ analyser: breakable(() => broken) })
    broken = true
    put('b.yar', 'secondword')
    await until(() => detail().endsWith('; rules not in use: see the log'))
    broken = false
    await until(() => started?.engine.health().signatures?.startsWith('3 rules') === true)
    assert.doesNotMatch(detail(), /rules not in use/)
    assert.doesNotMatch(logged.join(''), /b\.yar/)
  })

  it('does not keep the engine from closing while it is searched for', async () => {
    const { engine } = await start()
    put('a.yar', 'hang at start')
    await until(() => workerPids().length === 2)
    await engine.close()
    started = undefined
  })
})
