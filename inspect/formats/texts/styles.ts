/** Styles of pages and drawings that decide whether text is seen. */

import type { Reason } from '#inspect/core/texts.ts'
import { charge } from '#inspect/core/work.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import { blankFamilies } from './web-fonts.ts'

export interface Look {
  /** Not shown, with everything in it. */
  reasons?: readonly Reason[]
  isInvisible?: boolean
  colour?: Colour | null
  behind?: Colour | 'unknown'
  isSmall?: boolean
}

type Declarations = ReadonlyMap<string, string>

interface StyleRules {
  add(source: string): void
  /** Names of fonts that draw nothing. */
  blankFonts: ReadonlySet<string>
  of(name: string, attributes: ReadonlyMap<string, string>): Declarations[]
}

/** Rules of all styles of a page, and characters of them. */
const RULES_MAX = 5_000
const STYLES_MAX = 500_000
const CHARACTER_WORK = 10
const RULE = /([^{}@;]{1,500})\{([^{}]{0,2000})\}/g
/** Rules for other media, with those in them. */
const MEDIA =
  /@[a-z-]{1,30}[^{};]{0,300}\{(?:[^{}]|\{[^{}]{0,5000}\}){0,2000}\}|@[a-z-]{1,30}[^{};]{0,300};|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$)/gi
