import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRecentUse } from './recent-use.ts'

const HALF_LIFE_MS = 10_000

function setUp(accountsMax?: number) {
  let nowMs = 0
  const use = createRecentUse({ halfLifeMs: HALF_LIFE_MS, now: () => nowMs, ...(accountsMax && { accountsMax }) })
  const pass = (ms: number) => {
    nowMs += ms
  }
  const work = (account: string, ms: number) => {
    const end = use.begin(account)
    pass(ms)
    end()
  }
  return { use, pass, work }
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) <= Math.abs(expected) * 1e-6, `${actual} is not ${expected}`)

describe('recent use', () => {
  test('adds up, and halves with every half-life', () => {
    const { use, pass, work } = setUp()
    work('a', 800)
    near(use.msOf('a'), 800)
    pass(HALF_LIFE_MS)
    near(use.msOf('a'), 400)
    work('a', 100)
    near(use.msOf('a'), 400 * 2 ** (-100 / HALF_LIFE_MS) + 100)
    assert.equal(use.msOf('b'), 0)
  })

  test('orders accounts by it, the newer use counting more', () => {
    const { use, pass, work } = setUp()
    work('old', 1_000)
    pass(3 * HALF_LIFE_MS)
    work('new', 200)
    assert.ok(use.levelOf('old') < use.levelOf('new'))
    assert.ok(use.levelOf('none') < use.levelOf('old'))
  })

  test('includes what is running only after an update, and counts it once', () => {
    const { use, pass } = setUp()
    const end = use.begin('a')
    pass(500)
    assert.equal(use.msOf('a'), 0)
    use.update()
    near(use.msOf('a'), 500)
    end()
    end()
    near(use.msOf('a'), 500)
    pass(500)
    use.update()
    near(use.msOf('a'), 500 * 2 ** (-500 / HALF_LIFE_MS))
  })

  test('stays exact after a year', () => {
    const { use, pass, work } = setUp()
    pass(365 * 86_400_000)
    work('a', 3_000)
    near(use.msOf('a'), 3_000)
    work('b', 2_990)
    assert.ok(use.levelOf('b') > use.levelOf('a'), 'a decayed while b worked')
  })

  test('remembers its maximum of accounts, and forgets the oldest use beyond it', () => {
    const { use, work } = setUp(3)
    for (const account of ['a', 'b', 'c', 'a']) work(account, 10)
    assert.ok(use.msOf('b') > 0)
    work('d', 10)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((account) => use.msOf(account) > 0),
      [true, false, true, true],
    )
  })
})
