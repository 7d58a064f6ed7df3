import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { createLog } from '#base/log.ts'
import { EICAR } from '#engines/canary-files.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import { LIMITS } from '#inspect/core/limits.ts'
import { largeMemberZip } from '#test/support/canaries/archives.ts'
import { startClamd } from '#test/support/clamd.ts'
import { needs } from '#test/support/suite.ts'
import { SMALL_CANARIES } from './canaries.ts'
import { createClamdEngine } from './engine.ts'

const log = createLog({ level: 'silent' })

async function withEngine(url: string, body: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await createClamdEngine({ log, urls: [url] })
  try {
    await body(engine)
  } finally {
    await engine.close()
  }
}

function scan(engine: Engine, document: Buffer | string): Promise<Outcome> {
  const { push, end } = createSample()
  push(Buffer.from(document))
  return engine.inspect(end(''), AbortSignal.timeout(10_000))
}

async function untilHealth(engine: Engine, status: 'UP' | 'DOWN', timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (engine.health().status !== status) {
    if (performance.now() > deadline) assert.fail(`not ${status} within ${timeoutMs} ms: ${engine.health().detail}`)
    await sleep(20)
  }
}

interface Case {
  conf?: Record<string, string | null>
  signatures?: Record<string, string>
  /** Follows "clamd" in the health detail. */
  notice: string
  /** In the log as well. */
  said?: RegExp
}

const SIZES = 'set MaxFileSize 400M and MaxScanSize 400M (both the same)'
const DOCUMENT_SIZES = 'set StreamMaxLength 26M, MaxHTMLNormalize 100M, MaxFileSize 400M and MaxScanSize 400M'
const CASES: Record<string, Case> = {
  'no alert past limits': {
    conf: { AlertExceedsMax: 'no' },
    notice: 'passes a threat inside 20 nested archives as clean: set AlertExceedsMax yes',
  },
  'no alert past limits, but deep recursion': {
    conf: { AlertExceedsMax: 'no', MaxRecursion: '30', MaxFiles: '25' },
    notice: 'does not report when it stops at a limit: set AlertExceedsMax yes',
  },
  'no alert past limits, and hardly any limits': {
    conf: { AlertExceedsMax: 'no', MaxRecursion: '1000', MaxFileSize: '0', MaxScanSize: '0' },
    notice: 'does not report when it stops at a limit: set AlertExceedsMax yes',
  },
  'no alert for what is encrypted': {
    conf: { AlertEncrypted: null, AlertEncryptedArchive: null, AlertEncryptedDoc: null },
    notice: 'passes an encrypted archive as clean: set AlertEncrypted yes',
  },
  'an alert for encrypted archives only': {
    conf: { AlertEncrypted: null, AlertEncryptedArchive: 'yes', AlertEncryptedDoc: null },
    notice: 'passes an encrypted PDF as clean: set AlertEncrypted yes',
  },
  'members to 50 MB': {
    conf: { MaxFileSize: '50M' },
    notice: `does not fully scan archive members of 200 MB: ${SIZES}`,
  },
  'members to one byte less than the largest': {
    conf: { MaxFileSize: String(LIMITS.memberBytesMax - 1) },
    notice: `does not fully scan archive members of 200 MB: ${SIZES}`,
    said: /Heuristics.Limits.Exceeded.MaxFileSize/,
  },
  'documents to 10 MB': {
    conf: { StreamMaxLength: '10M' },
    notice: `does not fully scan a document of 25 MB: ${DOCUMENT_SIZES}`,
    said: /size limit exceeded/,
  },
  'HTML pages to one byte less than the largest': {
    conf: { MaxHTMLNormalize: String(DOCUMENT_BYTES_MAX - 1) },
    notice: `does not fully scan a document of 25 MB: ${DOCUMENT_SIZES}`,
    said: /answered OK/,
  },
  'other signatures': {
    signatures: { 'a.ndb': 'A:0:*:414243444546\n' },
    notice: 'does not find the EICAR test file: load the official signatures with freshclam',
  },
  'signatures that match everything': {
    signatures: { 'a.ndb': 'A:0:*:6861726d6c657373\nE:0:*:4549434152\n' },
    notice: 'does not report a harmless text as clean: check its signatures',
    said: /A\.UNOFFICIAL/,
  },
}
for (const [what, setting] of [
  ['an archive', 'ScanArchive'],
  ['a PDF', 'ScanPDF'],
  ['an Office document (OLE2)', 'ScanOLE2'],
  ['an Office document saved as XML', 'ScanXMLDOCS'],
  ['a mail', 'ScanMail'],
  ['an HTML page', 'ScanHTML'],
  ['a OneNote file', 'ScanOneNote'],
] as const) {
  const remedy = `set ${setting} yes${setting === 'ScanOneNote' ? ' (ClamAV 1.3 and newer)' : ''}`
  CASES[`${setting} no`] = {
    conf: { [setting]: 'no' },
    notice: `does not find a threat inside ${what}: ${remedy}`,
  }
}

