import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CONCEALED, HIDING_CASES, VISIBLE } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const plain = (text: string): string => text.replace(/\s+/g, ' ')

describe('every way of hiding text in every format', () => {
  for (const { name, bytes, reason } of HIDING_CASES)
    test(name, () => {
      const { findings, obstacle } = inspect(bytes)
      assert.equal(obstacle, null)
      const found = findings.find(({ id }) => id === 'Docvet.Hidden.Instructions')
      assert.equal(found?.severity, 'suspicious', JSON.stringify(findings.map(({ id, detail }) => [id, detail])))
      const { text } = inspect(bytes, { wantsText: true })
      const span = text?.hidden.spans.find((each) => plain(each.text).includes(CONCEALED))
      assert.equal(span?.reason, reason, JSON.stringify(text))
      const visible = plain(text?.pages.map((page) => page.text).join('\n') ?? '')
      if (!name.includes('drawing') || visible !== '') assert.ok(visible.includes(VISIBLE), visible)
      assert.ok(!visible.includes('previous instructions'), visible)
      assert.deepEqual(text?.unread, [])
    })
})
