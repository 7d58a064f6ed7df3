/** Documents built to evade scanners or to exhaust them: none is `clean` by mistake. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR, nested } from '#inspect/testing/samples.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'
import {
  EICAR_ENTRY,
  fortyTwo,
  fullOverlap,
  largeInAll,
  largeMember,
  manyMembers,
  ordinary,
  quotedOverlap,
  zeros,
} from '#test/support/hostile.ts'
import { assertProblem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, startScanService } from '#test/support/scanning.ts'

const DEADLINE_MS = 30_000

let service: ScanService
let key: string
before(async () => {
  service = await startScanService({ DOCVET_SCAN_DEADLINE_MS: String(DEADLINE_MS) })
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const answered = (content: Buffer | string): Promise<Answer> =>
  service.scan(key, content, { type: null, timeoutMs: 60_000 })

const BOMB = /^Docvet\.Bomb\.\w+$/
function assertNotClean(answer: Answer): void {
  if (answer.status === 200) assertInfected(answer, /^Docvet\./)
  else assertProblem(answer, 422, 'document_too_complex')
}

describe('deep and large', () => {
  test('infected 16 archives deep', async () => {
    assertInfected(await answered(nested(EICAR, 16)), 'Docvet.Test.Eicar')
  })
  test('422 from 17 archives deep on', async () => {
    for (const depth of [17, 40, 400]) assertProblem(await answered(nested(EICAR, depth)), 422, 'document_too_complex')
  })
  test('infected or 422 for a member of 110 MB with EICAR at its end', async () => {
    assertNotClean(await answered(largeMember(ordinary(110_000_000))))
  })
  test('infected or 422 for the same member of zeros', async () => {
    assertNotClean(await answered(largeMember(Buffer.alloc(110_000_000))))
  })
  test('422 for 540 MB in all, the last of them with EICAR at its end', async () => {
    assertProblem(await answered(largeInAll()), 422, 'document_too_complex')
  })
  test('422 for 10,050 members, then EICAR', async () => {
    assertProblem(await answered(manyMembers()), 422, 'document_too_complex')
  })
})

describe('bombs', () => {
  test('infected Docvet.Bomb.* for full overlap', async () => {
    assertInfected(await answered(fullOverlap()), BOMB)
  })
  test('infected Docvet.Bomb.* for quoted overlap', async () => {
    assertInfected(await answered(quotedOverlap()), BOMB)
  })
  test('infected Docvet.Bomb.* for an archive of zeros', async () => {
    assertInfected(await answered(writeZip([zeros('zeros', 150_000_000)])), BOMB)
  })
  test('infected or 422 for archives of sixteen archives each, as in 42.zip', async () => {
    assertNotClean(await answered(fortyTwo()))
  })
})

describe('names and references', () => {
  test('entries with a symlink, an absolute path or `..` are scanned, and nothing is written', async () => {
    const mark = `docvet-escape-${process.pid}`
    const names = [`../../../../../../../../tmp/${mark}`, `/tmp/${mark}`, `..\\..\\${mark}`, `C:\\${mark}`]
    const link: EntryPlan = { name: 'link', data: '/etc/passwd', mode: 0o120777 }
    const harmless = await answered(writeZip([link, ...names.map((name) => ({ name, data: 'Good morning' }))]))
    // The names do not matter: the content decides.
    assert.equal(harmless.status, 200, harmless.body)
    for (const name of [...names, 'link']) {
      const entry = { ...EICAR_ENTRY, name, ...(name === 'link' && { mode: 0o120777 }) }
      assertInfected(await answered(writeZip([{ name: 'a.txt', data: 'x' }, entry])), 'Docvet.Test.Eicar')
    }
    for (const folder of [tmpdir(), '/tmp', '/', process.cwd(), service.dataDir])
      assert.equal(existsSync(path.join(folder, mark)), false)
  })

  test('a billion laughs are not expanded', async () => {
    const entities = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const xml = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${entities}]><d>&l10;</d>`
    const { status, body } = await answered(docx({ 'word/document.xml': xml }))
    assert.ok(status === 200 || status === 422, body)
  })

  test('an external entity is not fetched', async () => {
    let calls = 0
    const listener = createServer((socket) => {
      calls++
      socket.destroy()
    })
    await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
    const { port } = listener.address() as { port: number }
    const xml = `<?xml version="1.0"?><!DOCTYPE d SYSTEM "http://127.0.0.1:${port}/a.dtd" [<!ENTITY x SYSTEM "http://127.0.0.1:${port}/x">]><d>&x;</d>`
    const { status, body } = await answered(docx({ 'word/document.xml': xml }))
    listener.close()
    assert.ok(status === 200 || status === 422, body)
    assert.equal(calls, 0)
  })
})

describe('large structures', () => {
  test('a picture of 60,000 by 60,000 in a document', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d494844520000ea600000ea6008060000000000000000', 'hex')
    assertClean(await answered(docx({ 'word/media/image1.png': png })))
  })
  test('a PDF of a million objects', async () => {
    const objects = Array.from({ length: 1_000_000 }, (_, i) => `${i + 1} 0 obj<<>>endobj\n`).join('')
    const bytes = Buffer.from(`%PDF-1.7\n${objects}trailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n`)
    const { status, body } = await answered(bytes)
    assert.ok(status === 200 || status === 422, body)
  })
  test('a compound file whose streams hold compound files', async () => {
    let bytes = writeOle({ streams: { Data: Buffer.alloc(4_096, 'a') } })
    for (let i = 0; i < 8; i++) bytes = writeOle({ streams: { Data: bytes } })
    const { status, body } = await answered(bytes)
    assert.ok(status === 200 || status === 422, body)
  })
  test('64 KB, 1 MB and 10 MB of the letter a', async () => {
    for (const bytes of [65_536, 1_000_000, 10_000_000]) assertClean(await answered(Buffer.alloc(bytes, 'a')))
  })
})

test('the service is still healthy', async () => {
  assertClean(await answered('Good morning'))
  assertInfected(await answered(EICAR), 'Docvet.Test.Eicar')
})
