/** Files are moved and removed while somebody else makes their folder a link to another, and back, again and again. */
import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '#test/support/service.ts'
import { copyInto, moveInto, removeFile } from './displace.ts'
import { type Identity, identityOf } from './files.ts'
import { quarantine, remove } from './quarantine.ts'

const SWAPPER = `
const { renameSync, symlinkSync } = require('node:fs')
const { parentPort, workerData: { folder, victims, stop } } = require('node:worker_threads')
symlinkSync(victims, folder + '.link')
parentPort.postMessage('ready')
while (Atomics.load(stop, 0) === 0) {
  renameSync(folder, folder + '.real')
  renameSync(folder + '.link', folder)
  renameSync(folder, folder + '.link')
  renameSync(folder + '.real', folder)
}
`
/** Without the open folder, another file is gone after some 10. */
const ATTEMPTS = 150

async function attacked(t: TestContext, act: (file: string, identity: Identity, target: string) => Promise<void>) {
  const root = temporaryFolder('race')
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [folder, victims, target] = ['folder', 'victims', 'target'].map((name) => path.join(root, name)) as [
    ...[string, string, string],
  ]
  for (const each of [folder, victims, target]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const victim = path.join(victims, 'a.txt')
  writeFileSync(victim, 'important')
  const { ino } = statSync(victim)
  const opened = openSync(folder, 'r')
  const inside = `/proc/self/fd/${opened}/a.txt`
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { folder, victims, stop } })
  const ended = new Promise((resolve) => swapper.on('exit', resolve))
  await new Promise((resolve) => swapper.once('message', resolve))
  try {
    for (let i = 0; i < ATTEMPTS; i++) {
      if (!existsSync(inside)) writeFileSync(inside, 'infected')
      const identity = identityOf(statSync(inside, { bigint: true }))
      // It may find nothing, or a change.
      await act(path.join(folder, 'a.txt'), identity, target).catch(() => {})
      for (const name of readdirSync(target).filter((each) => !each.endsWith('.json')))
        assert.equal(readFileSync(path.join(target, name), 'utf8'), 'infected')
      assert.equal(statSync(victim, { throwIfNoEntry: false })?.ino, ino, `attempt ${i}`)
    }
  } finally {
    Atomics.store(stop, 0, 1)
    await ended
    closeSync(opened)
  }
}

const ABOUT = { threat: 'Own.Threat', sha256: 'a' }
const ACTS: Record<string, Parameters<typeof attacked>[1]> = {
  remove: (file, identity) => removeFile(file, identity),
  move: async (file, identity, target) => rmSync(await moveInto(target, file, identity)),
  copy: async (file, identity, target) => rmSync(await copyInto(target, file, identity)),
  quarantine: async (file, identity, target) => {
    const held = await quarantine(target, { location: file, path: file, identity, ...ABOUT })
    await remove(target, held)
  },
}
for (const [name, act] of Object.entries(ACTS))
  test(`${name}: never another file of that name`, (t) => attacked(t, act))
