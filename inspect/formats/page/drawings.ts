/** Follows the drawings in a page: in them a tag may end itself, as in XML. */

import { keep } from '#inspect/core/work.ts'

interface Drawings {
  /** Whether the tag ends itself where that counts. */
  start(name: string, source: string, at: number, end: number): boolean
  end(source: string, at: number): void
}

const ELEMENT_BYTES = 50

/** The last two contain a page again. */
const ELEMENTS = new Set(['svg', 'foreignobject', 'desc'])
const END = /^<\/(?:[\w-]{1,20}:)?(svg|foreignobject|desc)[\s/>]/i
const END_MAX = 40
/** A slash after a value without quotes belongs to the value. */
const SELF_ENDING = /["'\s]\/>$|^<[\w:-]{1,40}\/>$/
const SELF_ENDING_MAX = 44

export function createDrawings(): Drawings {
  const open: string[] = []
  return {
    start(name, source, at, end) {
      const isEmpty = SELF_ENDING.test(source.slice(Math.max(at, end - SELF_ENDING_MAX), end))
      const isInside = open.at(-1) === 'svg'
      if (!isEmpty && ELEMENTS.has(name)) {
        keep(ELEMENT_BYTES)
        open.push(name)
      }
      return isEmpty && isInside
    },
    end(source, at) {
      const name = END.exec(source.slice(at, at + END_MAX))?.[1]?.toLowerCase()
      if (name !== undefined && open.at(-1) === name) open.pop()
    },
  }
}
