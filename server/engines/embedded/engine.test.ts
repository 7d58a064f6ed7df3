import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { EICAR } from '#engines/canary-files.ts'
import { createSample } from '#engines/sample.ts'
import { type Started, sampleOf, startEngine, until, withRetries, workerPids } from '#test/support/embedded/engine.ts'

const SCAN_MS_MAX = 1_000
const NO_ANSWER = new RegExp(`no answer within ${SCAN_MS_MAX} ms`)

describe('the embedded engine', () => {
  let started: Started
  before(async () => {
    started = await startEngine({ tuning: { scanMsMax: SCAN_MS_MAX, memoryBytes: 1024 * 1024 * 1024 } })
  })
  after(async () => {
    await started.engine.close()
    assert.deepEqual(workerPids(), [], 'workers are left')
  })

  async function allReady(): Promise<void> {
    await until(() => started.engine.health().detail?.includes('2 of 2') === true && workerPids().length === 2)
  }

  it('is up when every worker passed its self-test, and reports the sandbox', () => {
    const { status, name, version, signatures, signaturesAt, detail } = started.engine.health()
    assert.deepEqual({ status, name, version }, { status: 'UP', name: 'embedded', version: '0.0.0' })
    assert.match(signatures ?? '', /^1 rules, /)
    assert.equal(signaturesAt, '2026-10-01T00:00:00.000Z', 'the date of the rules, not of their files')
    assert.match(detail ?? '', /^sandbox (bwrap\+prlimit|prlimit|permission).*; 2 of 2 workers ready$/)
    assert.equal(workerPids().length, 2)
  })

  it('gives its workers nothing of its environment', () => {
    const own =
      /^(?:MALLOC_ARENA_MAX=1|MALLOC_TRIM_THRESHOLD_=131072|OPENSSL_CONF=\/dev\/null|LD_LIBRARY_PATH=\/[^=]*|PWD=.*)$/
    for (const pid of workerPids()) {
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
      assert.deepEqual(
        variables.filter((each) => each !== '' && !own.test(each)),
        [],
      )
    }
  })

  const outcomes: [string | Buffer, object][] = [
    ['Dear reader', { kind: 'clean' }],
    [EICAR, { kind: 'detected', threat: 'Docvet.Eicar', path: [] }],
    ['it has an ownbadword in it', { kind: 'detected', threat: 'ownbadword', path: [] }],
    ['do: malicious', { kind: 'detected', threat: 'Docvet.Bad', path: ['a.zip', 'b'] }],
    ['do: bad-and-blocked', { kind: 'detected', threat: 'Docvet.Bad', path: [] }],
    ['do: suspicious', { kind: 'clean' }],
    ['PK', { kind: 'unscannable', obstacle: 'encrypted', detail: 'A password is needed' }],
    ['do: complex', { kind: 'unscannable', obstacle: 'too_complex', detail: 'Deep' }],
    ['do: damaged', { kind: 'unscannable', obstacle: 'damaged', detail: 'Broken' }],
    [
      'do: no-kind',
      { kind: 'unscannable', obstacle: 'damaged', detail: 'The document type is unknown', isOther: true },
    ],
    ['do: hide-bytes', { kind: 'failed', late: false, detail: 'the analyser inspected 13 of 14 bytes' }],
    [Buffer.alloc(26_214_400, 'x'), { kind: 'clean' }],
    [Buffer.alloc(268_435_457), { kind: 'failed', late: false, detail: 'a document of 268435457 bytes is too large' }],
    ['x', { kind: 'clean' }],
  ]
  for (const [document, outcome] of outcomes) {
    const name = document === EICAR ? 'EICAR' : document.length > 100 ? `${document.length} bytes` : document
    it(`reports ${Object.values(outcome).slice(0, 2).join(' ')} for ${name}`, async () => {
      assert.deepEqual(await started.scan(document), outcome)
    })
  }

  it('finds one malicious among thousands of harmless findings', async () => {
    const outcome = await started.scan('do: many-findings')
    assert.equal(outcome.kind === 'detected' && outcome.threat, 'Docvet.Bad')
  })

  /** Faults that end a worker, with the reason in the log. */
  const faults: [string, RegExp][] = [
    ['wrong-id', /another request/],
    ['wrong-checksum', /other bytes/],
    ['wrong-count', /counted 16 bytes, not 15/],
    ['bad-shape', /wrong shape/],
    ['no-findings', /threw/],
    ['garbage', /Invalid frame head/],
    ['oversize', /too large/],
    ['wrong-side', /not allowed in this direction/],
    ['half-answer', /code 0/],
    ['exit', /code 0/],
    ['complain', /code 3/],
    ['kill', /SIGKILL|code 137/],
    ['crash', /SIGSEGV|code 139/],
    ['throw', /threw: Error at /],
    ['unwell', /threw: Error at /],
    ['hog', /threw: RangeError|memory/],
  ]
  for (const [fault, detail] of faults) {
    it(`refuses a document that ends two workers with the fault ${fault}, and keeps another worker`, async () => {
      await allReady()
      const logged = started.logged.length
      const refused = started.scan(`do: ${fault}`, undefined, fault)
      let isOver = false
      refused.then(() => {
        isOver = true
      })
      while (!isOver) assert.deepEqual(await started.scan('Dear reader', undefined, 'other'), { kind: 'clean' })
      const outcome = await refused
      assert.ok(outcome.kind === 'unscannable' && outcome.isCrash, JSON.stringify(outcome))
      assert.equal(outcome.obstacle, 'too_complex')
      const exits = () => started.logged.slice(logged).filter((line) => line.includes('Worker exited during scan'))
      assert.equal(exits().length, 2)
      for (const line of exits()) assert.match(JSON.parse(line).detail, detail)
      await allReady()
      const pids = workerPids()
      const { endedWorker, ...known } = outcome
      assert.equal(endedWorker, true)
      assert.deepEqual(await started.scan(`do: ${fault}`, undefined, 'other'), known)
      assert.deepEqual(workerPids(), pids, 'no worker sees the document again')
    })
  }

  for (const fault of ['silence', 'stop', 'loop']) {
    it(`fails a scan at its deadline with the fault ${fault}, and refuses the document after the second`, async () => {
      const attempt = async () => {
        await allReady()
        return await started.scan(`do: ${fault}`, undefined, fault)
      }
      const first = await attempt()
      assert.ok(first.kind === 'failed' && first.late, JSON.stringify(first))
      assert.match(first.detail, NO_ANSWER)
      const second = await attempt()
      assert.ok(second.kind === 'unscannable' && second.isCrash, JSON.stringify(second))
      const { endedWorker, ...known } = second
      assert.equal(endedWorker, true)
      assert.deepEqual(await attempt(), known)
      assert.deepEqual(await started.scan('Dear reader', undefined, 'other'), { kind: 'clean' })
    })
  }

  it('keeps messages of the analyser and content of documents out of the log', () => {
    const log = started.logged.join('')
    assert.doesNotMatch(log, /a parser failed|do: /)
    assert.match(log, /"stderr":"x+"/)
    for (const line of started.logged) assert.ok(line.length < 6_000)
  })

  it('replaces a worker that was killed', async () => {
    await allReady()
    const [victim = 0] = workerPids()
    process.kill(victim, 'SIGKILL')
    await until(() => !workerPids().includes(victim))
    await allReady()
    assert.deepEqual(await started.scan('Dear reader'), { kind: 'clean' })
  })

  it('retries a scan on another worker when its worker is killed', async () => {
    await allReady()
    const pids = workerPids()
    const scans = [started.scan('do: slow one'), started.scan('do: slow two')]
    await new Promise((resolve) => setTimeout(resolve, 100))
    process.kill(pids[0]!, 'SIGKILL')
    assert.deepEqual(await Promise.all(scans), [{ kind: 'clean' }, { kind: 'clean' }])
  })

  it('kills a worker that sends a frame without a request', async () => {
    await allReady()
    const pids = workerPids()
    assert.deepEqual(await started.scan('do: babble'), { kind: 'clean' })
    await until(() => workerPids().length === 2 && pids.filter((pid) => workerPids().includes(pid)).length === 1)
  })

  it('accepts the threat of a worker that broke down after it, and replaces the worker', async () => {
    await allReady()
    const pids = workerPids()
    assert.deepEqual(await started.scan('do: unwell-but-bad'), { kind: 'detected', threat: 'Docvet.Bad', path: [] })
    await until(() => workerPids().length === 2 && pids.filter((pid) => workerPids().includes(pid)).length === 1)
  })

  it('fails at the signal', async () => {
    assert.deepEqual((await started.scan('x', AbortSignal.abort())).kind, 'failed')
  })

  /** Disposes one document per worker while it is being sent. */
  async function disposeWhileSent(pids: readonly number[], pieces: readonly number[]): Promise<void> {
    const cancelled = new AbortController()
    // Long enough that no worker is still busy with an earlier scan, and would not take the document.
    await Promise.all(pids.map((pid) => started.scan(`do: slow ${pid}`)))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const writers = pids.map(() => createSample())
    const outcomes = writers.map(({ push, end }, index) => {
      for (const size of pieces) push(Buffer.alloc(size, 'Dear reader\n'))
      return started.engine.inspect(end(`${index}`.repeat(64)), cancelled.signal)
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    cancelled.abort()
    for (const { dispose } of writers) dispose()
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    for (const { kind } of await Promise.all(outcomes)) assert.equal(kind, 'failed')
  }

  for (const [what, pieces] of [
    ['disposed while it is sent', Array.from({ length: 100 }, () => 65_536)],
    // A single chunk: none is missing, only its content.
    ['overwritten after its last chunk is written', [6_000_000]],
  ] as const) {
    it(`keeps a worker whose document is ${what}`, async () => {
      await allReady()
      const pids = workerPids()
      await disposeWhileSent(pids, pieces)
      assert.deepEqual(await started.scan('one'), { kind: 'clean' })
      assert.deepEqual(workerPids(), pids)
    })
  }

  it('keeps a worker that finishes shortly after the deadline, and kills one that does not', async () => {
    await withRetries(async () => {
      await allReady()
      const pids = workerPids()
      const outcome = await started.engine.inspect(sampleOf('do: slow'), AbortSignal.timeout(150))
      assert.ok(outcome.kind === 'failed' && outcome.late)
      await new Promise((resolve) => setTimeout(resolve, 400))
      assert.deepEqual(workerPids(), pids)
    })
    await allReady()
    const pids = workerPids()
    await started.engine.inspect(sampleOf('do: loop again'), AbortSignal.timeout(50))
    await until(() => pids.some((pid) => !workerPids().includes(pid)))
  })
})

describe('a worker', () => {
  it('overwrites a document after the scan, whatever its size', async () => {
    const { engine, scan } = await startEngine({ workers: 1 })
    try {
      for (const size of [100, 3_000_000]) {
        const document = Buffer.concat([Buffer.from('do: keep '), Buffer.alloc(size, 's')])
        assert.deepEqual(await scan(document), { kind: 'clean' })
        assert.deepEqual(await scan('do: tell-kept'), { kind: 'detected', threat: 'Docvet.Left.0', path: [] })
      }
    } finally {
      await engine.close()
    }
  })
})

describe('a strict embedded engine', () => {
  it('detects what is only suspicious', async () => {
    const { engine, scan } = await startEngine({ workers: 1, sensitivity: 'strict' })
    try {
      assert.deepEqual(await scan('do: suspicious'), { kind: 'detected', threat: 'Docvet.Odd', path: [] })
      assert.deepEqual(await scan('Dear reader'), { kind: 'clean' })
    } finally {
      await engine.close()
    }
    assert.deepEqual((await scan('Dear reader')).kind, 'failed')
  })
})
