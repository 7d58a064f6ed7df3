import assert from 'node:assert/strict'
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#base/log.ts'
import { canaryFile, EICAR } from '#engines/canary-files.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample, type Whole } from '#engines/sample.ts'
import { encryptedZip, largeMemberZip, nestedZip } from '#test/support/canaries/archives.ts'
import { CLAMD_MARKER, type ClamdServer, startClamd } from '#test/support/clamd.ts'
import { smallDisk } from '#test/support/small-disk.ts'
import { needs } from '#test/support/suite.ts'
import { sendDocument } from './client.ts'
import { parseClamdUrl } from './endpoint.ts'
import { type ClamdOptions, createClamdEngine } from './engine.ts'
import { outcomeOf } from './reply.ts'

const log = createLog({ level: 'silent' })
const EICAR_FOUND: Outcome = { kind: 'detected', threat: 'Docvet.Test.Eicar.UNOFFICIAL', path: [] }

function sampleOf(chunk: Buffer | string): Whole {
  const { push, end } = createSample()
  push(Buffer.from(chunk))
  return end('')
}

let unique = 0
/** New bytes every time, because clamd caches clean results by default. */
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

function scan(engine: Engine, chunk: Buffer | string, timeoutMs = 60_000): Promise<Outcome> {
  return engine.inspect(sampleOf(chunk), AbortSignal.timeout(timeoutMs))
}

