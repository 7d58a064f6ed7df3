/** A fake analyser that misbehaves as the document demands: `do: exit`, `do: loop`, … */
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { checksumOf } from '#engines/checksum.ts'
import { encodeFrame, encodeHead } from '#engines/embedded/protocol.ts'
import type { RuleSource } from '#inspect/inspect.ts'

/** Part of Node, but not of the types that this project loads. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => { buffer: ArrayBuffer; grow(pages: number): number }
}

const EICAR_SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'
const STDOUT = 1
const held: unknown[] = []
let kept: Uint8Array | undefined
let healthy = true

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function sleep(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
}

function reportOn(kind: string | null, bytes: Uint8Array, more: object = {}) {
  return { kind, type: 'text/plain', findings: [], obstacle: null, bytesInspected: bytes.length, entries: 1, ...more }
}

function finding(id: string, severity: string, path: string[] = []) {
  return { id, severity, title: id, reason: 'It says so.', technique: null, path, detail: null }
}

/** Sends an answer with one field wrong, under an id that no request has. */
function forge(bytes: Uint8Array, wrong: object = {}): never {
  const answer = {
    bytes: bytes.length,
    checksum: checksumOf(bytes),
    report: reportOn('text', bytes),
    rssBytes: 1,
    cpuMs: 1,
  }
  writeSync(STDOUT, encodeFrame('answer', 1, { ...answer, ...wrong }))
  sleep()
}

/** Changes fields of the next, otherwise correct answer. */
function alterAnswer(change: (answer: Record<string, unknown>) => object): void {
  const { stringify } = JSON
  JSON.stringify = (value) => stringify({ ...value, ...change(value) })
}

const FAULTS: Record<string, (bytes: Uint8Array) => unknown> = {
  'wrong-id': (bytes) => forge(bytes),
  'wrong-checksum': (bytes) => {
    alterAnswer(() => ({ checksum: checksumOf(Buffer.from('something else')) }))
    return reportOn('text', bytes)
  },
  'wrong-count': (bytes) => {
    alterAnswer(() => ({ bytes: bytes.length + 1 }))
    return reportOn('text', bytes)
  },
  babble: (bytes) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      writeSync(STDOUT, encodeFrame('answer', 1, {}))
    })
    return reportOn('text', bytes)
  },
  garbage: () => {
    writeSync(STDOUT, 'stream: OK\0'.repeat(50))
    sleep()
  },
  oversize: () => {
    const head = encodeHead({ kind: 'answer', id: 1, size: 4 })
    head.writeUInt32BE(0xff_ff_ff_ff, 12)
    writeSync(STDOUT, head)
    sleep()
  },
  'half-answer': () => {
    writeSync(STDOUT, encodeHead({ kind: 'answer', id: 1, size: 400 }))
    process.exit(0)
  },
  'wrong-side': () => {
    writeSync(STDOUT, encodeFrame('setup', 1, {}))
    sleep()
  },
  silence: () => sleep(),
  exit: () => process.exit(0),
  kill: () => {
    process.kill(process.pid, 'SIGKILL')
    sleep()
  },
  stop: () => {
    process.kill(process.pid, 'SIGSTOP')
    sleep()
  },
  crash: () => {
    process.kill(process.pid, 'SIGSEGV')
    sleep()
  },
  loop: () => {
    for (;;);
  },
  /** `do: burn 300`: for so many milliseconds of CPU time. */
  burn: (bytes) => {
    const ms = Number(/\d+/.exec(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))?.[0])
    const startedAt = process.cpuUsage()
    for (let used = 0; used < ms; ) {
      const { user, system } = process.cpuUsage(startedAt)
      used = (user + system) / 1_000
    }
    return reportOn('text', bytes)
  },
  /** Until the heap is full. */
  hoard: () => {
    for (;;) held.push(new Array(1_000_000).fill(0.5))
  },
  throw: () => {
    throw new Error('a parser failed')
  },
  hog: () => held.push(new Uint8Array(2 ** 31).fill(1)),
  'wasm-hog': () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 40_000 })
    for (;;) {
      const pages = memory.grow(1_000)
      new Uint8Array(memory.buffer, pages * 65_536).fill(1)
    }
  },
  complain: () => {
    writeSync(2, 'x'.repeat(100_000))
    process.exit(3)
  },
  'hide-bytes': (bytes) => reportOn('text', bytes, { bytesInspected: bytes.length - 1 }),
  'no-kind': (bytes) => reportOn(null, bytes),
  'bad-shape': (bytes) => reportOn('text', bytes, { bytesInspected: 'all of them' }),
  'no-findings': (bytes) => reportOn('text', bytes, { findings: undefined }),
  swell: (bytes) => {
    held.push(Buffer.alloc(8_000_000, 1))
    return reportOn('text', bytes)
  },
  slow: (bytes) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
    return reportOn('text', bytes)
  },
  malicious: (bytes) =>
    reportOn('text', bytes, {
      findings: [finding('Docvet.Notice', 'notice'), finding('Docvet.Bad', 'malicious', ['a.zip', 'b'])],
    }),
  suspicious: (bytes) => reportOn('text', bytes, { findings: [finding('Docvet.Odd', 'suspicious')] }),
  'bad-and-blocked': (bytes) =>
    reportOn('text', bytes, {
      findings: [finding('Docvet.Bad', 'malicious')],
      obstacle: { reason: 'damaged', detail: 'Broken', path: [] },
    }),
  'many-findings': (bytes) =>
    reportOn('text', bytes, {
      findings: [
        ...Array.from({ length: 5_000 }, () =>
          finding('Docvet.Notice', 'notice', Array(40).fill('\u0001'.repeat(4_000))),
        ),
        finding('Docvet.Bad', 'malicious', Array(40).fill('\u0001'.repeat(4_000))),
      ],
    }),
  unwell: (bytes) => {
    healthy = false
    return reportOn('text', bytes, { obstacle: { reason: 'damaged', detail: 'Odd', path: [] } })
  },
  'unwell-but-bad': (bytes) => {
    healthy = false
    return reportOn('text', bytes, { findings: [finding('Docvet.Bad', 'malicious')] })
  },
  keep: (bytes) => {
    kept = bytes
    return reportOn('text', bytes)
  },
  /** Reports how many bytes of the previous document are left in memory. */
  'tell-kept': (bytes) => {
    const left = kept?.subarray(bytes.length).filter((byte) => byte !== 0).length
    return reportOn('text', bytes, { findings: [finding(`Docvet.Left.${left}`, 'malicious')] })
  },
  complex: (bytes) => reportOn('zip', bytes, { obstacle: { reason: 'too_complex', detail: 'Deep', path: [] } }),
  damaged: (bytes) => reportOn('zip', bytes, { obstacle: { reason: 'damaged', detail: 'Broken', path: ['x'] } }),
}

