import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#base/log.ts'
import type { Engine } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import { byHand, failedAtOnce, OK, scan, until, withFakes } from '#test/support/clamd-engine.ts'
import type { FakeClamd, FakeScript } from '#test/support/fake-clamd.ts'
import { LARGE_CANARIES, SMALL_CANARIES } from './canaries.ts'
import { createClamdEngine } from './engine.ts'

const log = createLog({ level: 'silent' })

describe('failover', () => {
  const BAD: Record<string, FakeScript['onDocument']> = {
    'closes without an answer': () => null,
    'answers an error': () => "stream: Can't write to file ERROR\0",
    'answers garbage': () => 'stream: OK\0\0\0',
  }
  for (const [name, onDocument] of Object.entries(BAD)) {
    test(`when one clamd ${name}, another gets the whole document`, async () => {
      await withFakes([{ ...(onDocument && { onDocument }) }, { onDocument: () => OK }], async (engine, bad, good) => {
        await until('both are usable', () => engine.health().detail === null)
        assert.equal((await scan(engine)).kind, 'clean')
        assert.deepEqual(good?.documents, bad?.documents)
        assert.equal(good?.documents.length, 1)
      })
    })
  }

  test('a document that failed on two clamd is not sent to a third', async () => {
    const script = { onDocument: () => null }
    await withFakes([script, script, { onDocument: () => OK }], async (engine, ...fakes) => {
      await until('all are usable', () => engine.health().detail === null)
      assert.equal(failedAtOnce(await scan(engine)), true)
      assert.deepEqual(
        fakes.map((fake) => fake.documents.length),
        [1, 1, 0],
      )
    })
  })

  test('a missing clamd does not count: the third is reached', async () => {
    await withFakes([{}, {}, { onDocument: () => OK }], async (engine, a, b) => {
      await until('all are usable', () => engine.health().detail === null)
      await Promise.all([a?.close(), b?.close()])
      assert.equal((await scan(engine)).kind, 'clean')
    })
  })

  test('all gone: failed and not late', async () => {
    await withFakes([{}, {}], async (engine, ...fakes) => {
      await Promise.all(fakes.map((fake) => fake.close()))
      for (let i = 0; i < 3; i++) {
        assert.equal(failedAtOnce(await scan(engine)), true)
      }
      await until('health is DOWN', () => engine.health().status === 'DOWN')
    })
  })
})

describe('circuit', () => {
  test('five failures in a row open it; canaries, not documents, close it', async () => {
    await withFakes([{ onDocument: () => null }], async (engine, fake) => {
      assert.ok(fake)
      for (let i = 0; i < 4; i++) assert.equal(failedAtOnce(await scan(engine)), true)
      assert.equal(engine.health().status, 'UP')
      assert.equal(failedAtOnce(await scan(engine)), true)
      assert.equal(engine.health().status, 'DOWN')
      assert.equal(engine.health().detail, 'clamd failed 5 scans in a row')
      fake.script.onDocument = () => OK
      const connections = fake.connections
      assert.equal(failedAtOnce(await scan(engine)), true)
      await sleep(200)
      assert.equal(fake.connections, connections, 'an open circuit is left alone')
      assert.equal(fake.documents.length, 5)
      await until('closed', () => engine.health().status === 'UP')
      assert.equal((await scan(engine)).kind, 'clean')
    })
  })

  test('four failures and a success do not open it', async () => {
    let count = 0
    await withFakes([{ onDocument: () => (++count % 5 === 0 ? OK : null) }], async (engine) => {
      for (let i = 0; i < 15; i++) await scan(engine)
      assert.equal(engine.health().status, 'UP')
    })
  })

  test('clients that disconnect while clamd works do not open it', async () => {
    await withFakes([{ onDocument: () => 'hang' }], async (engine) => {
      for (let i = 0; i < 12; i++) {
        const { push, end } = createSample()
        push(Buffer.from('document'))
        const hangUp = new AbortController()
        const outcome = engine.inspect(end(''), hangUp.signal)
        await sleep(20)
        hangUp.abort(new Error('the client went away'))
        assert.equal((await outcome).kind, 'failed')
      }
      assert.equal(engine.health().status, 'UP')
    })
  })
})