async function until(what: string, holds: () => boolean, timeoutMs = 60_000): Promise<void> {
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

  test('with the recommended configuration: UP, and every kind of document gets its outcome', async () => {
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
          'The document, or a part of it, is protected by a password (Heuristics.Encrypted.Zip), and clamd cannot use one.',
        ])
        assert.deepEqual(obstacleOf(await scan(engine, nestedZip(EICAR, 18))), [
          'too_complex',
          'The document is nested too deeply for clamd (Heuristics.Limits.Exceeded.MaxRecursion).',
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
      // Never clean, and clamd is not asked: past its limit it fails, and would be taken for broken.
      const large = await scan(engine, benign(26_214_401))
      assert.deepEqual(large, { ...large, kind: 'unscannable', obstacle: 'too_complex', isCrash: true })
      assert.equal(engine.health().status, 'UP')
    })
  })

  test('killed in the middle of a document: failed; UP after a restart', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      // It takes as much as fits into the buffers of its connection.
      clamd.freeze()
      const outcome = scan(engine, benign(20_000_000))
      await sleep(50)
      await clamd.kill()
      assert.equal((await outcome).kind, 'failed')
      const dead = await scan(engine, EICAR)
      assert.equal(dead.kind === 'failed' && !dead.late, true)
      // The kill may have ended a running check, whose notice is another.
      await until('health names it', () => engine.health().detail === 'clamd cannot be reached')
      assert.equal(engine.health().status, 'DOWN')
      await clamd.start()
      await until('UP again', () => engine.health().status === 'UP')
      assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
      assert.deepEqual(await scan(engine, benign()), { kind: 'clean' })
    })
  })

  test('killed while it scans, several times: never clean for a threat', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      const seen = new Set<string>()
      for (let round = 0; round < 3; round++) {
        const document = Buffer.concat([benign(4_000_000), Buffer.from(CLAMD_MARKER)])
        const scans = Array.from({ length: 4 }, () => scan(engine, document))
        await sleep(10 + round * 60)
        await clamd.kill()
        for (const { kind } of await Promise.all(scans)) seen.add(kind)
        await clamd.start()
        await until('UP again', () => engine.health().status === 'UP')
      }
      assert.equal(seen.has('clean'), false)
      assert.equal(seen.has('failed'), true)
    })
  })

  test('frozen: late at the deadline, and usable afterwards', async () => {
    await withEngine({ urls: [clamd.url] }, async (engine) => {
      clamd.freeze()
      const outcome = await scan(engine, EICAR, 1_200)
      clamd.thaw()
      assert.equal(outcome.kind === 'failed' && outcome.late, true)
      assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
    })
  })

  test('a reload of signatures disturbs no scan, and applies from then on', async () => {
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

  test('of two, the other takes over from a killed one at once, from a frozen one for the next document', async () => {
    await using other = await startClamd({ name: 'clamd-b' })
    await withEngine({ urls: [clamd.url, other.tcpUrl] }, async (engine) => {
      await until('both are usable', () => engine.health().detail === null)
      await clamd.kill()
      for (let i = 0; i < 10; i++) assert.deepEqual(await scan(engine, EICAR), EICAR_FOUND)
      await until('health names it', () => engine.health().detail !== null)
      assert.equal(engine.health().status, 'UP')
      await clamd.start()
      await until('both are usable', () => engine.health().detail === null)
      other.freeze()
      // Ties go to the first: while it is busy, the second gets the document and does not answer.
      const slow = scan(engine, benign(8_000_000))
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

describe('a clamd that closes while we write', needs('clamd'), () => {
  test('has its reply read before the connection is destroyed', async () => {
    await using clamd = await startClamd({ name: 'clamd-small', conf: { StreamMaxLength: '1M' } })
    const chunks = Array.from({ length: 300 }, () => benign(16_384))
    for (const url of [clamd.url, clamd.tcpUrl]) {
      for (let i = 0; i < 40; i++) {
        const exchange = await sendDocument(parseClamdUrl(url), chunks, AbortSignal.timeout(30_000))
        const reply = exchange.kind === 'answered' ? exchange.reply.toString() : JSON.stringify(exchange)
        assert.equal(reply, 'INSTREAM size limit exceeded. ERROR\0')
      }
    }
  })
})

describe('a clamd whose temporary folder has no space left', needs('clamd'), () => {
  const disk = smallDisk(400)
  after(() => disk.remove())
  if (!disk.isMounted) console.log('NOT RUN, because this system permits no mounts: a full temporary folder of clamd')
  else
    test('gives no result and is not used any more, also where it would answer OK', async () => {
      await using clamd = await startClamd({ name: 'clamd-space', conf: { TemporaryDirectory: disk.folder } })
      await withEngine({ urls: [clamd.url] }, async (engine) => {
        const page = canaryFile('an HTML page')
        assert.deepEqual(await scan(engine, page), EICAR_FOUND)
        disk.fill()
        const [first, second] = [await scan(engine, benign(10_000)), await scan(engine, page)]
        assert.match(first.kind === 'failed' ? first.detail : first.kind, /^clamd answered: Error writing/)
        assert.match(second.kind === 'failed' ? second.detail : second.kind, /cannot write temporary files/)
        assert.match(engine.health().detail ?? '', /^clamd cannot write temporary files: free space/)
        // Room for the page, but not for its parts.
        truncateSync(path.join(disk.folder, 'filler'), statSync(path.join(disk.folder, 'filler')).size - 4_096)
        const exchange = await sendDocument(parseClamdUrl(clamd.url), [page], AbortSignal.timeout(5_000))
        assert.equal(outcomeOf(exchange).kind, 'clean')
        assert.equal((await scan(engine, page)).kind, 'failed')
      })
    })
})

describe('a clamd that accepts no more connections', needs('clamd'), () => {
  test('fails, and its documents go to another one', async () => {
    await using full = await startClamd({ name: 'clamd-full', conf: { MaxConnectionQueueLength: '1' } })
    await using other = await startClamd({ name: 'clamd-other' })
    await withEngine({ urls: [full.url] }, async (alone) => {
      await withEngine({ urls: [full.url, other.url] }, async (both) => {
        await until('both are usable', () => alone.health().detail === null && both.health().detail === null)
        full.freeze()
        const scans = Array.from({ length: 8 }, () => scan(alone, EICAR, 1_000))
        const refused = await Promise.race(scans)
        assert.match(refused.kind === 'failed' ? refused.detail : refused.kind, /EAGAIN/)
        // Over TCP the kernel does not answer instead.
        const attempts = Array.from({ length: 6 }, () => {
          return sendDocument(parseClamdUrl(full.tcpUrl), [EICAR], AbortSignal.timeout(3_000))
        })
        const unanswered = await Promise.race(attempts)
        assert.deepEqual(unanswered, {
          kind: 'unanswered',
          connected: false,
          detail: 'did not accept the connection in time',
        })
        for (let i = 0; i < 3; i++) assert.deepEqual(await scan(both, EICAR), EICAR_FOUND)
        for (const { kind } of await Promise.all(scans)) assert.equal(kind, 'failed')
        full.thaw()
      })
    })
  })
})
