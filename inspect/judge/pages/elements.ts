/** The elements of a page or drawing that are open, and what hides the text in them. */

import { ownOf } from '#inspect/core/own.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge } from '#inspect/core/work.ts'
import { createDrawing } from './drawing.ts'
import { createRules, declarationsOf, isPale, type Look, lookOf, whatHides, whatMayHide } from './styles.ts'

/** Elements that readers never see. */
const UNSEEN: Readonly<Record<string, Reason>> = {
  template: 'markup',
  head: 'metadata',
  metadata: 'metadata',
  desc: 'alt',
  defs: 'markup',
  noscript: 'markup',
  noembed: 'markup',
  datalist: 'markup',
}
/** Shown after a click, or by old programs. */
const ASIDE = new Set('details dialog select audio video canvas object applet noframes rp map'.split(' '))
const DEPTH_MAX = 500
/** For each element that ends, and for each look around a text that is read, and that is compared with white. */
const END_WORK = 10
const LOOK_WORK = 100
const PALE_WORK = 10

interface Page {
  isDrawing: boolean
  /** Whether a text without a background is on white. */
  knowsColours: boolean
  /** Whether all that may hide a text does. */
  isStrict?: boolean
}

export function createElements({ isDrawing, knowsColours, isStrict = false }: Page) {
  const rules = createRules()
  const open: { name: string; outer: number; isFar: boolean }[] = []
  /** How many of each name are open. */
  const names = new Map<string, number>()
  const drawing = createDrawing()
  /** Of those that have a look of their own. */
  const looks: Look[] = []
  let known: ReturnType<typeof whatHides> | null = []

  return {
    style: rules.add,
    open(name: string, attributes: ReadonlyMap<string, string>, isEmpty: boolean): void {
      if (isDrawing) drawing.add(name, attributes)
      if (isEmpty || open.length >= DEPTH_MAX) return
      const isFar = isDrawing && (open.at(-1)?.isFar === true || drawing.isOutside(name, attributes))
      open.push({ name, outer: looks.length, isFar })
      names.set(name, (names.get(name) ?? 0) + 1)
      const own = ownLook(name, attributes, isDrawing, rules)
      const look = isFar && isStrict ? { ...own, isAside: true } : own
      if (look === PLAIN) return
      looks.push(look)
      known = null
    },
    close(name: string): void {
      if ((names.get(name) ?? 0) === 0) return
      let last: (typeof open)[number] | undefined
      do {
        charge(END_WORK)
        last = open.pop()
        if (last !== undefined) names.set(last.name, (names.get(last.name) ?? 1) - 1)
      } while (last !== undefined && last.name !== name)
      const outer = last?.outer ?? 0
      if (outer < looks.length) known = null
      looks.length = outer
      rules.leave(open.length)
    },
    /** What hides the text that comes next. */
    hiding(): ReturnType<typeof whatHides> {
      if (known === null) charge(looks.length * LOOK_WORK)
      known ??= isStrict ? whatMayHide(looks) : whatHides(looks, knowsColours)
      return known
    },
    /** In a drawing, outside of it. */
    isFar: (): boolean => open.at(-1)?.isFar === true,
    isPale(): boolean {
      charge(looks.length * PALE_WORK)
      return isPale(looks) || (isDrawing && drawing.isFilled(looks))
    },
  }
}

const PLAIN: Look = {}
const NO_DECLARATIONS: ReadonlyMap<string, string> = new Map()

function ownLook(
  name: string,
  attributes: ReadonlyMap<string, string>,
  isDrawing: boolean,
  rules: ReturnType<typeof createRules>,
): Look {
  const styles = rules.enter(name, attributes)
  const colours = new Map<string, string>()
  const behind = attributes.get('bgcolor') ?? attributes.get('background')
  if (behind !== undefined) colours.set('background', behind)
  const fill = isDrawing ? attributes.get('fill') : undefined
  if (fill !== undefined) colours.set('color', fill)
  const declared = attributes.has('style') ? [declarationsOf(attributes.get('style') ?? '')] : []
  // Attributes of pages that are no declarations.
  const read = isDrawing
    ? [...styles, attributes, ...declared, colours].map(asText)
    : [...styles, fontColour(name, attributes), colours, ...declared]
  return withReasons(lookOf(read, rules.blankFonts), name, attributes, isDrawing)
}

/** Text of drawings is filled. */
const asText = (declarations: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  declarations.has('fill') ? new Map([...declarations, ['color', declarations.get('fill') ?? '']]) : declarations

function withReasons(look: Look, name: string, attributes: ReadonlyMap<string, string>, isDrawing: boolean): Look {
  const unseen = name === 'title' && isDrawing ? 'alt' : ownOf(UNSEEN, name)
  const isEmpty =
    isDrawing && /^(?:text|tspan)$/.test(name) && attributes.get('fill') === 'none' && !attributes.has('stroke')
  const isHidden = attributes.has('hidden') && attributes.get('hidden') !== 'until-found'
  const more: Reason[] = [
    ...(unseen === undefined ? [] : [unseen]),
    ...(isHidden ? (['markup'] as const) : []),
    ...(isEmpty ? (['transparent'] as const) : []),
  ]
  if (isAside(name, attributes)) look.isAside = true
  if (more.length === 0) return Object.keys(look).length === 0 ? PLAIN : look
  return { ...look, reasons: [...more, ...(look.reasons ?? [])] }
}

function isAside(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const isClosed = ASIDE.has(name) && !attributes.has('open')
  return isClosed || attributes.has('popover') || attributes.get('aria-hidden') === 'true'
}

function fontColour(name: string, attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const colour = name === 'font' ? attributes.get('color') : name === 'body' ? attributes.get('text') : undefined
  return colour === undefined ? NO_DECLARATIONS : new Map([['color', colour]])
}
