/** Judges web pages and drawings: their scripts, links, forms and instructions to the reader. */

import { WEB } from '#inspect/catalogue/web.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { readScript } from '#inspect/judge/javascript/javascript.ts'
import { classifyTarget, describeTarget } from '#inspect/judge/targets.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'
import { concludeForms, recordForm } from './forms.ts'
import { judgeLinks, linksIn, type PageLink } from './links.ts'
import { judgeLures } from './lures.ts'
import { type Markup, readMarkup, type Tag } from './markup.ts'
import { scriptOf } from './scripts.ts'
import { judgeSaving } from './smuggling.ts'

/** Elements of pages and drawings. Without one, a text is no page, even if it has tags. */
const ELEMENTS = [
  ...['<html', '<body', '<script', ':script', '<svg', ':svg', '<style', '<meta', '<div', '<form', '<input', '<button'],
  ...['<textarea', '<iframe', '<frame', '<object', '<embed', '<applet', '<img', '<image', '<area', '<video', '<audio'],
  ...['<marquee', '<details', '<a ', '<a\t', '<a\n', '<a\r'],
]
/** The end of the name, where the space is not part of the text above. */
const NAME_END = /[\s/>]/
const ELEMENT = new RegExp(ELEMENTS.map((text) => text.replace(/\w$/, '$&(?=[\\s/>])')).join('|'), 'i')
const ACTIVE = mark(ELEMENTS, { ignoresCase: true, fits: isWholeName })

function isWholeName(bytes: Buffer, at: number): boolean {
  const text = bytes.toString('latin1', at, at + NAME_MAX)
  const end = /^[<:][a-z]+/i.exec(text)?.[0].length ?? 0
  return NAME_END.test(text[end] ?? '')
}

/** The longest name, with the characters around it. */
const NAME_MAX = 12

/** Pages that a script writes: as they are in the script, and from coded text. */
const WRITTEN = '(written page)'
const HIDDEN = '(hidden page)'
const WRITTEN_MAX = 20

export const page: Format = {
  applies: (item) => item.sniffed.kind === 'text' && item.has(ACTIVE),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const markup = ELEMENT.test(text) ? readMarkup(text) : null
    if (markup === null || markup.tags.length === 0) return
    const isDrawing = markup.tags[0]?.name === 'svg' || item.sniffed.type === 'image/svg+xml'
    const source = scriptOf(markup.tags, isDrawing)
    const behaviour = source === '' ? null : behaviourOf(readScript(source))
    const openings = (behaviour?.openings ?? []).map(
      (target): PageLink => ({ target, isAutomatic: true, isRedirect: true }),
    )
    const links = linksIn(markup.tags)
    judgeLinks(item, [...links, ...openings], context)
    judgeLures(item, markup, behaviour, context)
    judgeControls(item, markup.tags, context)
    recordForm(item, markup, source, behaviour, item.path.at(-1) === HIDDEN, context)
    if (behaviour !== null) {
      judgeSaving(item, source, behaviour, context)
      inspectWritten(item, source, behaviour, context)
    }
    if (isDrawing) judgeDrawing(item, markup, source, behaviour, context)
    else judgePage(item, markup, source, behaviour, links, context)
  },
  conclude: concludeForms,
}

function inspectWritten(item: Item, source: string, { written }: Behaviour, context: Context): void {
  for (const text of new Set(written.slice(0, WRITTEN_MAX))) {
    if (!context.countEntry(item) || !context.chargeBytes(item, text.length, 'stream')) return
    context.inspectMember(item, source.includes(text) ? WRITTEN : HIDDEN, Buffer.from(text, 'latin1'))
  }
}

/** Addresses that the script opens and does not contain in plain text. */
function hiddenOpening(source: string, behaviour: Behaviour): string | undefined {
  return behaviour.openings.find(
    (target) => classifyTarget(target, { isPage: true }).isRemote && !source.includes(target),
  )
}

function judgeDrawing(
  item: Item,
  { tags }: Markup,
  source: string,
  behaviour: Behaviour | null,
  context: Context,
): void {
  if (tags.some(({ name }) => name === 'foreignobject')) context.addFinding(item, { ...WEB.svgHtml, detail: null })
  const hasScript =
    source.trim() !== '' || tags.some(({ name, attributes }) => name === 'script' && attributes.has('href'))
  if (!hasScript) return
  const hidden = behaviour === null ? undefined : hiddenOpening(source, behaviour)
  const isHidden = behaviour !== null && (behaviour.runsBuiltText || behaviour.opensUnknown)
  if (hidden !== undefined || isHidden)
    context.addFinding(item, { ...WEB.svgRedirect, detail: hidden === undefined ? null : describeTarget(hidden) })
  else context.addFinding(item, { ...WEB.svgScript, detail: null })
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
  const redirects = [
    ...links.filter(({ isRedirect }) => isRedirect).map(({ target }) => target),
    ...(behaviour?.redirects ?? []),
  ]
  const away = redirects.find((target) => classifyTarget(target, { isPage: true }).isRemote)
  // Pages that were moved name their new address as the canonical one.
  const isMoved = tags.some(({ name, attributes }) => name === 'link' && /canonical/i.test(attributes.get('rel') ?? ''))
  const isEmpty = text.length < READABLE_MIN && !tags.some(({ name }) => name === 'img' || name === 'input') && !isMoved
  const target = hidden ?? (isEmpty ? away : undefined)
  if (target !== undefined) context.addFinding(item, { ...WEB.redirect, detail: describeTarget(target) })
  if (source.trim() !== '') context.addFinding(item, { ...WEB.script, detail: null })
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
