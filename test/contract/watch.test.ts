/** `docvet watch` and `docvet quarantine`: files that are written, moved in, linked, swapped, and brought back. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, runCommand, startCommand } from '#test/support/command.ts'
import { smallDisk } from '#test/support/small-disk.ts'

const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
/** A file has settled and was scanned by then, also on a busy machine. */
const SOON_MS = 60_000
const WRITES = 7
const WRITE_EVERY_MS = 500

async function until(what: () => boolean, why: () => string): Promise<void> {
  const endMs = performance.now() + SOON_MS
  while (!what()) {
    assert.ok(performance.now() < endMs, why())
    await sleep(50)
  }
}

/** A folder that is watched, until the test ends. */
async function watched(t: TestContext, purpose: string, ...options: string[]) {
  const made = commandFolder(`watch-${purpose}`)
  const { folder, at } = made
  mkdirSync(at('in'), { recursive: true })
  const start = async () => {
    const args = ['watch', '--json', '--workers', '1', '--quarantine', 'held', ...options, 'in']
    const { child, run, ended } = startCommand(args, { cwd: folder })
    t.after(() => child.kill('SIGKILL'))
    await until(
      () => run.stderr.includes('Watching') || child.exitCode !== null,
      () => run.stderr,
    )
    const results = () =>
      run.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { path: string; verdict: string; size: number; quarantined: string | null })
    return {
      ...{ child, ended, run, results },
      has: (name: string) =>
        until(
          () => results().some((each) => each.path === `in/${name}`),
          () => run.stderr,
        ),
    }
  }
  const quarantine = (...args: string[]) => runCommand(['quarantine', ...args], { cwd: folder })
  return { ...made, start, quarantine, held: () => readdirSync(at('held')).filter((name) => !name.startsWith('.')) }
}

