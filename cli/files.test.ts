import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { readDocument, readOpen } from './files.ts'

test('a file is read whole up to the largest size, and not a byte more', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'a')
  for (const size of [0, 1, 65_536, DOCUMENT_BYTES_MAX]) {
    writeFileSync(file, Buffer.alloc(size, 'x'))
    assert.ok((await readDocument(file)).bytes.equals(Buffer.alloc(size, 'x')))
  }
  writeFileSync(file, Buffer.alloc(DOCUMENT_BYTES_MAX + 1))
  await assert.rejects(readDocument(file), { code: 'file_too_large' })
})

test('a file that grows without an end is read up to that size', async () => {
  const piece = Buffer.alloc(1_048_576)
  let pieces = 0
  async function* endless() {
    for (; ; pieces++) yield piece
  }
  const growing = { createReadStream: () => endless() } as unknown as FileHandle
  await assert.rejects(readOpen(growing, 1), { code: 'file_too_large' })
  assert.equal(pieces, DOCUMENT_BYTES_MAX / piece.length)
})
