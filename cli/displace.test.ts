import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { moveInto, NotDisplaced, removeFile } from './displace.ts'
import { identityOf } from './files.ts'

function folder(t: TestContext) {
  const made = mkdtempSync(path.join(tmpdir(), 'docvet-displace-'))
  t.after(() => rmSync(made, { recursive: true }))
  mkdirSync(path.join(made, 'held'))
  const file = path.join(made, 'a.txt')
  writeFileSync(file, 'infected')
  return { file, held: path.join(made, 'held'), identity: identityOf(lstatSync(file, { bigint: true })) }
}

test('a file that was swapped for another since the scan is neither moved nor removed', async (t) => {
  const { file, held, identity } = folder(t)
  writeFileSync(`${file}.new`, 'innocent')
  renameSync(`${file}.new`, file)
  await assert.rejects(moveInto(held, file, identity), NotDisplaced)
  await assert.rejects(removeFile(file, identity), NotDisplaced)
  assert.equal(readFileSync(file, 'utf8'), 'innocent')
  assert.deepEqual(readdirSync(held), [])
})

test('nor one that was written to, even with the same size and time', async (t) => {
  const { file, held, identity } = folder(t)
  writeFileSync(file, 'innocent')
  await assert.rejects(moveInto(held, file, identity), NotDisplaced)
  assert.ok(existsSync(file))
})

test('the file that was scanned is moved, and names that are taken get a number', async (t) => {
  const { file, held, identity } = folder(t)
  writeFileSync(path.join(held, 'a.txt'), 'older')
  assert.equal(await moveInto(held, file, identity), path.join(held, 'a.txt.001'))
  assert.equal(readFileSync(path.join(held, 'a.txt'), 'utf8'), 'older')
  assert.equal(readFileSync(path.join(held, 'a.txt.001'), 'utf8'), 'infected')
  assert.ok(!existsSync(file))
})
