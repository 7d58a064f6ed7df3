/** OpenDocument: events that run macros, DDE, and objects loaded from servers, in packages and flat files. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { ODF } from '#inspect/catalogue/odf.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { decodeEntities, type Tag, tagPattern, tagsOf, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { judgeDde } from '#inspect/judge/dde.ts'
import { formulaLinks } from '#inspect/judge/deception/written.ts'
import { sentAddress } from '#inspect/judge/formulas.ts'
import { createLinkJudge } from '#inspect/judge/links.ts'
import { isBareServer, judgeFileServer } from '#inspect/judge/references.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { concludeMacros, readMacros, recordEvent, recordMacro } from './macros.ts'

const NAMESPACES = ['urn:oasis:names:tc:opendocument', 'http://openoffice.org/2000/', 'http://openoffice.org/2004/']
const NAMESPACE = mark(NAMESPACES)
/** Macros in packages have parts of their own. */
const SCRIPT_PART = /^(?=[\s\S]*\.(?:xml|xba|py|js|bsh)$)(?:[\s\S]*\/)?(?:Basic|Scripts)\//i

export const openDocument: Format = {
  among: { marks: [NAMESPACE], members: true, binary: true },
  applies: (item) => item.has(NAMESPACE) || item.sniffed.kind === 'odf' || isScript(item),
  analyse(item, context) {
    const text = isScript(item) || item.has(NAMESPACE) ? textOf(item) : ''
    const hasNamespace = NAMESPACES.some((each) => text.includes(each)) || hidesNamespace(text)
    if (isScript(item) || hasNamespace) readMacros(item, text, context)
    if (hasNamespace) judgeContent(item, withoutMarkup(text), context)
  },
  conclude(item, facts, context) {
    // Flat files have no package around them.
    if (item.sniffed.kind === 'odf' || !isInPackage(item)) concludeMacros(item, facts, context)
  },
}

function isInPackage({ parent }: Item): boolean {
  return parent !== null && (parent.sniffed.kind === 'odf' || isInPackage(parent))
}

const DECLARATION = /\sxmlns(?::[^\s=<>]{1,100})?\s*=\s*(?:"([^"<&]*&[^"<]*)"|'([^'<&]*&[^'<]*)')/g
const DECLARATION_WORK = 2_000

/** By character references. */
function hidesNamespace(text: string): boolean {
  return text.matchAll(DECLARATION).some(([, double, single]) => {
    charge(DECLARATION_WORK)
    const name = decodeEntities(double ?? single ?? '')
    return NAMESPACES.some((each) => name.startsWith(each))
  })
}

function isScript({ path, parent }: Item): boolean {
  return parent?.sniffed.kind === 'odf' && SCRIPT_PART.test(path.at(-1) ?? '')
}

function textOf({ bytes }: Item): string {
  return decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
}

const TAG = tagPattern(
  words(`event-listener event a dde-connection-decl dde-source section-source object object-ole image table-source
  cell-range-source floating-frame plugin applet table-cell form button fill-image database-source-sql
  connection-resource template`),
)

/** Loaded when the document is shown, after a question at most. */
const LOADED = new Set([
  'section-source',
  'object',
  'object-ole',
  'table-source',
  'cell-range-source',
  'floating-frame',
  'plugin',
  'applet',
  'template',
])
const PICTURES = new Set(['image', 'fill-image'])

const OWN_MACRO = /^vnd\.sun\.star\.script:.*[?&]location=document(?:&|$)/is

function judgeContent(item: Item, text: string, context: Context): void {
  const links = createLinkJudge(item, context)
  const shown = shownIn(text)
  for (const tag of tagsOf(text, TAG)) {
    if (tag.name === 'a' || tag.name === 'button') {
      const href = tag.attributes.get('href') ?? ''
      // A click that runs a macro of the document itself, which is judged by what it does.
      if (OWN_MACRO.test(href)) recordMacro(item, { isAutomatic: false, address: href }, context)
      else links.add(href, (tag.name === 'a' ? shown.next().value : undefined) ?? tag.text)
    }
    judgeTag(item, tag, context)
  }
  for (const { target, shown } of formulaLinks(text)) links.add(target, shown)
  links.finish()
}

const LINK = /<(?:[\w-]{1,20}:)?a(?=[\s>])/g
const LINK_MAX = 4_000
const LINK_WORK = 4_000

