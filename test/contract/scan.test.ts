/** POST /api/v1/scan: results, refusals and charges. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { docx, EICAR, nested, pdf } from '#inspect/testing/samples.ts'
import { LZMA2, writeSevenZip } from '#inspect/testing/seven-zip-writer.ts'
import { writeTar } from '#inspect/testing/tar-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { assertFields, TIME, withKey } from '#test/support/client.ts'
import { encryptedOffice, encryptedPdf, encryptedSevenZip } from '#test/support/hostile.ts'
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import {
  assertClean,
  assertInfected,
  type FilePart,
  FORM_TYPE,
  filePart,
  form,
  part,
  type ScanService,
  scanned,
  startScanService,
  UUID_V7,
} from '#test/support/scanning.ts'

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const TEXT = { name: 'a.txt', data: 'Good morning' }
const ENCRYPTED = writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }])
const TOO_DEEP = nested('Good morning', 17)
const DAMAGED = writeZip([TEXT], { withoutEnd: true })
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

describe('clean', () => {
  const documents: Record<string, [FilePart & { type: string }, string | Buffer]> = {
    'a text': [{ fileName: 'a.txt', type: 'text/plain' }, 'Good morning'],
    'a PDF': [{ fileName: 'a.pdf', type: 'application/pdf' }, pdf(['<< /Type /Catalog >>'])],
    'a Word document': [{ fileName: 'a.docx', type: WORD }, docx()],
    'a ZIP': [{ fileName: 'a.zip', type: 'application/zip' }, writeZip([TEXT])],
  }
  for (const [what, [file, content]] of Object.entries(documents)) {
    test(`200 for ${what} with exactly the documented fields`, async () => {
      const from = Date.now()
      const answer = await service.scan(key, content, file)
      assert.equal(answer.status, 200, answer.body)
      assertApiHeaders(answer)
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      const fixed = { status: 'clean', threat: null, fileName: file.fileName!, contentType: file.type }
      const made = { scanId: UUID_V7, fileSize: Buffer.byteLength(content), scannedAt: TIME }
      assertFields(answer.json(), { ...fixed, ...made })
      const { scanId, scannedAt } = scanned(answer)
      // A UUIDv7 starts with its creation time.
      const madeAt = Number.parseInt(scanId.replace('-', '').slice(0, 12), 16)
      for (const at of [Date.parse(scannedAt), madeAt]) assert.ok(at >= from && at <= Date.now(), `${at}`)
    })
  }

  test('a document that is scanned twice has two scans', async () => {
    const [one, other] = [await service.scan(key, 'twice'), await service.scan(key, 'twice')]
    assert.notEqual(scanned(one).scanId, scanned(other).scanId)
  })

  test('200 with the key as a bearer token, as with X-API-Key', async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': FORM_TYPE }
    assertClean(await request(service.port, 'POST', '/api/v1/scan', { headers, body: form(filePart('x')) }))
  })
})

/** A compressed attachment that is listed in the catalogue, as viewers show it. */
function attachedToPdf(): Buffer {
  const packed = deflateSync(EICAR)
  return pdf([
    '<< /Type /Catalog /Names << /EmbeddedFiles << /Names [(eicar.com) 2 0 R] >> >> >>',
    '<< /Type /Filespec /F (eicar.com) /EF << /F 3 0 R >> >>',
    `<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString('latin1')}\nendstream`,
  ])
}

describe('infected with Docvet.Test.Eicar', () => {
  // As 7-Zip packs so few bytes: an uncompressed LZMA2 chunk and the end marker.
  const chunk = Buffer.concat([Buffer.from([1, 0, EICAR.length - 1]), Buffer.from(EICAR), Buffer.alloc(1)])
  const sevenZip = writeSevenZip({ packed: chunk, content: Buffer.from(EICAR), coders: [LZMA2] })
  const packed = gzipSync(EICAR)
  const base64 = Buffer.from(EICAR).toString('base64')
  const attached =
    'From: a@example.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n' +
    `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--x--\r\n`
  const documents: Record<string, [string, string | Buffer]> = {
    plain: ['application/octet-stream', EICAR],
    'in a ZIP': ['application/zip', writeZip([TEXT, { name: 'eicar.com', data: EICAR }])],
    'in a Word document': [WORD, docx({ 'word/media/image1.png': EICAR })],
    'three archives deep': ['application/zip', nested(EICAR, 3)],
    'in gzip in a ZIP': ['application/zip', writeZip([{ name: 'a.gz', data: packed }])],
    'in tar in a ZIP': ['application/zip', writeZip([{ name: 'a.tar', data: writeTar('eicar.com', EICAR) }])],
    'in 7z in a ZIP': ['application/zip', writeZip([{ name: 'a.7z', data: sevenZip }])],
    'attached to a mail': ['message/rfc822', attached],
    'attached to a PDF': ['application/pdf', attachedToPdf()],
    'in a PDF': ['application/pdf', pdf([`<< /Length ${EICAR.length} >>\nstream\n${EICAR}\nendstream`])],
    'called a text, in an encrypted ZIP': [
      'text/plain',
      writeZip([
        { ...TEXT, local: { flags: 1 }, central: { flags: 1 } },
        { name: 'b', data: EICAR },
      ]),
    ],
  }
  for (const [what, [type, content]] of Object.entries(documents)) {
    test(what, async () => {
      const { fileSize, contentType } = assertInfected(await service.scan(key, content, { type }), 'Docvet.Test.Eicar')
      assert.deepEqual([fileSize, contentType], [Buffer.byteLength(content), type])
    })
  }
})

