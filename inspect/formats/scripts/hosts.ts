/** Tells files whose scripts run outside browsers, with all rights, from texts that mention the elements of such files. */

import type { Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { isProse } from '#inspect/judge/scripts/language.ts'

/** Files that Windows gives to such a host. */
const HOST_NAME = /\.(?:hta|ws[fc]|sct)[.\s]*$/i
/** The whole file is one. */
const APPLICATION = /<hta:application[\s/>]|(?:<[^<>]*|^content-type[ \t]*:\s*)application\/hta/im
const NAMES = 'job|package|scriptlet|component|registration'
/** Frameworks for pages have elements of these names, with attributes of their own. */
const END_OF_NAME = String.raw`(?![^<>]{0,300}\s(?:[:@#]|v-|is\s*=|\[|\())[\s/>]`
const ELEMENT = new RegExp(`<(?:${NAMES})${END_OF_NAME}`, 'i')
const TAG = new RegExp(String.raw`<(/?)(?:[\w.-]+:)?(script|${NAMES})${END_OF_NAME}`, 'gi')
const SCRIPT_END = /<\/(?:[\w.-]+:)?script/gi
/** Text that a host reads before a script, with texts for the user. */
const OTHERS =
  /<!--(?:(?!<!--)[\s\S])*?-->|<(resource|comment|description|runtime)\b[^<>]*>(?:(?!<\1\b)[\s\S])*?<\/\1|<[^<>]*>/gi
const TAG_WORK = 1_000
const CHARACTER_WORK = 6

export function isHosted(item: Item, text: string): boolean {
  if (HOST_NAME.test(item.name ?? '')) return true
  charge(text.length * CHARACTER_WORK)
  if (APPLICATION.test(text)) return true
  return mayBeProse(item, text) ? hasClosedElement(text) : ELEMENT.test(text)
}

/** A text that begins like one. */
function mayBeProse({ sniffed }: Item, text: string): boolean {
  return sniffed.type === 'text/plain' && !/^(?:\xef\xbb\xbf)?\s*</.test(text)
}

/** In prose, `<package>` is a word to be replaced. A host needs the end of the element, and a script in it. */
function hasClosedElement(text: string): boolean {
  let open: Tag | null = null
  let hasScript = false
  for (const tag of tagsIn(text)) {
    if (tag.name === 'script') hasScript ||= open !== null && !isProseIn(text.slice(open.end, tag.start))
    else if (hasScript && tag.isEnd && open?.name === tag.name) return true
    // After a script, everything belongs to the element around it until that ends.
    if (!hasScript) open = tag.isEnd || tag.name === 'script' ? null : tag
  }
  return false
}

interface Tag {
  name: string
  isEnd: boolean
  start: number
  end: number
}

/** Without what is in a script, up to a script that has no end. */
function* tagsIn(text: string): Generator<Tag> {
  TAG.lastIndex = 0
  for (let found = TAG.exec(text); found !== null; found = TAG.exec(text)) {
    charge(TAG_WORK)
    const { 0: tag, 1: slash, 2: name = '', index } = found
    const end = index + tag.length
    const isScript = name.toLowerCase() === 'script'
    if (isScript && slash !== '') continue
    SCRIPT_END.lastIndex = end
    if (isScript && !SCRIPT_END.test(text)) return
    yield { name: name.toLowerCase(), isEnd: slash !== '', start: index, end }
    TAG.lastIndex = isScript ? SCRIPT_END.lastIndex : end
  }
}

function isProseIn(text: string): boolean {
  return text
    .slice(text.indexOf('>') + 1)
    .replace(OTHERS, '')
    .split(/\r?\n|\r/)
    .some(isProse)
}
