/** Judges where a page or a drawing leads by itself, and code that it hides. */

import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { ownerOf } from '#inspect/judge/deception/signs.ts'
import { servedFile } from '#inspect/judge/served-files.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import type { Behaviour } from './behaviour.ts'
import { hiddenIn } from './hiding.ts'
import type { PageLink } from './links.ts'
import type { Markup, Tag } from './markup.ts'
import { SCRIPT_URL } from './scripts.ts'

/** Addresses that the script opens and whose server it does not name in plain text. */
function hiddenOpening(source: string, behaviour: Behaviour): string | undefined {
  return behaviour.openings.find(hiddenIn(source))
}

const ANIMATED = /^(?:animate|set|animatetransform|animatemotion)$/
const ADDRESS_NAME = /^(?:xlink:)?href$/i

/** An address that becomes a script while it is shown: programs that filter mails look at the address as it is written. */
export function judgeAnimations(item: Item, tags: readonly Tag[], context: Context): void {
  const isScript = ({ name, attributes }: Tag): boolean =>
    ANIMATED.test(name) &&
    ADDRESS_NAME.test(attributes.get('attributename')?.trim() ?? '') &&
    ['values', 'to', 'from', 'by'].some((key) =>
      attributes
        .get(key)
        ?.split(';')
        .some((each) => SCRIPT_URL.test(each)),
    )
  if (tags.some(isScript)) context.addFinding(item, { ...WEB.animatedScript, detail: null })
}