describe('docvet watch', { concurrency: 2 }, () => {
  test('a file that is written slowly is scanned once, and whole', async (t) => {
    const { at, start } = await watched(t, 'slow')
    const { has, results, child, ended } = await start()
    for (let i = 0; i < WRITES; i++) {
      appendFileSync(at('in/slow.txt'), `line ${i}\n`)
      await sleep(WRITE_EVERY_MS)
    }
    await has('slow.txt')
    writeFileSync(at('in/last.txt'), 'Dear reader')
    await has('last.txt')
    const slow = results().filter((each) => each.path === 'in/slow.txt')
    assert.deepEqual(
      slow.map(({ verdict, size }) => [verdict, size]),
      [['clean', 'line 0\n'.length * WRITES]],
    )
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  })

  test('files that are moved in, linked, or in folders that come are found; links are not followed', async (t) => {
    const { at, file, start, held } = await watched(t, 'ways')
    file('outside/tree/deep/er/b.txt', EICAR)
    file('outside/moved.txt', EICAR)
    file('outside/target.txt', EICAR)
    const { has, results } = await start()
    renameSync(at('outside/moved.txt'), at('in/moved.txt'))
    renameSync(at('outside/tree'), at('in/tree'))
    symlinkSync(at('outside/target.txt'), at('in/link.txt'))
    writeFileSync(at('in/one.txt'), `${EICAR}`)
    linkSync(at('in/one.txt'), at('in/two.txt'))
    mkdirSync(at('in/new/folder'), { recursive: true })
    writeFileSync(at('in/new/folder/c.txt'), EICAR)
    for (const name of ['moved.txt', 'tree/deep/er/b.txt', 'one.txt', 'two.txt', 'new/folder/c.txt']) await has(name)
    assert.deepEqual(
      readdirSync(at('in'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt')),
      ['link.txt'],
    )
    assert.ok(results().every(({ path: found }) => found !== 'in/link.txt'))
    assert.equal(held().filter((name) => name.endsWith('.quarantined')).length, 5)
    assert.ok(existsSync(at('outside/target.txt')))
  })

  test('many files at once, a kill and a new start: nothing is missed, nothing scanned twice', async (t) => {
    const { at, start } = await watched(t, 'many')
    const first = await start()
    const count = 2_000
    for (let i = 0; i < count; i++) writeFileSync(at(`in/${i}.txt`), `Dear reader ${i}`)
    await until(
      () => first.results().length > 200,
      () => first.run.stderr,
    )
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start()
    writeFileSync(at('in/eicar.txt'), EICAR)
    const seen = () => [...first.results(), ...second.results()].map((each) => each.path)
    await until(
      () => new Set(seen()).size > count,
      () => `${new Set(seen()).size} of ${count} files`,
    )
    // One that was printed when the kill came may not have been noted.
    assert.ok(seen().length - new Set(seen()).size <= 1, `${seen().length - new Set(seen()).size} files twice`)
    second.child.kill('SIGTERM')
    await second.ended
    const third = await start()
    writeFileSync(at('in/0.txt'), 'Dear reader, changed')
    await third.has('0.txt')
    assert.equal(third.results().length, 1)
  })

  test('Ctrl-C amid many files ends it, and the others are scanned after the next start', async (t) => {
    const { at, start } = await watched(t, 'interrupted')
    const first = await start()
    const count = 200
    for (let i = 0; i < count; i++) writeFileSync(at(`in/${i}.txt`), `Dear reader ${i}`)
    await until(
      () => first.results().length > 0,
      () => first.run.stderr,
    )
    first.child.kill('SIGINT')
    await until(
      () => first.child.exitCode !== null,
      () => `still there after ${first.results().length} files`,
    )
    assert.ok(first.results().length < count, 'it was interrupted too late')
    const second = await start()
    const seen = () => [...first.results(), ...second.results()].map((each) => each.path)
    await until(
      () => new Set(seen()).size === count,
      () => `${new Set(seen()).size} of ${count} files`,
    )
    assert.equal(seen().length, count)
  })

  test('a full disk ends nothing: files are scanned, and infected ones moved after the next start', async (t) => {
    const disk = smallDisk(1)
    t.after(disk.remove)
    const { at, start } = await watched(t, 'full', '--quarantine', path.join(disk.folder, 'held'))
    const first = await start()
    const free = disk.isMounted ? disk.fill() : () => {}
    const tree = writeZip([
      { name: 'eicar.txt', data: EICAR },
      { name: 'more.bin', data: Buffer.alloc(500_000, 'x'), method: 'stored' },
    ])
    writeFileSync(at('in/eicar.zip'), tree)
    writeFileSync(at('in/clean.txt'), 'Dear reader')
    for (const name of ['eicar.zip', 'clean.txt']) await first.has(name)
    writeFileSync(at('in/later.txt'), 'Dear reader')
    await first.has('later.txt')
    const stayed = disk.isMounted ? ['clean.txt', 'eicar.zip', 'later.txt'] : ['clean.txt', 'later.txt']
    assert.deepEqual(readdirSync(at('in')).sort(), stayed)
    first.child.kill('SIGTERM')
    assert.equal((await first.ended).code, 0)
    free()
    await start()
    await until(
      () => !existsSync(at('in/eicar.zip')),
      () => 'it was not moved',
    )
  })

  test('unscannable files stay and are listed, or are moved if that is wanted', async (t) => {
    const { at, start, held } = await watched(t, 'stay')
    const { has } = await start()
    writeFileSync(at('in/locked.zip'), LOCKED)
    await has('locked.zip')
    assert.deepEqual([existsSync(at('in/locked.zip')), held()], [true, []])
    const moving = await watched(t, 'unscannable', '--unscannable', 'move')
    const other = await moving.start()
    writeFileSync(moving.at('in/locked.zip'), LOCKED)
    await other.has('locked.zip')
    assert.deepEqual([existsSync(moving.at('in/locked.zip')), moving.held().length], [false, 2])
  })
})

describe('docvet quarantine', () => {
  test('restores name, mode, owner and time, lists and deletes, and never overwrites', async (t) => {
    const { at, file, start, quarantine, held } = await watched(t, 'back')
    const names = ['a b.txt', 'same.txt', 'gone.txt']
    for (const name of names) {
      file(`in/${name}`, EICAR)
      chmodSync(at(`in/${name}`), 0o640)
      utimesSync(at(`in/${name}`), 1_700_000_000, 1_700_000_000.5)
    }
    if (process.getuid?.() === 0) execFileSync('chown', ['65534:65534', at('in/a b.txt')])
    const before = statSync(at('in/a b.txt'))
    const { has, child, ended } = await start()
    for (const name of names) await has(name)
    child.kill('SIGTERM')
    await ended
    assert.equal(statSync(at('held')).mode & 0o777, 0o700)
    assert.equal(held().length, 2 * names.length)

    const listed = JSON.parse((await quarantine('list', 'held', '--json')).stdout) as { id: string; path: string }[]
    const idOf = (name: string) => listed.find((each) => each.path === at(`in/${name}`))?.id ?? ''
    assert.match((await quarantine('list', 'held')).stdout, /Docvet\.Test\.Eicar {2}\S*\/in\/a b\.txt\n/)

    const restored = await quarantine('restore', 'held', idOf('a b.txt'))
    assert.equal(restored.code, 0, restored.stderr)
    const after = statSync(at('in/a b.txt'))
    assert.deepEqual(
      [after.mode, after.uid, after.gid, after.mtimeMs, after.size],
      [before.mode, before.uid, before.gid, before.mtimeMs, before.size],
    )
    assert.deepEqual(readFileSync(at('in/a b.txt')), Buffer.from(EICAR))

    file('in/same.txt', 'somebody else')
    const refused = await quarantine('restore', 'held', idOf('same.txt'))
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /exists/)
    assert.equal(readFileSync(at('in/same.txt'), 'utf8'), 'somebody else')

    assert.equal((await quarantine('delete', 'held', idOf('gone.txt'))).code, 0)
    assert.equal(held().length, 2)
    assert.equal((await quarantine('delete', 'held')).code, 2)
    assert.equal((await quarantine('delete', 'held', '--all')).code, 0)
    assert.deepEqual(held(), [])
  })

  test('a folder that others may enter is refused', async (t) => {
    const { at, start } = await watched(t, 'open')
    mkdirSync(at('held'))
    chmodSync(at('held'), 0o755)
    const { ended } = await start()
    const { code, stderr } = await ended
    assert.equal(code, 2)
    assert.match(stderr, /chmod 700/)
  })
})
