/** Lines of a PDF page that may be a code of characters, with each character at its place. */

import { charge } from '#inspect/core/work.ts'
import type { Shown } from './graphics.ts'

/** Blocks, squares and Braille in a table of characters. Glyphs have such numbers as well. */
const BLOCK = />[ \t]{0,4}<(?:25(?:[89][0-9a-fA-F]|[aA]0|[fF][cC])|2800|2[bB]1[bBcC])>/
const BRAILLE = />[ \t]{0,4}<28[0-9a-fA-F]{2}>/g
/** A code of it has most of the 256. */
const BRAILLE_MIN = 16
/** Blocks in a text of two bytes for each. */
const BLOCKS = /(?:25[89aA][0-9a-fA-F]){5}/
/** Seven of a letter, or fourteen, as above and below the corners of a code. */
const CORNER =
  /([#X@1*MnWH8$&O])\1{6}(?:\1{7})?(?!\1)|((?:00)?(?:58|40|31|2[aA]|4[dD]|23|6[eE]|57|48))\2{6}(?:\2{7})?(?!\2)/g
/** A row of two signs, of one byte or two. */
const PAIR =
  /\(([^()\\])\1{0,60}(?!\1)([^()\\])(?:\1|\2){12,200}\)|<((?:00)?[\da-fA-F]{2})\3{0,60}(?!\3)((?:00)?[\da-fA-F]{2})(?:\3|\4){12,200}>/g
/** Rows of the smallest code, but for those that are written otherwise. */
const PAIRS_MIN = 18
/** Of three corners. */
const CORNERS_MIN = 6

export const mayDraw = (content: string): boolean =>
  (content.includes('beginbf') && (BLOCK.test(content) || has(content, BRAILLE, BRAILLE_MIN))) ||
  BLOCKS.test(content) ||
  has(content, CORNER, CORNERS_MIN) ||
  has(content, PAIR, PAIRS_MIN)

const has = (content: string, pattern: RegExp, count: number): boolean =>
  [...content.matchAll(pattern).take(count)].length === count

const RUN_WORK = 200
const CHARACTER_WORK = 20
/** Of the height of a line, how far its texts may be apart. */
const SAME_LINE = 0.3
const COLUMNS_MAX = 420
/** Lines of a code: a quarter of its squares, at least. */
const LINES_MIN = 5

interface Run {
  left: number
  bottom: number
  height: number
  signs: readonly string[]
}

/** In the order of the page, with spaces where nothing is drawn. */
export function drawnLines(shown: readonly Shown[]): string[] {
  const runs = shown.filter(({ reasons, isUndrawn }) => reasons.length === 0 && !isUndrawn).map(runOf)
  for (const { signs } of runs) charge(RUN_WORK + signs.length * CHARACTER_WORK)
  const lines = linesOf(runs)
  if (lines.length < LINES_MIN) return []
  // One by one: a page may have more lines than a function takes arguments.
  const left = lines.reduce((least, [first]) => Math.min(least, first?.left ?? 0), Number.POSITIVE_INFINITY)
  const pitch = pitchOf(lines)
  return lines.map((line) => placed(line, left, pitch))
}

function runOf({ text, gap, box }: Shown): Run {
  return { left: box.left, bottom: box.bottom, height: box.top - box.bottom, signs: [...text.slice(gap.length)] }
}

function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = []
  for (const run of runs.toSorted((a, b) => b.bottom - a.bottom)) {
    const [first] = lines.at(-1) ?? []
    if (first !== undefined && first.bottom - run.bottom < SAME_LINE * run.height) lines.at(-1)?.push(run)
    else lines.push([run])
  }
  return lines.map((line) => line.toSorted((a, b) => a.left - b.left))
}

/** Of the widths that are found, the smallest but for a few. */
const SMALLEST = 0.1

/** Of one character, by where the next text of its line begins. Without one, a line is as high as two are wide. */
function pitchOf(lines: readonly Run[][]): number {
  const widths = lines.flatMap((line) =>
    line.slice(1).map((run, i) => (run.left - (line[i]?.left ?? 0)) / (line[i]?.signs.length || 1)),
  )
  const heights = lines.slice(1).map((line, i) => (lines[i]?.[0]?.bottom ?? 0) - (line[0]?.bottom ?? 0))
  return at(widths, SMALLEST) ?? (at(heights, 0.5) ?? 1) / 2
}

function placed(line: readonly Run[], left: number, pitch: number): string {
  let text = ''
  for (const run of line) {
    const column = Math.min(COLUMNS_MAX, Math.round((run.left - left) / pitch) || 0)
    text = text.padEnd(column) + run.signs.join('')
  }
  return text
}

/** The number that so many of the others are smaller than; those near to nothing do not count. */
function at(numbers: readonly number[], part: number): number | undefined {
  const sorted = numbers.filter((each) => each > WIDTH_MIN).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)]
}
/** Points. */
const WIDTH_MIN = 0.5
