import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCulprits, SEARCH_LIMITS } from './culprits.ts'

/** Rules are numbers. Counts the attempts, and keeps what worked last. */
function tryOut(isBad: (some: readonly number[]) => boolean) {
  const tried = { attempts: 0, worked: [] as readonly number[] }
  const attempt = async (some: readonly number[]) => {
    tried.attempts++
    if (isBad(some)) throw new Error(`${some.length} of them`)
    tried.worked = some
  }
  return { tried, attempt }
}

const rules = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('rules at fault', () => {
  for (const [count, bad] of [
    [1, [0]],
    [2, [0, 1]],
    [7, [3]],
    [100, [0, 50, 99]],
    [1_000, [777]],
  ] as const) {
    it(`are found: ${bad} of ${count}`, async () => {
      const { tried, attempt } = tryOut((some) => some.some((each) => (bad as readonly number[]).includes(each)))
      const found = await findCulprits(rules(count), attempt)
      assert.deepEqual(
        found?.atFault.map(({ rule }) => rule),
        bad,
      )
      assert.deepEqual(found?.untried, [])
      assert.deepEqual(
        tried.worked,
        rules(count).filter((each) => !(bad as readonly number[]).includes(each)),
      )
      assert.ok(tried.attempts <= SEARCH_LIMITS.attemptsMax, `${tried.attempts} attempts`)
    })
  }

  it('are none when nothing works without them either', async () => {
    const { tried, attempt } = tryOut(() => true)
    assert.equal(await findCulprits(rules(10), attempt), null)
    assert.equal(tried.attempts, 1)
  })

  it('are none when each attempt works now', async () => {
    const { attempt } = tryOut(() => false)
    assert.deepEqual(await findCulprits(rules(10), attempt), { atFault: [], untried: [] })
  })

  it('are one of two that do not go together', async () => {
    const { attempt } = tryOut((some) => some.includes(1) && some.includes(6))
    const found = await findCulprits(rules(8), attempt)
    assert.deepEqual(
      found?.atFault.map(({ rule }) => rule),
      [6],
    )
  })

  it('do not include one that failed by bad luck once', async () => {
    let luck = 0
    const { attempt } = tryOut((some) => some.length === 1 && some[0] === 0 && luck++ === 0)
    assert.deepEqual(await findCulprits(rules(2), attempt), { atFault: [], untried: [] })
  })

  it('are searched for with so many attempts and no more; what is left over stays out', async () => {
    // One without any, then two for each of three.
    const { tried, attempt } = tryOut((some) => some.length > 0)
    const enough = await findCulprits(rules(2), attempt, { attemptsMax: 5, msMax: 10_000 })
    assert.deepEqual([enough?.atFault.length, enough?.untried], [2, []])
    assert.equal(tried.attempts, 5)
    const short = await findCulprits(rules(2), attempt, { attemptsMax: 3, msMax: 10_000 })
    assert.deepEqual([short?.atFault.map(({ rule }) => rule), short?.untried], [[0], [1]])
    assert.equal(tried.attempts, 5 + 3)
  })

  it('are searched for so long and no longer', async () => {
    const { tried, attempt } = tryOut(() => false)
    const slow = (some: readonly number[]) => attempt(some).then(() => new Promise((go) => setTimeout(go, 30)))
    const found = await findCulprits(rules(4), () => slow([]).then(() => {}), { attemptsMax: 64, msMax: 20 })
    assert.deepEqual(found, { atFault: [], untried: [0, 1, 2, 3] })
    assert.equal(tried.attempts, 1)
  })
})
