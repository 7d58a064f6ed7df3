/** What a part says outside of the text that readers see: attributes, and texts of parts that are not shown as text. */

import { attributesIn, readXml } from '#inspect/codecs/xml-events.ts'
import type { createTextJudge } from '#inspect/judge/hidden/hidden.ts'

/** Places, fonts and sizes in the footers of sheets. */
const CODES = /&(?:[LCR]|"[^"]{0,100}"|\d{1,3})/g
/** Shorter values are names and numbers. */
const VALUE_MIN = 15
/** Parts whose texts are shown, and judged elsewhere with what hides them. */
const SHOWN = /^(?:word\/(?:document|footnotes)|xl\/worksheets\/)/i

export function readAttributes(source: string, judge: ReturnType<typeof createTextJudge>): void {
  readXml(source, {
    open(_, attributes) {
      for (const value of attributesIn(attributes)) if (value.length >= VALUE_MIN) judge.doubt(value, 'metadata')
    },
    close() {},
    text() {},
  })
}

/** Tips, prompts of cells, values of variables, names, and shapes of sheets. */
export function readValues(source: string, place: string, judge: ReturnType<typeof createTextJudge>): void {
  const isShown = SHOWN.test(place)
  let isFooter = false
  readXml(source, {
    open(name, attributes) {
      isFooter = /^(?:odd|even|first)(?:Header|Footer)$|^instrText$|^definedName$|^f$/.test(name)
      for (const value of attributesIn(attributes)) if (value.length >= VALUE_MIN) judge.doubt(value, 'metadata', place)
    },
    close() {
      isFooter = false
    },
    text(text) {
      if ((!isShown || isFooter) && text.trim() !== '') judge.doubt(text.replace(CODES, ' '), 'metadata', place)
    },
  })
}
