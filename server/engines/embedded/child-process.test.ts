import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createLog } from '#base/log.ts'
import { RulesRefused, startChild } from './child-process.ts'
import { wholeOf } from './proof.ts'

const PROTOCOL = path.join(import.meta.dirname, 'protocol.ts')

/** A child that is a program of this test: `read(n)` and `say(kind, id, value)` are there for it. */
function start(body: string, signal = new AbortController().signal) {
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
    setup: { rules: [], operatorRules: [], wasm: '' },
    log: createLog({ level: 'silent' }),
    msMax: 3_000,
    rssBytesMax: null,
    signal,
  })
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

  it('that refuses its rules says why', async () => {
    await assert.rejects(start(`say('refusal', 0, { message: 'bad.yar' }); read(1)`), (error) => {
      return error instanceof RulesRefused && error.message === 'bad.yar'
    })
  })

  for (const [name, body] of Object.entries({
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
