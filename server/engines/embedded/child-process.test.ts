import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createLog } from '#base/log.ts'
import { startChild } from './child-process.ts'
import { RulesRefused } from './complaint.ts'
import { wholeOf } from './proof.ts'

const PROTOCOL = path.join(import.meta.dirname, 'protocol.ts')

/** A child that is a program of this test: `read(n)` and `say(kind, id, value)` are there for it. */
function start(body: string, signal = new AbortController().signal, rules: { name: string; text: string }[] = []) {
  const program = `
    import { readSync, writeSync } from 'node:fs'
    import { decodeHead, encodeFrame } from ${JSON.stringify(PROTOCOL)}
    const read = (size) => {
      const bytes = Buffer.alloc(size)
      for (let at = 0; at < size; ) at += readSync(0, bytes, at, size - at, null) || process.exit(0)
      return bytes
    }
    const say = (kind, id, value) => writeSync(1, encodeFrame(kind, id, value))
    const next = () => decodeHead(read(16))
    read(next().size)
    ${body}`
  return startChild({
    command: [process.execPath, '--input-type=module', '-e', program],
    setup: { rules, operatorRules: [], wasm: '' },
    log: createLog({ level: 'silent' }),
    msMax: 3_000,
    rssBytesMax: null,
    signal,
  })
}

/** Processes that this one has started and that are still there. */
function childrenOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length
}

const READY = `say('ready', 0, { rulesVersion: '1', ruleCount: 1 })`
const LARGE = Buffer.alloc(20_000_000, 'x')

function answerOf(bytes: Buffer): string {
  return JSON.stringify({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
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

describe('a child', () => {
  it('is believed when its answer fits', async () => {
    const child = await start(
      `${READY}; const head = next(); read(head.size); say('answer', head.id, ${answerOf(LARGE)}); read(1)`,
    )
    assert.equal((await child.ask(wholeOf(LARGE), 5_000)).kind, 'answered')
    child.kill()
    await child.gone
  })

  it('is not believed when it answers before it has the document', async () => {
    const child = await start(
      `${READY}; const head = next(); say('answer', head.id, ${answerOf(LARGE)}); read(head.size); read(1)`,
    )
    const half = LARGE.subarray(0, LARGE.length / 2)
    const reply = await child.ask({ ...wholeOf(LARGE), chunks: [half, half] }, 5_000)
    assert.ok(reply.kind === 'broken', JSON.stringify(reply))
    assert.match(reply.detail, /before it had the document/)
    await child.gone
  })

  it('is not believed when it answers twice', async () => {
    const twice = `const frame = encodeFrame('answer', head.id, ${answerOf(LARGE)}); writeSync(1, Buffer.concat([frame, frame]))`
    const child = await start(`${READY}; const head = next(); read(head.size); ${twice}; read(1)`)
    assert.equal((await child.ask(wholeOf(LARGE), 5_000)).kind, 'broken')
    await child.gone
  })

  it('that does not read is late, and does not hold the document', async () => {
    const child = await start(`${READY}; for (;;);`)
    const startedAt = performance.now()
    assert.equal((await child.ask(wholeOf(LARGE), 200)).kind, 'late')
    assert.ok(performance.now() - startedAt < 400)
    await child.gone
  })

  it('that refuses its rules says why, and where', async () => {
    const files = `[{ name: 'bad.yar', line: 3 }, { name: 'worse.yar', line: '/etc' }, { line: 1 }, null]`
    await assert.rejects(start(`say('refusal', 0, { message: 'in $a', files: ${files} }); read(1)`), (error) => {
      assert.ok(error instanceof RulesRefused)
      assert.equal(error.message, 'in $a')
      assert.equal(error.shown, 'bad.yar does not compile, line 3, worse.yar does not compile')
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
    'could not load its analyser': `say('refusal', 0, { message: 'no module', files: [] }); read(1)`,
    'says nothing sensible': `writeSync(1, 'hello'.repeat(10)); read(1)`,
    'is ready without saying of what': `say('ready', 0, {}); read(1)`,
    'answers without a question': `say('answer', 0, {}); read(1)`,
    'ends at once': 'process.exit(4)',
  })) {
    it(`that ${name} is not started`, async () => {
      await assert.rejects(start(body), (error) => error instanceof Error && !(error instanceof RulesRefused))
    })
  }

  it('whose program does not exist is not started', async () => {
    const options = {
      setup: { rules: [], operatorRules: [], wasm: '' },
      log: createLog({ level: 'silent' }),
      msMax: 3_000,
    }
    const { signal } = new AbortController()
    await assert.rejects(startChild({ ...options, command: ['/does/not/exist'], rssBytesMax: null, signal }), /ENOENT/)
  })

  it('that never gets ready is given up in time, or at the signal', async () => {
    const startedAt = performance.now()
    await assert.rejects(start('for (;;);', AbortSignal.timeout(300)))
    assert.ok(performance.now() - startedAt < 1_000)
  })
})
