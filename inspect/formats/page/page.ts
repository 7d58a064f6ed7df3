/** Judges web pages and drawings: their scripts, links, forms and instructions to the reader. */

import { WEB } from '#inspect/catalogue/web.ts'
import { isCard, unfolded } from '#inspect/codecs/cards.ts'
import { expandEntities } from '#inspect/codecs/xml-entities.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Context, type Format, IN_BASE64, type Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { isNoPage } from '#inspect/judge/files.ts'
import { servedFile } from '#inspect/judge/served-files.ts'
import { readPageScript } from '#inspect/programs/javascript/page-scripts.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'
import { elementValues } from './elements.ts'
import { concludeForms, recordForm, savedFrom } from './forms.ts'
import { isHiddenIn, isPlainlyWritten } from './hiding.ts'
import { judgeLinks, linksIn, type PageLink, styleLinks } from './links.ts'
import { judgeLures } from './lures.ts'
import { type Markup, readMarkup, type Tag } from './markup.ts'
import { pageIn } from './reading.ts'
import { scriptOf } from './scripts.ts'
import { judgeAddresses, judgeOffers, judgeSaving } from './smuggling.ts'

/** Elements of pages and drawings. Without one, a text is no page, even if it has tags. */
const ELEMENTS = [
  ...words('<html <body <script :script <svg :svg <style <meta <div <form <input <button'),
  ...words('<textarea <iframe <frame <object <embed <applet <img <image <area <video <audio'),
  '<marquee',
  '<details',
  '<a ',
  '<a\t',
  '<a\n',
  '<a\r',
]
/** Workbooks in XML define their styles so, and have nothing else of a page. */
const SHEET_STYLE = String.raw`(?:\s{1,4}ss:(?:ID|Name|Parent)="[^"<>]{0,60}"){1,3}\s{0,4}/?>`
/** The name ends here, unless the text above has the end. */
const ELEMENT = new RegExp(
  ELEMENTS.map((text) => text.replace(/\w$/, '$&(?=[\\s/>])'))
    .join('|')
    .replace('<style', `<style(?!${SHEET_STYLE})`),
  'i',
)
const WHOLE_NAME = new RegExp(`^(?:${ELEMENT.source})`, 'i')
/** The longest name, and the longest definition of a style. */
const NAME_MAX = 256
const ACTIVE = mark(ELEMENTS, { ignoresCase: true, fits: isWholeName })

function isWholeName(bytes: Buffer, at: number): boolean {
  return WHOLE_NAME.test(bytes.toString('latin1', at, at + NAME_MAX))
}

/** Hangul fillers, joiners, variation selectors and tags in UTF-8: characters without a shape, in which scripts hide code. */
const INVISIBLE =
  /(?:\xe3\x85\xa4|\xef\xbe\xa0|\xe1\x85[\x9f\xa0]|\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xaf]|\xef\xb8[\x80-\x8f]|\xf3\xa0[\x80-\x87][\x80-\xbf]){64}/
const RUNS = /\b(?:eval|Function|constructor|Proxy|setTimeout|import)\b/

/** For every page, and for one with a script: small ones take as long as some thousand characters. */
const PAGE_WORK = 150_000
const SCRIPT_WORK = 150_000

/** Pages that a script writes: as they are in the script, and from coded text. */
const WRITTEN = '(written page)'
const HIDDEN = '(hidden page)'

export const page: Format = {
  among: { marks: [ACTIVE] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(ACTIVE),
  analyse(item, context) {
    const written = view(item.bytes).toString('latin1')
    // Too many entities are an obstacle elsewhere.
    const text = pageIn(item, expandEntities(written) ?? written)
    const markup = ELEMENT.test(text) ? readMarkup(text) : null
    if (markup === null || markup.tags.length === 0) return
    charge(PAGE_WORK)
    const isDrawing = isDrawn(item, markup.tags[0]?.name, text)
    const source = scriptOf(isNoPage(item) ? markup.tags.filter(isClosed) : markup.tags, isDrawing)
    if (source !== '') charge(SCRIPT_WORK)
    const values = elementValues(text, markup.tags, source)
    const behaviour = source === '' ? null : behaviourOf(readPageScript(item, source, values))
    const openings = (behaviour?.openings ?? []).map(
      (target): PageLink => ({ target, isAutomatic: true, isRedirect: true }),
    )
    const links = [...linksIn(withoutCode(item, text, markup)), ...styleLinks(text)]
    judgeLinks(item, [...links, ...openings], context)
    judgeLures(item, { markup, written: text, isDrawing, source }, behaviour, context)
    judgeControls(item, markup.tags, context)
    recordForm(
      item,
      { tags: markup.tags, text: markup.text, page: text, origin: savedFrom(text, markup.tags) },
      source,
      behaviour,
      isDisguised(item, isDrawing),
      context,
    )
    judgeAddresses(item, markup.tags, source, behaviour, context)
    judgeOffers(item, markup.tags, context)
    if (behaviour?.isCut) context.addObstacle(item, 'too_complex', 'Its script is too long to be judged.')
    if (behaviour !== null) {
      judgeSaving(item, source, { text, values }, behaviour, context)
      inspectWritten(item, source, behaviour, context)
    }
    inspectFrames(item, markup.tags, isDrawing, context)
    if (source !== '' && INVISIBLE.test(text) && RUNS.test(source))
      context.addFinding(item, { ...WEB.invisibleCode, detail: null })
    if (isDrawing) judgeDrawing(item, { ...markup, links }, source, behaviour, text, context)
    else judgePage(item, markup, source, behaviour, links, context)
  },
  conclude: concludeForms,
}

/** A browser does not run a script without an end. In texts about scripts, all that follows would be one. */
function isClosed({ name, isOpen }: Tag): boolean {
  return name !== 'script' || isOpen !== true
}

/** Code in Markdown, between fences or backticks. */
const CODE = /```[\s\S]*?```|`[^`\r\n]{1,500}`/g

/** Texts quote links in code. Scripts are judged wherever they are, because a browser may show the text as a page. */
function withoutCode({ sniffed }: Item, text: string, { tags }: Markup): readonly Tag[] {
  if (isCard(text)) return readMarkup(unfolded(text)).tags
  const isNote = sniffed.type === 'text/plain' && text.includes('`') && !/^\s*</.test(text)
  return isNote ? readMarkup(text.replace(CODE, '')).tags : tags
}

