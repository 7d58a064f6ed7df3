import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createLog } from '#base/log.ts'
import { checksumOf } from '#engines/checksum.ts'
import { RulesRejected } from './errors.ts'
import { wholeOf } from './self-test.ts'
import { startWorker } from './worker-process.ts'

const PROTOCOL = path.join(import.meta.dirname, 'protocol.ts')
const CHECKSUM = path.join(import.meta.dirname, '../checksum.ts')

/** A worker that runs `body`, which may use `read(n)`, `next()` and `say(kind, id, value)`. */
function start(
  body: string,
  signal = new AbortController().signal,
  operatorRules: { name: string; text: string }[] = [],
  limits: Parameters<typeof startWorker>[0]['limits'] = null,
) {
  const program = `
    import { readSync, writeSync } from 'node:fs'
    import { decodeHead, encodeFrame } from ${JSON.stringify(PROTOCOL)}
    import { checksumOf } from ${JSON.stringify(CHECKSUM)}
    const read = (size) => {
      const bytes = Buffer.alloc(size)
      for (let at = 0; at < size; ) at += readSync(0, bytes, at, size - at, null) || process.exit(0)
      return bytes
    }
    const say = (kind, id, value) => writeSync(1, encodeFrame(kind, id, value))
    const next = () => decodeHead(read(16))
    read(next().size)
    ${body}`
  return startWorker({
    command: [process.execPath, '--input-type=module', '-e', program],
    setup: { operatorRules, wasm: '' },
    log: createLog({ level: 'silent' }),
    msMax: 3_000,
    rssBytesMax: null,
    limits,
    signal,
  })
}

/** Number of running child processes. */
function childrenOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length
}

const READY = `say('ready', 0, { rulesVersion: '1', ruleCount: 1 })`
const LARGE = Buffer.alloc(20_000_000, 'x')

function answerOf(bytes: Buffer): string {
  return JSON.stringify({
    bytes: bytes.length,
    checksum: checksumOf(bytes),
    report: {
      kind: 'text',
      type: 'text/plain',
      findings: [],
      obstacle: null,
      bytesInspected: bytes.length,
      entries: 1,
    },
    rssBytes: 1,
    cpuMs: 1,
  })
}

