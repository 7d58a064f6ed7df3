/** Reads the head of a PDF object backwards from its `obj`, as a reader reads it forwards. */

export interface Head {
  object: number
  generation: number
}

/** What an object has whose head leaves its number open: it may be any. No reader has an object of this number. */
export const NO_NUMBER = 0

/** Readers have no larger numbers; a larger one may become any in theirs. */
export const NUMBER_MAX = 2_147_483_647

/** Characters looked back for the comment that a line may end with. A longer line may have one. */
export const LINE_MAX = 1024

const NUMBER_OPEN: Head = { object: NO_NUMBER, generation: 0 }
/** What ends the word `obj`. In a text it goes on: `object`. */
const WORD_END = /^[\0\s%<>([/\d+.-]?$/

/** null: there is none. */
export function headBefore(text: string, word: number): Head | null {
  const isWord = WORD_END.test(text.charAt(word + 3))
  const generationEnd = spaceStart(text, word)
  if (isWord && hasCommentBefore(text, generationEnd, word, AFTER_NUMBER)) return NUMBER_OPEN
  const generation = numberStart(text, generationEnd)
  const objectEnd = spaceStart(text, generation)
  if (generation === generationEnd || objectEnd === generation) return null
  if (isWord && hasCommentBefore(text, objectEnd, generation, ANYWHERE)) return NUMBER_OPEN
  const object = numberStart(text, objectEnd)
  if (object === objectEnd) return null
  const head = {
    object: plainNumber(text, object, objectEnd),
    generation: plainNumber(text, generation, generationEnd),
  }
  if (head.object <= NUMBER_MAX && !Number.isNaN(head.generation)) return head
  return isWord ? NUMBER_OPEN : null
}

/** NaN where a reader may take another one: some read `5.0` and `+5` as 5. */
function plainNumber(text: string, start: number, end: number): number {
  const digits = text.slice(start, end)
  const isPart = /[eE]/.test(text.charAt(start - 1)) && /\d/.test(text.charAt(start - 2))
  return isPart || !/^\d+$/.test(digits) ? Number.NaN : Number(digits)
}

function spaceStart(text: string, end: number): number {
  let at = end
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1
  return at
}

function numberStart(text: string, end: number): number {
  let at = end
  while (at > 0 && isOfNumber(text.charCodeAt(at - 1))) at -= 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0 || code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** Digits, and `+`, `-` and `.`. */
export function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e
}

const ANYWHERE = /%/
const AFTER_NUMBER = /(?:^|\d)[\0\s]*%/

/** Whether the line in front of white space may end with a comment, and the head go on before that. */
function hasCommentBefore(text: string, lineEnd: number, spaceEnd: number, comment: RegExp): boolean {
  if (!/[\r\n]/.test(text.slice(lineEnd, spaceEnd))) return false
  let start = lineEnd
  while (start > 0 && lineEnd - start < LINE_MAX && !isLineEnd(text.charCodeAt(start - 1))) start -= 1
  const isLonger = start > 0 && !isLineEnd(text.charCodeAt(start - 1))
  return isLonger || comment.test(text.slice(start, lineEnd))
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d
}
