/** The engine against real clamd processes: what it says, and what it says when they are killed, frozen or misconfigured. */

import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#base/log.ts'
import { EICAR, encryptedZip, largeMemberZip, nestedZip } from '#engines/canary-files.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample, type Sample } from '#engines/sample.ts'
import { CLAMD_MARKER, type ClamdServer, startClamd } from '#test/support/clamd.ts'
import { needs } from '#test/support/suite.ts'
import { parseClamdUrl } from './address.ts'
import { sendDocument } from './client.ts'
import { type ClamdOptions, createClamdEngine } from './engine.ts'

const log = createLog({ level: 'silent' })
const EICAR_FOUND: Outcome = { kind: 'detected', threat: 'Docvet.Test.Eicar.UNOFFICIAL', path: [] }

function sampleOf(...chunks: (Buffer | string)[]): Sample {
  const { sample, push, end } = createSample()
  for (const chunk of chunks) push(Buffer.from(chunk))
  end('')
  return sample
}

let unique = 0
/** New bytes every time: clamd remembers what it found clean. */
function benign(bytes = 1_000): Buffer {
  return Buffer.alloc(bytes, `a harmless document, number ${++unique}\n`)
}

async function withEngine(options: Omit<ClamdOptions, 'log'>, body: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await createClamdEngine({ log, ...options })
  try {
    await body(engine)
  } finally {
    await engine.close()
  }
}

function scan(engine: Engine, chunk: Buffer | string, timeoutMs = 10_000): Promise<Outcome> {
  return engine.inspect(sampleOf(chunk), AbortSignal.timeout(timeoutMs))
}

async function until(what: string, holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(`not within ${timeoutMs} ms: ${what}`)
    await sleep(20)
  }
}

describe('a real clamd', needs('clamd'), () => {
  let clamd: ClamdServer
  before(async () => {
    clamd = await startClamd({ name: 'clamd-a' })
  })
  after(() => clamd.close())

  test('with the recommended configuration: proven, and every kind of document gets its answer', async () => {
    for (const url of [clamd.url, clamd.tcpUrl]) {
      await withEngine({ urls: [url] }, async (engine) => {
        const health = engine.health()
        assert.match(health.version ?? '', /^\d+\.\d+\.\d+/)
        assert.deepEqual(health, { ...health, name: 'clamd', status: 'UP', detail: null, signatures: null })
        assert.deepEqual(await scan(engine, benign()), { kind: 'clean' })
        assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
        const marker = { kind: 'detected', threat: 'Docvet.Test.Marker.UNOFFICIAL', path: [] }
        assert.deepEqual(await scan(engine, `${benign()}${CLAMD_MARKER}`), marker)
        const obstacleOf = (outcome: Outcome) => outcome.kind === 'unscannable' && [outcome.obstacle, outcome.detail]
        assert.deepEqual(obstacleOf(await scan(engine, encryptedZip(EICAR))), [
          'encrypted',
          'The document, or a part of it, is protected by a password (Heuristics.Encrypted.Zip).',
        ])
        assert.deepEqual(obstacleOf(await scan(engine, nestedZip(EICAR, 18))), [
          'too_complex',
          'The document is nested too deep for the engine clamd (Heuristics.Limits.Exceeded.MaxRecursion).',
        ])
        assert.deepEqual(await scan(engine, nestedZip(EICAR, 15)), EICAR_FOUND)
        assert.deepEqual(await scan(engine, largeMemberZip(EICAR, 120)), EICAR_FOUND)
      })
    }
    assert.deepEqual(readdirSync(clamd.temporaryDirectory), [])
  })

  test('25 MB exactly, with the threat in the last bytes', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      const document = benign(26_214_400)
      assert.deepEqual(await scan(engine, document), { kind: 'clean' })
      document.write(CLAMD_MARKER, document.length - CLAMD_MARKER.length)
      assert.equal((await scan(engine, document)).kind, 'detected')
      // Past what clamd takes: its refusal is read although it stops listening while we write.
      const refused = await scan(engine, benign(28_000_000))
      assert.match(refused.kind === 'failed' ? refused.detail : refused.kind, /size limit exceeded/)
    })
  })

  test('killed in the middle of a document: failed at once; back after a restart', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      const { sample, push, end } = createSample()
      push(EICAR)
      const outcome = engine.inspect(sample, AbortSignal.timeout(10_000))
      await sleep(50)
      await clamd.kill()
      const started = performance.now()
      end('')
      assert.equal((await outcome).kind, 'failed')
      assert.ok(performance.now() - started < 1_000)
      const dead = await scan(engine, EICAR)
      assert.equal(dead.kind === 'failed' && !dead.late, true)
      await until('health tells', () => engine.health().status === 'DOWN', 3_000)
      assert.equal(engine.health().detail, 'clamd cannot be reached')
      await clamd.start()
      await until('proven again', () => engine.health().status === 'UP')
      assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
      assert.deepEqual(await scan(engine, benign()), { kind: 'clean' })
    })
  })

  test('killed while it scans, again and again: never clean for a threat', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      const seen = new Set<string>()
      for (let round = 0; round < 3; round++) {
        const document = Buffer.concat([benign(4_000_000), Buffer.from(CLAMD_MARKER)])
        const scans = Array.from({ length: 4 }, () => scan(engine, document))
        await sleep(10 + round * 60)
        await clamd.kill()
        for (const { kind } of await Promise.all(scans)) seen.add(kind)
        await clamd.start()
        await until('proven again', () => engine.health().status === 'UP')
      }
      assert.equal(seen.has('clean'), false)
      assert.equal(seen.has('failed'), true)
    })
  })

  test('frozen: late at the deadline, and fine after it thaws', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      clamd.freeze()
      const started = performance.now()
      const outcome = await scan(engine, EICAR, 1_200)
      clamd.thaw()
      assert.equal(outcome.kind === 'failed' && outcome.late, true)
      assert.ok(performance.now() - started < 1_500)
      assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
    })
  })

  test('signatures that are reloaded disturb no scan, and count from then on', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      const signature = `Docvet.Test.New:0:*:${Buffer.from('brand-new-threat').toString('hex')}\n`
      writeFileSync(path.join(clamd.databaseDirectory, 'new.ndb'), signature)
      process.kill(clamd.pid!, 'SIGUSR2')
      let outcome = await scan(engine, `${benign()}brand-new-threat`)
      for (let i = 0; i < 200 && outcome.kind === 'clean'; i++) {
        outcome = await scan(engine, `${benign()}brand-new-threat`)
        await sleep(10)
      }
      assert.deepEqual(outcome, { kind: 'detected', threat: 'Docvet.Test.New.UNOFFICIAL', path: [] })
      assert.equal(engine.health().status, 'UP')
    })
  })

  test('of two, the other one takes over: from a killed one at once, from a frozen one for the next document', async () => {
    await using other = await startClamd({ name: 'clamd-b' })
    await withEngine({ urls: [clamd.url, other.tcpUrl] }, async (engine) => {
      await until('both proven', () => engine.health().detail === null)
      await clamd.kill()
      for (let i = 0; i < 10; i++) assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
      await until('health tells', () => engine.health().detail !== null, 3_000)
      assert.equal(engine.health().status, 'UP')
      await clamd.start()
      await until('both proven', () => engine.health().detail === null)
      other.freeze()
      // Ties go to the first: with it busy, the second is asked, and does not answer.
      const slow = scan(engine, benign(8_000_000), 20_000)
      await sleep(30)
      const late = await scan(engine, EICAR, 1_000)
      assert.equal(late.kind === 'failed' && late.late, true)
      for (let i = 0; i < 20; i++) {
        assert.deepEqual(await Promise.all([scan(engine, EICAR), scan(engine, EICAR)]), [EICAR_FOUND, EICAR_FOUND])
      }
      assert.deepEqual(await slow, { kind: 'clean' })
      other.thaw()
    })
  })
})

