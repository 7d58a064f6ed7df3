/** Judges the addresses in a page: those that it loads by itself, and those that the reader may open. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import { judgeShare } from '#inspect/judge/links.ts'
import { type ShownText, shownText, withoutTags } from '#inspect/judge/pictures/pretexts.ts'
import { classifyTarget, describeTarget, reachOf, type Target } from '#inspect/targets/targets.ts'
import type { Tag } from './markup.ts'

export interface PageLink {
  target: string
  /** Loaded or opened with the page. */
  isAutomatic: boolean
  /** Takes the place of the page. */
  isRedirect: boolean
  /** What is clicked, as it is written. */
  shown?: string
  isBase?: boolean
}

const CLICKED = new Set(['a', 'area', 'form', 'button', 'input'])
const ADDRESSES = new Set(words('href src action formaction data background poster dynsrc lowsrc codebase'))
/** Handlers that no page opens by itself, unlike those of applications that are opened from a page. */
const STARTED =
  /^(?:ms-officecmd|search(?:-ms)?|ms-appinstaller|ms-(?:word|excel|powerpoint|access|publisher|visio)|ms-quick-assist|shell|rdp|ms-cxh(?:-full)?|res)$/
/** Pictures in styles, from a file server. Scripts create the object of an address by the same word. */
const STYLE_SHARE = /(?<!new\s{1,4}|[\w.$])url\(\s{0,9}(?:["']|&quot;|&#39;)?((?:file:|\\\\)[^)"'<>]{1,500})/gi
const STYLE_WORK = 3

/** Styles are not read otherwise. */
export function styleLinks(page: string): PageLink[] {
  charge(page.length * STYLE_WORK)
  return [...page.matchAll(STYLE_SHARE)].map(([, target = '']) => ({ target, isAutomatic: true, isRedirect: false }))
}

const REFRESH = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"'>]*)/i

export function linksIn(tags: readonly Tag[]): PageLink[] {
  const links: PageLink[] = []
  for (const tag of tags) if (tag.attributes.size > 0) addLinks(tag, links)
  return links
}

function addLinks({ name, attributes, shown }: Tag, links: PageLink[]): void {
  if (name === 'meta') links.push(...refreshIn(attributes))
  // Word records where it found the files of a page.
  if (name === 'meta' || (name === 'link' && !/stylesheet|icon/i.test(attributes.get('rel') ?? ''))) return
  for (const [key, target] of attributes)
    if (target !== '' && ADDRESSES.has(key))
      links.push({
        target,
        isAutomatic: isLoaded(name, attributes),
        isRedirect: false,
        ...(shown && { shown }),
        ...(name === 'base' && { isBase: true }),
      })
}

function isLoaded(name: string, attributes: Tag['attributes']): boolean {
  return !CLICKED.has(name) || (name === 'input' && attributes.has('src'))
}

function refreshIn(attributes: Tag['attributes']): PageLink[] {
  if (!/^refresh$/i.test(attributes.get('http-equiv') ?? '')) return []
  const target = REFRESH.exec(attributes.get('content') ?? '')?.[1]?.trim() ?? ''
  return target === '' ? [] : [{ target, isAutomatic: true, isRedirect: true }]
}

export function judgeLinks(item: Item, links: readonly PageLink[], context: Context): void {
  let hasRemote = false
  const isMail = isInMail(item)
  const base = links.find(({ isBase }) => isBase)?.target ?? ''
  const deception = createDeceptionJudge(item, context, {
    trustsText: isMail,
    about: () => textOf(item, isMail),
  })
  for (const { link, shown } of differentLinks(links)) {
    if (shown !== null) deception.add(within(link.target, base), shown)
    const target = classifyTarget(link.target, { isPage: true })
    const definition = definitionOf(target, link)
    if (definition !== null) context.addFinding(item, { ...definition, detail: describeTarget(link.target) })
    else if (target.kind === 'web' || target.kind === 'webIp') hasRemote ||= target.isRemote
  }
  deception.finish()
  if (hasRemote) context.addFinding(item, { ...WEB.links, detail: null })
}

/** Documentation has the same links in thousands of places. Longer ones are judged each time: they are slow to compare. */
const COMPARED_MAX = 1_000
const COMPARED_WORK = 200
const ENTRY_BYTES = 100

/** Each once, without places of the page itself. `shown`: the text of one that is clicked or opened. */
function* differentLinks(links: readonly PageLink[]): Generator<{ link: PageLink; shown: string | null }> {
  const known = new Set<string>()
  for (const link of links) {
    if (link.target.startsWith('#')) continue
    const isOpened = !link.isAutomatic || link.isRedirect
    const shown = isOpened ? clickedText(link.shown) : ''
    const all = `${link.isAutomatic} ${link.isRedirect} ${link.target}\n${shown}`
    if (all.length <= COMPARED_MAX) {
      charge(COMPARED_WORK + all.length)
      if (known.has(all)) continue
      keep(ENTRY_BYTES + all.length)
      known.add(all)
    }
    yield { link, shown: isOpened ? shown : null }
  }
}

/** Characters that are read. */
const TEXT_MAX = 200_000
const TEXT_WORK = 5
const PAGE_WORDS_MAX = 100

/** Of a link without a server, on that which the page names for all of them. */
const within = (target: string, base: string): string =>
  base === '' || /^[a-z][a-z0-9+.-]{0,30}:|^#/i.test(target) ? target : (URL.parse(target, base)?.href ?? target)

/** A page that is not a message is no long one. */
function textOf({ bytes }: Item, isMail: boolean): ShownText {
  const source = view(bytes.subarray(0, TEXT_MAX)).toString()
  charge(source.length * TEXT_WORK)
  const text = shownText(withoutTags(source), true)
  return isMail || text.words <= PAGE_WORDS_MAX ? text : shownText('')
}

/** Pages of the web link to others by their addresses for many reasons. */
function isInMail(item: Item): boolean {
  for (let around: Item | null = item; around !== null; around = around.parent)
    if (around.sniffed.type === 'message/rfc822' || OUTLOOK.test(around.path.at(-1) ?? '')) return true
  return false
}

/** The stream with the page of a message of Outlook. */
const OUTLOOK = /^__substg1\.0_1013/i
/** Of a link that is not ended, all that follows is clicked. */
const END = /<\/a[\s>]/i
const TAGS = /<[^<>]{0,1000}>/g
const ALTERNATIVE = /\salt\s?=\s?"([^"<>]{4,300})"/i

function clickedText(source = ''): string {
  const end = END.exec(source)
  if (end === null) return ''
  const clicked = source.slice(0, end.index)
  const text = unreferenced(clicked.replace(TAGS, '')).trim()
  // Of a picture, readers see the text in its place, or what the picture shows.
  return text === '' ? unreferenced(ALTERNATIVE.exec(clicked)?.[1] ?? '').trim() : text
}

function definitionOf(found: Target, { target, isAutomatic }: PageLink): Definition | null {
  const { kind, scheme, host, severity } = found
  if (kind === 'share' && isAutomatic) return reachOf(host) !== 'company' ? LINKS.fileServerAutomatic : LINKS.fileServer
  if (kind === 'share') return judgeShare(found, target)
  if (kind !== 'handler' || severity === 'notice') return null
  if (scheme === 'ms-msdt') return LINKS.troubleshooter
  if (severity === 'suspicious') return isAutomatic && STARTED.test(scheme) ? LINKS.handlerAutomatic : LINKS.handler
  return isAutomatic ? LINKS.handlerAutomatic : LINKS.handlerProgram
}