const OWN_RULES: RuleSource = { name: 'own', text: 'ownbadword' }

/** A rule is a word; a document that contains it is malicious. A rule file that contains `syntax error` is rejected. */
export async function createInspector({ operatorRules }: { operatorRules: RuleSource[] }) {
  const all = [OWN_RULES, ...operatorRules]
  const bad = all.filter(({ text }) => text.includes('syntax error')).map(({ name }) => name)
  if (bad.length > 0) {
    const message = 'error: quoted\n --> line:7:1\n'
    throw Object.assign(new Error(`bad rule files: ${bad.join(', ')}`), {
      files: bad.map((name) => ({ name, message })),
    })
  }
  if (all.some(({ text }) => text.includes('die at start'))) process.exit(9)
  if (all.some(({ text }) => text.includes('hang at start'))) sleep()
  const words = all.flatMap(({ text }) => text.split('\n').filter((word) => word !== ''))
  const blind = words.includes('blind')
  return {
    rulesVersion: words.join('+'),
    ruleCount: words.length,
    inspect(bytes: Uint8Array) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_000)).toString('latin1')
      const fault = FAULTS[/^do: ([a-z-]+)/.exec(text)?.[1] ?? '']
      if (fault !== undefined) return fault(bytes)
      if (text.startsWith('PK')) {
        return reportOn('zip', bytes, { obstacle: { reason: 'encrypted', detail: 'A password is needed', path: [] } })
      }
      const word = words.find((each) => text.includes(each))
      const threat = word ?? (!blind && sha256(bytes) === EICAR_SHA256 ? 'Docvet.Eicar' : undefined)
      return reportOn('text', bytes, { findings: threat === undefined ? [] : [finding(threat, 'malicious')] })
    },
    get healthy() {
      return healthy
    },
    dispose() {},
  }
}
