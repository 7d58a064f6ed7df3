import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { indexOf, split } from './search.ts'

suite('a search', () => {
  test('finds what the engine finds', () => {
    const random = randomFrom(7)
    const word = (length: number): string => Array.from({ length }, () => 'ab'[random(2)]).join('')
    for (let i = 0; i < 2_000; i++) {
      const text = word(random(200))
      const at = random(text.length + 1)
      const part = random(2) === 0 ? word(random(30)) : text.slice(at, at + 14 + random(20))
      const from = random(20)
      if (part !== '') assert.equal(indexOf(text, part, from), text.indexOf(part, from), `${text} ${part}`)
      assert.deepEqual(split(text, part), text.split(part), `${text} ${part}`)
      assert.deepEqual(split(text, part, 3), text.split(part, 3), `${text} ${part}`)
    }
  })

  test('for a part that nearly matches at every place takes linear time', () => {
    const half = 'a'.repeat(400_000)
    const part = `${half.slice(0, 200_000)}b${half.slice(0, 200_000)}`
    assertCheap(() => indexOf(half + half, part))
    assertCheap(() => split(half + half, part))
  })
})