/** An element, a class or a name: others depend on what is around the element. */
const SELECTOR = /^([a-z][\w-]{0,30})?(?:([.#])([\w-]{1,80}))?$/i

export function createRules(): StyleRules {
  const rules = new Map<string, Declarations[]>()
  const blankFonts = new Set<string>()
  let [count, length] = [0, 0]
  return {
    blankFonts,
    add(source) {
      const read = source.slice(0, Math.max(0, STYLES_MAX - length))
      length += read.length
      charge(read.length * CHARACTER_WORK)
      for (const family of blankFamilies(read)) blankFonts.add(family)
      for (const [, selectors = '', body = ''] of read.replace(MEDIA, ' ').matchAll(RULE)) {
        const declarations = declarationsOf(body)
        for (const selector of selectors.split(',').map((each) => each.trim())) {
          if (!SELECTOR.test(selector) || selector === '' || ++count > RULES_MAX) continue
          rules.set(selector.toLowerCase(), [...(rules.get(selector.toLowerCase()) ?? []), declarations])
        }
      }
    },
    of(name, attributes) {
      if (rules.size === 0) return []
      const classes = (attributes.get('class') ?? '').toLowerCase().split(/\s+/, 20).filter(Boolean)
      const id = (attributes.get('id') ?? '').toLowerCase()
      const byId = id === '' ? [] : [`#${id}`, `${name}#${id}`]
      const keys = [name, ...classes.flatMap((each) => [`.${each}`, `${name}.${each}`]), ...byId]
      return keys.flatMap((key) => rules.get(key) ?? [])
    },
  }
}

export function declarationsOf(text: string): Declarations {
  const found = new Map<string, string>()
  for (const each of text.split(';', 100)) {
    const at = each.indexOf(':')
    if (at > 0)
      found.set(
        each.slice(0, at).trim().toLowerCase(),
        each
          .slice(at + 1)
          .replace(/!\s*important/i, '')
          .trim(),
      )
  }
  return found
}

/** Pixels or points that nobody can read, and offsets beyond every window. */
const SIZE_MAX = 2
const FAR = 900
const ZERO = /^0+(?:\.0+)?(?:px|pt|em|rem|%|vh|vw)?$/
const NO_CLIP =
  /^(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|inset\(\s*(?:50|100)%.*|circle\(\s*0.*)$/

const lengthOf = (value: string | undefined): number => {
  const found = /^(-?\d{0,6}(?:\.\d{1,6})?)(px|pt|em|rem|%|cm|mm|in)?/.exec(value ?? '')
  const number = Number.parseFloat(found?.[1] ?? '')
  return found?.[2] === 'em' || found?.[2] === 'rem' ? number * 16 : found?.[2] === '%' ? Number.NaN : number
}

const isFar = (value: string | undefined): boolean => Math.abs(lengthOf(value)) >= FAR

function sizeOf(value: string): boolean | undefined {
  if (ZERO.test(value)) return true
  const size = lengthOf(value)
  return Number.isNaN(size) ? undefined : size <= SIZE_MAX
}

/** Declarations that hide an element with everything in it. */
const HIDING: readonly (readonly [Reason, (value: (name: string) => string) => boolean])[] = [
  ['markup', (value) => value('display') === 'none' || value('mso-hide') === 'all'],
  ['markup', (value) => value('content-visibility') === 'hidden'],
  ['transparent', (value) => Number.parseFloat(value('opacity') || '1') < OPACITY_MIN],
  ['off-page', (value) => PLACED.test(value('position')) && ['left', 'top', 'right'].map(value).some(isFar)],
  ['off-page', (value) => ['text-indent', 'margin-left'].map(value).some(isFar)],
  ['markup', (value) => ['clip', 'clip-path'].map(value).some((each) => NO_CLIP.test(each))],
  ['markup', (value) => /scale[xy]?\(\s*0/.test(value('transform'))],
  [
    'markup',
    (value) =>
      /hidden|clip/.test(value('overflow')) &&
      ['height', 'max-height', 'width', 'max-width'].map(value).some((each) => /^[01](?:px)?$/.test(each)),
  ],
]
const OPACITY_MIN = 0.05
const PLACED = /^(?:absolute|fixed)$/

/** What declarations change. Attributes of drawings and old pages are declarations as well. */
export function lookOf(styles: readonly Declarations[], blankFonts: ReadonlySet<string>): Look {
  if (styles.every(({ size }) => size === 0)) return {}
  const all = new Map(styles.flatMap((each) => [...each]))
  const value = (name: string): string => (all.get(name) ?? '').toLowerCase()
  const look: Look = {}
  const reasons = HIDING.filter(([, hides]) => hides(value)).map(([reason]) => reason)
  if (blankFonts.size > 0 && blankFonts.has(firstFamily(value('font-family')))) reasons.push('font')
  if (reasons.length > 0) look.reasons = reasons
  if (all.has('visibility')) look.isInvisible = /^(?:hidden|collapse)$/.test(value('visibility'))
  const isSmall = all.has('font-size') ? sizeOf(value('font-size')) : undefined
  if (isSmall !== undefined) look.isSmall = isSmall
  addColours(look, all)
  return look
}

const firstFamily = (families: string): string => (families.split(',', 1)[0] ?? '').replace(/["']/g, '').trim()

function addColours(look: Look, all: Declarations): void {
  const colour = all.get('color') ?? all.get('-webkit-text-fill-color')
  if (colour !== undefined) {
    look.colour = colourOf(colour)
    if (/^transparent$|^rgba\([^)]{1,40},\s*0(?:\.0+)?\s*\)$/.test(colour.toLowerCase()))
      look.reasons = [...(look.reasons ?? []), 'transparent']
  }
  const behind = all.get('background-color') ?? all.get('background') ?? all.get('background-image')
  if (behind !== undefined && !/^(?:transparent|none|inherit|initial)?$/i.test(behind))
    look.behind = colourOf(behind) ?? 'unknown'
}

/** Why text in elements within each other is not seen. */
export function whyHidden(looks: readonly Look[], knowsColours: boolean): Reason[] {
  const found: Reason[] = looks.flatMap(({ reasons = [] }) => reasons)
  if (looks.findLast(({ isInvisible }) => isInvisible !== undefined)?.isInvisible) found.push('markup')
  if (looks.findLast(({ isSmall }) => isSmall !== undefined)?.isSmall) found.push('size')
  const colour = looks.findLast((look) => look.colour !== undefined)?.colour ?? null
  const behind = looks.findLast((look) => look.behind !== undefined)?.behind
  const back = behind ?? (knowsColours ? WHITE : 'unknown')
  if (colour !== null && back !== 'unknown' && isLikeColour(colour, back)) found.push('colour')
  return found
}
