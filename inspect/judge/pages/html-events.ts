/** Reads pages from their beginning to their end as events, as leniently as browsers do. */

import { decodeEntities } from '#inspect/codecs/xml-tags.ts'
import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'

interface HtmlHandler {
  /** Names in lower case, without a prefix. */
  open(name: string, attributes: ReadonlyMap<string, string>, isEmpty: boolean): void
  close(name: string): void
  text(text: string): void
  comment(text: string): void
  /** The content of a style. */
  style(text: string): void
  /** The content of a script that is data. */
  data?(text: string): void
}

const CHARACTER_WORK = 4
const TAG_WORK = 300

const NAME = /[a-z][^\s/>]{0,60}/iy
const ATTRIBUTE = /[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y
/** Their content is no markup. */
const RAW = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'noembed', 'iframe'])
const EMPTY = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** A browser shows nothing between what is before and behind them, so that they can be in the middle of a word. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big code del em font i ins kbd mark q s samp small span strong sub sup tt u var wbr'.split(' '),
)

export function readHtml(source: string, handler: HtmlHandler): void {
  charge(source.length * CHARACTER_WORK)
  const lower = source.toLowerCase()
  let from = 0
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', from)) {
    charge(TAG_WORK)
    if (at > from) handler.text(htmlText(source.slice(from, at)))
    from = readNext(source, lower, at, handler)
  }
  if (from < source.length) handler.text(htmlText(source.slice(from)))
}

/** Types of scripts that are no code. */
const DATA = /json|text\/(?:plain|template|markdown|x-)/i

/** Returns the position after the tag, comment or sign. */
function readNext(source: string, lower: string, at: number, handler: HtmlHandler): number {
  if (source.startsWith('<!--', at)) {
    const end = source.indexOf('-->', at + 4)
    handler.comment(source.slice(at + 4, end === -1 ? source.length : end))
    return end === -1 ? source.length : end + 3
  }
  if (/[!?]/.test(source.charAt(at + 1))) return endOf(source, at)
  const isEnd = source.charAt(at + 1) === '/'
  NAME.lastIndex = at + (isEnd ? 2 : 1)
  const written = NAME.exec(source)?.[0]
  if (written === undefined) {
    if (isEnd) return endOf(source, at)
    handler.text('<')
    return at + 1
  }
  const name = written.slice(written.indexOf(':') + 1).toLowerCase()
  if (isEnd) {
    handler.close(name)
    return endOf(source, at)
  }
  const { attributes, end } = attributesAt(source, at + 1 + written.length)
  const close = endOf(source, end)
  const isEmpty = EMPTY.has(name) || source.charAt(close - 2) === '/'
  handler.open(name, attributes, isEmpty)
  if (isEmpty) handler.close(name)
  return isEmpty || !RAW.has(name) ? close : readRaw(name, source, lower, close, attributes.get('type'), handler)
}

function readRaw(
  name: string,
  source: string,
  lower: string,
  from: number,
  type: string | undefined,
  handler: HtmlHandler,
): number {
  const found = lower.indexOf(`</${name}`, from)
  const end = found === -1 ? source.length : found
  const content = source.slice(from, end)
  if (name === 'style') handler.style(content)
  else if (name === 'script' && DATA.test(type ?? '')) handler.data?.(content)
  else if (name === 'title' || name === 'textarea' || name === 'xmp') handler.text(htmlText(content))
  handler.close(name)
  return endOf(source, end)
}

function attributesAt(source: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let end = from
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const found = ATTRIBUTE.exec(source)
    if (found === null) return { attributes, end }
    charge(TAG_WORK)
    end += found[0].length
    const key = (found[1] ?? '').toLowerCase()
    if (!attributes.has(key)) attributes.set(key, htmlText(found[2] ?? found[3] ?? found[4] ?? ''))
  }
}

function endOf(source: string, from: number): number {
  const at = source.indexOf('>', from)
  return at === -1 ? source.length : at + 1
}

const NAMED: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  ndash: '\u2013',
  mdash: '\u2014',
  hellip: '\u2026',
  rsquo: '\u2019',
  lsquo: '\u2018',
  rdquo: '\u201d',
  ldquo: '\u201c',
  bull: '\u2022',
  copy: '\u00a9',
  reg: '\u00ae',
  euro: '\u20ac',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
}

function htmlText(text: string): string {
  if (!text.includes('&')) return text
  return decodeEntities(text.replace(/&([A-Za-z]{2,6});/g, (whole, name: string) => ownOf(NAMED, name) ?? whole))
}
