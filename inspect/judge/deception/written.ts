/** Links in texts: addresses as they are written, links of Markdown, and formulas with a text of their own. */

import { charge } from '#inspect/core/work.ts'

export interface WrittenLink {
  target: string
  /** '': the address itself is shown. */
  shown: string
}

/** More addresses are a list of them, a log or documentation. */
export const ADDRESSES_MAX = 10
/** Links with a text in one text. */
const LINKS_MAX = 200
const CHARACTER_WORK = 20

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`|\\^{}[\]()]{4,500}/gi
/** `[https://example.org](https://example.com)`, and with the target in angle brackets; behind `!`, a picture. */
const MARKDOWN = /(?<!!)\[([^[\]\n]{4,300})\]\(\s{0,3}<?(https?:\/\/[^\s()<>]{4,500})/gi
/** A picture in the text of a link, for instance: readers do not see where it is. */
const ELEMENT = /<\/?[a-z][a-z0-9]{0,20}(?:\s[^<>]{0,2000})?>/gi
/**
 * `https://example.org <https://example.com>`, also in parentheses, in mails without a page, and `<https://example.com|example.org>` in chats.
 * Behind a bracket, the first is the target of another link or picture.
 */
const ANGLED =
  /(?<![\w./@-])((?:https?:\/\/|(?:[a-z0-9-]{1,63}\.){2,5}[a-z])[^\s<>"']{1,300})(?<![)\]][,;.:]?)\s?[<(](https?:\/\/[^\s<>()|]{4,500})[>)]/gi
const PIPED = /<(https?:\/\/[^\s|<>]{4,500})\|([^|<>\n]{4,300})>/gi
const ANCHOR = /<a\s[^<>]{0,200}?href\s?=\s?["']?(https?:\/\/[^"'\s<>]{4,500})["']?[^<>]{0,200}>([^<]{4,300})<\/a/gi
/** `[https://example.org][1]` and `[1]: https://example.com`. */
const REFERENCE = /\[([^[\]\n]{4,300})\]\[([^[\]\n]{0,80})\]/g
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,80})\]:[ \t]{0,9}<?(https?:\/\/[^\s<>]{4,500})/gim
/** A text with an address, as it is kept in chats. */
const ENTITY = /"text":\s?"([^"\n]{4,300})",\s{0,40}"href":\s?"(https?:[^"\s]{4,500})"/gi
/** Quotes are doubled in CSV, and references in XML. */
const QUOTE = '(?:"{1,2}|&quot;|&#34;)'
const FORMULA = new RegExp(
  String.raw`HYPERLINK\(\s{0,3}${QUOTE}(https?:[^"&\s]{4,400}(?:&amp;[^"&\s]{0,200}){0,5})${QUOTE}\s{0,3}[,;]\s{0,3}${QUOTE}([^"&]{4,300})${QUOTE}`,
  'gi',
)

/** Links whose text is not their address. */
export function* linksWithText(text: string): Generator<WrittenLink> {
  charge(text.length * CHARACTER_WORK)
  for (const [, shown = '', target = ''] of text.matchAll(MARKDOWN).take(LINKS_MAX))
    yield { target, shown: shown.replace(ELEMENT, ' ') }
  for (const pattern of [ANGLED, ENTITY])
    for (const [, shown = '', target = ''] of text.matchAll(pattern).take(LINKS_MAX)) yield { target, shown }
  for (const pattern of [PIPED, ANCHOR])
    for (const [, target = '', shown = ''] of text.matchAll(pattern).take(LINKS_MAX)) yield { target, shown }
  yield* referredLinks(text)
  yield* formulaLinks(text)
}

function* referredLinks(text: string): Generator<WrittenLink> {
  const definitions = [...text.matchAll(DEFINITION).take(LINKS_MAX)]
  if (definitions.length === 0) return
  const targets = new Map(definitions.map(([, name = '', target = '']) => [name.toLowerCase(), target]))
  for (const [, shown = '', name = ''] of text.matchAll(REFERENCE).take(LINKS_MAX)) {
    const target = targets.get((name || shown).toLowerCase())
    if (target !== undefined) yield { target, shown }
  }
}

export function* formulaLinks(text: string): Generator<WrittenLink> {
  if (!/HYPERLINK\(/i.test(text)) return
  charge(text.length * CHARACTER_WORK)
  for (const [, target = '', shown = ''] of text.matchAll(FORMULA).take(LINKS_MAX))
    yield { target: target.replaceAll('&amp;', '&'), shown }
}

/** Different addresses; null if there are more than a message has. */
export function addressesIn(text: string): string[] | null {
  charge(text.length * CHARACTER_WORK)
  const found = new Set<string>()
  for (const [address] of text.matchAll(ADDRESS)) {
    found.add(address.replace(/[.,;:!?*_]{1,5}$/, ''))
    if (found.size > ADDRESSES_MAX) return null
  }
  return [...found]
}
