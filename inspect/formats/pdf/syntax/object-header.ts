/** Reads the header of a PDF object, `1 0 obj`, backwards from `obj`. */

import { charge } from '#inspect/core/work.ts'
import { isLineEnd, isNumeric, isWhiteSpace } from './characters.ts'

export interface ObjectHeader {
  object: number
  generation: number
}

/** Number of an object with an ambiguous header: references to any number may mean it. Valid numbers start at 1. */
export const UNKNOWN_NUMBER = 0

/** Larger numbers overflow in readers and may become any number. */
export const NUMBER_MAX = 2_147_483_647

/** Characters searched backwards for a comment. A longer line may contain one. */
export const LINE_MAX = 1024

const UNKNOWN_HEADER: ObjectHeader = { object: UNKNOWN_NUMBER, generation: 0 }
/** Characters after the keyword, unlike in the word `object`. */
const WORD_END = /^[\0\s%<>([/\d+.-]?$/

/** null: no header. */
export function headerBefore(text: string, word: number): ObjectHeader | null {
  const isWord = WORD_END.test(text.charAt(word + 3))
  const generationEnd = spaceStart(text, word)
  if (isWord && hasCommentBefore(text, generationEnd, word, COMMENT_AFTER_NUMBER)) return UNKNOWN_HEADER
  const generation = numberStart(text, generationEnd)
  const objectEnd = spaceStart(text, generation)
  if (generation === generationEnd || objectEnd === generation) return null
  if (isWord && hasCommentBefore(text, objectEnd, generation, COMMENT)) return UNKNOWN_HEADER
  const object = numberStart(text, objectEnd)
  if (object === objectEnd) return null
  const header = {
    object: plainNumber(text, object, objectEnd),
    generation: plainNumber(text, generation, generationEnd),
  }
  if (header.object <= NUMBER_MAX && !Number.isNaN(header.generation)) return header
  return isWord ? UNKNOWN_HEADER : null
}

/** NaN if ambiguous: some readers take `5.0` and `+5` as 5. */
function plainNumber(text: string, start: number, end: number): number {
  const digits = text.slice(start, end)
  const isPart = /[eE]/.test(text.charAt(start - 1)) && /\d/.test(text.charAt(start - 2))
  return isPart || !/^\d+$/.test(digits) ? Number.NaN : Number(digits)
}

function spaceStart(text: string, end: number): number {
  let at = end
  while (at > 0 && isWhiteSpace(text.charCodeAt(at - 1))) at -= 1
  return at
}

function numberStart(text: string, end: number): number {
  let at = end
  while (at > 0 && isNumeric(text.charCodeAt(at - 1))) at -= 1
  return at
}

const COMMENT = /%/
const COMMENT_AFTER_NUMBER = /(?:^|\d)[\0\s]*%/

/** Whether the line before the white space may end with a comment that splits the header. */
function hasCommentBefore(text: string, lineEnd: number, spaceEnd: number, comment: RegExp): boolean {
  if (!/[\r\n]/.test(text.slice(lineEnd, spaceEnd))) return false
  let start = lineEnd
  while (start > 0 && lineEnd - start < LINE_MAX && !isLineEnd(text.charCodeAt(start - 1))) start -= 1
  charge((lineEnd - start) * 4)
  const isLonger = start > 0 && !isLineEnd(text.charCodeAt(start - 1))
  return isLonger || comment.test(text.slice(start, lineEnd))
}