describe('fields from the client', () => {
  const types: [string | null, string | null][] = [
    [null, null],
    ['application/octet-stream', 'application/octet-stream'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['Application/PDF', 'Application/PDF'],
  ]
  for (const [type, contentType] of types) {
    test(`contentType is ${contentType} for ${type ?? 'none'}, regardless of the content`, async () => {
      assert.equal(assertClean(await service.scan(key, 'Good morning', { type })).contentType, contentType)
    })
  }

  const names: Record<string, string> = {
    'invoice.pdf': 'invoice.pdf',
    'C:\\Users\\me\\report.doc': 'report.doc',
    '/etc/hosts': 'hosts',
    'Zoë – résumé 報告.txt': 'Zoë – résumé 報告.txt',
    'a\tb\x07c\x7f.txt': 'abc.txt',
    'quoted %22name%22.txt': 'quoted "name".txt',
    '<script>alert(1)</script>.txt': 'script>.txt',
    '=cmd()': '=cmd()',
    '..': 'document',
    '': 'document',
  }
  for (const [fileName, shown] of Object.entries(names)) {
    test(`fileName is ${JSON.stringify(shown)} for ${JSON.stringify(fileName)}`, async () => {
      assert.equal(assertClean(await service.scan(key, 'Good morning', { fileName })).fileName, shown)
    })
  }

  test('a long name is truncated to 255 bytes between characters', async () => {
    const { fileName } = assertClean(await service.scan(key, 'x', { fileName: '報'.repeat(200) }))
    assert.equal(fileName, '報'.repeat(85))
  })

  test('other fields of the form are ignored', async () => {
    const body = form(
      part(['Content-Disposition: form-data; name="note"'], 'hello'),
      filePart('Good morning'),
      part(['Content-Disposition: form-data; name="file2"'], 'hello'),
    )
    const headers = { ...withKey(key), 'content-type': FORM_TYPE }
    assert.equal(assertClean(await request(service.port, 'POST', '/api/v1/scan', { headers, body })).fileSize, 12)
  })
})

describe('the declared type', () => {
  const refused = {
    'a picture': ['image/png', 'image/jpeg', 'Image/PNG; a=b', 'image/vnd.dwg'],
    'a sound': ['audio/mpeg', 'audio/wav'],
    'a video': ['video/mp4', 'VIDEO/quicktime'],
    'a font': ['font/woff2'],
    'a model': ['model/gltf+json'],
    'a Windows program': [
      'application/x-msdownload',
      'application/vnd.microsoft.portable-executable',
      'application/x-msi',
    ],
    'a Linux program': ['application/x-executable', 'application/x-sharedlib', 'application/x-pie-executable'],
    'a macOS program': ['application/x-mach-binary'],
    'a Java program': ['application/java-archive', 'application/x-java-archive', 'application/java-vm'],
    'an Android program': ['application/vnd.android.package-archive'],
    'a WebAssembly program': ['application/wasm'],
    'an installation package': ['application/vnd.debian.binary-package', 'application/x-rpm'],
  }
  for (const [what, types] of Object.entries(refused)) {
    test(`415 for ${what}, whatever the content is`, async () => {
      for (const type of types) {
        const problem = assertProblem(
          await service.scan(key, 'Good morning', { type }),
          415,
          'unsupported_content_type',
        )
        assert.ok(problem.detail.includes(`\`${type.split(';')[0]!.toLowerCase()}\``), problem.detail)
      }
    })
  }

  const accepted = {
    'a type of a document': ['application/pdf', 'application/msword', 'text/csv', 'application/zip'],
    'another name of a document type': [
      'application/vnd.ms-word',
      'application/x-pdf',
      'text/yaml',
      'application/yaml',
    ],
    'a generic type': [
      'application/octet-stream',
      'binary/octet-stream',
      'application/force-download',
      'application/x-download',
    ],
    'an unknown type': [
      'foo/bar',
      'application/vnd.example+json',
      'text/plain2',
      'chemical/x-pdb',
      `a/${'b'.repeat(1_000)}`,
    ],
    'a script': [
      'text/javascript',
      'application/javascript',
      'application/x-sh',
      'text/x-python',
      'application/x-powershell',
    ],
    'an archive that is not accepted': ['application/gzip', 'application/x-7z-compressed', 'application/x-tar'],
    'a type with parameters, in any case': ['Text/Plain; charset=utf-8', 'Foo/Bar ; a="b"', 'text/plain;'],
    'SVG, the only picture that is text': ['image/svg+xml', 'Image/SVG+XML; charset=utf-8'],
  }
  for (const [what, types] of Object.entries(accepted)) {
    test(`200 for a text declared as ${what}, and the type is repeated in the answer`, async () => {
      for (const type of types) {
        assert.equal(assertClean(await service.scan(key, 'Good morning', { type })).contentType, type)
      }
    })
    test(`415 for a picture declared as ${what}: the content decides`, async () => {
      for (const type of types) {
        const problem = assertProblem(await service.scan(key, PNG, { type }), 415, 'unsupported_content_type')
        assert.match(problem.detail, /image\/png/)
      }
    })
    test(`infected for a threat declared as ${what}`, async () => {
      for (const type of types) assertInfected(await service.scan(key, EICAR, { type }), 'Docvet.Test.Eicar')
    })
  }

  test('200 without one, and with an empty one', async () => {
    for (const type of [null, '']) {
      assert.equal(assertClean(await service.scan(key, 'Good morning', { type })).contentType, null)
    }
  })

  for (const type of [
    'nonsense',
    'text/',
    '/plain',
    'text/pl ain',
    'text/plain/x',
    ';charset=utf-8',
    '<b>/x',
    'text/pläin',
  ]) {
    test(`400 for one that is malformed: ${type}`, async () => {
      const problem = assertProblem(await service.scan(key, 'Good morning', { type }), 400, 'malformed_multipart')
      assert.ok(!problem.detail.includes(type), 'A malformed type is not repeated')
    })
  }
})

describe('415 by content', () => {
  const contents: [string, RegExp, Buffer][] = [
    ['a picture', /image\/png/, PNG],
    ['gzip', /gzip/, gzipSync('Good morning')],
    ['tar', /x-tar/, writeTar('a.txt', 'Good morning')],
    ['7z', /x-7z-compressed/, writeSevenZip({ packed: Buffer.from('x'), content: Buffer.from('x') })],
  ]
  for (const [what, named, content] of contents) {
    for (const type of ['application/pdf', null]) {
      test(`for ${what} declared as ${type ?? 'nothing'}, naming what it is`, async () => {
        const problem = assertProblem(await service.scan(key, content, { type }), 415, 'unsupported_content_type')
        assert.match(problem.detail, named)
      })
    }
  }
})

describe('a program', () => {
  const PROGRAM = Buffer.from(`MZ${'\0'.repeat(200)}`)
  for (const type of ['application/octet-stream', null]) {
    test(`is 415 under its own name, declared as ${type ?? 'nothing'}`, async () => {
      const answer = await service.scan(key, PROGRAM, { fileName: 'setup.exe', type })
      const problem = assertProblem(answer, 415, 'unsupported_content_type')
      assert.match(problem.detail, /application\/\S*(executable|msdownload|dosexec)/)
    })
  }
  for (const [fileName, type] of [
    ['invoice.pdf', null],
    ['invoice.pdf.exe', 'application/octet-stream'],
    ['setup.exe', 'application/pdf'],
  ] as const) {
    test(`is infected as ${fileName}, declared as ${type ?? 'nothing'}`, async () => {
      assertInfected(await service.scan(key, PROGRAM, { fileName, type }), 'Docvet.Embedded.Executable')
    })
  }
})

describe('422: no verdict', () => {
  test('encrypted_document for an encrypted ZIP', async () => {
    assertProblem(await service.scan(key, ENCRYPTED), 422, 'encrypted_document')
  })
  for (const [what, make] of Object.entries({
    'a 7z in a ZIP': encryptedSevenZip,
    'a PDF': encryptedPdf,
    'an Office document': encryptedOffice,
  })) {
    test(`encrypted_document for ${what} with a password`, async () => {
      assertProblem(await service.scan(key, make(), { type: null }), 422, 'encrypted_document')
    })
  }
  test('document_too_complex for 17 nested archives', async () => {
    assertProblem(await service.scan(key, TOO_DEEP), 422, 'document_too_complex')
  })
  test('damaged_document for a truncated ZIP', async () => {
    assertProblem(await service.scan(key, DAMAGED), 422, 'damaged_document')
  })
})

describe('charging', () => {
  test('once for every verdict, never for a refusal', async () => {
    const payer = await service.newKey()
    const steps: [string | Buffer, FilePart, number, number][] = [
      ['Good morning', {}, 200, 1],
      [EICAR, {}, 200, 2],
      ['', {}, 400, 2],
      ['x', { name: 'document' }, 400, 2],
      ['x', { type: 'video/mp4' }, 415, 2],
      [PNG, { type: null }, 415, 2],
      [ENCRYPTED, {}, 422, 2],
      [TOO_DEEP, {}, 422, 2],
      [DAMAGED, {}, 422, 2],
      [Buffer.alloc(26_214_401, 'a\n'), {}, 413, 2],
      ['Good morning', {}, 200, 3],
    ]
    for (const [content, file, status, used] of steps) {
      assert.equal((await service.scan(payer, content, file)).status, status)
      assert.equal(await service.used(payer), used)
    }
  })

  test('each of twenty concurrent scans', async () => {
    const payer = await service.newKey()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => service.scan(payer, `number ${i}`)))
    for (const answer of answers) assertClean(answer)
    assert.equal(await service.used(payer), 20)
  })
})