describe('health', () => {
  test('garbage for canaries: DOWN, and no document is sent', async () => {
    await withFakes([{ onConnection: (socket) => socket.end('all is well\0') }], async (engine, fake) => {
      assert.equal(engine.health().status, 'DOWN')
      assert.equal(engine.health().detail, 'clamd gives no result for a canary (threat)')
      const outcome = await scan(engine)
      assert.equal(failedAtOnce(outcome), true)
      assert.match(outcome.kind === 'failed' ? outcome.detail : '', /clamd answered: all is well/)
      assert.deepEqual(fake?.documents, [])
    })
  })

  for (const reply of ["stream: Can't write to file ERROR\0", 'Error writing to temporary file ERROR\0stream: OK\0']) {
    test(`DOWN at once after ${JSON.stringify(reply)}`, async () => {
      await withFakes([{ onDocument: () => reply }], async (engine, fake) => {
        assert.equal((await scan(engine)).kind, 'failed')
        assert.equal(engine.health().status, 'DOWN')
        assert.match(engine.health().detail ?? '', /^clamd cannot write temporary files: /)
        assert.equal((await scan(engine)).kind, 'failed')
        assert.equal(fake?.documents.length, 1)
      })
    })
  }

  test('an OK for a document that was scanned while clamd could not write temporary files is not believed', async () => {
    const { open, onDocument } = byHand()
    await withFakes([{ onDocument }], async (engine) => {
      const scans = [scan(engine), scan(engine)]
      await until('both were sent', () => open.length === 2)
      open[0]?.("stream: Can't write to file ERROR\0")
      await scans[0]
      open[1]?.(OK)
      const outcome = await scans[1]
      assert.match(outcome?.kind === 'failed' ? outcome.detail : String(outcome?.kind), /no space for temporary files/)
    })
  })

  describe('a failure triggers a check within a second', () => {
    const [version, small, large, document] = [1, SMALL_CANARIES.length, LARGE_CANARIES.length, 1]

    test('which includes the large canaries only when the version has changed', async () => {
      const script: FakeScript = { version: 'ClamAV 1.0.0', onDocument: () => null }
      await withFakes([script], async (engine, fake) => {
        assert.ok(fake)
        assert.equal(fake.connections, version + small + large)
        await scan(engine)
        const repeated = version + small + large + document + version + small
        await until('checked again', () => fake.connections >= repeated)
        await sleep(200)
        assert.equal(fake.connections, repeated)
        const before = fake.connections
        script.version = 'ClamAV 1.0.1'
        await scan(engine)
        const complete = document + version + small + large
        await until('checked again', () => fake.connections - before >= complete)
        await sleep(200)
        assert.equal(fake.connections - before, complete)
        assert.deepEqual([engine.health().status, engine.health().version], ['UP', '1.0.1'])
      })
    })

    test('which does not delay the next full check, due 45 seconds after the last', async () => {
      let skewMs = 0
      const body = async (engine: Engine, fake?: FakeClamd) => {
        assert.ok(fake)
        const before = fake.connections
        skewMs = 43_000
        await scan(engine)
        await until('checked again', () => fake.connections - before >= document + version + small)
        const complete = document + 2 * (version + small) + large
        await until('checked completely', () => fake.connections - before >= complete)
        assert.equal(fake.connections - before, complete)
        assert.equal(engine.health().status, 'UP')
      }
      await withFakes([{ onDocument: () => null }], body, { now: () => performance.now() + skewMs })
    })
  })

  test('new signatures with which clamd passes the large member: DOWN', async () => {
    const script: FakeScript = { onDocument: () => null }
    await withFakes([script], async (engine) => {
      assert.equal(engine.health().status, 'UP')
      script.version = 'ClamAV 9.9.10'
      script.onCanary = (document) => (document.length > 100_000 && document.length < 1_000_000 ? OK : undefined)
      await scan(engine)
      await until('it is noticed', () => engine.health().status === 'DOWN')
      assert.match(engine.health().detail ?? '', /member of 110 MB as clean: set MaxFileSize 400M/)
    })
  })

  test('canaries without an answer: DOWN, unless documents are answered meanwhile', async () => {
    const script: FakeScript = { onDocument: () => OK }
    await withFakes([script], async (engine) => {
      script.onCanary = () => 'hang'
      script.onDocument = () => null
      await scan(engine)
      script.onDocument = () => OK
      const busyUntil = performance.now() + 7_500
      while (performance.now() < busyUntil) {
        assert.equal((await scan(engine)).kind, 'clean')
        await sleep(50)
      }
      assert.equal(engine.health().status, 'UP')
      await until('it is noticed', () => engine.health().status === 'DOWN')
      delete script.onCanary
      await until('it is back', () => engine.health().status === 'UP')
    })
  })

  test('a passed check is valid for a minute', async () => {
    let skewMs = 0
    const now = () => performance.now() + skewMs
    const body = async (engine: Engine) => {
      assert.equal(engine.health().status, 'UP')
      skewMs = 55_000
      assert.equal(engine.health().status, 'UP')
      skewMs = 61_000
      assert.equal(engine.health().status, 'DOWN')
      assert.match(engine.health().detail ?? '', /not passed a canary check within the last minute/)
      assert.equal(failedAtOnce(await scan(engine)), true)
    }
    await withFakes([{ onDocument: () => OK }], body, { now })
  })

  test('reports the number and date of the signatures, and enforces their maximum age', async () => {
    const dated = (hours: number, seconds: number) => {
      const at = new Date(Date.now() - hours * 3_600_000 - seconds * 1_000)
      const [week, day = '', month, year, time] = at.toUTCString().replace(',', '').split(' ')
      return `ClamAV 1.4.6/27801/${week} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`
    }
    // As close to the limit as the duration of the test allows.
    const fresh = { version: dated(72, -20) }
    const old = { version: dated(72, 1) }
    const body = (status: string, reason: RegExp | null) => async (engine: Engine) => {
      const health = engine.health()
      assert.equal(health.status, status)
      assert.equal(health.version, '1.4.6')
      assert.equal(health.signatures, '27801')
      assert.ok(Date.now() - Date.parse(health.signaturesAt ?? '') > 70 * 3_600_000)
      if (reason) assert.match(health.detail ?? '', reason)
    }
    await withFakes([old], body('UP', null))
    await withFakes([fresh], body('UP', null), { signaturesAgeMaxHours: 72 })
    await withFakes([old], body('DOWN', /73 hours old \(maximum 72\)/), { signaturesAgeMaxHours: 72 })
    const undated = async (engine: Engine) => assert.match(engine.health().detail ?? '', /does not report the age/)
    await withFakes([{ version: 'ClamAV 1.4.6' }], undated, { signaturesAgeMaxHours: 72 })
    // The oldest of those in use is reported.
    await withFakes([fresh, old], async (engine) => {
      await until('both are usable', () => engine.health().detail === null)
      assert.ok(Date.now() - Date.parse(engine.health().signaturesAt ?? '') > 72 * 3_600_000)
    })
  })

  test('an invalid URL is an error', async () => {
    await assert.rejects(createClamdEngine({ urls: ['nowhere'], log }), /not a clamd URL/)
    await assert.rejects(createClamdEngine({ urls: [], log }), /No clamd URL/)
  })

  test('close fails queued documents and finishes running ones', async () => {
    const { open, onDocument } = byHand()
    const body = async (engine: Engine) => {
      const first = scan(engine)
      await until('it is sent', () => open.length === 1)
      const second = scan(engine)
      const closing = engine.close()
      assert.equal(failedAtOnce(await second), true)
      open.shift()?.(OK)
      assert.equal((await first).kind, 'clean')
      await closing
    }
    await withFakes([{ onDocument }], body, { scansPerClamdMax: 1 })
  })
})
