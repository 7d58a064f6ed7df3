/** Judges web pages and drawings: their scripts, links, forms and instructions to the reader. */

import { WEB } from '#inspect/catalogue/web.ts'
import { isCard, unfolded } from '#inspect/codecs/cards.ts'
import { withCodeAsText } from '#inspect/codecs/markdown-code.ts'
import { expandEntities } from '#inspect/codecs/xml-entities.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Context, type Format, IN_BASE64, type Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { isNoPage } from '#inspect/judge/files.ts'
import { readPageScript } from '#inspect/programs/javascript/page-scripts.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { type Behaviour, behaviourOf, textBytes } from './behaviour.ts'
import { judgeCopying } from './copying.ts'
import { elementValues } from './elements.ts'
import { archivedFrom, concludeForms, recordForm, savedFrom } from './forms.ts'
import { isPlainlyWritten } from './hiding.ts'
import { judgeLinks, linksIn, type PageLink, styleLinks } from './links.ts'
import { judgeLures } from './lures.ts'
import { type Markup, readMarkup, type Tag } from './markup.ts'
import { judgeAnimations, judgeDrawing, judgePage, judgeWindow } from './openings.ts'
import { pageIn } from './reading.ts'
import { scriptOf } from './scripts.ts'
import { judgeSignIns } from './sign-ins.ts'
import { judgeAddresses, judgeOffers, judgeSaving } from './smuggling.ts'
import { judgeTheft, judgeWallet } from './wallets.ts'

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

/** Of the web, or of what the page itself has. */
const WEB_ADDRESS = /^(?:(?:https?:)?\/\/|(?:about|blob|data|javascript|mailto|tel):|[^:]*$)/i

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
    const framed = (behaviour?.framed ?? [])
      .filter((target) => !WEB_ADDRESS.test(target.trim()))
      .map((target): PageLink => ({ target, isAutomatic: true, isRedirect: false }))
    const links = [...linksIn(withoutCode(item, text, markup)), ...styleLinks(text)]
    judgeLinks(item, [...links, ...openings, ...framed], context)
    judgeLures(item, { markup, written: text, isDrawing, source }, behaviour, context)
    judgeControls(item, markup.tags, context)
    recordForm(
      item,
      {
        tags: markup.tags,
        text: markup.text,
        page: text,
        origin: savedFrom(text, markup.tags),
        archive: archivedFrom(item),
      },
      source,
      behaviour,
      isDisguised(item, isDrawing),
      context,
    )
    judgeSignIns(item, { markup, links: [...links, ...openings], source, behaviour }, context)
    judgeAddresses(item, markup.tags, source, behaviour, context)
    judgeOffers(item, markup.tags, context)
    judgeAnimations(item, markup.tags, context)
    judgeWindow(item, markup, context)
    if (behaviour?.isCut) context.addObstacle(item, 'too_complex', 'Its script is too long to be judged.')
    if (behaviour !== null) {
      judgeSaving(item, source, { text, values }, behaviour, context)
      judgeCopying(item, markup, behaviour, context)
      judgeWallet(item, markup, source, behaviour, context)
      judgeTheft(item, source, context)
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

/** Texts quote links in code. Scripts are judged wherever they are, because a browser may show the text as a page. */
function withoutCode({ sniffed }: Item, text: string, { tags }: Markup): readonly Tag[] {
  if (isCard(text)) return readMarkup(unfolded(text)).tags
  const isNote = sniffed.type === 'text/plain' && text.includes('`') && !/^\s*</.test(text)
  return isNote ? readMarkup(withCodeAsText(text)).tags : tags
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
    context.inspectMember(item, isPlainlyWritten(text, source) ? WRITTEN : HIDDEN, textBytes(text))
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
