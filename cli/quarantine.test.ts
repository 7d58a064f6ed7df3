/** The quarantine after a crash, and while somebody else can write to the folder that a file is restored to. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '#test/support/service.ts'
import { identityOf } from './files.ts'
import { listQuarantine, openQuarantine, quarantine } from './quarantine.ts'
import { restore } from './restore.ts'

async function folders(t: TestContext, inbox = temporaryFolder('inbox')) {
  const root = temporaryFolder('quarantine')
  t.after(() => [root, inbox].map((each) => rmSync(each, { recursive: true, force: true })))
  const held = path.join(root, 'held')
  mkdirSync(inbox, { recursive: true })
  await openQuarantine(held)
  const take = async (name: string, content: string) => {
    const file = path.join(inbox, name)
    writeFileSync(file, content)
    const identity = identityOf(await stat(file, { bigint: true }))
    const about = { location: file, path: file, threat: 'Own.Threat', sha256: path.basename(name) }
    return { file, entry: await quarantine(held, { ...about, identity }) }
  }
  return { root, inbox, held, take }
}

/** Puts a link to another file where the restored one appears. */
const SWAPPER = `
const { existsSync, renameSync, symlinkSync } = require('node:fs')
const { parentPort, workerData: { file, victim } } = require('node:worker_threads')
symlinkSync(victim, file + '.trap')
parentPort.postMessage('ready')
const end = Date.now() + 30_000
while (Date.now() < end) {
  if (!existsSync(file)) continue
  renameSync(file + '.trap', file)
  break
}
`

/** In memory: another file system than that of the quarantine. */
const INBOXES = { 'the same': () => undefined, another: () => mkdtempSync('/dev/shm/docvet-') }

for (const [which, inbox] of Object.entries(INBOXES))
  test(`rights and time of a restored file are never given to what takes its name: ${which} file system`, async (t) => {
    const { root, held, take } = await folders(t, inbox())
    const victim = path.join(root, 'victim')
    writeFileSync(victim, 'secret')
    chmodSync(victim, 0o600)
    utimesSync(victim, 1_000, 1_000)
    for (let i = 0; i < 20; i++) {
      const { file, entry } = await take(`a${i}.txt`, 'x')
      const swapper = new Worker(SWAPPER, { eval: true, workerData: { file, victim } })
      const ended = new Promise((resolve) => swapper.on('exit', resolve))
      await new Promise((resolve) => swapper.once('message', resolve))
      await restore(held, { ...entry, mode: 0o666 }).catch(() => {})
      await ended
      const { mode, mtimeMs } = statSync(victim)
      assert.deepEqual([mode & 0o777, mtimeMs, readFileSync(victim, 'utf8')], [0o600, 1_000_000, 'secret'])
    }
  })

test('a file of another file system comes back whole, with its rights and time', async (t) => {
  const { held, take } = await folders(t, INBOXES.another())
  const { file, entry } = await take('a.txt', 'x'.repeat(200_000))
  await restore(held, { ...entry, mode: 0o4751, mtimeMs: 1_000_500 })
  const { mode, mtimeMs } = statSync(file)
  assert.deepEqual([mode & 0o7777, mtimeMs, readFileSync(file, 'utf8')], [0o4751, 1_000_500, 'x'.repeat(200_000)])
})

test('a file is restored only to the folder that it was in', async (t) => {
  const { root, inbox, held, take } = await folders(t)
  const folder = path.join(inbox, 'a')
  mkdirSync(path.join(folder, 'b'), { recursive: true })
  const { file, entry } = await take('a/b/c.txt', 'x')
  const elsewhere = path.join(root, 'elsewhere')
  mkdirSync(path.join(elsewhere, 'b'), { recursive: true })
  renameSync(folder, `${folder}.away`)
  symlinkSync(elsewhere, folder)
  await assert.rejects(restore(held, entry), /leads to \S*\/elsewhere\/b by now/)
  assert.deepEqual(readdirSync(path.join(elsewhere, 'b')), [])
  rmSync(folder)
  await assert.rejects(restore(held, entry), /does not exist/)
  renameSync(`${folder}.away`, folder)
  writeFileSync(file, 'y')
  await assert.rejects(restore(held, entry), /exists/)
  rmSync(file)
  await restore(held, entry)
  assert.equal(readFileSync(file, 'utf8'), 'x')
})

test('a folder may be a link, and a note without a folder is of an older version', async (t) => {
  const { root, inbox, held } = await folders(t)
  const linked = path.join(root, 'linked')
  symlinkSync(inbox, linked)
  for (const folder of [{}, { folder: undefined }]) {
    const file = path.join(linked, 'a.txt')
    writeFileSync(file, 'x')
    const identity = identityOf(await stat(file, { bigint: true }))
    const entry = await quarantine(held, { location: file, path: file, threat: 'Own.Threat', sha256: 'a', identity })
    await restore(held, { ...entry, ...folder } as typeof entry)
    assert.equal(readFileSync(path.join(inbox, 'a.txt'), 'utf8'), 'x')
  }
})

test('after a crash amid a move the others are listed, and no part of a file is restored', async (t) => {
  const { held, take } = await folders(t)
  const { entry } = await take('whole.txt', 'whole')
  for (const id of ['moving', 'noting', 'empty']) writeFileSync(path.join(held, `${id}.quarantined`), '')
  writeFileSync(path.join(held, 'moving.json'), JSON.stringify({ ...entry, id: undefined }))
  writeFileSync(path.join(held, 'noting.json'), '{"version": 1, "pa')
  assert.deepEqual(
    (await listQuarantine(held)).map(({ id }) => id),
    [entry.id],
  )
})
