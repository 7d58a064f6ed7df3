/** Data connections and queries of workbooks: what they read, and whether opening the workbook starts them. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { EXCEL } from '#inspect/catalogue/excel.ts'
import { type Tag, tagPattern, tagsOf, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { ascii, startsWith } from '#inspect/core/bytes.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { isOfState } from '#inspect/judge/deception/host-words.ts'
import { cellStartsProgram, sentAddress } from '#inspect/judge/formulas.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { DDE_PROGRAMS, RUNNERS } from '#inspect/windows/programs.ts'

interface Connection {
  id: string
  /** A file or address on a server; null for databases and local files. */
  remote: string | null
  refreshesOnLoad: boolean
  /** Its source is a query of Power Query. */
  isQuery: boolean
}

const CONNECTION = factType<Connection>('connection')
/** Id of a connection that a table or pivot table refreshes when the workbook is opened. */
const REFRESHED = factType<string>('refreshed connection')
/** The address that a query of Power Query reads. */
const QUERIED = factType<string>('queried address')

const PARTS = mark(['<connection', ':connection', '<queryTable', ':queryTable', 'pivotCacheDefinition'])
const QUERIES = mark(['Web.Contents', 'File.Contents', 'Folder.Files', 'OData.Feed', 'Web.Page', 'Web.BrowserContents'])
/** Functions that fetch an address, and programs before the bar of a conversation. */
const FORMULA = mark(
  ['WEBSERVICE(', 'IMAGE(', ...DDE_PROGRAMS.map((name) => `${name}|`), 'exe|', "exe'|", "cmd'|", 'excel|', 'word|'],
  { ignoresCase: true },
)

export const connections: Format = {
  among: { marks: [PARTS, QUERIES, FORMULA], binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || [PARTS, QUERIES, FORMULA].some((each) => item.has(each)),
  analyse(item, context) {
    if (item.has(QUERIES)) readQueries(item, textOf(item), context)
    // A program or an article that mentions such a part is none.
    if (!isMarkup(item)) return
    if (item.has(PARTS)) readConnections(item, textOf(item), context)
    if (item.has(FORMULA)) judgeFormulas(item, textOf(item), context)
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind !== 'ooxml') return
    const refreshed = new Set(facts.of(REFRESHED).map(({ value }) => value))
    const [queried] = facts.of(QUERIED)
    for (const { value: connection, path } of facts.of(CONNECTION)) {
      const { id, refreshesOnLoad, isQuery } = connection
      const remote = isQuery ? (queried?.value ?? null) : connection.remote
      if (remote === null || !(refreshesOnLoad || refreshed.has(id)) || isPublished(remote)) continue
      context.addFinding(item, { ...EXCEL.remoteRefresh, path, detail: describeTarget(remote) })
    }
  },
}

/** Rates and statistics of a state, which nobody can replace on the way. */
function isPublished(remote: string): boolean {
  const { kind, host } = classifyTarget(remote)
  return kind === 'web' && /^https:/i.test(remote) && isOfState(host)
}

/** Readers of XML accept nothing else before the first tag. Texts in other encodings are members of their own. */
function isMarkup({ bytes }: Item): boolean {
  let at = MARKS.find((mark) => startsWith(bytes, mark))?.length ?? 0
  while (BLANK.has(bytes[at] ?? LESS)) at += 1
  charge(at)
  return bytes[at] === LESS
}

const MARKS = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'].map(ascii)
const BLANK: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0])
const LESS = 0x3c

function textOf({ bytes }: Item): string {
  return withoutMarkup(decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'))
}

const TAG = tagPattern([
  'connection',
  'dbPr',
  'olapPr',
  'webPr',
  'textPr',
  'queryTable',
  'pivotCacheDefinition',
  'cacheSource',
])
const isTrue = (value = ''): boolean => value === '1' || value.toLowerCase() === 'true'

function readConnections(item: Item, text: string, context: Context): void {
  let connection: Connection | null = null
  /** A pivot table that is refreshed names its connection in the next tag. */
  let refreshes = false
  for (const { name, attributes } of tagsOf(text, TAG)) {
    if (name === 'connection') connection = openConnection(item, attributes, context)
    if (name === 'querytable' || name === 'pivotcachedefinition') refreshes = isTrue(attributes.get('refreshonload'))
    const id = attributes.get('connectionid')
    if (refreshes && id !== undefined) context.record(item, REFRESHED, id)
    if (connection !== null) readSource(item, connection, attributes, context)
  }
}

function openConnection(item: Item, attributes: Tag['attributes'], context: Context): Connection {
  const refreshesOnLoad = isTrue(attributes.get('refreshonload'))
  const connection = { id: attributes.get('id') ?? '', remote: null, refreshesOnLoad, isQuery: false }
  context.record(item, CONNECTION, connection)
  context.addFinding(item, EXCEL.connection)
  return connection
}

function readSource(item: Item, connection: Connection, attributes: Tag['attributes'], context: Context): void {
  for (const [name, value] of attributes) {
    const found = sourceFinding(value)
    if (found !== null) context.addFinding(item, { ...found, detail: describeTarget(value) })
    if (/provider\s*=\s*microsoft\.mashup/i.test(value)) connection.isQuery = true
    if (/^(?:url|sourcefile|odcfile|connection)$/.test(name)) connection.remote ??= remoteIn(value)
  }
}

/** A command, a query that calls Shell, or an address that starts a program. */
function sourceFinding(value: string): Definition | null {
  if (findCommand(value) !== null || /\bshell\s*\(/i.test(value)) return EXCEL.programProvider
  const { kind, severity } = classifyTarget(value)
  return kind === 'script' || (kind === 'handler' && severity !== 'notice') ? EXCEL.programProvider : null
}

const SOURCE = /(?:data source|dbq|url|location|file|defaultdir|server|address)\s*=\s*"?([^;"]+)/gi

/** The address itself, or the file that a connection string names. Names of database servers are no address. */
function remoteIn(value: string): string | null {
  for (const candidate of [value, ...[...value.matchAll(SOURCE)].map(([, source = '']) => source)])
    if (classifyTarget(candidate).isRemote) return candidate
  return null
}

const CALL =
  /\b(?:Web\.(?:Contents|Page|BrowserContents)|File\.Contents|Folder\.Files|OData\.Feed)\s*\(\s*"((?:[^"]|"")*)"/g
const CALL_WORK = 3_000

/** A cell that the query fills with a command. */
const WRITTEN_DDE = anyCase`["=+@-](?:${RUNNERS}|msexcel)\|\s?'`

/** The source of Power Query, in its language M. */
function readQueries(item: Item, text: string, context: Context): void {
  if (WRITTEN_DDE.test(text)) context.addFinding(item, EXCEL.ddeCommand)
  for (const [, literal = ''] of text.matchAll(CALL)) {
    charge(CALL_WORK)
    if (classifyTarget(literal).isRemote) context.record(item, QUERIED, literal)
    context.addFinding(item, { ...EXCEL.connection, detail: describeTarget(literal) })
  }
}

const FORMULAS = tagPattern(['f', 'v', 'definedName'])
function judgeFormulas(item: Item, text: string, context: Context): void {
  for (const { text: formula } of tagsOf(text, FORMULAS)) {
    const address = sentAddress(formula)
    if (address !== null) context.addFinding(item, { ...EXCEL.remoteFormula, detail: describeTarget(address) })
    if (cellStartsProgram(formula)) context.addFinding(item, { ...EXCEL.ddeCommand, detail: describeTarget(formula) })
  }
}
