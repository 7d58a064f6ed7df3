/** Passwords that a document offers reach the members of the item that offers them, and no others. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConclusion } from './conclusion.ts'
import type { Format } from './format.ts'
import { createFormatTable } from './format-table.ts'
import { LIMITS, OFFERED_PASSWORDS_MAX } from './limits.ts'
import { traverse } from './traversal.ts'

function seenBy(analyse: Format['analyse'], passwords: readonly string[]): [string, readonly string[]][] {
  const seen: [string, readonly string[]][] = []
  const format: Format = {
    applies: () => true,
    analyse(item, context) {
      analyse(item, context)
      seen.push([item.path.join('/'), context.passwordsFor(item)])
    },
  }
  traverse(Buffer.from('x'), {
    limits: LIMITS,
    passwords,
    formats: createFormatTable([format]),
    sniff: () => ({ kind: null, type: '' }),
    scanLiterals: () => new Set(),
    scan: () => {},
    finish: () => {},
    conclusion: createConclusion(),
  })
  return seen
}

test('those of the owner come first, and siblings do not see what one of them offers', () => {
  const seen = seenBy(
    (item, context) => {
      if (item.path.length > 0) return
      context.inspectMember(item, 'before', Buffer.from('x'))
      context.offerPasswords(item, () => ['one', 'given'])
      context.inspectMember(item, 'after', Buffer.from('x'))
    },
    ['given'],
  )
  assert.deepEqual(seen, [
    ['before', ['given']],
    ['after', ['given', 'one']],
    ['', ['given', 'one']],
  ])
})

test(`at most ${OFFERED_PASSWORDS_MAX} are tried`, () => {
  const offer = (count: number) =>
    seenBy(
      (item, context) => context.offerPasswords(item, () => Array.from({ length: count }, (_, index) => `${index}`)),
      ['given'],
    )
  assert.equal(offer(OFFERED_PASSWORDS_MAX)[0]?.[1].length, 1 + OFFERED_PASSWORDS_MAX)
  assert.equal(offer(OFFERED_PASSWORDS_MAX + 1)[0]?.[1].length, 1 + OFFERED_PASSWORDS_MAX)
})

test('offered words are read once, however many members ask for them', () => {
  let reads = 0
  const words = () => {
    reads++
    return ['one']
  }
  const seen = seenBy((item, context) => {
    if (item.path.length > 0) return
    context.offerPasswords(item, words)
    assert.equal(reads, 0)
    for (const name of ['a', 'b']) context.inspectMember(item, name, Buffer.from('x'))
  }, [])
  assert.equal(seen.length, 3)
  assert.equal(reads, 1)
})