describe('a misconfigured clamd is not used, and health names the setting to change', needs('clamd'), () => {
  for (const [name, { conf = {}, signatures, notice, said = /./ }] of Object.entries(CASES)) {
    test(name, async () => {
      await using clamd = await startClamd({ name: 'clamd-bad', conf, ...(signatures && { signatures }) })
      await withEngine(clamd.url, async (engine) => {
        assert.deepEqual([engine.health().status, engine.health().detail], ['DOWN', `clamd ${notice}`])
        const outcome = await scan(engine, 'a harmless document')
        assert.equal(outcome.kind === 'failed' && !outcome.late, true)
        const detail = outcome.kind === 'failed' ? outcome.detail : ''
        assert.match(detail, said)
        assert.ok(detail.includes(clamd.url), 'the log has the URL')
      })
    })
  }

  test('a restart with wrong settings is noticed, and one with right settings as well', async () => {
    await using clamd = await startClamd({ name: 'clamd-restarted' })
    await withEngine(clamd.url, async (engine) => {
      assert.equal(engine.health().status, 'UP')
      await clamd.kill()
      await clamd.start({ MaxFileSize: '50M', StreamMaxLength: '24M' })
      // clamd rejects this size, and a failure triggers the next check early.
      assert.equal((await scan(engine, Buffer.alloc(DOCUMENT_BYTES_MAX))).kind, 'failed')
      await untilHealth(engine, 'DOWN')
      assert.equal((await scan(engine, largeMemberZip(EICAR, 110))).kind, 'failed')
      await clamd.kill()
      await clamd.start({ MaxFileSize: '400M', StreamMaxLength: '26M' })
      await untilHealth(engine, 'UP')
      assert.equal((await scan(engine, largeMemberZip(EICAR, 110))).kind, 'detected')
    })
  })
})

describe('a well-configured clamd', needs('clamd'), () => {
  test('is used with exactly the required limits, and with signatures that match whole files only', async () => {
    // As the official database has it: by the hash of the 68 bytes.
    const signatures = { 'a.hdb': '44d88612fea8a8f36de82e1278abb02f:68:Test.Hash\n' }
    const conf = { MaxFileSize: String(LIMITS.memberBytesMax), MaxHTMLNormalize: String(DOCUMENT_BYTES_MAX) }
    await using clamd = await startClamd({ name: 'clamd-good', conf, signatures })
    await withEngine(clamd.url, async (engine) => {
      assert.deepEqual([engine.health().status, engine.health().detail], ['UP', null])
    })
  })
})

test('only the threat canary contains the threat unencoded', () => {
  const plain = SMALL_CANARIES.filter(({ document }) => Buffer.concat([...document()]).includes(EICAR))
  assert.deepEqual(
    plain.map(({ name }) => name),
    ['threat'],
  )
})
