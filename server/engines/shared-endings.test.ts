import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import type { EndingsStore } from '#storage/worker-endings.ts'
import { until } from '#test/support/embedded/engine.ts'
import type { Engine } from './engine.ts'
import { shareEndings } from './shared-endings.ts'

/** An engine that records the reports it gets, and can send them. */
function fakeEngine() {
  const banned = new Map<string, number>()
  let note: (sha256: string) => void = () => {}
  const engine = {
    name: 'embedded',
    shareEndings(sink: { note(sha256: string): void }) {
      note = sink.note
      return (sha256: string, ms: number) => void banned.set(sha256, ms)
    },
  } as unknown as Engine
  return { engine, banned, note: (sha256: string) => note(sha256) }
}

function fakeStore() {
  const counts = new Map<string, number>()
  let isDown = false
  const check = () => {
    if (isDown) throw new Error('The database is down')
  }
  const store: EndingsStore = {
    async note(sha256) {
      check()
      counts.set(sha256, (counts.get(sha256) ?? 0) + 1)
    },
    async list(endings) {
      check()
      const found = [...counts].filter(([, count]) => count >= endings)
      return { documents: found.map(([sha256]) => ({ sha256, leftMs: 1_000 })), now: 1 }
    },
  }
  const setDown = (down: boolean) => {
    isDown = down
  }
  return { store, setDown }
}

test('a document that ended one worker in each of two processes is refused by both, also after an outage', async () => {
  const { store, setDown } = fakeStore()
  const [one, other] = [fakeEngine(), fakeEngine()]
  const logged: string[] = []
  const log = createLog({ level: 'warn', stream: { write: (line) => logged.push(line) } })
  const sharing = [one, other].map(({ engine }) => shareEndings({ engines: [engine], store, log, everyMs: 5 }))
  one.note('a')
  one.note('b')
  other.note('a')
  await until(() => one.banned.has('a') && other.banned.has('a'))
  assert.deepEqual(
    [...one.banned, ...other.banned],
    [
      ['a', 1_000],
      ['a', 1_000],
    ],
  )
  setDown(true)
  one.note('c')
  await until(() => logged.length > 0)
  assert.match(logged[0] ?? '', /not shared/)
  setDown(false)
  one.note('b')
  await until(() => other.banned.has('b'))
  assert.equal(other.banned.has('c'), false)
  await Promise.all(sharing.map(({ close }) => close()))
})
