/** Styles of pages and drawings that decide whether text is seen. */

import type { Reason } from '#inspect/core/texts.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '../hidden/colours.ts'
import { blankFamilies } from './web-fonts.ts'

export interface Look {
  /** Not shown, with everything in it. */
  reasons?: readonly Reason[]
  isInvisible?: boolean
  colour?: Colour | null
  behind?: Colour | 'unknown'
  isSmall?: boolean
  /** Readers of some programs see it, or only after a click; or something else may be in front of it. */
  isAside?: boolean
}

type Declarations = ReadonlyMap<string, string>

interface StyleRules {
  add(source: string): void
  /** Names of fonts that draw nothing. */
  blankFonts: ReadonlySet<string>
  /** An element begins, within those that began before it. Returns what is said of it. */
  enter(name: string, attributes: ReadonlyMap<string, string>): Declarations[]
  /** So many elements are left open. */
  leave(depth: number): void
}

/** Rules of all styles of a page, and characters of them. */
const RULES_MAX = 5_000
const STYLES_MAX = 500_000
const CHARACTER_WORK = 10
const RULE = /([^{}@;]{1,500})\{([^{}]{0,2000})\}/g
/** Rules for other media, with those in them. */
const MEDIA =
  /@[a-z-]{1,30}[^{};]{0,300}\{(?:[^{}]|\{[^{}]{0,5000}\}){0,2000}\}|@[a-z-]{1,30}[^{};]{0,300};|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$)/gi
