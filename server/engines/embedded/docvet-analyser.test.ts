import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { EICAR } from '#engines/canary-files.ts'
import { type Started, startEngine, until, workerPids } from '#test/support/embedded/engine.ts'
import { findAnalyser } from './starter.ts'

/** An archive with one stored member. */
function zip(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(20, 0)
  head.writeUInt16LE(0x21, 8)
  head.writeUInt32LE(crc32(data), 10)
  head.writeUInt32LE(data.length, 14)
  head.writeUInt32LE(data.length, 18)
  head.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

function rule(name: string, condition: string, imports = ''): string {
  return `${imports}\nrule ${name} { meta: severity = "malicious" strings: $a = "${name}-in-a-document" condition: ${condition} }\n`
}

describe("the embedded engine with Docvet's analyser", () => {
  let started: Started
  const rulesDir = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
  before(async () => {
    writeFileSync(path.join(rulesDir, 'mine.yar'), rule('mine', '$a'))
    // Output of the module `console` would mix with the frames, so the analyser rejects it.
    writeFileSync(path.join(rulesDir, 'loud.yar'), rule('loud', 'console.log("loud") and $a', 'import "console"'))
    started = await startEngine({ analyser: findAnalyser(), rulesDir, tuning: { rulesEveryMs: 50 } })
  })
  after(async () => {
    await started.engine.close()
    rmSync(rulesDir, { recursive: true })
    assert.deepEqual(workerPids(), [])
  })

  it('is up', () => {
    const { status, version, signatures } = started.engine.health()
    assert.equal(status, 'UP')
    assert.match(version ?? '', /^\d+\.\d+\.\d+$/)
    assert.match(signatures ?? '', /^\d+ rules, \S+$/)
  })

  it('passes harmless documents, alone and in an archive', async () => {
    const letter = Buffer.from('Dear reader,\nall is well.\n')
    assert.deepEqual(await started.scan(letter), { kind: 'clean' })
    assert.deepEqual(await started.scan(zip('letter.txt', letter)), { kind: 'clean' })
    assert.deepEqual(await started.scan(zip('inner.zip', zip('letter.txt', letter))), { kind: 'clean' })
  })

  it('finds a threat, and reports its path', async () => {
    const inner = zip('eicar.txt', EICAR)
    for (const [document, where] of [
      [EICAR, []],
      [inner, ['eicar.txt']],
      [zip('inner.zip', inner), ['inner.zip', 'eicar.txt']],
    ] as const) {
      const outcome = await started.scan(document)
      assert.ok(outcome.kind === 'detected', JSON.stringify(outcome))
      assert.match(outcome.threat, /Eicar/)
      assert.deepEqual(outcome.path, where)
    }
  })

  it('reports a truncated archive as unscannable', async () => {
    const whole = zip('letter.txt', Buffer.alloc(5_000, 'x'))
    assert.equal((await started.scan(whole.subarray(0, 3_000))).kind, 'unscannable')
  })

  it('applies operator rules, names rejected ones, and keeps the good ones when new ones are rejected', async () => {
    const kindOf = async (document: string) => (await started.scan(document)).kind
    const detail = () => started.engine.health().detail ?? ''
    assert.match(detail(), /rules not in use: loud\.yar does not compile$/)
    assert.equal(await kindOf('mine-in-a-document'), 'detected')
    // It compiles, and matches everything.
    writeFileSync(path.join(rulesDir, 'loud.yar'), 'rule Everything { condition: filesize > 0 }')
    await until(() => detail().endsWith('rules not in use: loud.yar fails the self-test with a harmless text'))
    writeFileSync(path.join(rulesDir, 'loud.yar'), rule('loud', '$a and $b'))
    await until(() => detail().endsWith('rules not in use: loud.yar does not compile, line 2'))
    assert.equal(await kindOf('mine-in-a-document'), 'detected')
    const pids = workerPids()
    writeFileSync(path.join(rulesDir, 'loud.yar'), rule('loud', '$a'))
    await until(() => workerPids().length === 2 && pids.every((pid) => !workerPids().includes(pid)))
    assert.doesNotMatch(detail(), /rules not in use/)
    assert.equal(await kindOf('loud-in-a-document'), 'detected')
    assert.equal(await kindOf('mine-in-a-document'), 'detected')
    assert.equal(await kindOf('yours-in-a-document'), 'clean')
  })
})

describe('an installation whose YARA-X is damaged', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-damaged-'))
  const wasm = path.join(folder, 'damaged.wasm')
  writeFileSync(wasm, 'damaged')
  const whole = findAnalyser()
  const analyser = { ...whole, read: [...whole.read, wasm], wasm }
  after(() => rmSync(folder, { recursive: true }))

  it('says that the rules of the operator are not in use', async () => {
    const rulesDir = path.join(folder, 'rules')
    mkdirSync(rulesDir)
    writeFileSync(path.join(rulesDir, 'mine.yar'), rule('mine', '$a'))
    const { engine } = await startEngine({ analyser, rulesDir, workers: 1 })
    const { isDegraded, detail } = engine.health()
    assert.equal(isDegraded, true)
    assert.match(detail ?? '', /rules not in use: mine\.yar/)
    await engine.close()
  })

  it('works without rules, which nothing else needs it for', async () => {
    const { engine, scan } = await startEngine({ analyser, workers: 1 })
    assert.deepEqual(await scan('Dear reader'), { kind: 'clean' })
    assert.equal((await scan(EICAR)).kind, 'detected')
    await engine.close()
  })

  it('does not start without its file', async () => {
    const analyser = { ...findAnalyser(), wasm: '/nowhere.wasm' }
    await assert.rejects(startEngine({ analyser, workers: 1 }))
  })
})
