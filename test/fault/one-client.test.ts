/** One client with expensive documents, and one with documents that end workers, against the scans of others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { startApp } from '#test/support/app.ts'
import { signUp, usage, withKey } from '#test/support/client.ts'
import { startEngine, workerPids } from '#test/support/embedded/engine.ts'
import { assertProblem } from '#test/support/problem.ts'
import { assertClean, plansFile, query, type ScanService, scan, startScanService } from '#test/support/scanning.ts'

const WORKERS = 2
/** Of the attacker at once. */
const UPLOADS = 12
const VICTIM_SCANS = 6
const MEBIBYTE = 1_048_576
const TEST_TIMEOUT_MS = 180_000

const archive = (...members: [text: string, bytes: number][]) =>
  writeZip(members.map(([text, bytes], index) => ({ name: `${index}.txt`, data: Buffer.alloc(bytes, text) })))
const OBJECT_STREAM = '1 0 obj<</Type/ObjStm/N 9/First 9>>stream\n'
const MAIL_PART = 'Content-Transfer-Encoding: base64\n\n'
const LINK = '<a href="data:text/html;base64,PGI+">b</a>\n'
const UUENCODED = 'begin 644 a.txt\n#0V%T\n`\nend\n'

/** A few kilobytes each, which take hundreds of milliseconds of a worker. */
const EXPENSIVE: readonly Buffer[] = [
  archive([OBJECT_STREAM, 100_000]),
  archive([MAIL_PART, 2 * MEBIBYTE]),
  archive([LINK, 2 * MEBIBYTE]),
  archive([UUENCODED, 200_000]),
  archive([LINK, MEBIBYTE], [MAIL_PART, MEBIBYTE]),
]

describe('an attacker with expensive documents at full rate', { timeout: TEST_TIMEOUT_MS }, () => {
  let service: ScanService
  before(async () => {
    service = await startScanService({ DOCVET_EMBEDDED_CHILDREN: String(WORKERS) })
  })
  after(() => service?.[Symbol.asyncDispose]())

  test('delays a small scan of another account by no more than the documents that workers already have', async () => {
    const [attacker, victim] = [await service.newKey(), await service.newKey()]
    const costs: number[] = []
    for (const document of EXPENSIVE) {
      const startedAt = performance.now()
      const { status } = await service.scan(attacker, document, { timeoutMs: 60_000 })
      assert.ok(status === 200 || status === 422, `${status}`)
      costs.push(performance.now() - startedAt)
    }
    let answers = 0
    let isOver = false
    const uploads = Array.from({ length: UPLOADS }, async (_, index) => {
      for (let next = index; !isOver; next++) {
        await service.scan(attacker, EXPENSIVE[next % EXPENSIVE.length] as Buffer, { timeoutMs: 60_000 })
        answers++
      }
    })
    const waits: { answers: number; ms: number }[] = []
    try {
      while (waits.length < VICTIM_SCANS) {
        // When all uploads are in the service again, most of them wait for a worker.
        for (const before = answers; answers <= before; ) await new Promise((resolve) => setTimeout(resolve, 10))
        const [before, startedAt] = [answers, performance.now()]
        assertClean(await service.scan(victim, `One line ${waits.length}`, { timeoutMs: 60_000 }))
        waits.push({ answers: answers - before, ms: performance.now() - startedAt })
      }
    } finally {
      isOver = true
      await Promise.all(uploads)
    }
    const rounded = (times: number[]) => times.map((ms) => Math.round(ms)).join(', ')
    console.log(`  one document alone: ${rounded(costs)} ms; the victim: ${rounded(waits.map(({ ms }) => ms))} ms`)
    console.log(
      `  answers to the attacker during a scan of the victim: ${waits.map((each) => each.answers).join(', ')}`,
    )
    // One document per worker that finishes first, and one whose answer is still on its way.
    for (const wait of waits) assert.ok(wait.answers <= 2 * WORKERS, `${wait.answers} documents came first`)
  })
})

test('a document that ends workers is refused, and others keep a worker', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { engine, logged } = await startEngine({ workers: WORKERS })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => engine.close())
  const app = stack.use(
    await startApp({}, { DOCVET_PLANS_FILE: plansFile(), DOCVET_UNSCANNABLE: 'clean' }, { engines: [engine] }),
  )
  const attacker = (await signUp(app.port)).apiKey
  const victim = (await signUp(app.port)).apiKey
  const exits = () => logged.filter((line) => line.includes('Worker exited during scan')).length
  const headers = { 'idempotency-key': 'killer' }
  const attack = (more: object = {}) => scan(app.port, attacker, 'do: kill', { timeoutMs: 60_000, ...more })

  const refused = Promise.all([attack({ headers }), attack(), attack()])
  let isOver = false
  refused.finally(() => {
    isOver = true
  })
  let scans = 0
  for (; !isOver; scans++) assertClean(await scan(app.port, victim, `One line ${scans}`, { timeoutMs: 60_000 }))
  for (const answer of await refused) {
    assert.match(assertProblem(answer, 422, 'document_too_complex').detail, /failed twice.*nothing was charged/)
  }
  assert.equal(exits(), 2)
  console.log(`  ${scans} scans of the victim succeeded meanwhile`)

  const pids = workerPids()
  assertProblem(await attack({ headers }), 422, 'document_too_complex')
  assertProblem(await scan(app.port, victim, 'do: kill'), 422, 'document_too_complex')
  assert.equal(exits(), 2, 'no worker sees the document again')
  assert.ok(pids.every((pid) => workerPids().includes(pid)))

  const used = (await usage(app.port, withKey(attacker))).json() as { scansUsed: number }
  assert.equal(used.scansUsed, 0)
  const verdicts = query(app, "select id from scans where verdict <> 'refused'")
  assert.equal(verdicts.length, scans, 'a refusal is no verdict')
  assert.deepEqual(query(app, 'select hash from idempotency_keys'), [])
})
