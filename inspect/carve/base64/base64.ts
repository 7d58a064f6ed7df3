/** Carves files out of texts: Base64 and percent-encoding in data URLs, XML, calendars and scripts. */

import { partsOf } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants } from '#inspect/codecs/transfer-encodings.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { bodiesOf, elementText, mayDeclareBase64 } from './bodies.ts'
import { dataUrlsOf } from './data-urls.ts'
import { runsOf } from './runs.ts'
import { unescaped } from './unescaped.ts'

/** Pieces up to this length are too short for a file. Pages have thousands, so the rules scan them together. */
export const TINY_MAX = 63
/** Past this count, tiny pieces are charged like others. */
export const TINY_COUNT_MAX = 50_000

export const base64: Format = {
  // A text may escape the keywords.
  applies: (item) => item.sniffed.kind === 'text' || item.mentions('base64'),
  analyse(item, context) {
    // Created on demand: most texts need none of this, and large strings are slow to collect.
    let made: string | undefined
    const text = (): string => {
      made ??= view(item.bytes).toString('latin1')
      return made
    }
    const pieces = createPieces(item, context)
    const known = new Set<number>()
    const declared = item.mentions('base64') || mayDeclareBase64(view(item.bytes))
    if (declared && !inspectDeclared(item, text(), known, pieces, context)) return
    for (const { start, end } of item.mentions('dataUrl') ? dataUrlsOf(text()) : []) {
      const bytes = item.bytes.subarray(start, end)
      if (!pieces.add(bytes, () => [unescaped(bytes, true)])) return
    }
    if (item.sniffed.kind === 'text' && !inspectRuns(item, text, known, pieces)) return
    pieces.end()
  },
}

/** false: the budget is spent. */
function inspectDeclared(item: Item, text: string, known: Set<number>, pieces: Pieces, context: Context): boolean {
  for (const { start, end, element, unclear } of bodiesOf(text)) {
    if (unclear) context.addObstacle(item, 'too_complex', 'The parameters in front of Base64 data are too long.')
    known.add(start)
    const body = element ? elementText(text.slice(start, end)) : undefined
    if (body === null) context.addObstacle(item, 'too_complex', 'Base64 data contains an XML entity.')
    const bytes = typeof body === 'string' ? ascii(body) : item.bytes.subarray(start, end)
    if (!pieces.add(bytes, () => decodeBase64Variants(unescaped(bytes)))) return false
  }
  return true
}

/** Skips declared Base64 and mail parts, which are inspected elsewhere. false: the budget is spent. */
function inspectRuns(item: Item, text: () => string, known: Set<number>, pieces: Pieces): boolean {
  let parts: Set<number> | null = null
  for (const { start, end } of runsOf(item.bytes)) {
    parts ??= new Set([...partsOf(text(), (encoding) => encoding === 'base64')].flatMap(({ starts }) => starts))
    if (known.has(start) || parts.has(start)) continue
    const run = item.bytes.subarray(start, end)
    const files = decodeBase64Variants(unescaped(run))
    // `MZ` alone is too short to indicate a program.
    if (files.some((file) => file[0] === 0x4d && file[1] === 0x5a && file[2] !== 0x43 && findProgram(file) !== 0))
      continue
    if (!pieces.add(run, () => files)) return false
  }
  return true
}

interface Pieces {
  /** Inspects the decoded piece. false: the budget is spent. */
  add(piece: Uint8Array, decode: () => Uint8Array[]): boolean
  /** Scans the tiny pieces. */
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
