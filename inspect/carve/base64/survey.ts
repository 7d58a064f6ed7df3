/** Results of one pass over all bytes, for the searches for Base64. */

import { createSurvey, type Survey } from '#inspect/core/matcher/classes.ts'

/** Of Base64, also as in URLs. */
export const DIGITS = /[\w+/-]/
/** Of references, escapes, tags and strings. The circumflex is none of them, but fits into one pass with the others. */
const SIGNS = /["$&'+<>\\^`\0]/

export const surveyOf = createSurvey([DIGITS, SIGNS])

export function hasSigns({ seen }: Survey): boolean {
  return (seen & 2) !== 0
}
