import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { secretKeyOf } from './secret-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'docvet-secret-key-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the key of the configuration, else one that is created once, for its owner only', () => {
  const given = Buffer.alloc(32, 7)
  assert.deepEqual(secretKeyOf({ secretKey: given.toString('base64'), dataDir: join(folder, 'none') }), given)
  const dataDir = join(folder, 'data')
  const first = secretKeyOf({ secretKey: null, dataDir })
  assert.equal(first.length, 32)
  assert.deepEqual(secretKeyOf({ secretKey: null, dataDir }), first)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
})

test('a file with anything else is not replaced', () => {
  writeFileSync(join(folder, 'secret.key'), 'short')
  assert.throws(() => secretKeyOf({ secretKey: null, dataDir: folder }), /does not contain a key/)
})
