import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { createSample } from '#engines/sample.ts'
import { childPids, onQuietMachine, type Started, sampleOf, startEngine, until } from './stand-in/start.ts'

const SCAN_MS_MAX = 1_000
/** In pieces, as everywhere. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE', '!$H+H*'].join('')

describe('the embedded engine', () => {
  let started: Started
  before(async () => {
    started = await startEngine({ tuning: { scanMsMax: SCAN_MS_MAX, memoryBytes: 1024 * 1024 * 1024 } })
  })
  after(async () => {
    await started.engine.close()
    assert.deepEqual(childPids(), [], 'children are left')
  })

  async function allReady(): Promise<void> {
    await until(() => started.engine.health().detail?.includes('2 of 2') === true && childPids().length === 2)
  }

  it('is up with every child proven, and says how they are isolated', () => {
    const { status, name, version, signatures, signaturesAt, detail } = started.engine.health()
    assert.deepEqual({ status, name, version }, { status: 'UP', name: 'embedded', version: '0.0.0' })
    assert.match(signatures ?? '', /^1 rules, /)
    assert.equal(signaturesAt, '2026-10-01T00:00:00.000Z', 'the date of the rules, not of their files')
    assert.match(detail ?? '', /^isolation (bwrap\+prlimit|prlimit|permission).*; 2 of 2 children ready$/)
    assert.equal(childPids().length, 2)
  })

  it('gives its children no environment', () => {
    for (const pid of childPids()) assert.match(readFileSync(`/proc/${pid}/environ`, 'latin1'), /^(PWD=[^\0]*\0)?$/)
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
    ['do: no-kind', { kind: 'unscannable', obstacle: 'damaged', detail: 'The kind of document is not known' }],
    ['do: hide-bytes', { kind: 'failed', late: false, detail: 'the analyser looked at 13 of 14 bytes' }],
    [Buffer.alloc(26_214_400, 'x'), { kind: 'clean' }],
    [
      Buffer.alloc(26_214_401, 'x'),
      { kind: 'failed', late: false, detail: 'a document of 26214401 bytes is too large' },
    ],
    ['x', { kind: 'clean' }],
  ]
  for (const [document, outcome] of outcomes) {
    const name = document === EICAR ? 'EICAR' : document.length > 100 ? `${document.length} bytes` : document
    it(`says ${Object.values(outcome).slice(0, 2).join(' ')} of ${name}`, async () => {
      assert.deepEqual(await started.scan(document), outcome)
    })
  }

  it('finds the one bad among thousands of harmless findings', async () => {
    const outcome = await started.scan('do: many-findings')
    assert.equal(outcome.kind === 'detected' && outcome.threat, 'Docvet.Bad')
  })

  /** What a document does to its child, and how many children that costs: two where the child died without an answer. */
  const faults: [string, late: boolean, children: number, RegExp][] = [
    ['wrong-id', false, 1, /another question/],
    ['wrong-hash', false, 1, /other bytes/],
    ['wrong-count', false, 1, /counted 16 bytes, not 15/],
    ['bad-shape', false, 1, /wrong shape/],
    ['no-findings', false, 1, /threw/],
    ['garbage', false, 1, /not the head/],
    ['oversize', false, 1, /too large/],
    ['wrong-side', false, 1, /wrong side/],
    ['half-answer', false, 2, /code 0/],
    ['exit', false, 2, /code 0/],
    ['complain', false, 2, /code 3/],
    ['kill', false, 2, /SIGKILL|code 137/],
    ['crash', false, 2, /SIGSEGV|code 139/],
    ['throw', false, 1, /threw: Error at /],
    ['unwell', false, 1, /threw: Error at /],
    ['hog', false, 1, /threw: RangeError|memory/],
    ['silence', true, 1, /no answer within/],
    ['stop', true, 1, /no answer within/],
    ['loop', true, 1, /no answer within/],
  ]
  for (const [fault, late, children, detail] of faults) {
    it(`fails a scan by ${fault}, and only that one`, async () => {
      await allReady()
      const before = childPids()
      const startedAt = performance.now()
      const outcome = await started.scan(`do: ${fault}`)
      const ms = performance.now() - startedAt
      assert.equal(outcome.kind, 'failed')
      assert.ok(outcome.kind === 'failed' && outcome.late === late, JSON.stringify(outcome))
      assert.match(outcome.detail, detail)
      assert.ok(late ? ms >= SCAN_MS_MAX - 10 && ms < SCAN_MS_MAX + 500 : ms < 5_000, `it took ${ms} ms`)
      // Some faults end both children, and a scan does not wait long for new ones.
      await until(() => /[12] of 2/.test(started.engine.health().detail ?? ''))
      assert.deepEqual(await started.scan('Dear reader'), { kind: 'clean' })
      await allReady()
      const kept = childPids().filter((pid) => before.includes(pid)).length
      assert.equal(kept, 2 - children, 'children that lived on')
    })
  }

  it('keeps what an analyser threw, and what a document says, out of the log', () => {
    const log = started.logged.join('')
    assert.doesNotMatch(log, /a parser fell over|do: /)
    assert.match(log, /"complaint":"x+"/)
    for (const line of started.logged) assert.ok(line.length < 6_000)
  })

  it('has a new child within a second of losing one', async () => {
    await onQuietMachine(async () => {
      await allReady()
      const [victim = 0] = childPids()
      process.kill(victim, 'SIGKILL')
      await until(() => started.engine.health().detail?.includes('1 of 2 children') ?? false)
      const ms = await until(() => started.engine.health().detail?.includes('2 of 2 children') ?? false)
      assert.equal(childPids().includes(victim), false)
      assert.ok(ms < 1_000, `it took ${ms} ms`)
    })
    assert.deepEqual(await started.scan('Dear reader'), { kind: 'clean' })
  })

  it('takes a scan whose child is killed by someone else to another child', async () => {
    await allReady()
    const pids = childPids()
    const scans = [started.scan('do: slow'), started.scan('do: slow')]
    await new Promise((resolve) => setTimeout(resolve, 100))
    process.kill(pids[0]!, 'SIGKILL')
    assert.deepEqual(await Promise.all(scans), [{ kind: 'clean' }, { kind: 'clean' }])
  })

  it('kills a child that speaks without being asked', async () => {
    await allReady()
    const pids = childPids()
    assert.deepEqual(await started.scan('do: babble'), { kind: 'clean' })
    await until(() => childPids().length === 2 && pids.filter((pid) => childPids().includes(pid)).length === 1)
  })

  it('believes a child that found a threat and then broke down, and replaces it', async () => {
    await allReady()
    const pids = childPids()
    assert.deepEqual(await started.scan('do: unwell-but-bad'), { kind: 'detected', threat: 'Docvet.Bad', path: [] })
    await until(() => childPids().length === 2 && pids.filter((pid) => childPids().includes(pid)).length === 1)
  })

  it('fails soon after the signal, also while the document has not arrived', async () => {
    const aborted = AbortSignal.abort()
    assert.deepEqual((await started.scan('x', aborted)).kind, 'failed')
    const { sample, push, fail } = createSample()
    push(Buffer.from('Dear'))
    const startedAt = performance.now()
    const outcome = await started.engine.inspect(sample, AbortSignal.timeout(100))
    assert.ok(outcome.kind === 'failed' && outcome.late)
    assert.ok(performance.now() - startedAt < 300)
    fail(new Error('over'))
  })

  it('fails when the upload is given up', async () => {
    const { sample, push, fail } = createSample()
    push(Buffer.from('Dear'))
    const outcome = started.engine.inspect(sample, new AbortController().signal)
    fail(new Error('the client hung up'))
    assert.deepEqual(await outcome, { kind: 'failed', late: false, detail: 'the client hung up' })
  })

  /** A document for each child, stuck on its way, is let go there. */
  async function letGo(pids: readonly number[], pieces: readonly number[]): Promise<void> {
    const given = new AbortController()
    // So slow that afterwards none is at something older any more: it would not take the document.
    await Promise.all(pids.map(() => started.scan('do: slow')))
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const writers = pids.map(() => createSample())
    for (const { push, end } of writers) {
      for (const size of pieces) push(Buffer.alloc(size, 'Dear reader\n'))
      end('0'.repeat(64))
    }
    const outcomes = writers.map(({ sample }) => started.engine.inspect(sample, given.signal))
    await new Promise((resolve) => setTimeout(resolve, 50))
    given.abort()
    for (const { dispose } of writers) dispose()
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    for (const { kind } of await Promise.all(outcomes)) assert.equal(kind, 'failed')
  }

  for (const [what, pieces] of [
    ['taken away while it is handed over', Array.from({ length: 100 }, () => 65_536)],
    // In one piece: none is missing, only its content.
    ['overwritten when all of it is on its way', [6_000_000]],
  ] as const) {
    it(`lets a child live whose document is ${what}`, async () => {
      await allReady()
      const pids = childPids()
      await letGo(pids, pieces)
      const startedAt = performance.now()
      assert.deepEqual(await started.scan('one'), { kind: 'clean' })
      assert.ok(performance.now() - startedAt < 2_000, `it took ${performance.now() - startedAt} ms`)
      assert.deepEqual(childPids(), pids)
    })
  }

  it('answers at the signal, and lets a child live that is done soon after', async () => {
    await onQuietMachine(async () => {
      await allReady()
      const pids = childPids()
      const startedAt = performance.now()
      const outcome = await started.engine.inspect(sampleOf('do: slow'), AbortSignal.timeout(150))
      assert.ok(outcome.kind === 'failed' && outcome.late)
      assert.ok(performance.now() - startedAt < 250)
      await new Promise((resolve) => setTimeout(resolve, 400))
      assert.deepEqual(childPids(), pids)
    })
    await allReady()
    const pids = childPids()
    await started.engine.inspect(sampleOf('do: loop'), AbortSignal.timeout(50))
    await until(() => pids.some((pid) => !childPids().includes(pid)), 700)
  })
})

describe('a child', () => {
  it('overwrites a document when it is done with it, whatever its size', async () => {
    const { engine, scan } = await startEngine({ children: 1 })
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
  it('says detected of what is only suspicious', async () => {
    const { engine, scan } = await startEngine({ children: 1, sensitivity: 'strict' })
    try {
      assert.deepEqual(await scan('do: suspicious'), { kind: 'detected', threat: 'Docvet.Odd', path: [] })
      assert.deepEqual(await scan('Dear reader'), { kind: 'clean' })
    } finally {
      await engine.close()
    }
    assert.deepEqual((await scan('Dear reader')).kind, 'failed')
  })
})
