/** Proves rules on documents that are known to be harmless. The worker has passed its canaries. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { wholeOf } from '#engines/embedded/self-test.ts'
import { end } from '#engines/embedded/starter.ts'
import type { Worker } from '#engines/embedded/worker-process.ts'

const DOCUMENT_MS_MAX = 10_000

/** `npm run generate` writes them from test/support/self-check.ts. */
const FILE = new URL('self-check.json', import.meta.url)

export function selfCheckDocuments(): [string, Buffer][] {
  const packed = inflateRawSync(Buffer.from(JSON.parse(readFileSync(FILE, 'utf8')).documents, 'base64'))
  const documents: [string, string][] = JSON.parse(packed.toString())
  return documents.map(([name, base64]) => [name, Buffer.from(base64, 'base64')])
}

/** Ends the worker. Rejects at the first document that is not harmless any more. */
export async function prove(worker: Worker, signal: AbortSignal): Promise<void> {
  try {
    for (const [name, bytes] of selfCheckDocuments()) {
      const reply = await worker.scan(wholeOf(bytes), DOCUMENT_MS_MAX, signal)
      if (reply.kind !== 'answered') throw new Error(`${name} of the self-check: ${reply.detail}`)
      const { findings, obstacle } = reply.answer.report
      const found = findings.find(({ severity }) => severity !== 'notice')
      if (found !== undefined) throw new Error(`${found.id} hits ${name} of the self-check`)
      if (obstacle !== null) throw new Error(`${name} of the self-check is ${obstacle.reason}`)
    }
  } finally {
    await end(worker)
  }
}
