import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { breakable, childPids, type Started, startEngine, until } from './stand-in/start.ts'

const QUICK = { rulesEveryMs: 30, scansMax: 1_000_000 }
/** The letter of the proof has this word in it, so a rule that looks for it is wrong. */
const WRONG = 'reader'

describe('a rule file at fault', () => {
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
    assert.deepEqual(childPids(), [])
  })

  const put = (name: string, text: string) => writeFileSync(path.join(rulesDir, name), text)
  const remove = (name: string) => rmSync(path.join(rulesDir, name), { recursive: true })
  const detail = () => started?.engine.health().detail ?? ''
  const start = async (options: Parameters<typeof startEngine>[0] = {}) => {
    started = await startEngine({ children: 1, rulesDir, tuning: QUICK, ...options })
    return started
  }

  async function noChildIsStarted(): Promise<void> {
    await until(() => childPids().length === 1)
    const pids = childPids()
    for (let look = 0; look < 20; look++) {
      assert.deepEqual(childPids(), pids, 'a child was started for rules that are known to be bad')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('is named and left out at the start when a child fails its proof with it, and not tried again', async () => {
    put('a.yar', 'firstword')
    put('b.yar', WRONG)
    put('c.yar', 'secondword')
    put('d.yar', 'die at start')
    const { engine, scan, logged } = await start()
    assert.equal(engine.health().status, 'UP')
    const said = 'b.yar fails the proof with a harmless text, d.yar lets no child start'
    assert.ok(detail().endsWith(`; rules not in use: ${said}`), detail())
    assert.equal(logged.filter((line) => line.includes('b.yar') && line.includes('d.yar')).length, 1)
    for (const word of ['firstword', 'secondword']) assert.equal((await scan(word)).kind, 'detected')
    assert.equal((await scan(`Dear ${WRONG}`)).kind, 'clean')
    await noChildIsStarted()
    remove('b.yar')
    remove('d.yar')
    await until(() => !detail().includes('rules not in use'))
    assert.match(engine.health().signatures ?? '', /^3 rules/)
  })

  it('is named while running, the last good rules stay, and its complaint goes with it', async () => {
    put('a.yar', 'firstword')
    const { engine, scan, logged } = await start()
    for (const [name, text, said] of [
      ['b.yar', WRONG, 'fails the proof with a harmless text'],
      ['c.yar', 'die at start', 'lets no child start'],
    ] as const) {
      put(name, text)
      await until(() => detail().endsWith(`; rules not in use: ${name} ${said}`))
      assert.equal(engine.health().status, 'UP')
      await noChildIsStarted()
      assert.equal((await scan('firstword')).kind, 'detected')
      assert.equal(logged.filter((line) => line.includes(`rules of the operator cannot be used`)).length, 1)
      logged.length = 0
      remove(name)
      await until(() => !detail().includes('rules not in use'))
    }
  })

  it('is shown by name and line: no path, no text of a rule, no word of the system', async () => {
    put('bad.yar', 'syntax error')
    const { logged } = await start()
    assert.match(detail(), /; rules not in use: bad\.yar does not compile, line 7$/)
    assert.match(logged.join(''), /bad rule files: bad\.yar/)
    renameSync(rulesDir, `${rulesDir}-away`)
    await until(() => detail().endsWith('; rules not in use: the folder of the rules cannot be read'))
    assert.match(logged.join(''), /ENOENT/)
    assert.ok(!detail().includes(folder))
    // It is the same folder again, and as bad as before.
    renameSync(`${rulesDir}-away`, rulesDir)
    await until(() => detail().endsWith('; rules not in use: bad.yar does not compile, line 7'))
  })

  it('is not looked for in a good folder that was away', async () => {
    put('a.yar', 'firstword')
    const { scan } = await start()
    const pids = childPids()
    renameSync(rulesDir, `${rulesDir}-away`)
    await until(() => detail().includes('cannot be read'))
    assert.equal((await scan('firstword')).kind, 'detected')
    renameSync(`${rulesDir}-away`, rulesDir)
    await until(() => !detail().includes('rules not in use'))
    assert.deepEqual(childPids(), pids)
  })

  it('is also a pipe, a folder, a device or a link to nowhere; a link to a file is a file', async () => {
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
    await noChildIsStarted()
    for (const name of ['a-pipe.yar', 'b-folder.yar', 'c-device.yar', 'd-nowhere.yar']) remove(name)
    await until(() => !detail().includes('rules not in use'))
    execFileSync('mkfifo', [path.join(rulesDir, 'f-pipe.yar')])
    await until(() => detail().includes('f-pipe.yar is not a file'))
    assert.equal((await scan('linkedword')).kind, 'detected')
  })

  it('is not blamed when no child starts without it either', async () => {
    put('a.yar', 'firstword')
    let broken = false
    const { logged } = await start({ analyser: breakable(() => broken) })
    broken = true
    put('b.yar', 'secondword')
    await until(() => detail().endsWith('; rules not in use: the log says why'))
    broken = false
    await until(() => started?.engine.health().signatures?.startsWith('3 rules') === true)
    assert.doesNotMatch(detail(), /rules not in use/)
    assert.doesNotMatch(logged.join(''), /b\.yar/)
  })

  it('does not keep the engine from closing while it is looked for', async () => {
    const { engine } = await start()
    put('a.yar', 'hang at start')
    await until(() => childPids().length === 2)
    const startedAt = performance.now()
    await engine.close()
    assert.ok(performance.now() - startedAt < 2_000)
    started = undefined
  })
})
