/** One outage at a time: responses and health while an engine is dead, frozen or misconfigured. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDice, everyDocument, type FaultDocument, lines } from '#test/support/scan-documents.ts'
import { descendants, signalTo, until } from '#test/support/scan-process.ts'
import { type Done, type ScanRig, startScanRig } from '#test/support/scan-rig.ts'
import { needs } from '#test/support/suite.ts'

const DEADLINE_MS = 3_000
const HEALTH_MS_MAX = 60_000
const TEST_TIMEOUT_MS = 150_000

describe('outages of engines', { ...needs('clamd'), timeout: 3 * TEST_TIMEOUT_MS }, () => {
  let rig: ScanRig
  let count = 0
  const letter = (): FaultDocument => ({ kind: 'letter', infected: false, bytes: lines(1_000, `outage ${count++}`) })
  const scanLetter = (): Promise<Done> => rig.scans.scan(letter())

  before(async () => {
    rig = await startScanRig(createDice(1), { deadlineMs: DEADLINE_MS, proxies: 0 })
  })
  after(async () => {
    await rig?.[Symbol.asyncDispose]()
  })

  function assertRefused({ status, said, retryAfter, ms }: Done, code: RegExp): void {
    const shown = `${status} ${said} after ${Math.round(ms)} ms`
    assert.equal(status, 503, shown)
    assert.match(said, code, shown)
    assert.ok(Number(retryAfter) >= 1, `Retry-After is ${retryAfter}`)
  }

  async function untilHealth(status: 'UP' | 'DOWN'): Promise<string> {
    const took = await until(async () => (await rig.scans.health()).status === status, HEALTH_MS_MAX)
    assert.ok(took !== null, `not ${status} within a minute: ${(await rig.scans.health()).body}`)
    return `${status} after ${Math.round(took)} ms`
  }

  async function goodAgain(): Promise<void> {
    const { status, said } = await scanLetter()
    assert.deepEqual([status, said], [200, 'clean'])
  }

  test('clamd dead: 503 and health DOWN, then back', { timeout: TEST_TIMEOUT_MS }, async () => {
    await goodAgain()
    await rig.clamd.kill()
    const answers: Done[] = []
    for (let i = 0; i < 12; i++) answers.push(await scanLetter())
    for (const answer of answers) assertRefused(answer, /^engine_unavailable$/)
    const down = await untilHealth('DOWN')
    // The other engine's word stands: what it finds is infected, whoever else is silent.
    const eicar = everyDocument('outage').find(({ kind }) => kind === 'plain for both') as FaultDocument
    assert.equal((await rig.scans.scan(eicar)).said, 'infected')
    await rig.clamd.start()
    const up = await untilHealth('UP')
    await goodAgain()
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    console.log(`  dead: refused within ${Math.round(slowest)} ms; health ${down}, ${up}`)
  })

  test('clamd frozen: 503 at the deadline, 503 without waiting once it is known, then back', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    rig.clamd.freeze()
    const first = await scanLetter()
    assertRefused(first, /^scan_timeout$/)
    const started = performance.now()
    const [down] = await Promise.all([untilHealth('DOWN'), scanLetter(), scanLetter()])
    const noticed = Math.round(performance.now() - started)
    const late = await scanLetter()
    assertRefused(late, /^engine_unavailable$/)
    rig.clamd.thaw()
    const up = await untilHealth('UP')
    await goodAgain()
    console.log(`  frozen: refused after ${Math.round(first.ms)} ms; health ${down} (${noticed} ms), ${up}`)
  })

  test('clamd frozen: 503 without waiting after five scans reached the deadline', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    rig.clamd.freeze()
    const frozen = await Promise.all(Array.from({ length: 6 }, scanLetter))
    for (const answer of frozen) assertRefused(answer, /^scan_timeout$/)
    assertRefused(await scanLetter(), /^engine_unavailable$/)
    rig.clamd.thaw()
    await rig.untilReady()
    await goodAgain()
  })

  test('clamd frozen for a moment: the next scan succeeds', { timeout: TEST_TIMEOUT_MS }, async () => {
    rig.clamd.freeze()
    assertRefused(await scanLetter(), /^scan_timeout$/)
    rig.clamd.thaw()
    await goodAgain()
  })

  test('workers killed: a verdict or 503, and they are replaced', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await rig.untilReady()
    const { pid } = rig.scans.service
    for (let round = 0; round < 3; round++) {
      for (const child of descendants(pid)) signalTo(child, 'SIGKILL')
      // The first may still be given to the dead; when the second comes, it is known that nobody is there.
      for (const which of ['first', 'second']) {
        const answer = await scanLetter()
        console.log(`  children killed, ${which}: ${answer.status} ${answer.said} after ${Math.round(answer.ms)} ms`)
        if (answer.status === 200) assert.equal(answer.said, 'clean')
        else assertRefused(answer, /^engine_unavailable$/)
      }
      await untilHealth('UP')
      await goodAgain()
    }
  })

  test('workers frozen: 503 at the deadline, then they are replaced', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { pid } = rig.scans.service
    // One that is being started would not be among the frozen, and look at the documents.
    const full = await until(async () => /(\d+) of \1 workers ready/.test((await rig.scans.health()).body), 30_000)
    assert.ok(full !== null, (await rig.scans.health()).body)
    const before = descendants(pid)
    for (const child of before) signalTo(child, 'SIGSTOP')
    const answers = await Promise.all([scanLetter(), scanLetter(), scanLetter(), scanLetter()])
    for (const answer of answers) assertRefused(answer, /^scan_timeout$/)
    const back = await until(async () => (await scanLetter()).status === 200, 15_000)
    assert.ok(back !== null, 'no scan within 15 s')
    for (const child of before) signalTo(child, 'SIGCONT')
    console.log(`  children frozen: scans again after ${Math.round(back)} ms`)
  })

  test('clamd misconfigured: health notices without a scan', { timeout: TEST_TIMEOUT_MS }, async () => {
    await rig.untilReady()
    await rig.clamd.kill()
    await rig.clamd.start({ MaxFileSize: '50M' })
    const down = await untilHealth('DOWN')
    const { body } = await rig.scans.health()
    assert.match(body, /set MaxFileSize 400M/, body)
    assertRefused(await scanLetter(), /^engine_unavailable$/)
    await rig.clamd.kill()
    await rig.clamd.start({ MaxFileSize: '400M' })
    const up = await untilHealth('UP')
    await goodAgain()
    console.log(`  badly set up, and nobody scans: health ${down}, ${up}`)
  })

  test('stops with all its processes and leaves nothing behind', { timeout: TEST_TIMEOUT_MS }, () => rig.scans.stop())
})
