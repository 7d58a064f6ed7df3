/** Scripts of shells with their values put in place of what computes them. */

import { charge, keep } from '#inspect/core/work.ts'
import { type Folded, readScript } from '../javascript/javascript.ts'
import type { Node } from '../javascript/syntax.ts'
import { functionsFor } from './prelude.ts'
import { placeOf, type Range } from './tree.ts'

export interface ShellProgram {
  body: Node[]
  vars: readonly string[]
  /** Places whose values are looked for, by their numbers. */
  places: readonly Range[]
  /** Those of them whose values are run as code. */
  codes: readonly number[]
}

export interface Resolved {
  copies: string[]
  codes: string[]
}

/** Copies of a script: a value that may be one of several is another one in each. Of long ones there are fewer. */
const COPIES_MAX = 4
const COPIES_LENGTH_MAX = 200_000
/** Characters of a value. Longer ones are data. */
const VALUE_MAX = 20_000
const CHARACTER_WORK = 8
/** Another one than the source may contain, so that nothing else is found in the cache. */
const KEY = '\0shell\0'

/** Characters of a script that are computed together. The rest is another script, in which values of the first are not known. */
export const TOGETHER_MAX = 1_000_000

/** What a script is with its values in it, and the code that it computes. `quote` writes a text in the language. */
export function resolve(
  source: string,
  parse: (source: string) => ShellProgram,
  quote: (text: string) => string,
): Resolved {
  const found: Resolved = { copies: [], codes: [] }
  for (const piece of piecesOf(source)) {
    const { copies, codes } = resolvePiece(piece, parse(piece), quote)
    found.copies.push(...copies)
    found.codes.push(...codes)
  }
  return found
}

function* piecesOf(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    const line = source.lastIndexOf('\n', at + TOGETHER_MAX)
    const end = source.length - at <= TOGETHER_MAX ? source.length : line > at ? line : at + TOGETHER_MAX
    yield source.slice(at, end)
    at = end
  }
}

function resolvePiece(source: string, program: ShellProgram, quote: (text: string) => string): Resolved {
  const values = valuesOf(source, program)
  const changed = program.places
    .map((range, place) => ({ ...range, texts: values.get(place) ?? [] }))
    .filter(
      ({ from, to, isElsewhere, texts }) =>
        isElsewhere !== true && texts.some((text) => !isWritten(source.slice(from, to), text)),
    )
    .sort((a, b) => a.from - b.from || b.to - a.to)
  const most = Math.max(1, Math.min(COPIES_MAX, Math.floor(COPIES_LENGTH_MAX / source.length)))
  const count = Math.min(
    most,
    changed.reduce((found, { texts }) => Math.max(found, texts.length), 0),
  )
  const codes = [...new Set(program.codes.flatMap((place) => values.get(place) ?? []))].slice(0, COPIES_MAX)
  const copies = Array.from({ length: count }, (_, copy) => {
    const parts: string[] = []
    let at = 0
    for (const { from, to, isRaw, texts } of changed) {
      if (from < at) continue
      // The last copy has what the others had no place for.
      const text = texts[copy === count - 1 ? texts.length - 1 : Math.min(copy, texts.length - 1)] ?? ''
      parts.push(source.slice(at, from), isRaw === true ? text : quote(text))
      at = to
    }
    const whole = [...parts, source.slice(at)].join('')
    charge(whole.length * CHARACTER_WORK)
    keep(whole.length)
    return whole
  })
  return { copies, codes }
}

function isWritten(written: string, text: string): boolean {
  return written === text || written.slice(1, -1) === text
}

function valuesOf(source: string, { body, vars }: ShellProgram): Map<number, string[]> {
  const functions = functionsFor(body)
  const program = {
    body: [...functions.body, ...body],
    vars: [...functions.vars, ...vars],
    names: new Set<string>(),
    isComplete: true,
    isCut: false,
  }
  const { assignments } = readScript(KEY + source, new Map(), () => false, { program })
  const values = new Map<number, Set<string>>()
  for (const { name, value } of assignments) {
    const place = placeOf(name)
    const text = textOf(value)
    if (place === null || text === null || text.length > VALUE_MAX) continue
    const known = values.get(place) ?? new Set()
    values.set(place, known.add(text))
  }
  return new Map([...values].map(([place, texts]) => [place, [...texts]]))
}

/** null: not known, or not a text. */
function textOf(value: Folded): string | null {
  if (value.kind === 'constant') return typeof value.value === 'string' ? value.value : null
  if (value.kind === 'bytes') return null
  if (value.kind !== 'list') return null
  const texts = value.items.map(textOf)
  return texts.length > 0 && texts.every((text) => text !== null) ? texts.join(' ') : null
}