/** Maps and diagrams open pages by a click. */
const CLICKED = /\bonclick|\bonmouse|\bonpointer|\bonkey|addEventListener|\bon\s{0,4}\(/i
const CLICK_EVENT = /^on(?:click|dblclick|mouse|pointer|key|touch|focus|activate)/

/** A drawing that leads to an address that it hides, or by itself to one that contains the address of the reader. */
function drawingOpening(source: string, tags: readonly Tag[], behaviour: Behaviour | null): string | undefined {
  if (behaviour === null) return undefined
  const hidden = hiddenOpening(source, behaviour)
  const isClicked =
    CLICKED.test(source) || tags.some(({ attributes }) => attributes.keys().some((key) => CLICK_EVENT.test(key)))
  if (hidden !== undefined || isClicked) return hidden
  return behaviour.redirects.find(
    (target) => classifyTarget(target, { isPage: true }).isRemote && MAIL_ADDRESS.test(target),
  )
}

/** Letters written as references in a handler or script address. No program writes them so. */
const CODED_HANDLER =
  /\s(?:on[a-z]{1,40}|(?:xlink:)?href)\s{0,9}=\s{0,9}(?:"[\w:.]{0,99}|'[\w:.]{0,99})&#(?:0{0,6}(?:6[5-9]|[78]\d|9[07-9]|1[01]\d|12[0-2])|x0{0,6}(?:[46][1-9a-f]|[57][0-9a]));/i

export function judgeDrawing(
  item: Item,
  { tags, links }: Markup & { links: readonly PageLink[] },
  source: string,
  behaviour: Behaviour | null,
  text: string,
  context: Context,
): void {
  if (tags.some(({ name }) => name === 'foreignobject')) context.addFinding(item, { ...WEB.svgHtml, detail: null })
  const loads = tags.some(loadsScript)
  const away = links.find(({ target, isRedirect }) => isRedirect && classifyTarget(target, { isPage: true }).isRemote)
  const leads = linkTargets(links, behaviour)
  if (!judgeTraps(item, leads, context) && away !== undefined)
    context.addFinding(item, { ...WEB.redirect, detail: describeTarget(away.target) })
  if (source.trim() === '' && !loads) return
  const hidden = drawingOpening(source, tags, behaviour)
  const isHidden = behaviour !== null && (behaviour.runsBuiltText || behaviour.opensUnknown || CODED_HANDLER.test(text))
  if (hidden !== undefined || isHidden)
    context.addFinding(item, { ...WEB.svgRedirect, detail: hidden === undefined ? null : describeTarget(hidden) })
  else
    context.addFinding(item, { ...(behaviour?.isPlain && !loads ? WEB.svgInteraction : WEB.svgScript), detail: null })
}

/** Libraries of charts and maps that only show labels, and move and enlarge the drawing, from their makers and known copies. */
const LIBRARY =
  /^https:\/\/(?:kozea\.github\.io\/pygal\.js\/|(?:cdn\.jsdelivr\.net\/npm|unpkg\.com)\/svg-pan-zoom@|cdnjs\.cloudflare\.com\/ajax\/libs\/svg-pan-zoom\/)(?!\S*\.\.)[\w./-]{1,200}\.js$/

/** From anywhere but the folder of the drawing. */
function loadsScript({ name, attributes }: Tag): boolean {
  const sources = [attributes.get('href'), attributes.get('src')].filter((source) => source !== undefined)
  return name === 'script' && sources.some((source) => !LIBRARY.test(source) && isElsewhere(source))
}

const isElsewhere = (source: string): boolean => classifyTarget(source, { isPage: true }).kind !== 'relative'

/** A page with less text has nothing to read. */
const READABLE_MIN = 80

export function judgePage(
  item: Item,
  { tags, text }: Markup,
  source: string,
  behaviour: Behaviour | null,
  links: readonly PageLink[],
  context: Context,
): void {
  const hidden = behaviour === null ? undefined : hiddenOpening(source, behaviour)
  const redirects = linkTargets(links, behaviour)
  const away = redirects.find((target) => classifyTarget(target, { isPage: true }).isRemote)
  // Pages that were moved name their new address as the canonical one.
  const isMoved = tags.some(({ name, attributes }) => name === 'link' && /canonical/i.test(attributes.get('rel') ?? ''))
  const isEmpty = text.length < READABLE_MIN && !tags.some(isVisible) && !isMoved
  const target = hidden ?? (isEmpty ? away : undefined)
  const decodes = behaviour?.runsBuiltText === true
  const isObfuscated = (decodes || isEmpty) && hidden !== undefined && behaviour?.redirects.includes(hidden)
  if (behaviour !== null) judgeCode(item, tags, source, behaviour, isEmpty, context)
  const frame = isEmpty ? tags.find(isAddressedFrame)?.attributes.get('src') : undefined
  if (frame !== undefined) context.addFinding(item, { ...WEB.redirect, detail: describeTarget(frame) })
  const leads = isEmpty ? [...redirects, ...framesIn(tags)] : []
  if (!judgeTraps(item, leads, context) && target !== undefined)
    context.addFinding(item, {
      ...(isObfuscated ? WEB.hiddenRedirect : WEB.redirect),
      detail: describeTarget(target),
    })
  if (source.trim() !== '') context.addFinding(item, { ...WEB.script, detail: null })
}

/** Addresses that take the place of the page. */
function linkTargets(links: readonly PageLink[], behaviour: Behaviour | null): readonly string[] {
  return [...links.filter(({ isRedirect }) => isRedirect).map(({ target }) => target), ...(behaviour?.redirects ?? [])]
}

const framesIn = (tags: readonly Tag[]): readonly string[] =>
  tags.flatMap(({ name, attributes }) => (name === 'iframe' ? (attributes.get('src') ?? []) : []))

/** Whether one of the addresses that are opened at once is a trap, which is reported. */
function judgeTraps(item: Item, targets: readonly string[], context: Context): boolean {
  const trap = targets.find(isTrap)
  if (trap !== undefined) context.addFinding(item, { ...WEB.programRedirect, detail: describeTarget(trap) })
  return trap !== undefined
}

/** A script for the host of Windows or a shortcut on another computer, or code that is called like a document. */
function isTrap(target: string): boolean {
  if (!classifyTarget(target, { isPage: true }).isRemote) return false
  const file = servedFile(target)
  return file !== null && (file.isTrap || (file.isCode && file.isPosing))
}

function isVisible({ name, attributes }: Tag): boolean {
  return name === 'img' || (name === 'input' && !/^hidden$/i.test(attributes.get('type') ?? ''))
}

/** A script whose address is coded, or code that an attribute decodes. */
function judgeCode(
  item: Item,
  tags: readonly Tag[],
  source: string,
  { loads, runsBuiltText }: Behaviour,
  isEmpty: boolean,
  context: Context,
): void {
  const loaded = isEmpty || runsBuiltText ? loads.find(hiddenIn(source)) : undefined
  if (loaded !== undefined) context.addFinding(item, { ...WEB.hiddenScript, detail: describeTarget(loaded) })
  else if (runsBuiltText && tags.some(decodesInHandler)) context.addFinding(item, { ...WEB.hiddenScript, detail: null })
}

const DECODING_HANDLER =
  /\b(?:eval|Function|setTimeout|constructor)\b[^;]{0,40}\(\s{0,4}(?:window\.|self\.)?(?:atob|unescape|decodeURIComponent|String\.fromCharCode)\s{0,4}\(/

/** Code that an attribute decodes and runs by itself, also where a mail program or a web mailer shows the page. */
function decodesInHandler({ attributes }: Tag): boolean {
  return [...attributes].some(([key, value]) => /^on[a-z]+$/.test(key) && DECODING_HANDLER.test(value))
}

/** The address of a sign-in page, as text in a window that is drawn around a page of somebody else. */
const SIGN_IN_PAGE =
  /https:\/\/(?:accounts\.google\.com|login\.microsoftonline\.com|login\.live\.com|appleid\.apple\.com|idmsa\.apple\.com|(?:www\.)?facebook\.com\/login|steamcommunity\.com\/openid|github\.com\/login|www\.paypal\.com\/signin)\b/
const WINDOW_MAX = 1_000

export function judgeWindow(item: Item, { tags, text }: Markup, context: Context): void {
  if (text.length > WINDOW_MAX || !SIGN_IN_PAGE.test(text)) return
  const frame = framesIn(tags).find(
    (target) =>
      classifyTarget(target, { isPage: true }).isRemote && ownerOf(URL.parse(target)?.hostname ?? '') === undefined,
  )
  if (frame !== undefined) context.addFinding(item, { ...WEB.falseLogin, detail: describeTarget(frame) })
}

const MAIL_ADDRESS = /[^/@\s](?:@|%40)[\w-]+\.\w/

/** A page whose address contains the mail address of the reader. */
function isAddressedFrame({ name, attributes }: Tag): boolean {
  const target = attributes.get('src') ?? ''
  return name === 'iframe' && MAIL_ADDRESS.test(target) && classifyTarget(target, { isPage: true }).isRemote
}