describe('a clamd that hangs up while we write', needs('clamd'), () => {
  test('is heard first: what it said is not lost with the connection', async () => {
    await using clamd = await startClamd({ name: 'clamd-small', conf: { StreamMaxLength: '1M' } })
    const chunks = Array.from({ length: 300 }, () => benign(16_384))
    for (const url of [clamd.url, clamd.tcpUrl]) {
      for (let i = 0; i < 40; i++) {
        const exchange = await sendDocument(parseClamdUrl(url), chunks, AbortSignal.timeout(5_000))
        const reply = exchange.kind === 'answered' ? exchange.reply.toString() : JSON.stringify(exchange)
        assert.equal(reply, 'INSTREAM size limit exceeded. ERROR\0')
      }
    }
  })
})

describe('a clamd that takes no more connections', needs('clamd'), () => {
  test('refuses at once, and its documents go to another one', async () => {
    await using full = await startClamd({ name: 'clamd-full', conf: { MaxConnectionQueueLength: '1' } })
    await using other = await startClamd({ name: 'clamd-other' })
    await withEngine({ urls: [full.url] }, async (alone) => {
      await withEngine({ urls: [full.url, other.url] }, async (both) => {
        await until('both proven', () => both.health().detail === null)
        full.freeze()
        const scans = Array.from({ length: 8 }, () => scan(alone, EICAR, 1_000))
        const refused = await Promise.race(scans)
        assert.match(refused.kind === 'failed' ? refused.detail : refused.kind, /EAGAIN/)
        // Over TCP the kernel leaves the question open instead.
        const started = performance.now()
        const knocks = Array.from({ length: 6 }, () => {
          return sendDocument(parseClamdUrl(full.tcpUrl), [EICAR], AbortSignal.timeout(3_000))
        })
        const unheard = await Promise.race(knocks)
        assert.deepEqual(unheard, {
          kind: 'unanswered',
          connected: false,
          detail: 'did not accept the connection in time',
        })
        assert.ok(performance.now() - started < 2_000)
        for (let i = 0; i < 3; i++) assert.deepEqual(await scan(both, EICAR), EICAR_FOUND)
        for (const { kind } of await Promise.all(scans)) assert.equal(kind, 'failed')
        full.thaw()
      })
    })
  })
})
