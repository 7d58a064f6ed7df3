/** Reads the tags, scripts and visible text of a page or drawing as leniently as browsers do. */

import { referencesRead } from '#inspect/codecs/character-references.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { INLINE } from '#inspect/judge/pages/html-events.ts'
import { createDrawings } from './drawings.ts'

export interface Tag {
  /** In lower case, without a namespace prefix. */
  name: string
  /** Names in lower case without a prefix, values without character references. */
  attributes: ReadonlyMap<string, string>
  /** The raw content of a script, style, title or textarea. */
  content: string
  /** Its content has no end. */
  isOpen?: boolean
  /** Of a link: what is clicked, as it is written. */
  shown?: string
}

export interface Markup {
  /** All but layout. */
  tags: readonly Tag[]
  /** The text that a reader sees, with white space collapsed. */
  text: string
}

/** Work for each tag and attribute, and memory for each. */
const TAG_WORK = 600
const TAG_BYTES = 220
const ATTRIBUTE_BYTES = 110

const NAME = /[a-z][^\s/>]*/iy
const ATTRIBUTE = /[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y
const RAW = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'noembed'])
/** Layout, which large pages have much of: such tags are read only if they have other attributes. */
const PLAIN_TAGS = new Set(
  'p br hr b i u s em strong small sub sup span div font table thead tbody tr td th ul ol li g path'.split(' '),
)
const PLAIN_ATTRIBUTES = new Set([
  ...'id class style width height align valign colspan rowspan bgcolor border cellpadding cellspacing color'.split(' '),
  ...'face size lang dir d x y x1 x2 y1 y2 dx dy cx cy r rx ry fill stroke transform points viewbox space'.split(' '),
  ...'offset opacity stroke-width stop-color fill-rule clip-path gradientunits gradienttransform styleid'.split(' '),
])
/** Fields belong to the form that was not ended before them. */
export const END_OF_FORM: Tag = { name: '/form', attributes: new Map(), content: '' }
const FORM_END = /^<\/form[\s/>]/i
const FORM_END_MAX = 7

function endsForm(source: string, at: number): boolean {
  const isEnd = FORM_END.test(source.slice(at, at + FORM_END_MAX))
  if (isEnd) keep(TAG_BYTES)
  return isEnd
}

/** Those that a reader sees. */
const SHOWN = new Set(['title', 'textarea', 'xmp'])

const END_NAME = /<\/([a-z]{1,10})/iy

/** The end of such an element, or a comment. */
function isWithinWord(source: string, at: number): boolean {
  if (source.startsWith('<!--', at)) return true
  END_NAME.lastIndex = at
  return INLINE.has(END_NAME.exec(source)?.[1]?.toLowerCase() ?? '')
}

export function readMarkup(source: string): Markup {
  const tags: Tag[] = []
  const texts = createTexts(source)
  const closing = createSearch(source)
  const drawings = createDrawings()
  let from = 0
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', from)) {
    charge(TAG_WORK)
    texts.add(from, at)
    const read = readTag(source, at)
    if (read === null) {
      texts.separate(isWithinWord(source, at))
      drawings.end(source, at)
      if (endsForm(source, at)) tags.push(END_OF_FORM)
      from = noTagEnd(source, at, closing)
      continue
    }
    const { tag, end } = read
    texts.separate(INLINE.has(tag.name))
    const isEmpty = drawings.start(tag.name, source, at, end)
    const close = RAW.has(tag.name) && !isEmpty ? closing(`</${tag.name}`, end) : end
    from = close === -1 ? source.length : close
    if (tags.length === 0 || tag.attributes.size > 0 || !PLAIN_TAGS.has(tag.name)) {
      keep(TAG_BYTES)
      tags.push({ ...tag, content: source.slice(end, from), isOpen: close === -1, ...shownOf(tag, source, end) })
    }
    texts.addShown(tag.name, end, from)
  }
  texts.add(from, source.length)
  let text: string | undefined
  return {
    tags,
    // Most texts with a tag in them need no more than the tags.
    get text() {
      text ??= collapsed(referencesRead(texts.joined()))
      return text
    },
  }
}

