/** Proves a set on documents that are known to be harmless, and on threats that must stay found. The worker has passed its canaries. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { applyFeeds } from '#engines/embedded/feeds/apply.ts'
import type { Feed } from '#engines/embedded/feeds/feed-files.ts'
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

/** Of what tables of a set could excuse. */
const THREATS: readonly [name: string, id: string, document: string][] = [
  [
    'a link that poses as a brand',
    'Docvet.Link.Deceptive',
    '<!doctype html><html><body><p>Notes</p><a href="https://paypal.com.signin.example/">Open</a></body></html>',
  ],
  [
    'a link whose text names another server',
    'Docvet.Link.Deceptive',
    '<!doctype html><html><body><p>Notes</p><a href="https://www.collector.example/a">https://www.paypal.com/signin</a></body></html>',
  ],
]

/** Ends the worker. Rejects at the first document that is not harmless any more, or threat that is. */
export async function prove(worker: Worker, lists: readonly Feed[], signal: AbortSignal): Promise<void> {
  const reportOn = async (name: string, bytes: Buffer) => {
    const wantsIndicators = lists.length === 0 ? undefined : (['address', 'hash'] as const)
    const reply = await worker.scan({ ...wholeOf(bytes), wantsIndicators }, DOCUMENT_MS_MAX, signal)
    if (reply.kind !== 'answered') throw new Error(`${name} of the self-check: ${reply.detail}`)
    return applyFeeds(reply.answer.report, lists)
  }
  try {
    for (const [name, bytes] of selfCheckDocuments()) {
      const { findings, obstacle } = await reportOn(name, bytes)
      const found = findings.find(({ severity }) => severity !== 'notice')
      if (found !== undefined) throw new Error(`${found.id} hits ${name} of the self-check`)
      if (obstacle !== null) throw new Error(`${name} of the self-check is ${obstacle.reason}`)
    }
    for (const [name, id, document] of THREATS) {
      const { findings } = await reportOn(name, Buffer.from(document))
      if (!findings.some((finding) => finding.id === id)) throw new Error(`${name} is not found any more`)
    }
  } finally {
    await end(worker)
  }
}
