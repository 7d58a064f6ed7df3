/** What is published is read by the library with which services read it. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { readChannel } from '#engines/embedded/updates/channel.ts'
import { fromFolder } from '#engines/embedded/updates/sources.ts'
import { rule } from '#test/support/tuf-repository.ts'
import { canonical, type Of, type SigningKey, signingKeyOf } from './metadata.ts'
import { acceptRoot, DAYS, DRAFT, draftRoot, PublishRefused, publish, signRoot } from './repository.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvet-publish-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const newKey = (): SigningKey =>
  signingKeyOf(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
const newKeys = (): Of<SigningKey[]> => ({
  ...{ root: [newKey(), newKey(), newKey()], targets: [newKey(), newKey()] },
  ...{ snapshot: [newKey()], timestamp: [newKey()] },
})
const at = (...names: string[]) => path.join(folder, ...names)
const refuses = (promise: Promise<unknown>, why: RegExp) =>
  assert.rejects(promise, (error) => error instanceof PublishRefused && why.test(error.message))
const setOf = (word: string) => ({ rules: [rule('one', word)] })

async function rootBy(keys: Of<SigningKey[]>, signers: readonly SigningKey[] = keys.root): Promise<string> {
  await draftRoot(folder, { keys, thresholds: { targets: 2 }, days: 365 })
  await signRoot(at(DRAFT), signers)
  const { version } = await acceptRoot(folder)
  return readFileSync(at('metadata', `${version}.root.json`), 'utf8')
}
const look = (root: string, metadata = {}) => readChannel({ metadata, root, read: fromFolder(folder) })
const withSome = (keys: Of<SigningKey[]>, some: Partial<Of<SigningKey[]>>): Of<SigningKey[]> => ({ ...keys, ...some })

test('a service reads what is published, renewed and published again', async () => {
  const keys = newKeys()
  const root = await rootBy(keys)
  await publish(folder, { keys, days: DAYS, set: setOf('a "quoted" \\ word — ä') })
  const first = await look(root)
  assert.equal(first.set.version, 1)
  assert.match(first.set.rules[0]?.text ?? '', /"quoted"/)
  await publish(folder, { keys: withSome(keys, { targets: [], snapshot: [] }), days: DAYS, set: null })
  const renewed = await look(root, first.metadata)
  assert.equal(renewed.set.version, 1)
  assert.notEqual(renewed.metadata.timestamp, first.metadata.timestamp)
  assert.equal(renewed.metadata.snapshot, first.metadata.snapshot)
  await publish(folder, { keys, days: DAYS, set: null })
  const all = await look(root, renewed.metadata)
  assert.equal(all.set.version, 1)
  assert.notEqual(all.metadata.targets, first.metadata.targets)
  await publish(folder, { keys, days: DAYS, set: setOf('two') })
  assert.equal((await look(root, all.metadata)).set.version, 2)
  assert.deepEqual(
    readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.new')),
    [],
  )
})

test('a folder that was put back is refused by services that have seen the newer one', async () => {
  const keys = newKeys()
  const root = await rootBy(keys)
  await publish(folder, { keys, days: DAYS, set: setOf('one') })
  cpSync(folder, `${folder}-copy`, { recursive: true })
  await publish(folder, { keys, days: DAYS, set: setOf('two') })
  const { metadata } = await look(root)
  await assert.rejects(readChannel({ metadata, root, read: fromFolder(`${folder}-copy`) }), /less than/)
  rmSync(`${folder}-copy`, { recursive: true })
})

test('all keys are replaced, and services that know the first root follow', async () => {
  const [old, fresh] = [newKeys(), newKeys()]
  const root = await rootBy(old)
  await publish(folder, { keys: old, days: DAYS, set: setOf('one') })
  const { metadata } = await look(root)
  await rootBy(fresh, [...old.root.slice(1), ...fresh.root.slice(0, 2)])
  await refuses(publish(folder, { keys: old, days: DAYS, set: setOf('two') }), /0 keys of targets .* 2 must sign/)
  await publish(folder, { keys: fresh, days: DAYS, set: setOf('two') })
  for (const known of [metadata, {}]) assert.equal((await look(root, known)).set.version, 2)
})

test('a draft becomes the root only with enough keys of the root in use and of itself', async () => {
  const [old, fresh] = [newKeys(), newKeys()]
  await draftRoot(folder, { keys: old, thresholds: {}, days: 365 })
  await refuses(acceptRoot(folder), /0 keys of the new root/)
  await signRoot(at(DRAFT), old.root.slice(0, 1))
  await signRoot(at(DRAFT), old.root.slice(0, 1))
  await refuses(acceptRoot(folder), /1 keys of the new root have signed it, and 2 must/)
  await signRoot(at(DRAFT), old.root.slice(1, 2))
  await acceptRoot(folder)
  await draftRoot(folder, { keys: { root: fresh.root }, thresholds: {}, days: 365 })
  await signRoot(at(DRAFT), [...fresh.root, ...old.targets])
  await refuses(acceptRoot(folder), /0 keys of the root in use/)
  await signRoot(at(DRAFT), old.root.slice(0, 1))
  await refuses(acceptRoot(folder), /1 keys of the root in use/)
  await signRoot(at(DRAFT), old.root)
  const changed = readFileSync(at(DRAFT), 'utf8').replace(/"threshold": 2/, '"threshold": 1')
  writeFileSync(at(DRAFT), changed)
  await refuses(acceptRoot(folder), /0 keys of the root in use/)
})

test('a key that the root does not name signs nothing that services read', async () => {
  const keys = newKeys()
  const root = await rootBy(keys)
  await publish(folder, { keys, days: DAYS, set: setOf('one') })
  for (const role of ['targets', 'snapshot', 'timestamp'] as const)
    await refuses(
      publish(folder, { keys: withSome(keys, { [role]: [newKey(), newKey()] }), days: DAYS, set: setOf('two') }),
      new RegExp(`0 keys of ${role}`),
    )
  await refuses(
    publish(folder, { keys: withSome(keys, { targets: keys.targets.slice(1) }), days: DAYS, set: setOf('two') }),
    /1 keys of targets/,
  )
  assert.equal((await look(root)).set.version, 1)
})

test('drafts that could not be used are refused', async () => {
  const keys = newKeys()
  const draft = (changes: Partial<Of<SigningKey[]>>, thresholds = {}) =>
    draftRoot(folder, { keys: withSome(keys, changes), thresholds, days: 1 })
  await refuses(draftRoot(folder, { keys: { root: keys.root }, thresholds: {}, days: 1 }), /needs a key of targets/)
  await refuses(draft({}, { root: 4 }), /root has 3 keys/)
  await refuses(draft({}, { root: 0 }), /root has 3 keys/)
  await refuses(draft({ timestamp: keys.root.slice(0, 1) }), /also one of timestamp/)
  await refuses(publish(folder, { keys, days: DAYS, set: setOf('one') }), /no root yet/)
  await rootBy(keys)
  await refuses(publish(folder, { keys, days: DAYS, set: null }), /no set yet/)
})

test('metadata is signed in the canonical form', () => {
  assert.equal(canonical({ b: [1, 'a"\\\n'], a: { c: true } }), '{"a":{"c":true},"b":[1,"a\\"\\\\\n"]}')
})
