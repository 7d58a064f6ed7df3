import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startEngine, until, workerPids } from '#test/support/embedded/engine.ts'

/** So that workers are replaced for no other reason. */
const QUICK = { rulesEveryMs: 30, scansMax: 1_000_000 }

describe('operator rules', () => {
  let rulesDir: string
  before(() => {
    rulesDir = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
  })
  beforeEach(() => {
    rmSync(rulesDir, { recursive: true, force: true })
    rulesDir = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
  })
  after(() => rmSync(rulesDir, { recursive: true, force: true }))

  function put(name: string, text: string): void {
    writeFileSync(path.join(rulesDir, name), text)
  }

  it('are reloaded when all files compile, and kept when one does not', async () => {
    put('mine.yar', 'firstword')
    utimesSync(path.join(rulesDir, 'mine.yar'), 2_000_000_000, 2_000_000_000)
    const { engine, scan, logged } = await startEngine({ rulesDir, tuning: QUICK })
    try {
      const first = workerPids()
      assert.equal((await scan('a firstword here')).kind, 'detected')
      assert.equal(engine.health().signaturesAt, '2033-05-18T03:33:20.000Z')
      assert.match(engine.health().signatures ?? '', /^2 rules/)

      // Scans continue meanwhile, and none is lost.
      let stop = false
      const scans = (async () => {
        for (let count = 0; ; count++) {
          const outcomes = await Promise.all([scan('ownbadword'), scan('harmless')])
          assert.deepEqual(
            outcomes.map(({ kind }) => kind),
            ['detected', 'clean'],
          )
          if (stop) return count
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      })()

      put('mine.yar', 'secondword')
      put('more.yara', 'thirdword')
      await until(() => /^3 rules/.test(engine.health().signatures ?? ''))
      // As soon as health reports the new rules, no scan uses the old ones.
      const after = await Promise.all(Array.from({ length: 20 }, () => scan('secondword')))
      assert.deepEqual([...new Set(after.map(({ kind }) => kind))], ['detected'])
      await until(() => workerPids().length === 2 && first.every((pid) => !workerPids().includes(pid)))
      assert.equal((await scan('a firstword here')).kind, 'clean')
      for (const word of ['secondword', 'thirdword']) assert.equal((await scan(word)).kind, 'detected')

      const good = workerPids()
      put('more.yara', 'syntax error')
      await until(() => engine.health().detail?.includes('more.yara does not compile, line 7') ?? false)
      assert.equal(engine.health().status, 'UP')
      await until(() => workerPids().length === 2)
      for (let look = 0; look < 30; look++) {
        assert.deepEqual(workerPids(), good, 'a worker was started for rules that are known to be rejected')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      assert.equal((await scan('thirdword')).kind, 'detected')
      const complaints = logged.filter((line) => line.includes('bad rule files: more.yara'))
      assert.equal(complaints.length, 1, 'a rejected file is logged once, not at every poll')

      put('more.yara', 'fourthword')
      await until(() => engine.health().signatures?.includes('fourthword') ?? false)
      assert.doesNotMatch(engine.health().detail ?? '', /rules not in use/)
      await until(() => workerPids().length === 2 && good.every((pid) => !workerPids().includes(pid)))
      assert.equal((await scan('thirdword')).kind, 'clean')
      assert.equal((await scan('fourthword')).kind, 'detected')

      rmSync(path.join(rulesDir, 'more.yara'))
      await until(() => /^2 rules/.test(engine.health().signatures ?? ''))
      stop = true
      assert.ok((await scans) > 10)
    } finally {
      await engine.close()
    }
    assert.deepEqual(workerPids(), [])
  })

  it('that do not compile at start are left out and named; the others are used', async () => {
    put('bad.yar', 'syntax error')
    // Its name ends like that of the rejected one.
    put('d.yar', 'goodword')
    put('notes.txt', 'syntax error')
    const { engine, scan } = await startEngine({ workers: 1, rulesDir, tuning: QUICK })
    try {
      assert.equal((await scan('goodword')).kind, 'detected')
      assert.equal(engine.health().status, 'UP')
      assert.match(engine.health().detail ?? '', /rules not in use: bad\.yar does not compile, line 7$/)
      put('bad.yar', 'betterword')
      await until(() => /^3 rules/.test(engine.health().signatures ?? ''))
      assert.doesNotMatch(engine.health().detail ?? '', /rules not in use/)
    } finally {
      await engine.close()
    }
  })

  it('stay in use when their folder is removed, and are loaded when it appears', async () => {
    const missing = path.join(rulesDir, 'later')
    const { engine } = await startEngine({ workers: 1, rulesDir: missing, tuning: QUICK })
    try {
      assert.match(engine.health().detail ?? '', /rules not in use: the rules folder cannot be read$/)
      mkdirSync(missing)
      writeFileSync(path.join(missing, 'a.yar'), 'laterword')
      await until(() => /^2 rules/.test(engine.health().signatures ?? ''))
      rmSync(missing, { recursive: true })
      await until(() => engine.health().detail?.includes('cannot be read') ?? false)
      assert.match(engine.health().signatures ?? '', /^2 rules/)
    } finally {
      await engine.close()
    }
  })

  it('that crash a worker change nothing', async () => {
    const { engine, scan } = await startEngine({ workers: 1, rulesDir, tuning: QUICK })
    try {
      put('deadly.yar', 'die at start')
      await until(() => engine.health().detail?.includes('rules not in use') ?? false)
      assert.equal(engine.health().status, 'UP')
      assert.equal((await scan('harmless')).kind, 'clean')
    } finally {
      await engine.close()
    }
    assert.deepEqual(workerPids(), [])
  })
})
