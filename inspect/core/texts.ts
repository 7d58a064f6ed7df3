/** The text of a document as its readers see it, and the text that they do not see. Collected only on request. */

import { charge, hold } from './work.ts'

/** Why readers do not see a text. */
export const REASONS = [
  'render-mode',
  'colour',
  'size',
  'off-page',
  'transparent',
  'covered',
  'layer',
  'vanish',
  'hidden-sheet',
  'hidden-slide',
  'metadata',
  'alt',
  'comment',
  'markup',
  'unicode',
  'font',
] as const

export type Reason = (typeof REASONS)[number]

/** A hidden text with its place. */
interface HiddenSpan {
  reason: Reason
  /** Members that lead to it, and the page or sheet. */
  location: string
  text: string
  truncated: boolean
}

export interface DocumentText {
  /** Text that readers see. */
  pages: { n: number; text: string }[]
  /** Parts whose text was not read. */
  unread: string[]
  hidden: { count: number; spans: HiddenSpan[] }
  /** How many hidden texts there are of each kind. */
  omitted: { reason: Reason; count: number }[]
  /** There is more text than is returned. */
  isCut: boolean
}

/** An item of the document. */
interface Located {
  path: readonly string[]
}

export interface Texts {
  /** `place`: the page, slide or sheet. Without reasons, readers see the text. */
  add(item: Located, place: string | null, text: string, reasons: readonly Reason[]): void
  /** Its text is not read. */
  addUnread(item: Located): void
}

/** Characters that are returned. Beyond them the text is cut. */
const VISIBLE_MAX = 2_000_000
const SPANS_MAX = 50
const SPAN_LENGTH_MAX = 500
const UNREAD_MAX = 50
const LOCATION_MAX = 200
/** Characters with the spaces between them. */
const SPAN_READ_MAX = 2_000
/** Parts of one document. Further ones belong to the last. */
const PAGES_MAX = 10_000

const CHARACTER_WORK = 4
const PAGE_BYTES = 200

/** `cleaned` removes the characters that readers do not see. */
export function createTexts(cleaned: (text: string) => string): Texts & { result(): DocumentText } {
  const pages: { key: string; pieces: string[] }[] = []
  const hidden: { reason: Reason; location: string; text: string }[] = []
  let lastKey = ''
  const counts = new Map<Reason, number>()
  const unread: string[] = []
  let left = VISIBLE_MAX
  let count = 0
  let isCut = false
  /** Readers saw a text after the last hidden one. */
  let isApart = false

  function addVisible(key: string, text: string): void {
    isApart ||= text.trim() !== ''
    let page = pages.at(-1)
    if (page === undefined || (page.key !== key && pages.length < PAGES_MAX)) {
      hold(PAGE_BYTES)
      page = { key, pieces: [] }
      pages.push(page)
    }
    if (text.length > left) isCut = true
    const part = text.slice(0, left)
    hold(part.length * 2)
    left -= part.length
    page.pieces.push(part)
  }

  function addHidden(key: string, location: string, text: string, reasons: readonly Reason[]): void {
    const isSame = !isApart && lastKey === key
    if (!isSame && text.trim() === '') return
    if (!isSame) {
      const [first = 'markup'] = reasons
      count += 1
      counts.set(first, (counts.get(first) ?? 0) + 1)
      hold(PAGE_BYTES + SPAN_READ_MAX * 2)
      if (count <= SPANS_MAX) hidden.push({ reason: first, location, text: '' })
    }
    isApart = false
    lastKey = key
    const span = count <= SPANS_MAX ? hidden.at(-1) : undefined
    if (span !== undefined) span.text += text.slice(0, SPAN_READ_MAX - span.text.length)
  }

  return {
    add(item, place, text, reasons) {
      charge(text.length * CHARACTER_WORK)
      const location = [...item.path, ...(place === null ? [] : [place])].join(' › ')
      const key = `${location}|${reasons.join()}`
      if (reasons.length === 0) addVisible(location, text)
      else addHidden(key, location.slice(0, LOCATION_MAX), text, reasons)
    },
    addUnread(item) {
      if (unread.length < UNREAD_MAX) unread.push(item.path.join(' › ').slice(0, LOCATION_MAX))
    },
    result() {
      const texts = pages.map(({ pieces }) => cleaned(pieces.join('')))
      const spans = hidden.map(({ reason, location, text: read }) => {
        const text = cleaned(read).replace(/\s+/g, ' ').trim()
        const isLonger = text.length > SPAN_LENGTH_MAX || read.length === SPAN_READ_MAX
        return { reason, location, text: text.slice(0, SPAN_LENGTH_MAX).toWellFormed(), truncated: isLonger }
      })
      return {
        pages: texts.filter((text) => text !== '').map((text, index) => ({ n: index + 1, text })),
        unread,
        hidden: { count, spans },
        omitted: [...counts].map(([reason, many]) => ({ reason, count: many })),
        isCut,
      }
    },
  }
}