/** Behind other text, as in the source of a program, a drawing is a part of a page. */
function isDrawn({ sniffed, name }: Item, first: string | undefined, text: string): boolean {
  if (sniffed.type === 'image/svg+xml') return true
  return first === 'svg' && (/^(?:\xef\xbb\xbf)?\s*</.test(text) || /\.svgz?[.\s]*$/i.test(name ?? ''))
}

/** A password form that a script decodes, that is saved by one, that is a `data:` address, or that poses as a picture. */
function isDisguised({ path }: Item, isDrawing: boolean): boolean {
  const name = path.at(-1) ?? ''
  return isDrawing || name === HIDDEN || name === SAVED || name === IN_BASE64
}

const SAVED = '(saved file)'

function inspectWritten(item: Item, source: string, { written }: Behaviour, context: Context): void {
  for (const text of new Set(written)) {
    if (!context.countEntry(item) || !context.chargeBytes(item, text.length, 'stream')) return
    context.inspectMember(item, isPlainlyWritten(text, source) ? WRITTEN : HIDDEN, Buffer.from(text, 'latin1'))
  }
}

/** Frames whose page is in an attribute. */
function inspectFrames(item: Item, tags: readonly Tag[], isDrawing: boolean, context: Context): void {
  for (const { name, attributes } of tags) {
    const page = name === 'iframe' ? attributes.get('srcdoc') : undefined
    if (page === undefined || !ELEMENT.test(page)) continue
    if (!context.countEntry(item) || !context.chargeBytes(item, page.length, 'stream')) return
    context.inspectMember(item, isDrawing ? HIDDEN : WRITTEN, Buffer.from(page, 'latin1'))
  }
}

/** Addresses that the script opens and whose server it does not name in plain text. */
function hiddenOpening(source: string, behaviour: Behaviour): string | undefined {
  return behaviour.openings.find((target) => isHiddenIn(source, target))
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

function judgeDrawing(
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

/** From anywhere but the folder of the drawing. */
function loadsScript({ name, attributes }: Tag): boolean {
  const sources = [attributes.get('href'), attributes.get('src')].filter((source) => source !== undefined)
  return name === 'script' && sources.some((source) => classifyTarget(source, { isPage: true }).kind !== 'relative')
}

/** A page with less text has nothing to read. */
const READABLE_MIN = 80

function judgePage(
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
  const loaded = isEmpty || runsBuiltText ? loads.find((address) => isHiddenIn(source, address)) : undefined
  if (loaded !== undefined) context.addFinding(item, { ...WEB.hiddenScript, detail: describeTarget(loaded) })
  else if (runsBuiltText && tags.some(decodesInHandler)) context.addFinding(item, { ...WEB.hiddenScript, detail: null })
}

const DECODING_HANDLER =
  /\b(?:eval|Function|setTimeout|constructor)\b[^;]{0,40}\(\s{0,4}(?:window\.|self\.)?(?:atob|unescape|decodeURIComponent|String\.fromCharCode)\s{0,4}\(/

/** Code that an attribute decodes and runs by itself, also where a mail program or a web mailer shows the page. */
function decodesInHandler({ attributes }: Tag): boolean {
  return [...attributes].some(([key, value]) => /^on[a-z]+$/.test(key) && DECODING_HANDLER.test(value))
}

const MAIL_ADDRESS = /[^/@\s](?:@|%40)[\w-]+\.\w/

/** A page whose address contains the mail address of the reader. */
function isAddressedFrame({ name, attributes }: Tag): boolean {
  const target = attributes.get('src') ?? ''
  return name === 'iframe' && MAIL_ADDRESS.test(target) && classifyTarget(target, { isPage: true }).isRemote
}

const SHELL_SYNTAX = /[`|]|\$\(/

/** Parameters of controls, which the help viewer and HTML applications pass on. */
function judgeControls(item: Item, tags: readonly Tag[], context: Context): void {
  if (tags.some(({ name, attributes }) => name === 'image' && SHELL_SYNTAX.test(attributes.get('authenticate') ?? '')))
    context.addFinding(item, { ...WEB.imageCommand, detail: null })
  if (!tags.some(({ name }) => name === 'object')) return
  const command = tags.find(
    ({ name, attributes }) =>
      name === 'param' && findCommand((attributes.get('value') ?? '').replaceAll(',', ' ')) !== null,
  )
  if (command !== undefined)
    context.addFinding(item, { ...WEB.controlCommand, detail: describeTarget(command.attributes.get('value') ?? '') })
}
