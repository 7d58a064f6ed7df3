import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { FILES_MAX, fingerprint, RULE_BYTES_MAX, readRules } from './rule-files.ts'

describe('reading rule files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (name: string, bytes: number) => {
    writeFileSync(path.join(folder, name), '')
    truncateSync(path.join(folder, name), bytes)
  }

  it('reads .yar and .yara files in the order of their names', async () => {
    for (const name of ['b.yara', 'a.yar', 'c.yar.txt', 'yar']) writeFileSync(path.join(folder, name), name)
    const { files, rejected, fingerprint: seen } = await readRules(folder)
    assert.deepEqual(
      files.map(({ name, text }) => [name, text]),
      [
        ['a.yar', 'a.yar'],
        ['b.yara', 'b.yara'],
      ],
    )
    assert.deepEqual(rejected, [])
    assert.equal(await fingerprint(folder), seen)
  })

  it(`rejects a file beyond ${RULE_BYTES_MAX} bytes in total, but not a smaller one after it`, async () => {
    put('a.yar', RULE_BYTES_MAX - 10)
    put('b.yar', 10)
    assert.deepEqual((await readRules(folder)).rejected, [])
    put('b.yar', 11)
    put('c.yar', 10)
    const { files, rejected } = await readRules(folder)
    assert.deepEqual(
      files.map(({ name, text }) => [name, text.length]),
      [
        ['a.yar', RULE_BYTES_MAX - 10],
        ['c.yar', 10],
      ],
    )
    const reason = `exceeds the limit of ${RULE_BYTES_MAX} bytes for all rules`
    assert.deepEqual(rejected, [{ name: 'b.yar', reason }])
  })

  it(`rejects files beyond the first ${FILES_MAX}`, async () => {
    for (let index = 0; index < FILES_MAX; index++) put(`${index}.yar`, 1)
    assert.deepEqual((await readRules(folder)).rejected, [])
    put('z.yar', 1)
    const { files, rejected } = await readRules(folder)
    assert.equal(files.length, FILES_MAX)
    assert.deepEqual(rejected, [{ name: 'z.yar', reason: `exceeds the limit of ${FILES_MAX} files` }])
  })
})
