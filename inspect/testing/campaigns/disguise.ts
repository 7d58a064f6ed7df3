/** Ways in which campaigns write one text so that it cannot be read: pieces, separators, codes, and code around them. */

import { type Random, randomFrom } from '../random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

interface Disguise {
  random: Random
  /** A name that was not used yet. */
  name(): string
  /** Lines of arithmetic and text that nothing uses. */
  junk(lines?: number): string
  /** The text as an expression of Visual Basic. */
  joined(text: string): string
  /** Pieces of the text, in order. */
  pieces(text: string, length?: number): string[]
  /** Functions that return the pieces, in another order than they are joined in. */
  functions(text: string, length?: number): { source: string; expression: string }
  /** With a separator between the pieces. */
  separated(text: string, separator: string): string
}

export function disguiseOf(seed: number): Disguise {
  const random = randomFrom(seed * 7919 + 13)
  const used = new Set<string>()
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
  const name = (): string => {
    const letters = Array.from({ length: 6 + random(6) }, () => LETTERS[random(26)]).join('')
    if (used.has(letters)) return name()
    used.add(letters)
    return letters
  }
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const junkLine = (): string =>
    pick([
      () => `${name()} = ${random(9999)} + CInt(${random(99)}) - Sin(${random(500)}.${random(99)})`,
      () => `${name()} = CDbl(${random(900)}) * ${name()} / ${random(90) + 1}`,
      () => `If ${random(9)} > ${random(90) + 10} Then ${name()} = "${name()}"`,
      () => `${name()} = Left("${name()}${name()}", ${random(5) + 1}) & Hex(${random(999)})`,
      () => `Dim ${name()} As Long: ${name()} = Len("${name()}") * Atn(${random(50)})`,
    ])()
  const pieces = (text: string, length = 4): string[] => {
    const found: string[] = []
    for (let at = 0; at < text.length; ) {
      const next = at + 1 + random(length)
      found.push(text.slice(at, next))
      at = next
    }
    return found
  }
  const joined = (text: string): string =>
    pieces(text)
      .map((piece, i) => (i % 5 === 4 && piece.length === 1 ? `Chr(${piece.charCodeAt(0)})` : quoted(piece)))
      .join(pick([' & ', ' + ']))
  const junk = (lines = 3): string => Array.from({ length: lines }, junkLine).join('\n')
  return {
    random,
    name,
    junk,
    joined,
    pieces,
    functions(text, length = 12) {
      const all = pieces(text, length).map((piece) => ({ called: name(), piece }))
      const source = all
        .toSorted((a, b) => a.called.localeCompare(b.called))
        .map(({ called, piece }) => {
          const inner = name()
          return `Function ${called}()\nOn Error Resume Next\n${junk(2)}\n${inner} = ${joined(piece)}\n${junk(1)}\n${called} = ${inner}\nEnd Function`
        })
        .join('\n')
      return { source, expression: all.map(({ called }) => called).join(' + ') }
    },
    separated: (text, separator) => pieces(text, 3).join(separator),
  }
}
