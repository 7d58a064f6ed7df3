import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { childPids, startEngine, until } from './stand-in/start.ts'

/** No child is replaced for any other reason. */
const QUICK = { rulesEveryMs: 30, scansMax: 1_000_000 }

describe('rules of the operator', () => {
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

  it('are exchanged when they are good, and kept when the new ones are bad', async () => {
    put('mine.yar', 'firstword')
    utimesSync(path.join(rulesDir, 'mine.yar'), 2_000_000_000, 2_000_000_000)
    const { engine, scan, logged } = await startEngine({ rulesDir, tuning: QUICK })
    try {
      const first = childPids()
      assert.equal((await scan('a firstword here')).kind, 'detected')
      assert.equal(engine.health().signaturesAt, '2033-05-18T03:33:20.000Z')
      assert.match(engine.health().signatures ?? '', /^2 rules/)

      // Scans go on all the while, and none is lost.
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
      // From the moment at which health tells of them, no scan goes by the old ones.
      const after = await Promise.all(Array.from({ length: 20 }, () => scan('secondword')))
      assert.deepEqual([...new Set(after.map(({ kind }) => kind))], ['detected'])
      await until(() => childPids().length === 2 && first.every((pid) => !childPids().includes(pid)))
      assert.equal((await scan('a firstword here')).kind, 'clean')
      for (const word of ['secondword', 'thirdword']) assert.equal((await scan(word)).kind, 'detected')

      const good = childPids()
      put('more.yara', 'syntax error')
      await until(() => engine.health().detail?.includes('more.yara does not compile, line 7') ?? false)
      assert.equal(engine.health().status, 'UP')
      await until(() => childPids().length === 2)
      for (let look = 0; look < 30; look++) {
        assert.deepEqual(childPids(), good, 'a child was started for rules that are known to be bad')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      assert.equal((await scan('thirdword')).kind, 'detected')
      const complaints = logged.filter((line) => line.includes('bad rule files: more.yara'))
      assert.equal(complaints.length, 1, 'a bad file is named once, not at every look')

      put('more.yara', 'fourthword')
      await until(() => engine.health().signatures?.includes('fourthword') ?? false)
      assert.doesNotMatch(engine.health().detail ?? '', /rules not in use/)
      await until(() => childPids().length === 2 && good.every((pid) => !childPids().includes(pid)))
      assert.equal((await scan('thirdword')).kind, 'clean')
      assert.equal((await scan('fourthword')).kind, 'detected')

      rmSync(path.join(rulesDir, 'more.yara'))
      await until(() => /^2 rules/.test(engine.health().signatures ?? ''))
      stop = true
      assert.ok((await scans) > 10)
    } finally {
      await engine.close()
    }
    assert.deepEqual(childPids(), [])
  })

  it('that are bad at the start are left out and named, the others count', async () => {
    put('bad.yar', 'syntax error')
    // Its name ends like that of the bad one.
    put('d.yar', 'goodword')
    put('notes.txt', 'syntax error')
    const { engine, scan } = await startEngine({ children: 1, rulesDir, tuning: QUICK })
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

  it('are not lost with their folder, and found when it comes', async () => {
    const missing = path.join(rulesDir, 'later')
    const { engine } = await startEngine({ children: 1, rulesDir: missing, tuning: QUICK })
    try {
      assert.match(engine.health().detail ?? '', /rules not in use: the folder of the rules cannot be read$/)
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

  it('that end a child instead of being refused change nothing', async () => {
    const { engine, scan } = await startEngine({ children: 1, rulesDir, tuning: QUICK })
    try {
      put('deadly.yar', 'die at start')
      await until(() => engine.health().detail?.includes('rules not in use') ?? false)
      assert.equal(engine.health().status, 'UP')
      assert.equal((await scan('harmless')).kind, 'clean')
    } finally {
      await engine.close()
    }
    assert.deepEqual(childPids(), [])
  })
})
