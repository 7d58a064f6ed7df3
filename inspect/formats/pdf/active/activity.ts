/** Activity of a PDF: collects actions from its objects and content from its streams, then judges them together. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { keep } from '#inspect/core/work.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import type { Decrypt } from '../encryption/encryption.ts'
import { UNKNOWN_NUMBER } from '../syntax/object-header.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'
import { createTextReader } from '../text/texts.ts'
import { type Action, collectActions, collectFields, collectValues, type Trigger, worse } from './actions.ts'
import { createDocument, type PdfDocument, textOfBytes } from './document.ts'
import { createFindings, type Findings } from './findings.ts'
import { judgeForm } from './forms.ts'
import { judgeLaunch } from './launch.ts'
import { judgePasswords } from './passwords.ts'
import { createPictureSearch } from './pictures.ts'
import { judgeScripts, type PdfScript } from './scripts.ts'
import { judgeAttachment, judgeSaid, judgeStream, pageHasPretext, type StreamDictionary } from './streams.ts'
import { hasMarkup, judgeSurroundings, type Range } from './surroundings.ts'
import { classify, fileNames, judgeCover, judgeProgram, judgeTarget, mediaFiles } from './targets.ts'

export interface Activity {
  /** Called for every decoded stream. */
  addStream(
    stream: StreamDictionary & { object: number; start: number; end: number },
    bytes: Uint8Array,
    textFilters: number,
  ): void
  /** After all streams. */
  conclude(): void
}

/** Characters of scripts and forms in streams, and of attachments. */
export const SCRIPT_BYTES_MAX = 4_194_304

/** Memory for the place of a stream. */
const RANGE_BYTES = 50

const TOO_MANY = 'It has more actions than can be judged.'

