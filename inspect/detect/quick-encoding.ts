/** Detects the encoding of ordinary texts faster. For workers only, because WebAssembly takes memory in each process. */

import { isAscii } from 'node:buffer'
import { createSurvey } from '#inspect/core/matcher/classes.ts'
import { type Encoding, encodingOf, NO_TEXT } from './text.ts'

const surveyOf = createSurvey([NO_TEXT])

/** The same as `encodingOf`. */
export function quickEncodingOf(head: Uint8Array): Encoding | null {
  // An ASCII text without control characters is in no other encoding.
  return head.length > 0 && isAscii(head) && surveyOf(head).seen === 0 ? 'utf-8' : encodingOf(head)
}
