/** ClamAV's collection of containers around one test program, with clamd. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { type ClamdServer, defaultSignatures, startClamd } from '#test/support/clamd.ts'
import { assertProblem } from '#test/support/problem.ts'
import { assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'
import { CLAMAV_TEST_FILES, needs } from '#test/support/suite.ts'

/** A clamd signature of the program inside: MD5, size, name. */
const SIGNATURE = 'aa15bcf478d165efd2065190eb473bcb:544:ClamAV-Test-File\n'
const FILES_MIN = 40
/** The rest are programs and archives that are accepted only in a ZIP. */
const DOCUMENTS = /\.(?:zip|pdf|doc|ppt|rtf|html|mail|mbox\.\w+|binhex)$/
/** Exceeds the nesting limit inside a ZIP. */
const DEEPEST = 'clam_cache_emax.tgz'

describe('the test files of ClamAV', needs('clamd', 'testFiles'), () => {
  let clamd: ClamdServer
  let service: ScanService
  let key: string
  before(async () => {
    clamd = await startClamd({ signatures: { ...defaultSignatures(), 'clam.hdb': SIGNATURE } })
    service = await startScanService({ DOCVET_CLAMD_URL: clamd.url })
    key = await service.newKey()
  })
  after(async () => {
    await service?.[Symbol.asyncDispose]()
    await clamd?.close()
  })

  const names = readdirSync(CLAMAV_TEST_FILES).filter((name) => name.startsWith('clam'))
  test('are complete', () => assert.ok(names.length >= FILES_MIN, `${names.length}`))

  for (const name of names) {
    const data = readFileSync(path.join(CLAMAV_TEST_FILES, name))
    test(`${name} in a ZIP`, async () => {
      const answer = await service.scan(key, writeZip([{ name, data }]), { type: null })
      if (name === DEEPEST) assertProblem(answer, 422, 'document_too_complex')
      else assertInfected(answer, /./)
    })
    test(`${name} alone`, async () => {
      const answer = await service.scan(key, data, { fileName: name, type: null })
      if (DOCUMENTS.test(name)) assertInfected(answer, /./)
      else assertProblem(answer, 415, 'unsupported_content_type')
    })
  }
})
