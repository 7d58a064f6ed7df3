/** Documents that clamd skips silently by default are never clean, with the embedded engine alone and with clamd. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR, nested } from '#inspect/testing/samples.ts'
import { type ClamdServer, startClamd } from '#test/support/clamd.ts'
import * as hostile from '#test/support/hostile.ts'
import { assertProblem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'
import { needs } from '#test/support/suite.ts'

/** Documents of hundreds of megabytes are built and unpacked. */
const SUITE_TIMEOUT_MS = 300_000
const TEST_TIMEOUT_MS = 90_000

/** Allowed outcomes: a threat, or a code of 422. */
const BOMB = 'infected as a bomb'
const THREAT = 'infected'
const TOO_COMPLEX = 'document_too_complex'
const ENCRYPTED = 'encrypted_document'

interface Row {
  make(): Buffer
  embedded: readonly string[]
  /** With clamd, where it differs. */
  both?: readonly string[]
}

const ROWS: Record<string, Row> = {
  'EICAR 17 archives deep': {
    make: () => nested(EICAR, 17),
    embedded: [TOO_COMPLEX],
    both: [TOO_COMPLEX, THREAT],
  },
  'EICAR 40 archives deep': { make: () => nested(EICAR, 40), embedded: [TOO_COMPLEX] },
  'EICAR behind 110 MB of one member': {
    make: () => hostile.largeMember(hostile.ordinary(110_000_000)),
    embedded: [THREAT],
  },
  'EICAR behind 110 MB of zeros': {
    make: () => hostile.largeMember(Buffer.alloc(110_000_000)),
    embedded: [THREAT, BOMB],
  },
  'EICAR behind 540 MB in all': { make: hostile.largeInAll, embedded: [TOO_COMPLEX] },
  'EICAR behind 10,050 members': { make: hostile.manyMembers, embedded: [TOO_COMPLEX] },
  'EICAR packed in 7z': { make: hostile.packedSevenZip, embedded: [TOO_COMPLEX], both: [THREAT] },
  'an encrypted ZIP': { make: hostile.encryptedZip, embedded: [ENCRYPTED] },
  'an encrypted 7z': { make: hostile.encryptedSevenZip, embedded: [ENCRYPTED] },
  'an encrypted PDF': { make: hostile.encryptedPdf, embedded: [ENCRYPTED] },
  'an encrypted Office document': { make: hostile.encryptedOffice, embedded: [ENCRYPTED] },
  'full overlap': { make: hostile.fullOverlap, embedded: [BOMB] },
  'quoted overlap': { make: hostile.quotedOverlap, embedded: [BOMB] },
  'archives in archives, as in 42.zip': { make: hostile.fortyTwo, embedded: [BOMB, TOO_COMPLEX] },
}

/** Our name and clamd's names for the same. */
const BOMB_NAMES = /^(?:Docvet\.Bomb\.|Heuristics\.Zip\.OverlappingFiles)/

function saidOf(answer: Answer): string {
  if (answer.status === 200) return BOMB_NAMES.test(assertInfected(answer, /./).threat ?? '') ? BOMB : THREAT
  const { code } = answer.json() as { code: string }
  assertProblem(answer, 422, code)
  return code
}

const made = new Map<string, Buffer>()

/** Packing the largest takes seconds, so each is made once for both configurations. */
function documentOf(what: string, make: Row['make']): Buffer {
  const document = made.get(what) ?? make()
  made.set(what, document)
  return document
}

/** Declares the tests for one configuration. */
function declare(setUp: 'embedded' | 'both'): void {
  let clamd: ClamdServer | undefined
  let service: ScanService
  let key: string

  before(async () => {
    if (setUp === 'both') clamd = await startClamd()
    service = await startScanService({ DOCVET_CLAMD_URL: clamd?.url })
    key = await service.newKey()
  })
  after(async () => {
    await service?.[Symbol.asyncDispose]()
    await clamd?.close()
  })

  const scan = (content: Buffer | string) => service.scan(key, content, { type: null, timeoutMs: 60_000 })

  for (const [what, { make, embedded, both }] of Object.entries(ROWS)) {
    const expected = setUp === 'both' ? (both ?? embedded) : embedded
    test(`${expected.join(' or ')}: ${what}`, { timeout: TEST_TIMEOUT_MS }, async () => {
      const answer = await scan(documentOf(what, make))
      assert.ok(expected.includes(saidOf(answer)), answer.body)
    })
  }

  test('a harmless text is clean', async () => {
    assertClean(await scan('Good morning'))
  })
}

describe('the embedded engine alone', { timeout: SUITE_TIMEOUT_MS }, () => declare('embedded'))
describe('the embedded engine and clamd', { ...needs('clamd'), timeout: SUITE_TIMEOUT_MS }, () => declare('both'))
