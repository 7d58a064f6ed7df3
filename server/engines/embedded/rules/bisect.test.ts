import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BISECT_LIMITS, bisect } from './bisect.ts'

/** Rules are numbers. Counts the attempts, and keeps the last set that worked. */
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

describe('bisecting rules', () => {
  for (const [count, bad] of [
    [1, [0]],
    [2, [0, 1]],
    [7, [3]],
    [100, [0, 50, 99]],
    [1_000, [777]],
  ] as const) {
    it(`finds ${bad} among ${count}`, async () => {
      const { tried, attempt } = tryOut((some) => some.some((each) => (bad as readonly number[]).includes(each)))
      const found = await bisect(rules(count), attempt)
      assert.deepEqual(
        found?.atFault.map(({ rule }) => rule),
        bad,
      )
      assert.deepEqual(found?.untried, [])
      assert.deepEqual(
        tried.worked,
        rules(count).filter((each) => !(bad as readonly number[]).includes(each)),
      )
      assert.ok(tried.attempts <= BISECT_LIMITS.attemptsMax, `${tried.attempts} attempts`)
    })
  }

  it('blames no rule when it fails without any, too', async () => {
    const { tried, attempt } = tryOut(() => true)
    assert.equal(await bisect(rules(10), attempt), null)
    assert.equal(tried.attempts, 1)
  })

  it('blames no rule when every attempt works now', async () => {
    const { attempt } = tryOut(() => false)
    assert.deepEqual(await bisect(rules(10), attempt), { atFault: [], untried: [] })
  })

  it('blames one of two rules that do not work together', async () => {
    const { attempt } = tryOut((some) => some.includes(1) && some.includes(6))
    const found = await bisect(rules(8), attempt)
    assert.deepEqual(
      found?.atFault.map(({ rule }) => rule),
      [6],
    )
  })

  it('does not blame a rule that failed only once', async () => {
    let luck = 0
    const { attempt } = tryOut((some) => some.length === 1 && some[0] === 0 && luck++ === 0)
    assert.deepEqual(await bisect(rules(2), attempt), { atFault: [], untried: [] })
  })

  it('stops after the maximum of attempts, and lists the rest as untried', async () => {
    // One without any, then two for each of three.
    const { tried, attempt } = tryOut((some) => some.length > 0)
    const enough = await bisect(rules(2), attempt, { attemptsMax: 5, msMax: 10_000 })
    assert.deepEqual([enough?.atFault.length, enough?.untried], [2, []])
    assert.equal(tried.attempts, 5)
    const short = await bisect(rules(2), attempt, { attemptsMax: 3, msMax: 10_000 })
    assert.deepEqual([short?.atFault.map(({ rule }) => rule), short?.untried], [[0], [1]])
    assert.equal(tried.attempts, 5 + 3)
  })

  it('stops at the time limit, and lists the rest as untried', async () => {
    const { tried, attempt } = tryOut(() => false)
    const slow = (some: readonly number[]) => attempt(some).then(() => new Promise((go) => setTimeout(go, 30)))
    const found = await bisect(rules(4), () => slow([]).then(() => {}), { attemptsMax: 64, msMax: 20 })
    assert.deepEqual(found, { atFault: [], untried: [0, 1, 2, 3] })
    assert.equal(tried.attempts, 1)
  })
})
