/** The self-test of a worker: it must find the test threat, pass a harmless text, and report an encrypted archive. */
import { createHash } from 'node:crypto'
import { canaryFile, EICAR } from '#engines/canary-files.ts'
import { checksumOf } from '#engines/checksum.ts'
import type { Whole } from '#engines/sample.ts'
import { SelfTestFailed } from './errors.ts'
import type { AnalyserReport } from './protocol.ts'
import type { Worker } from './worker-process.ts'

const SELF_TEST_MS_MAX = 10_000
const HARMLESS = Buffer.from('Dear reader,\n\nthis text is harmless, and a scan must report it as clean.\n')

const CANARIES: readonly { name: string; document: Whole; passes(report: AnalyserReport): boolean }[] = [
  {
    name: 'the EICAR test file',
    document: wholeOf(EICAR),
    passes: ({ findings }) => findings.some(({ severity }) => severity === 'malicious'),
  },
  {
    name: 'a harmless text',
    document: wholeOf(HARMLESS),
    passes: ({ kind, findings, obstacle, bytesInspected }) =>
      kind !== null &&
      obstacle === null &&
      bytesInspected >= HARMLESS.length &&
      findings.every(({ severity }) => severity === 'notice'),
  },
  {
    name: 'an encrypted archive',
    document: wholeOf(canaryFile('encrypted')),
    passes: ({ obstacle }) => obstacle?.reason === 'encrypted',
  },
]

/** Null when the worker passed. */
export async function selfTest(worker: Worker, signal?: AbortSignal): Promise<SelfTestFailed | null> {
  for (const { name, document, passes } of CANARIES) {
    const reply = await worker.scan(document, SELF_TEST_MS_MAX, signal)
    if (reply.kind !== 'answered') return new SelfTestFailed(name, reply.detail)
    if (!passes(reply.answer.report)) return new SelfTestFailed(name, 'the worker gave a wrong answer')
  }
  return null
}

export function wholeOf(bytes: Buffer): Whole {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { size: bytes.length, sha256, checksum: checksumOf(bytes), chunks: [bytes] }
}