export function createActivity(item: Item, objects: PdfObjects, decrypt: Decrypt | null, context: Context): Activity {
  const findings = createFindings(item, context)
  const document = createDocument(objects, decrypt)
  const collected = collectActions(objects, document)
  if (collected === null) context.addObstacle(item, 'too_complex', TOO_MANY)
  const { actions = [], others = [], hiddenNames = [], ambiguousKeys = [], bases = [] } = collected ?? {}

  const scripts: PdfScript[] = []
  const scriptStreams = new Map<number, Trigger>()
  const formParts: number[] = []
  const streams = new Map<number, string[]>()
  const fileNamesOf = new Map<number, string[]>()

  const addScript = (from: readonly PdfValue[] | undefined, trigger: Trigger): void => {
    for (const source of document.texts(from)) scripts.push({ source, trigger })
    for (const number of document.numbers(from))
      scriptStreams.set(number, worse(trigger, scriptStreams.get(number) ?? 'click'))
  }
  const hasCover = actions.some(({ isCover }) => isCover)
  let hasPretext = false
  for (const action of actions) collectAction(action)
  for (const other of others) collectOther(other)

  function collectAction({ types, dictionary: { entries }, trigger }: Action): void {
    if (types.includes('JavaScript') || entries.has('JS')) addScript(entries.get('JS'), trigger)
  }

  function collectOther({ entries }: PdfDictionary): void {
    for (const part of (entries.get('XFA') ?? []).flatMap(itemsOfForm)) formParts.push(part)
    addScript(entries.get('OnInstantiate'), 'automatic')
    for (const files of document.dictionaries([...(entries.get('EF') ?? []), ...(entries.get('RF') ?? [])]))
      for (const number of document.numbers([...files.entries.values()].flat()))
        fileNamesOf.set(number, fileNames([{ kind: 'dictionary', entries, at: 0, text: '' }], document))
  }

  /** A stream, or a list of names and streams. */
  function itemsOfForm(value: PdfValue): number[] {
    const items = document.resolve(value).flatMap((each) => (each.kind === 'list' ? each.items : []))
    return [...document.numbers([value]), ...document.numbers(items)]
  }

  const formNumbers = new Set(formParts)

  const ranges: Range[] = []
  const pictures = createPictureSearch(item, objects, document, context)
  const texts = createTextReader(item, objects, document, context)

  function addText(object: number, bytes: Uint8Array, textFilters: number): void {
    const isForm = formNumbers.has(object)
    const isScript = scriptStreams.has(object) || (object === UNKNOWN_NUMBER && scriptStreams.size > 0)
    if (!isForm && !isScript) return
    const text = textOf(bytes)
    keep(text.length)
    if (isForm) streams.set(object, [...(streams.get(object) ?? []), text])
    if (!isScript) return
    if (bytes.length > SCRIPT_BYTES_MAX) context.addObstacle(item, 'too_complex', TOO_MANY)
    scripts.push({ source: text, trigger: scriptStreams.get(object) ?? 'automatic' })
    if (textFilters > TEXT_FILTERS_MAX) findings.add(PDF.filterChain)
  }

  function judgeTexts(): void {
    const form = formText()
    const formScripts = form === '' ? [] : judgeForm(form, findings)
    const all = [...scripts, ...(formScripts ?? [])]
    // Code in other parts of the document only matters to scripts that run texts.
    const runsTexts = all.some(({ source }) => RUNS_TEXTS.test(source))
    const isRead = judgeScripts(all, runsTexts ? collectValues(objects, document) : new Map(), findings)
    if (formScripts === null || !isRead) context.addObstacle(item, 'too_complex', TOO_MANY)
    if (hasMarkup(item, objects.texts, document.textsAt)) findings.add(PDF.markupText)
  }

  return {
    addStream({ object, start, end, ...dictionary }, bytes, textFilters) {
      keep(RANGE_BYTES)
      ranges.push([start, end])
      judgeStream(dictionary, bytes, document, findings)
      if (hasCover) hasPretext ||= pageHasPretext(dictionary, bytes)
      pictures.add(object, dictionary.values, bytes)
      texts.add(object, start, dictionary.values, bytes)
      const names = fileNamesOf.get(object)
      if (names !== undefined || dictionary.isEmbedded) judgeAttachment(names ?? [], bytes, findings)
      addText(object, bytes, textFilters)
    },
    conclude() {
      judgeTexts()
      pictures.conclude(texts.written, texts.drawings())
      const links = actions.filter(({ dictionary }) => dictionary.entries.has('URI'))
      let said = ''
      texts.conclude(links.length, (text) => {
        said = text
        judgeSaid(
          text,
          links.flatMap(({ dictionary }) => document.texts(dictionary.entries.get('URI'))),
          findings,
        )
      })
      const deception = createDeceptionJudge(item, context, said === '' ? {} : { about: () => shownText(said, true) })
      for (const action of actions) judgeAction(action, document, bases, { findings, deception, hasPretext })
      deception.finish()
      for (const other of others) judgeOther(other, document, findings)
      judgePasswords(formText(), () => collectFields(objects, document), texts.written, findings)
      if (ambiguousKeys.length > 0) findings.add(PDF.ambiguousAction, `/${ambiguousKeys[0]}`)
      if (hiddenNames.length > 0) findings.add(isActive() ? PDF.hiddenAction : PDF.hiddenName, `/${hiddenNames[0]}`)
      judgeSurroundings(item, objects.text, ranges, findings)
    },
  }

  /** The parts of a form are one text. */
  function formText(): string {
    return formParts.flatMap((part) => streams.get(part) ?? []).join('')
  }

  function isActive(): boolean {
    const isAction = actions.some(
      ({ types, trigger }) => types.some((type) => ACTIVE_TYPES.has(type)) || trigger === 'automatic',
    )
    return isAction || formParts.length > 0 || fileNamesOf.size > 0
  }
}