/** Longer contents are no addresses. */
const CLICKED_MAX = 1_000

function shownOf({ name, attributes }: Omit<Tag, 'content'>, source: string, end: number): Pick<Tag, 'shown'> {
  if (!attributes.has('href')) return {}
  if (name === 'area') return { shown: `${attributes.get('alt') ?? attributes.get('title') ?? ''}</a>` }
  return name === 'a' ? { shown: source.slice(end, end + CLICKED_MAX) } : {}
}

const SPACE = 0x20
/** Work for each character of the visible text, to join and to collapse it. */
const TEXT_WORK = 7
const IS_SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/\s/.test(String.fromCharCode(code)) ? 1 : 0))
/** Behind these, the byte of a space that does not break is a part of a letter. */
const LEADS = Uint8Array.from({ length: 256 }, (_, code) => (code > 0x7f && code !== 0xc2 ? 1 : 0))
const UNBROKEN = 0xa0

/** With one space for each sequence of white space. Faster than a pattern, which stops at every word. */
function collapsed(text: string): string {
  charge(text.length * TEXT_WORK)
  const bytes = Buffer.from(text, 'latin1')
  let [length, before, last] = [0, 1, 0]
  // Without branches, which would be taken after every word.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    const isSpace = (IS_SPACE[byte] as number) & ~(Number(byte === UNBROKEN) & (LEADS[last] as number))
    last = byte
    bytes[length] = isSpace === 1 ? SPACE : byte
    length += 1 - (isSpace & before)
    before = isSpace
  }
  return bytes.toString('latin1', 0, bytes[length - 1] === SPACE ? length - 1 : length)
}

function createTexts(source: string) {
  const pieces: string[] = []
  return {
    add(from: number, to: number): void {
      if (to > from) pieces.push(source.slice(from, to))
    },
    /** Unless a word goes on. */
    separate(isWithin: boolean): void {
      if (!isWithin) pieces.push(' ')
    },
    addShown(name: string, from: number, to: number): void {
      if (SHOWN.has(name)) this.add(from, to)
    },
    joined: () => pieces.join(''),
  }
}

type Search = (text: string, from: number) => number

/** The end of a comment, an end tag or a declaration; otherwise the `<` is text. */
function noTagEnd(source: string, at: number, closing: Search): number {
  if (source.startsWith('<!--', at)) return after(closing('-->', at + 4), 3, source)
  return /[/!?]/.test(source[at + 1] ?? '') ? after(closing('>', at), 1, source) : at + 1
}

function after(at: number, length: number, source: string): number {
  return at === -1 ? source.length : at + length
}

function readTag(source: string, at: number): { tag: Omit<Tag, 'content'>; end: number } | null {
  NAME.lastIndex = at + 1
  const name = NAME.exec(source)?.[0]
  if (name === undefined) return null
  const attributes = new Map<string, string>()
  let id: string | undefined
  let end = at + 1 + name.length
  for (;;) {
    charge(TAG_WORK)
    ATTRIBUTE.lastIndex = end
    const found = ATTRIBUTE.exec(source)
    if (found === null) break
    end += found[0].length
    const key = localName(found[1] ?? '')
    if (key === 'id') id ??= found[2] ?? found[3] ?? found[4]
    if (PLAIN_ATTRIBUTES.has(key) || attributes.has(key)) continue
    keep(ATTRIBUTE_BYTES)
    attributes.set(key, referencesRead(found[2] ?? found[3] ?? found[4] ?? ''))
  }
  // Scripts find the other attributes by it.
  if (id !== undefined && attributes.size > 0) attributes.set('id', referencesRead(id))
  return { tag: { name: localName(name), attributes }, end: after(source.indexOf('>', end), 1, source) }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

/** Offset of the next such text, ignoring case, or -1. Offsets only grow for each, so nothing is searched twice. */
function createSearch(source: string): Search {
  let lower: string | undefined
  const known = new Map<string, number>()
  return (text, from) => {
    const before = known.get(text)
    if (before === -1 || (before !== undefined && before >= from)) return before
    lower ??= source.toLowerCase()
    const at = lower.indexOf(text, from)
    known.set(text, at)
    return at
  }
}
