/** Reads a source character by character. */

import { charge } from '#inspect/core/work.ts'

const MATCH_WORK = 60

export interface Reader {
  readonly source: string
  at: number
  /** Parts within each other. */
  depth: number
  /** Of another source, whose places are not those of the script. */
  isInner?: boolean
}

/** Statements, brackets and texts within each other. */
const DEPTH_MAX = 100

/** Ends the reading: it would take too much of the stack. */
export class TooDeep extends Error {}

export const readerOf = (source: string): Reader => ({ source, at: 0, depth: 0 })
export const isEnd = ({ source, at }: Reader): boolean => at >= source.length
export const peek = ({ source, at }: Reader, ahead = 0): string => source.charAt(at + ahead)

/** `pattern` is sticky. null: it does not match here. */
export function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  charge(MATCH_WORK)
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.source)
  if (found === null) return null
  charge(found[0].length)
  reader.at += found[0].length
  return found
}

export function accept(reader: Reader, text: string): boolean {
  charge(MATCH_WORK)
  if (!reader.source.startsWith(text, reader.at)) return false
  reader.at += text.length
  return true
}

export function nested<T>(reader: Reader, read: () => T): T {
  if (reader.depth >= DEPTH_MAX) throw new TooDeep()
  reader.depth++
  const result = read()
  reader.depth--
  return result
}
