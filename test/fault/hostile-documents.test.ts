/** Documents that repeat what the analyser searches for never exhaust the CPU time or the memory of a worker. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hostileDocument, randomDocuments } from '#inspect/testing/hostile.ts'
import { createMeasuredWorker } from '#test/support/embedded/measured-worker.ts'

/** Three times the limit, because the machine may be busy. */
const CPU_SECONDS_MAX = 9
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const RANDOM_DOCUMENTS = 6

describe('a worker', () => {
  let worker: Awaited<ReturnType<typeof createMeasuredWorker>>
  before(async () => {
    worker = await createMeasuredWorker()
  })
  after(() => worker.close())

  for (const [shape, unit, memberBytes, members] of [
    ['zip', 'ObjStm', 20_000_000, 3],
    ['zip', 'Content-Transfer-Encoding: base64\n\n', 20_000_000, 3],
    ['zip', '1 0 obj<</Type/ObjStm/N 9/First 9>>stream', 18_000_000, 3],
    ['plain', '&amp;', 0, 0],
    ['plain', ';base64,AAAA', 0, 0],
  ] as const)
    it(`answers to ${JSON.stringify(unit)}, repeated in a ${shape} document`, async () => {
      const document = hostileDocument(shape, '', unit, { plainBytes: 24_000_000, memberBytes, members })
      const { outcome, cpuSeconds, detail } = await worker.measure(document.create())
      assert.ok(['too_complex', 'damaged', 'clean'].includes(outcome), `${outcome} ${detail}`)
      assert.ok(cpuSeconds < CPU_SECONDS_MAX, `${cpuSeconds} s of CPU time`)
    })

  it(`answers to random documents, seed ${SEED}`, async () => {
    const documents = randomDocuments(SEED, { plainBytes: 2_000_000, memberBytes: 2_000_000, members: 2 })
    for (let i = 0; i < RANDOM_DOCUMENTS; i++) {
      const { name, create } = documents.next().value
      const { cpuSeconds, outcome, detail } = await worker.measure(create())
      assert.ok(cpuSeconds < CPU_SECONDS_MAX, `${name}: ${cpuSeconds} s of CPU time, ${outcome} ${detail}`)
    }
  })
})
