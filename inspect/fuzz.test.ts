/** Mutated documents always get an answer, and never a clean one while they contain the threat. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import type { Inspection } from './inspect.ts'
import { assertCheap } from './testing/cpu-time.ts'
import { useInspector } from './testing/inspector.ts'
import { mutate } from './testing/mutate.ts'
import { lockAgile } from './testing/office-lock.ts'
import { writeOle } from './testing/ole-writer.ts'
import { randomFrom } from './testing/random.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'
import { lockBook } from './testing/xls-lock.ts'
import { writeZip } from './testing/zip-writer.ts'

const MUTANTS = Number(process.env.FUZZ_MUTANTS ?? 2000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

const inspector = useInspector()

/** An independent reader: tries to inflate at every offset, and searches the raw bytes. */
function holdsThreat(bytes: Buffer): boolean {
  if (bytes.includes(EICAR)) return true
  for (
    let at = bytes.indexOf('PK\x03\x04', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('PK\x03\x04', at + 1, 'latin1')
  ) {
    for (let start = at + 30; start < Math.min(at + 90, bytes.length); start++) {
      try {
        if (holdsThreat(inflateRawSync(bytes.subarray(start), { maxOutputLength: 100_000 }))) return true
      } catch {
        // No deflate data at this offset.
      }
    }
  }
  return false
}

const SOURCES: readonly [string, Buffer][] = [
  [
    'zip, deflated',
    writeZip([
      { name: 'a.txt', data: 'Good morning' },
      { name: 'eicar.com', data: EICAR },
    ]),
  ],
  ['zip, stored', writeZip([{ name: 'eicar.com', data: EICAR, method: 'stored' }])],
  [
    'zip, streamed',
    writeZip([
      { name: 'eicar.com', data: EICAR, streamed: true },
      { name: 'b', data: 'x', streamed: true },
    ]),
  ],
  ['zip64', writeZip([{ name: 'eicar.com', data: EICAR }], { zip64: true })],
  ['zip in zip', writeZip([{ name: 'inner.zip', data: writeZip([{ name: 'eicar.com', data: EICAR }]) }])],
  ['docx', docx({ 'word/media/image1.png': EICAR })],
]

const OTHERS: readonly Buffer[] = [
  writeOle({ streams: { WordDocument: Buffer.alloc(1500, 'a'), Data: docx() }, scattered: true }),
  lockAgile(docx(), { rounds: 10 }),
  ...(['xor', 'rc4', 'cryptoApi'] as const).map((method) =>
    writeOle({ streams: { Workbook: lockBook('Good morning', { method }) } }),
  ),
  pdf(
    ['<< /Length 5 /Filter [/FlateDecode /ASCII85Decode] >>\nstream\nhello\nendstream'],
    '/Encrypt << /V 1 /R 2 /O (a) /U (b) /P 1 >>',
  ),
  Buffer.from('From: a\nTo: b\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--x\n'),
  Buffer.from('\x1f\x8b\x08\x1f\0\0\0\0\0\0\x03\0abcname\0comment\0xx', 'latin1'),
]

function inspectCheaply(bytes: Uint8Array, name: string): Inspection {
  let inspection: Inspection | undefined
  assertCheap(() => (inspection = inspector.inspect(bytes)), name)
  return inspection!
}

test('every unmutated document gets an answer, and its threat is found', () => {
  for (const [name, source] of SOURCES) {
    const { findings } = inspector.inspect(source)
    assert.ok(
      findings.some(({ severity }) => severity === 'malicious'),
      name,
    )
  }
  for (const source of OTHERS) {
    const { findings, obstacle } = inspector.inspect(source)
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'malicious'),
      [],
    )
    assert.doesNotMatch(obstacle?.detail ?? '', /could not be analysed/)
  }
})

test(`${MUTANTS} mutants of archives with EICAR, seed ${seed}: none is clean`, (t) => {
  t.diagnostic(`seed ${seed}`)
  const random = randomFrom(seed)
  const tally: Record<string, number> = {}
  for (let i = 0; i < MUTANTS; i++) {
    const [name, source] = SOURCES[i % SOURCES.length]!
    const mutant = mutate(source, random)
    const { kind, findings, obstacle } = inspectCheaply(mutant, `${name}, mutant ${i} of seed ${seed}`)
    const malicious = findings.some(({ severity }) => severity === 'malicious')
    const verdict = malicious ? 'malicious' : obstacle ? obstacle.reason : kind === null ? 'refused' : 'clean'
    tally[verdict] = (tally[verdict] ?? 0) + 1
    if (verdict === 'clean')
      assert.ok(!holdsThreat(mutant), `${name}, mutant ${i} of seed ${seed}: ${mutant.toString('base64')}`)
  }
  t.diagnostic(JSON.stringify(tally))
})

test(`mutants of other documents, seed ${seed}, always get a result`, () => {
  const random = randomFrom(seed + 1)
  for (let i = 0; i < MUTANTS / 2; i++) {
    const { obstacle } = inspectCheaply(mutate(OTHERS[i % OTHERS.length]!, random), `mutant ${i} of seed ${seed}`)
    // The traversal turns an exception in an analyser into this detail.
    assert.doesNotMatch(obstacle?.detail ?? '', /could not be analysed/)
  }
})
