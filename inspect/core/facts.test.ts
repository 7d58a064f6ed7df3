/** Facts reach every item around the one that recorded them, and no other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConclusion } from './conclusion.ts'
import { type Facts, factType } from './facts.ts'
import type { Format } from './format.ts'
import { createFormatTable } from './format-table.ts'
import { LIMITS } from './limits.ts'
import { traverse } from './traversal.ts'

const LETTER = factType<string>('letter')

/** Unpacks `a(b(c)d)` and records every letter where it stands. */
const nested: Format = {
  applies: () => true,
  analyse(item, context) {
    const text = Buffer.from(item.bytes).toString()
    for (const [, letter = '', inner] of text.matchAll(/([a-z])(?:\((.*)\))?/g)) {
      context.record(item, LETTER, letter)
      if (inner !== undefined) context.inspectMember(item, letter, Buffer.from(inner))
    }
  },
}

function concluded(document: string, conclude: (facts: Facts, path: readonly string[]) => void) {
  const conclusion = createConclusion()
  traverse(Buffer.from(document), {
    limits: LIMITS,
    formats: createFormatTable([{ ...nested, conclude: (item, facts) => conclude(facts, item.path) }]),
    sniff: () => ({ kind: null, type: '' }),
    scanLiterals: () => new Set(),
    scan: () => {},
    finish: () => {},
    conclusion,
  })
  return conclusion
}

test('an item sees its own facts and those of its members, after all of them were analysed', () => {
  const seen: [string, string[]][] = []
  concluded('a(b(c)d)e', (facts, path) => {
    seen.push([path.join('/'), facts.of(LETTER).map((fact) => [...fact.path, fact.value].join('/'))])
  })
  assert.deepEqual(seen, [
    ['a/b', ['a/b/c']],
    ['a', ['a/b', 'a/b/c', 'a/d']],
    ['', ['a', 'a/b', 'a/b/c', 'a/d', 'e']],
  ])
})

test('a conclusion that throws is an obstacle', () => {
  const conclusion = concluded('a', () => {
    throw new Error('broken')
  })
  assert.deepEqual(conclusion.obstacle(), {
    reason: 'damaged',
    detail: 'It could not be analysed (broken).',
    path: [],
  })
})
