/** Names of PDF that make a document do something. */

import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { decodedName } from '../syntax/dictionary.ts'

/** Keys and types of actions, triggers and attachments. An object without one of them does nothing of interest. */
const ACTIVE_NAMES =
  words(`JS JavaScript OpenAction AA Launch GoToE GoToR SubmitForm ImportData Thread URI Rendition RichMedia
  RichMediaExecute RichMediaContent Movie Sound XFA EF RF 3DD OPI EmbeddedFile EmbeddedFiles FileAttachment
  Win Unix Mac FontMatrix OnInstantiate FFilter`)

/** Names that nobody writes with codes, besides the active ones. */
const HIDDEN_NAMES = new Set([
  ...ACTIVE_NAMES,
  ...words('Action AcroForm Names ObjStm Filespec AF Encrypt Named Collection Screen Widget'),
  'FlateDecode',
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'RunLengthDecode',
  'JBIG2Decode',
  'Filter',
  'Type',
  ...words('OCProperties Catalog Root Annot Annots Link Subtype Metadata 3D U3D Next XObject'),
])

const ACTIVE_SET: ReadonlySet<string> = new Set(ACTIVE_NAMES)
/** The first two characters of the names, because there may be millions of names. */
const STARTS = new Uint8Array(0x1_00_00)
for (const name of ACTIVE_NAMES) STARTS[(name.charCodeAt(0) << 8) | name.charCodeAt(1)] = 1

const NAME = /\/[^\0\s/<>[\]()%]*/y
/** Characters of a name before a code. */
const NAME_MAX = 64
/** Whether these are the digits of a letter or digit, which needs no code. By a table, because data has many signs. */
const NEEDLESS = new Uint8Array(0x1_00_00)
const DIGITS = [...'0123456789abcdefABCDEF']
for (const pair of DIGITS.flatMap((high) => DIGITS.map((low) => high + low)))
  if (/^(?:3\d|[46][1-9a-fA-F]|[57][\daA])/.test(pair)) NEEDLESS[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1
const isNeedless = (high: number, low: number): boolean => NEEDLESS[(high << 8) | low] === 1

interface FoundName {
  at: number
  name: string
  /** It matters, and characters of it are written as codes without need. */
  isHidden: boolean
}

/** Work for each character, for each sign that may begin a name or a code, and for each name that is read. */
const CHARACTER_WORK = 1
const SIGN_WORK = 30
const MATCH_WORK = 1_000

/** Written plainly or with codes. */
export function activeNamesIn(text: string): FoundName[] {
  charge(text.length * CHARACTER_WORK)
  return [...plainNames(text), ...codedNames(text)]
}

function* plainNames(text: string): Generator<FoundName> {
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1)) {
    charge(SIGN_WORK)
    if (!STARTS[(text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2)]) continue
    charge(MATCH_WORK)
    const name = nameAt(text, at)
    if (ACTIVE_SET.has(name)) yield { at, name, isHidden: false }
  }
}

function* codedNames(text: string): Generator<FoundName> {
  let end = 0
  for (let code = text.indexOf('#'); code !== -1; code = text.indexOf('#', code + 1)) {
    charge(SIGN_WORK)
    if (code < end || !isNeedless(text.charCodeAt(code + 1), text.charCodeAt(code + 2))) continue
    charge(MATCH_WORK)
    const slash = text.slice(Math.max(0, code - NAME_MAX), code).lastIndexOf('/')
    if (slash === -1) continue
    const at = Math.max(0, code - NAME_MAX) + slash
    const written = nameAt(text, at)
    end = at + 1 + written.length
    const name = decodedName(written)
    if (end > code && HIDDEN_NAMES.has(name)) yield { at, name, isHidden: true }
  }
}

/** Without the slash. */
function nameAt(text: string, at: number): string {
  NAME.lastIndex = at
  return NAME.exec(text)?.[0].slice(1, NAME_LENGTH_MAX) ?? ''
}

/** Every name that matters is shorter, also with codes. */
export const NAME_LENGTH_MAX = 100
