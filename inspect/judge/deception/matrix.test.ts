/** Every way in which a link deceives, in every carrier, and a harmless link that is like it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { LINK_CARRIERS } from '#inspect/testing/link-carriers.ts'
import { LINK_CASES } from '#inspect/testing/link-matrix.ts'

const { inspect } = useInspector()
const carriers = Object.entries(LINK_CARRIERS)
const accused = (bytes: Buffer) => inspect(bytes).findings.filter(({ severity }) => severity !== 'notice')

describe('links that deceive, in every carrier', () => {
  for (const [name, { target, shown }] of Object.entries(LINK_CASES))
    test(name, () => {
      const missed = carriers.filter(
        ([, carrier]) => !accused(carrier(target, shown)).some(({ id }) => id === 'Docvet.Link.Deceptive'),
      )
      assert.deepEqual(
        missed.map(([carrier]) => carrier),
        [],
      )
    })
})

describe('links that are like them', () => {
  for (const [name, { shown, twin }] of Object.entries(LINK_CASES))
    test(name, () => {
      for (const [carrier, write] of carriers)
        assert.deepEqual(accused(write(twin.target, twin.shown ?? shown)), [], carrier)
    })
})
