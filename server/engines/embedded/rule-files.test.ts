import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { FILES_MAX, fingerprint, RULE_BYTES_MAX, readRules } from './rules.ts'

describe('the rule files of a folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (name: string, bytes: number) => {
    writeFileSync(path.join(folder, name), '')
    truncateSync(path.join(folder, name), bytes)
  }

  it('are read in order of their names; others are none', async () => {
    for (const name of ['b.yara', 'a.yar', 'c.yar.txt', 'yar']) writeFileSync(path.join(folder, name), name)
    const { files, bad, fingerprint: seen } = await readRules(folder)
    assert.deepEqual(
      files.map(({ name, text }) => [name, text]),
      [
        ['a.yar', 'a.yar'],
        ['b.yara', 'b.yara'],
      ],
    )
    assert.deepEqual(bad, [])
    assert.equal(await fingerprint(folder), seen)
  })

  it(`have ${RULE_BYTES_MAX} bytes together; a file past them is bad, and a smaller one behind it is not`, async () => {
    put('a.yar', RULE_BYTES_MAX - 10)
    put('b.yar', 10)
    assert.deepEqual((await readRules(folder)).bad, [])
    put('b.yar', 11)
    put('c.yar', 10)
    const { files, bad } = await readRules(folder)
    assert.deepEqual(
      files.map(({ name, text }) => [name, text.length]),
      [
        ['a.yar', RULE_BYTES_MAX - 10],
        ['c.yar', 10],
      ],
    )
    const reason = `is too large: all rules together may have ${RULE_BYTES_MAX} bytes`
    assert.deepEqual(bad, [{ name: 'b.yar', reason }])
  })

  it(`are ${FILES_MAX} at most; one more is bad`, async () => {
    for (let index = 0; index < FILES_MAX; index++) put(`${index}.yar`, 1)
    assert.deepEqual((await readRules(folder)).bad, [])
    put('z.yar', 1)
    const { files, bad } = await readRules(folder)
    assert.equal(files.length, FILES_MAX)
    assert.deepEqual(bad, [{ name: 'z.yar', reason: `is one too many: ${FILES_MAX} files are allowed` }])
  })
})
