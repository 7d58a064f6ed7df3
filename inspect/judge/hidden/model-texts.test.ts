/** Orders to models in many words and languages, and what others write in places that readers do not see. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { NOTES_TO_PEOPLE, ORDERS_TO_ANYBODY, ORDERS_TO_MODELS, OTHER_TEXTS } from '#inspect/testing/model-texts.ts'
import { TEXT_CARRIERS } from '#inspect/testing/text-carriers.ts'

const { inspect } = useInspector()
const PLACES = ['docx, comment', 'html, comment', 'pdf, properties', 'mail, display:none', 'pptx, notes'] as const

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const isAccused = (place: string, text: string): boolean =>
  inspect(TEXT_CARRIERS[place]?.(escaped(text)) ?? Buffer.alloc(0)).findings.some(
    ({ severity }) => severity !== 'notice',
  )

describe('orders to a model', () => {
  for (const text of ORDERS_TO_MODELS)
    test(text.slice(0, 80), () =>
      assert.deepEqual(
        PLACES.filter((place) => !isAccused(place, text)),
        [],
      ),
    )
})

describe('other texts', () => {
  for (const text of [...OTHER_TEXTS, ...NOTES_TO_PEOPLE])
    test(text.slice(0, 80), () =>
      assert.deepEqual(
        PLACES.filter((place) => isAccused(place, text)),
        [],
      ),
    )
})

describe('orders to anybody', () => {
  for (const text of ORDERS_TO_ANYBODY)
    test(text.slice(0, 80), () => {
      for (const place of ['docx, comment', 'html, comment', 'mail, display:none', 'pptx, notes']) {
        const { findings } = inspect(TEXT_CARRIERS[place]?.(escaped(text)) ?? Buffer.alloc(0))
        assert.ok(
          findings.some(({ id }) => id.startsWith('Docvet.Hidden.')),
          place,
        )
      }
    })
})