/** What is clicked, in the order of the links, also in several pieces. */
function* shownIn(text: string): Generator<string> {
  for (const { index } of text.matchAll(LINK)) {
    charge(LINK_WORK)
    const [start = ''] = text.slice(index, index + LINK_MAX).split(/<\/(?:[\w-]{1,20}:)?a>/, 1)
    yield decodeEntities(start.replace(/<[^<>]{0,2000}>/g, '')).trim()
  }
}

function judgeTag(item: Item, { name, attributes }: Tag, context: Context): void {
  const href = attributes.get('href') ?? ''
  judgeScriptUrl(item, href, context)
  if (name === 'event-listener' || name === 'event') recordEvent(item, attributes, context)
  if (attributes.get('action') === 'execute')
    context.addFinding(item, { ...OFFICE.programAction, detail: describeTarget(href) })
  if (LOADED.has(name) || PICTURES.has(name)) judgeLoaded(item, name, href, context)
  if (name.startsWith('dde-')) judgeConversation(item, attributes, context)
  if (name === 'table-cell') judgeFormula(item, attributes.get('formula') ?? '', context)
}

const SCRIPT_URL = /^(?:vnd\.sun\.star\.script|script|macro|vnd\.sun\.star\.expand|vnd\.libreoffice\.command|\.uno):/i
/** After the name of a Python file, the sign separates its function. */
const TRAVERSAL =
  /\.\.[\\/|]|%2e%2e|\$[({]|(?<!\.py)\$[a-z]+_|%24[%({]|vnd\.sun\.star\.expand|librelogo|pydoc|tempfilepager/i

/** The document may only call its own macros by a link. */
function judgeScriptUrl(item: Item, href: string, context: Context): void {
  if (!SCRIPT_URL.test(href)) return
  const isBuiltIn = /^(?:vnd\.sun\.star\.expand|vnd\.libreoffice\.command):/i.test(href) || /^macro:.*shell/i.test(href)
  if (isBuiltIn || TRAVERSAL.test(href) || TRAVERSAL.test(withoutPercents(href)))
    context.addFinding(item, { ...ODF.scriptTraversal, detail: describeTarget(href) })
}

function withoutPercents(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function judgeLoaded(item: Item, name: string, href: string, context: Context): void {
  const target = classifyTarget(href)
  const { kind, isRemote, severity } = target
  const detail = describeTarget(href)
  if (kind === 'handler' && severity === 'malicious') context.addFinding(item, { ...ODF.scriptTraversal, detail })
  else if (kind === 'share') context.addFinding(item, { ...judgeFileServer(target, href), detail })
  else if (isRemote && PICTURES.has(name)) context.addFinding(item, { ...OFFICE.remotePicture, detail })
  else if (isRemote)
    context.addFinding(item, { ...(isBareServer(target, href) ? OFFICE.remoteObject : ODF.remoteObject), detail })
}

function judgeConversation(item: Item, attributes: Tag['attributes'], context: Context): void {
  const server = attributes.get('dde-application') ?? ''
  const topic = attributes.get('dde-topic') ?? ''
  addConversation(item, server, topic, attributes.get('dde-item') ?? '', context)
}

const DDE_FORMULA = /\bDDE\s*\(\s*"([^"]*)"\s*;\s*"([^"]*)"\s*;?\s*"?([^")]*)/i
const PIPE_FORMULA = /^(?:of:|oooc:)?=?\s*(\w[\w.]*)\|'([^']*)'!/i

function judgeFormula(item: Item, formula: string, context: Context): void {
  const [, server, topic = '', name = ''] = DDE_FORMULA.exec(formula) ?? PIPE_FORMULA.exec(formula) ?? []
  if (server !== undefined) addConversation(item, server, topic, name, context)
  const address = sentAddress(formula)
  if (address !== null) context.addFinding(item, { ...EXCEL.remoteFormula, detail: describeTarget(address) })
}

/** LibreOffice itself reads other documents by DDE, under its own name. */
function addConversation(item: Item, server: string, topic: string, name: string, context: Context): void {
  const kind = judgeDde(server, topic, name)
  const detail = describeTarget(`${server} ${topic}`)
  if (kind === 'command') context.addFinding(item, { ...EXCEL.ddeCommand, detail })
  else if (kind === 'remote') context.addFinding(item, { ...ODF.remoteObject, detail })
  else context.addFinding(item, { ...EXCEL.ddeFeed, detail })
}
