import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSeal, NotOpened } from './seal.ts'

const seal = createSeal(randomBytes(32))

test('a sealed text can be opened in its place, and shows nothing', () => {
  const sealed = seal.close('whsec_geheim ü', 'endpoint 1')
  assert.equal(seal.open(sealed, 'endpoint 1'), 'whsec_geheim ü')
  assert.doesNotMatch(sealed, /whsec|geheim/)
  assert.notEqual(seal.close('whsec_geheim ü', 'endpoint 1'), sealed)
  assert.equal(seal.open(seal.close('', 'a'), 'a'), '')
})

test('not in another place, with another key, changed or cut off', () => {
  const sealed = seal.close('text', 'a')
  const [name, data = ''] = sealed.split('.')
  const bytes = Buffer.from(data, 'base64')
  bytes[13] = (bytes[13] ?? 0) ^ 1
  const bad: [string, string][] = [
    [sealed, 'b'],
    [createSeal(randomBytes(32)).close('text', 'a'), 'a'],
    [`${name}.${bytes.toString('base64')}`, 'a'],
    [sealed.slice(0, -8), 'a'],
    [`${name}.`, 'a'],
    ['', 'a'],
  ]
  for (const [text, place] of bad) assert.throws(() => seal.open(text, place), NotOpened)
  assert.throws(() => createSeal(randomBytes(31)))
})
