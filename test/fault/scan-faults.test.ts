import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkHistory, summary } from '#test/support/scan-checker.ts'
import { chooseSeed, createDice, everyDocument, nextDocument } from '#test/support/scan-documents.ts'
import { createNemesis } from '#test/support/scan-nemesis.ts'
import { type Done, type ScanRig, startScanRig } from '#test/support/scan-rig.ts'
import { needs } from '#test/support/suite.ts'

const CLIENTS = 16
const SCANS_MIN = 1_000
const RUN_MS_MIN = 20_000
/** Reached only on a busy machine. */
const RUN_MS_MAX = 150_000
/** Short enough that some of the faults exceed it. */
const DEADLINE_MS = 3_000
const TEST_TIMEOUT_MS = 240_000
/** The run continues until it has seen these. */
const SEEN_MIN = { clean: SCANS_MIN / 50, infected: SCANS_MIN / 20, engine_unavailable: 20, scan_timeout: 3 }

describe('scans while engines fail', { ...needs('clamd'), timeout: 2 * TEST_TIMEOUT_MS }, () => {
  const seed = chooseSeed()
  const history: Done[] = []
  let rig: ScanRig

  before(async () => {
    console.log(`  SEED=${seed}`)
    rig = await startScanRig(createDice(seed + 1), { deadlineMs: DEADLINE_MS, proxies: 2 })
  })
  after(async () => {
    await rig?.[Symbol.asyncDispose]()
  })

  async function eachKind(salt: string): Promise<void> {
    for (const document of everyDocument(salt)) {
      const done = await rig.scans.scan(document)
      history.push(done)
      const expected = document.infected ? 'infected' : 'clean'
      // Nested too deeply there is no verdict, unless one engine scans deeper.
      const deep = document.kind === 'deep' && done.said === 'document_too_complex'
      assert.ok(deep || done.said === expected, JSON.stringify(done))
    }
  }

  test('without faults, each document gets its verdict', { timeout: TEST_TIMEOUT_MS }, () => eachKind(`${seed} a`))

  /** Outcomes that have not occurred often enough. */
  function missing(): string[] {
    const seen = Object.groupBy(history, ({ said }) => said)
    const words = Object.entries(SEEN_MIN).filter(([said, count]) => (seen[said]?.length ?? 0) < count)
    return [...(history.length < SCANS_MIN ? ['scans'] : []), ...words.map(([said]) => said)]
  }

  test('no fault makes an infected document clean, or loses a record', { timeout: TEST_TIMEOUT_MS }, async (t) => {
    const nemesis = createNemesis(rig, createDice(seed + 2))
    const started = performance.now()
    const stop = new AbortController()
    // Clients must stop at the timeout of the test as well.
    const stopped = AbortSignal.any([stop.signal, t.signal])
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const dice = createDice(seed + 1_000 + client)
      for (let i = 0; !stopped.aborted; i++) {
        const done = await rig.scans.scan(nextDocument(dice, `${seed} ${client} ${i}`))
        history.push(done)
        if (done.outcome !== 'ok') await sleep(dice.whole(20, 200))
      }
    })
    const elapsed = () => performance.now() - started
    const wanted = () => elapsed() < RUN_MS_MIN || (elapsed() < RUN_MS_MAX && missing().length > 0)
    try {
      while (!stopped.aborted && wanted()) {
        // Only a long freeze of clamd makes scans late, and chance may not have chosen one.
        const isRare = elapsed() > RUN_MS_MIN && missing().includes('scan_timeout')
        await nemesis.strike(isRare ? 'clamd frozen' : undefined)
      }
    } finally {
      stop.abort()
      await Promise.all(clients)
      await nemesis.repair()
    }
    const seconds = Math.round(elapsed() / 1_000)
    const spoiled = rig.proxies.reduce((sum, proxy) => sum + proxy.spoiled, 0)
    console.log(`  SEED=${seed}: ${history.length} scans in ${seconds} s, ${spoiled} answers of clamd spoiled`)
    console.log(`  faults: ${JSON.stringify(nemesis.counts)}\n${summary(history)}`)
    await checkHistory(history, rig.scans)
    assert.deepEqual(missing(), [], 'not seen often enough')
  })

  test('recovers completely', { timeout: TEST_TIMEOUT_MS }, async () => {
    console.log(`  UP again after ${Math.round(await rig.untilReady())} ms`)
    await eachKind(`${seed} b`)
    await checkHistory(history, rig.scans)
    assert.deepEqual(rig.scans.litter(), [])
    const unexpected = rig.scans.service.stdoutLines().filter((line) => /"level":(?:60|"fatal")/.test(line))
    assert.deepEqual(unexpected, [])
  })

  test('stops, and leaves no process and no file', { timeout: TEST_TIMEOUT_MS }, () => rig.scans.stop())
})