describe('a worker process', () => {
  it('may answer after it has the document', async () => {
    const worker = await start(
      `${READY}; const head = next(); read(head.size); say('answer', head.id, ${answerOf(LARGE)}); read(1)`,
    )
    assert.equal((await worker.scan(wholeOf(LARGE), 5_000)).kind, 'answered')
    worker.kill()
    await worker.gone
  })

  it('must not answer before it has the document', async () => {
    const worker = await start(
      `${READY}; const head = next(); say('answer', head.id, ${answerOf(LARGE)}); read(head.size); read(1)`,
    )
    const half = LARGE.subarray(0, LARGE.length / 2)
    const reply = await worker.scan({ ...wholeOf(LARGE), chunks: [half, half] }, 5_000)
    assert.ok(reply.kind === 'broken', JSON.stringify(reply))
    assert.match(reply.detail, /before it had the document/)
    await worker.gone
  })

  it('must not answer twice', async () => {
    const twice = `const frame = encodeFrame('answer', head.id, ${answerOf(LARGE)}); writeSync(1, Buffer.concat([frame, frame]))`
    const worker = await start(`${READY}; const head = next(); read(head.size); ${twice}; read(1)`)
    assert.equal((await worker.scan(wholeOf(LARGE), 5_000)).kind, 'broken')
    await worker.gone
  })

  for (const [name, alter] of Object.entries<(chunks: Buffer[]) => unknown>({
    'a chunk was overwritten': (chunks) => chunks[1]?.fill(0),
    'two chunks were exchanged': (chunks) => chunks.reverse(),
    'a chunk belongs to another document': (chunks) => chunks.splice(1, 1, randomBytes(65_536)),
  })) {
    it(`receives other bytes than were checked if ${name}, and its answer does not count`, async () => {
      const bytes = randomBytes(3 * 65_536)
      const document = { ...wholeOf(bytes), chunks: [0, 1, 2].map((i) => bytes.subarray(i * 65_536, (i + 1) * 65_536)) }
      const answer = `{ ...${answerOf(bytes)}, checksum: checksumOf(read(head.size)) }`
      const body = `${READY}; for (;;) { const head = next(); say('answer', head.id, ${answer}) }`
      const worker = await start(body)
      assert.equal((await worker.scan(document, 5_000)).kind, 'answered')
      alter(document.chunks)
      const reply = await worker.scan(document, 5_000)
      assert.ok(reply.kind === 'broken' && /other bytes/.test(reply.detail), JSON.stringify(reply))
      await worker.gone
    })
  }

  it('that is late is ended for its CPU time if it took more than half of what it may', async () => {
    const limits = { cpuMsMax: 4_000, wallMsMax: 60_000 }
    for (const [cpuMs, kind] of [
      [0, 'late'],
      [2_001, 'spent'],
    ] as const) {
      const worker = await start(`${READY}; for (;;);`, undefined, [], limits)
      const deadline = new AbortController()
      const reply = worker.scan(wholeOf(Buffer.from('a')), 60_000, deadline.signal)
      while (worker.scanCpuMs() < cpuMs) await new Promise((resolve) => setTimeout(resolve, 10))
      deadline.abort(new DOMException('Late', 'TimeoutError'))
      assert.deepEqual(await reply, { kind, detail: 'the scan was cancelled' })
      await worker.gone
    }
  })

  it('that does not read is late', async () => {
    const worker = await start(`${READY}; for (;;);`)
    assert.equal((await worker.scan(wholeOf(LARGE), 200)).kind, 'late')
    await worker.gone
  })

  it('that rejects its rules reports the files and lines', async () => {
    const files = `[{ name: 'bad.yar', line: 3 }, { name: 'worse.yar', line: '/etc' }, { line: 1 }, null]`
    await assert.rejects(start(`say('refusal', 0, { message: 'in $a', files: ${files} }); read(1)`), (error) => {
      assert.ok(error instanceof RulesRejected)
      assert.equal(error.message, 'in $a')
      assert.equal(error.publicMessage, 'bad.yar does not compile, line 3, worse.yar does not compile')
      return true
    })
  })

  it('whose rules do not fit into a frame is not started', async () => {
    // Each of these characters takes six in JSON.
    const rules = [{ name: 'large.yar', text: '\0'.repeat(12 * 1024 * 1024) }]
    await assert.rejects(start(READY, undefined, rules), /does not fit into a frame/)
    assert.equal(childrenOf(process.pid), 0)
  })

  for (const [name, body] of Object.entries({
    'cannot load its analyser': `say('refusal', 0, { message: 'no module', files: [] }); read(1)`,
    'sends an invalid frame': `writeSync(1, 'hello'.repeat(10)); read(1)`,
    'is ready without a rules version': `say('ready', 0, {}); read(1)`,
    'answers without a request': `say('answer', 0, {}); read(1)`,
    'exits at once': 'process.exit(4)',
  })) {
    it(`that ${name} is not started`, async () => {
      await assert.rejects(start(body), (error) => error instanceof Error && !(error instanceof RulesRejected))
    })
  }

  it('whose program does not exist is not started', async () => {
    const options = {
      setup: { operatorRules: [], wasm: '' },
      log: createLog({ level: 'silent' }),
      msMax: 3_000,
    }
    const { signal } = new AbortController()
    await assert.rejects(
      startWorker({ ...options, command: ['/does/not/exist'], rssBytesMax: null, limits: null, signal }),
      /ENOENT/,
    )
  })

  it('that never gets ready is killed at the signal', async () => {
    await assert.rejects(start('for (;;);', AbortSignal.timeout(300)), /cancelled/)
  })
})
