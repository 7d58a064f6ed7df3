/** Whole letters beside codes, in many languages. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CODE_ATTACKS, CODE_HARMLESS, letterWithCode } from '#inspect/testing/code-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const isAccused = (text: string, target: string): boolean =>
  inspect(letterWithCode(text, target)).findings.some(({ severity }) => severity !== 'notice')

describe('phishing', () => {
  for (const { text, target } of CODE_ATTACKS) test(text.slice(0, 80), () => assert.ok(isAccused(text, target)))
})

describe('other letters', () => {
  for (const { text, target } of CODE_HARMLESS) test(text.slice(0, 80), () => assert.ok(!isAccused(text, target)))
})