/** The name may be put together. */
const RUNS_TEXTS = /eval|ev['"]|Function|constructor|fromCharCode|unescape|getAnnot|(?:this|app|event\.target)\[/

/** A script is rarely encoded as text twice. */
const TEXT_FILTERS_MAX = 2

const ACTIVE_TYPES = new Set([
  'JavaScript',
  'Launch',
  'GoToE',
  'GoToR',
  'SubmitForm',
  'ImportData',
  'Thread',
  'RichMediaExecute',
])

function textOf(bytes: Uint8Array): string {
  return textOfBytes(view(bytes.subarray(0, SCRIPT_BYTES_MAX)))
}

interface Judges {
  findings: Findings
  deception: ReturnType<typeof createDeceptionJudge>
  /** The text says why the reader should click. */
  hasPretext: boolean
}

function judgeAction(
  action: Action,
  document: PdfDocument,
  bases: readonly string[],
  { findings, deception, hasPretext }: Judges,
): void {
  const { types, dictionary, trigger, isCover } = action
  const { entries } = dictionary
  if (types.includes('Launch')) judgeLaunch(action, document, findings)
  if (types.includes('SubmitForm')) findings.add(PDF.submitForm)
  if (types.some((type) => MEDIA_TYPES.has(type))) {
    findings.add(PDF.richMedia)
    for (const target of mediaFiles([dictionary], document)) judgeTarget(target, trigger, findings)
  }
  const addresses = document.texts(entries.get('URI')).flatMap((address) => resolved(address, bases))
  for (const target of [...addresses, ...fileNames(entries.get('F'), document)]) {
    judgeTarget(target, trigger, findings)
    deception.add(target)
    if (types.includes('SubmitForm')) findings.posts.add(target)
    if (isCover) judgeCover(target, hasPretext, findings)
    if (!types.includes('Launch')) judgeProgram(target, trigger, findings)
  }
}

/** A document has one base at most; another one is read as if it counted. */
const BASES_MAX = 4

function resolved(address: string, bases: readonly string[]): string[] {
  if (bases.length === 0 || classify(address).kind !== 'relative') return [address]
  return bases.slice(0, BASES_MAX).map((base) => URL.parse(address, base)?.href ?? base + address)
}

const MEDIA_TYPES = new Set(['Rendition', 'Movie', 'Sound', 'RichMediaExecute', 'GoTo3DView'])

function judgeOther({ entries }: PdfDictionary, document: PdfDocument, findings: Findings): void {
  if (entries.has('EF')) findings.add(PDF.embeddedFile)
  if (entries.has('3DD')) findings.add(PDF.richMedia)
  if (entries.has('RichMediaContent')) judgeRichMedia(entries, document, findings)
  for (const matrix of (entries.get('FontMatrix') ?? []).flatMap(document.resolve))
    if (
      matrix.kind === 'text' ||
      (matrix.kind === 'list' && matrix.items.flatMap(document.resolve).some(({ kind }) => kind === 'text'))
    )
      findings.add(PDF.fontCode)
}

/** Pages in rich media that start when they become visible. */
function judgeRichMedia(entries: PdfDictionary['entries'], document: PdfDocument, findings: Findings): void {
  findings.add(PDF.richMedia)
  const [settings] = document.dictionaries(entries.get('RichMediaSettings'))
  const [activation] = document.dictionaries(settings?.entries.get('Activation'))
  const isAutomatic = document
    .names(activation?.entries.get('Condition'))
    .some((name) => name === 'PO' || name === 'PV')
  const contents = document.dictionaries(entries.get('RichMediaContent'))
  const configurations = contents
    .flatMap((content) => content.entries.get('Configurations') ?? [])
    .flatMap(document.resolve)
  const kinds = configurations
    .flatMap((value) => (value.kind === 'list' ? document.dictionaries(value.items) : document.dictionaries([value])))
    .flatMap((configuration) => document.names(configuration.entries.get('Subtype')))
  if (isAutomatic && (kinds.includes('HTML') || isTiny(entries.get('Rect')))) findings.add(PDF.richMediaScript)
}

/** Points. What starts by itself and cannot be seen is no film. */
const TINY = 8

function isTiny(values: readonly PdfValue[] | undefined): boolean {
  const [rectangle] = values ?? []
  if (rectangle?.kind !== 'list') return false
  const [left = 0, bottom = 0, right = 0, top = 0] = rectangle.items.map((value) =>
    value.kind === 'other' ? Number(value.text) : Number.NaN,
  )
  return Math.abs(right - left) < TINY || Math.abs(top - bottom) < TINY
}