/** Rules for every screen are rules. */
const ALWAYS =
  /@(?:media\s{1,9}(?:only\s{1,9})?(?:screen|all)(?:\s{1,9}and\s{1,9}\(min-width\s{0,3}:\s{0,3}[01](?:px)?\))?|media\s{0,9}\(min-width\s{0,3}:\s{0,3}[01](?:px)?\)|supports[^{};]{0,300}|layer[^{};]{0,100}|container[^{};]{0,100})\s{0,9}\{/gi
/** Values that are given a name. */
const NAMED = /(--[\w-]{1,40})\s{0,9}:\s{0,9}([^;{}()]{1,30})/g
const BY_NAME = /var\(\s{0,9}(--[\w-]{1,40})[^()]{0,60}\)/g

function withValues(source: string): string {
  if (!source.includes('var(')) return source
  charge(source.length * CHARACTER_WORK)
  const values = new Map([...source.matchAll(NAMED)].map(([, name = '', value = '']) => [name, value.trim()]))
  return source.replace(BY_NAME, (whole, name: string) => values.get(name) ?? whole)
}

/** An element, a class or a name. */
const SELECTOR = /^([a-z][\w-]{0,30}|\*)?(?:([.#])([\w-]{1,80}))?$/i
/** Selectors of what is around an element, and classes of it besides the first. */
const CONTEXT_MAX = 6
const ATTRIBUTE = /^([a-z][\w-]{0,30})?\[([\w-]{1,60})(?:[~|^$*]?="?([^"\]]{1,80})"?)?\]$/i

interface Rule {
  /** The element, class or name under which it is found. */
  index: string
  declarations: Declarations
  /** Keys of elements around it, the outermost first. */
  around: readonly string[]
  classes: readonly string[]
  attribute: RegExpExecArray | null
}

function* rulesIn(source: string): Generator<Rule> {
  const written = withValues(source).replace(ALWAYS, ' ').replace(MEDIA, ' ')
  for (const [, selectors = '', body = ''] of written.matchAll(RULE)) {
    const declarations = declarationsOf(body)
    for (const selector of selectors.split(',')) {
      const rule = ruleOf(selector.trim(), declarations)
      if (rule !== null) yield rule
    }
  }
}

/** null: a selector that is not read. */
function ruleOf(selector: string, declarations: Declarations): Rule | null {
  const around = selector.toLowerCase().split(/\s*[>+~]\s*|\s+/, CONTEXT_MAX + 1)
  const last = around.pop() ?? ''
  const [key = '', ...more] = last.includes('[') ? [last] : last.split(/(?<=[^.])(?=\.)/)
  const first = key.startsWith('.') ? key : `${key}${more.shift() ?? ''}`
  const attribute = ATTRIBUTE.exec(first)
  const isRead = first !== '' && around.length < CONTEXT_MAX && (attribute !== null || SELECTOR.test(first))
  if (!isRead) return null
  const classes = more.map((each) => each.slice(1))
  return {
    ...{ index: attribute === null ? first : '[]', declarations, classes, attribute },
    around: around.map(keyOf).filter((each) => each !== ''),
  }
}

/** One class or name of a selector is enough: what it hides is judged by what it says. '': any element. */
function keyOf(selector: string): string {
  const [, element = '', sign = '', key = ''] = /^([a-z][\w-]{0,30}|\*)?(?:([.#])([\w-]{1,80}))?/.exec(selector) ?? []
  return (element === '*' ? '' : element) + sign + key
}

/** What rules name an element by. */
function keysOf(name: string, attributes: ReadonlyMap<string, string>): { keys: string[]; classes: string[] } {
  const classes = (attributes.get('class') ?? '').toLowerCase().split(/\s+/, CLASSES_MAX).filter(Boolean)
  const id = (attributes.get('id') ?? '').toLowerCase()
  const byId = id === '' ? [] : [`#${id}`, `${name}#${id}`]
  return { keys: [name, ...classes.flatMap((each) => [`.${each}`, `${name}.${each}`]), ...byId], classes }
}

const CLASSES_MAX = 20

function fitsAttribute(
  [, element, key = '', value = '']: RegExpExecArray,
  name: string,
  attributes: ReadonlyMap<string, string>,
): boolean {
  const given = attributes.get(key)?.toLowerCase()
  return (element === undefined || element === name) && given !== undefined && given.includes(value)
}

/** For each rule that may be meant, for each that is, and for each of its declarations. */
const RULE_WORK = 60
const FOUND_WORK = 600
const DECLARATION_WORK = 100

export function createRules(): StyleRules {
  const rules = new Map<string, Rule[]>()
  const blankFonts = new Set<string>()
  /** Keys of the elements that are open, and how many of them have each. */
  const open: string[][] = []
  const around = new Map<string, number>()
  let [count, length] = [0, 0]

  function push(keys: string[]): void {
    open.push(keys)
    for (const key of keys) around.set(key, (around.get(key) ?? 0) + 1)
  }

  function pop(): void {
    for (const key of open.pop() ?? []) {
      const left = (around.get(key) ?? 1) - 1
      if (left === 0) around.delete(key)
      else around.set(key, left)
    }
  }

  return {
    blankFonts,
    add(source) {
      const read = source.slice(0, Math.max(0, STYLES_MAX - length))
      length += read.length
      charge(read.length * CHARACTER_WORK)
      for (const family of blankFamilies(read)) blankFonts.add(family)
      for (const rule of rulesIn(read)) {
        if (++count > RULES_MAX) return
        const known = rules.get(rule.index)
        if (known === undefined) rules.set(rule.index, [rule])
        else known.push(rule)
      }
    },
    enter(name, attributes) {
      const { keys, classes } = keysOf(name, attributes)
      push(keys)
      if (rules.size === 0) return []
      const named = ['*', '[]', ...keys].flatMap((key) => rules.get(key) ?? [])
      charge(named.length * RULE_WORK)
      const found = named.filter(
        (rule) =>
          rule.around.every((key) => around.has(key)) &&
          rule.classes.every((each) => classes.includes(each)) &&
          (rule.attribute === null || fitsAttribute(rule.attribute, name, attributes)),
      )
      charge(found.reduce((sum, { declarations }) => sum + FOUND_WORK + declarations.size * DECLARATION_WORK, 0))
      return found.map(({ declarations }) => declarations)
    },
    leave(depth) {
      while (open.length > depth) pop()
    },
  }
}

/** All that is read of a style. Of others there may be thousands, for every element. */
const READ = new Set(
  words(`background background-color background-image bottom clip clip-path color content-visibility display fill
  fill-opacity filter font font-family font-size height inset left letter-spacing line-height margin margin-left margin-top
  max-height max-width mso-hide opacity overflow position right rotate scale text-indent top transform translate visibility
  -webkit-text-fill-color width z-index zoom`),
)
/** The size among the parts of a font. */
const FONT_SIZE = /(?:^|\s)((?:\d{1,5}(?:\.\d{1,5})?|\.\d{1,5})(?:px|pt|em|rem|%)?)(?:\/\S{1,20})?\s/

export function declarationsOf(text: string): Declarations {
  const found = new Map<string, string>()
  for (const each of text.split(';', 100)) {
    const at = each.indexOf(':')
    const name = at > 0 ? each.slice(0, at).trim().toLowerCase() : ''
    if (READ.has(name))
      found.set(
        name,
        each
          .slice(at + 1)
          .replace(/!\s*important/i, '')
          .trim(),
      )
  }
  const size = FONT_SIZE.exec(found.get('font') ?? '')?.[1]
  if (size !== undefined && !found.has('font-size')) found.set('font-size', size)
  return found
}

/** Pixels or points that nobody can read, and offsets beyond every window. */
const SIZE_MAX = 2
const FAR = 900
const ZERO = /^0+(?:\.0+)?(?:px|pt|em|rem|%|vh|vw)?$/
const NO_CLIP =
  /^(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|inset\(\s*(?:50|100)%.*|circle\(\s*0.*|polygon\((?:[\s,]{0,9}0(?:px|%)?){1,40}[\s,]{0,9}\))$/

const lengthOf = (value: string | undefined): number => {
  const found = /^(-?\d{0,6}(?:\.\d{1,6})?)(px|pt|em|rem|%|cm|mm|in)?/.exec(value ?? '')
  const number = Number.parseFloat(found?.[1] ?? '')
  return found?.[2] === 'em' || found?.[2] === 'rem' ? number * 16 : found?.[2] === '%' ? Number.NaN : number
}

const isFar = (value: string | undefined): boolean =>
  Math.abs(lengthOf(value)) >= FAR || /^-(?:[1-9]\d{2,})(?:vw|vh|%)|^-?\d(?:\.\d{1,3})?e[3-9]/.test(value ?? '')
const isAnyFar = (values: string): boolean => values.split(/\s{1,9}/, 4).some(isFar)
const shareOf = (value: string): number => Number.parseFloat(value || '1') / (value.endsWith('%') ? 100 : 1)

function sizeOf(value: string): boolean | undefined {
  if (ZERO.test(value)) return true
  const size = lengthOf(value)
  return Number.isNaN(size) ? undefined : size <= SIZE_MAX
}

/** Declarations that hide an element with everything in it. */
const HIDING: readonly (readonly [Reason, (value: (name: string) => string) => boolean])[] = [
  ['markup', (value) => value('display') === 'none' || value('mso-hide') === 'all'],
  ['markup', (value) => value('content-visibility') === 'hidden'],
  ['transparent', (value) => shareOf(value('opacity')) < OPACITY_MIN],
  ['off-page', (value) => PLACED.test(value('position')) && ['left', 'top', 'right', 'bottom'].map(value).some(isFar)],
  ['off-page', (value) => PLACED.test(value('position')) && isAnyFar(value('inset'))],
  ['off-page', (value) => FAR_PLACED.test(value('transform')) || isAnyFar(value('translate'))],
  ['transparent', (value) => /opacity\(\s*0(?:\.0\d*)?%?\s*\)/.test(value('filter'))],
  ['transparent', (value) => shareOf(value('fill-opacity')) < OPACITY_MIN],
  ['markup', (value) => ZERO.test(value('line-height')) && /hidden|clip/.test(value('overflow'))],
  ['markup', (value) => /^0?\.0\d{0,6}$/.test(value('zoom')) || ZERO.test(value('zoom'))],
  ['off-page', (value) => ['text-indent', 'margin-left'].map(value).some(isFar)],
  ['off-page', (value) => ['margin', 'margin-top'].map(value).some((each) => each.includes('-') && isAnyFar(each))],
  ['markup', (value) => lengthOf(value('letter-spacing')) <= CROWDED],
  ['markup', (value) => ['clip', 'clip-path'].map(value).some((each) => NO_CLIP.test(each))],
  ['markup', (value) => FLAT.test(value('transform')) || /^0?(?:\.0\d{0,6})?$/.test(value('scale') || '1')],
  ['markup', (value) => /^[xy] -?(?:90|270)deg$/.test(value('rotate'))],
  [
    'markup',
    (value) =>
      /hidden|clip/.test(value('overflow')) &&
      ['height', 'max-height', 'width', 'max-width']
        .map(value)
        .some((each) => /^(?:[01](?:px)?|0(?:em|rem|%|pt|vh|vw))$/.test(each)),
  ],
]
const OPACITY_MIN = 0.05
/** Pixels between letters that then lie upon each other. */
const CROWDED = -8
/** Without a width or a height. */
const FLAT =
  /scale(?:[xy]|3d)?\(\s{0,5}0?(?:\.0\d{0,6})?\s{0,5}[,)]|rotate[xy]\(\s{0,5}-?(?:90|270)deg|matrix\(\s{0,5}0(?:\.0{1,6})?\s{0,5},/
const PLACED = /^(?:absolute|fixed|relative)$/
const FAR_PLACED = /translate[xy]?\(\s{0,9}(?:-?[\d.]{1,9}(?:px|pt|em)?[\s,]{1,9})?-?(?:\d{4,9}|9\d\d)/

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
  if (/^-\d/.test(value('z-index'))) look.isAside = true
  addColours(look, all)
  return look
}

const firstFamily = (families: string): string => (families.split(',', 1)[0] ?? '').replace(/["']/g, '').trim()

const TRANSPARENT =
  /^transparent$|^(?:rgb|hsl)a?\([^)]{1,60}[,/]\s*(?:0|0?\.0\d{0,6}|[0-4]%)\s*\)$|^#[0-9a-f]{6}0[0-9a-f]$|^#[0-9a-f]{3}0$/

function addColours(look: Look, all: Declarations): void {
  const colour = all.get('-webkit-text-fill-color') ?? all.get('color')
  if (colour !== undefined) {
    look.colour = colourOf(colour)
    if (TRANSPARENT.test(colour.toLowerCase())) look.reasons = [...(look.reasons ?? []), 'transparent']
  }
  const behind = all.get('background-color') ?? all.get('background') ?? all.get('background-image')
  if (behind !== undefined && !/^(?:transparent|none|inherit|initial)?$/i.test(behind))
    look.behind = colourOf(behind) ?? 'unknown'
}

interface Hiding {
  reason: Reason
  look: Look
}

/** What hides text in elements within each other, and the element that does so. */
export function whatHides(
  looks: readonly Look[],
  knowsColours: boolean,
  unknown: Colour | 'unknown' = 'unknown',
): Hiding[] {
  const found = looks.flatMap((look) => (look.reasons ?? []).map((reason) => ({ reason, look })))
  const invisible = looks.findLast(({ isInvisible }) => isInvisible !== undefined)
  if (invisible?.isInvisible) found.push({ reason: 'markup', look: invisible })
  const small = looks.findLast(({ isSmall }) => isSmall !== undefined)
  if (small?.isSmall) found.push({ reason: 'size', look: small })
  const coloured = looks.findLastIndex(({ colour }) => colour !== undefined)
  const backed = looks.findLastIndex(({ behind }) => behind !== undefined)
  const colour = looks[coloured]?.colour ?? null
  const behind = looks[backed]?.behind ?? (knowsColours ? WHITE : 'unknown')
  const back = behind === 'unknown' ? unknown : behind
  const look = looks[Math.max(coloured, backed)]
  if (colour !== null && back !== 'unknown' && look !== undefined && isLikeColour(colour, back))
    found.push({ reason: 'colour', look })
  return found
}

/** The same with all that may hide it: what is unknown is white, and what opens after a click is closed. */
export function whatMayHide(looks: readonly Look[]): Hiding[] {
  const aside = looks.filter(({ isAside }) => isAside).map((look): Hiding => ({ reason: 'markup', look }))
  return [...whatHides(looks, true, WHITE), ...aside]
}

/** White or nearly, on what may be white. */
export function isPale(looks: readonly Look[]): boolean {
  const colour = looks.findLast((look) => look.colour !== undefined)?.colour ?? null
  const behind = looks.findLast((look) => look.behind !== undefined)?.behind ?? 'unknown'
  return colour !== null && behind === 'unknown' && isLikeColour(colour, WHITE)
}
