/** Files that stand in a text as Base64 or with percents: in addresses, elements, calendars and scripts. */

import { partsOf } from '#inspect/codecs/mime-parts.ts'
import { unbase64 } from '#inspect/codecs/transfer-encodings.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { bodiesOf, elementText, mayBeMarked } from './bodies.ts'
import { addressesOf } from './data-urls.ts'
import { runsOf } from './runs.ts'
import { unescaped } from './unescaped.ts'

/** Characters of a piece in which no file has room. Pages have thousands of them: they are shown to the rules together. */
export const TINY_MAX = 63
/** More of them count like others. */
export const TINY_COUNT_MAX = 50_000

export const base64: Format = {
  // In a text the words may be written in many ways.
  applies: (item) => item.sniffed.kind === 'text' || item.mentions('base64'),
  analyse(item, context) {
    // Made only when something asks for it: most texts have nothing of all this, and a large string is slow to let go.
    let made: string | undefined
    const text = (): string => {
      made ??= view(item.bytes).toString('latin1')
      return made
    }
    const pieces = createPieces(item, context)
    const known = new Set<number>()
    const marked = item.mentions('base64') || mayBeMarked(view(item.bytes))
    if (marked && !lookAtMarked(item, text(), known, pieces, context)) return
    for (const { start, end } of item.mentions('dataUrl') ? addressesOf(text()) : []) {
      const bytes = item.bytes.subarray(start, end)
      if (!pieces.add(bytes, () => [unescaped(bytes, true)])) return
    }
    if (item.sniffed.kind === 'text' && !lookAtRuns(item, text, known, pieces)) return
    pieces.end()
  },
}

/** False when the budget is spent. */
function lookAtMarked(item: Item, text: string, known: Set<number>, pieces: Pieces, context: Context): boolean {
  for (const { start, end, element, unclear } of bodiesOf(text)) {
    if (unclear) context.addObstacle(item, 'too_complex', 'What stands in front of Base64 is too long.')
    known.add(start)
    const body = element ? elementText(text.slice(start, end)) : undefined
    if (body === null) context.addObstacle(item, 'too_complex', 'An entity stands in Base64.')
    const bytes = typeof body === 'string' ? ascii(body) : item.bytes.subarray(start, end)
    if (!pieces.add(bytes, () => unbase64(unescaped(bytes)))) return false
  }
  return true
}

/** What is marked, or a part of a mail, has been looked at; false when the budget is spent. */
function lookAtRuns(item: Item, text: () => string, known: Set<number>, pieces: Pieces): boolean {
  let parts: Set<number> | null = null
  for (const { start, end } of runsOf(item.bytes)) {
    parts ??= new Set([...partsOf(text(), (encoding) => encoding === 'base64')].flatMap(({ starts }) => starts))
    if (known.has(start) || parts.has(start)) continue
    const run = item.bytes.subarray(start, end)
    const files = unbase64(run)
    // Two letters are too little to tell a program by.
    if (files.some((file) => file[0] === 0x4d && file[1] === 0x5a && file[2] !== 0x43 && findProgram(file) !== 0))
      continue
    if (!pieces.add(run, () => files)) return false
  }
  return true
}

interface Pieces {
  /** Looks at what a piece of the text holds; false when the budget is spent. */
  add(piece: Uint8Array, decode: () => Uint8Array[]): boolean
  /** Shows the tiny ones. */
  end(): void
}

function createPieces(item: Item, context: Context): Pieces {
  const take = createPieceBudget(item, context)
  const tiny = new Set<string>()
  let count = 0
  return {
    add(piece, decode) {
      const isTiny = piece.length <= TINY_MAX && count < TINY_COUNT_MAX
      if (isTiny) count += 1
      if (!isTiny && !take(piece.length)) return false
      for (const bytes of decode().filter(({ length }) => length > 0)) {
        if (isTiny) tiny.add(view(bytes).toString('latin1'))
        else context.inspectMember(item, '(in Base64)', bytes)
      }
      return true
    },
    end() {
      if (tiny.size > 0) context.scan(item, '(in Base64)', ascii([...tiny].join('\n')))
    },
  }
}
