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

  /** `scan_timeout` shows that the scan waited for its deadline, `engine_unavailable` that it did not. */
  function assertRejected({ status, said, retryAfter }: Done, code: 'scan_timeout' | 'engine_unavailable'): void {
    assert.deepEqual([status, said], [503, code])
    assert.ok(Number(retryAfter) >= 1, `Retry-After is ${retryAfter}`)
  }

  async function untilHealth(status: 'UP' | 'DOWN'): Promise<string> {
    const took = await until(async () => (await rig.scans.health()).status === status, HEALTH_MS_MAX)
    assert.ok(took !== null, `not ${status} within a minute: ${(await rig.scans.health()).body}`)
    return `${status} after ${Math.round(took)} ms`
  }

  async function scanIsClean(): Promise<void> {
    const { status, said } = await scanLetter()
    assert.deepEqual([status, said], [200, 'clean'])
  }

  test('clamd dead: rejected without waiting for the deadline, and health is DOWN', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await scanIsClean()
    await rig.clamd.kill()
    const answers: Done[] = []
    for (let i = 0; i < 12; i++) answers.push(await scanLetter())
    for (const answer of answers) assertRejected(answer, 'engine_unavailable')
    const down = await untilHealth('DOWN')
    // A threat found by the other engine still counts.
    const eicar = everyDocument('outage').find(({ kind }) => kind === 'plain for both') as FaultDocument
    assert.equal((await rig.scans.scan(eicar)).said, 'infected')
    await rig.clamd.start()
    const up = await untilHealth('UP')
    await scanIsClean()
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    console.log(`  dead: rejected within ${Math.round(slowest)} ms; health ${down}, ${up}`)
  })

  test('clamd frozen: rejected at the deadline, and clean again after the thaw', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    rig.clamd.freeze()
    const first = await scanLetter()
    assertRejected(first, 'scan_timeout')
    const started = performance.now()
    const [down] = await Promise.all([untilHealth('DOWN'), scanLetter(), scanLetter()])
    const noticed = Math.round(performance.now() - started)
    const late = await scanLetter()
    assertRejected(late, 'engine_unavailable')
    rig.clamd.thaw()
    const up = await untilHealth('UP')
    await scanIsClean()
    console.log(`  frozen: rejected after ${Math.round(first.ms)} ms; health ${down} (${noticed} ms), ${up}`)
  })

  test('clamd frozen: after five timeouts, scans do not wait for the deadline', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    rig.clamd.freeze()
    const frozen = await Promise.all(Array.from({ length: 6 }, scanLetter))
    for (const answer of frozen) assertRejected(answer, 'scan_timeout')
    assertRejected(await scanLetter(), 'engine_unavailable')
    rig.clamd.thaw()
    await rig.untilReady()
    await scanIsClean()
  })

  test('clamd frozen briefly: the next scan after the thaw is clean', { timeout: TEST_TIMEOUT_MS }, async () => {
    rig.clamd.freeze()
    assertRejected(await scanLetter(), 'scan_timeout')
    rig.clamd.thaw()
    await scanIsClean()
  })

  test('workers killed: a verdict or a rejection without waiting for the deadline, then replaced', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await rig.untilReady()
    const { pid } = rig.scans.service
    for (let round = 0; round < 3; round++) {
      for (const worker of descendants(pid)) signalTo(worker, 'SIGKILL')
      // The first may still go to a dead worker; the second finds none.
      for (const which of ['first', 'second']) {
        const answer = await scanLetter()
        console.log(`  workers killed, ${which}: ${answer.status} ${answer.said} after ${Math.round(answer.ms)} ms`)
        if (answer.status === 200) assert.equal(answer.said, 'clean')
        else assertRejected(answer, 'engine_unavailable')
      }
      await untilHealth('UP')
      await scanIsClean()
    }
  })

  test('workers frozen: rejected at the deadline, then replaced', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { pid } = rig.scans.service
    // A worker that is still starting would not be frozen, and scan the documents.
    const full = await until(async () => /(\d+) of \1 workers ready/.test((await rig.scans.health()).body), 30_000)
    assert.ok(full !== null, (await rig.scans.health()).body)
    const before = descendants(pid)
    for (const worker of before) signalTo(worker, 'SIGSTOP')
    const answers = await Promise.all([scanLetter(), scanLetter(), scanLetter(), scanLetter()])
    for (const answer of answers) assertRejected(answer, 'scan_timeout')
    const back = await until(async () => (await scanLetter()).status === 200, 60_000)
    assert.ok(back !== null, 'no scan succeeds')
    for (const worker of before) signalTo(worker, 'SIGCONT')
    console.log(`  workers frozen: scans again after ${Math.round(back)} ms`)
  })

  test('clamd misconfigured: health is DOWN without a scan', { timeout: TEST_TIMEOUT_MS }, async () => {
    await rig.untilReady()
    await rig.clamd.kill()
    await rig.clamd.start({ MaxFileSize: '50M' })
    const down = await untilHealth('DOWN')
    // The kill may have ended a running check, whose notice is another.
    const named = await until(async () => /set MaxFileSize 400M/.test((await rig.scans.health()).body), HEALTH_MS_MAX)
    assert.ok(named !== null, (await rig.scans.health()).body)
    assertRejected(await scanLetter(), 'engine_unavailable')
    await rig.clamd.kill()
    await rig.clamd.start({ MaxFileSize: '400M' })
    const up = await untilHealth('UP')
    await scanIsClean()
    console.log(`  misconfigured, without a scan: health ${down}, ${up}`)
  })

  test('stops, and leaves no process and no file', { timeout: TEST_TIMEOUT_MS }, () => rig.scans.stop())
})
