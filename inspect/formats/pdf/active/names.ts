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
/** The code of a letter or digit, which needs none. */
const NEEDLESS_CODE = /^#(?:3\d|[46][1-9a-fA-F]|[57][\daA])/

interface FoundName {
  at: number
  name: string
  /** It matters, and characters of it are written as codes without need. */
  isHidden: boolean
}

const MATCH_WORK = 1_000

/** Written plainly or with codes. */
export function activeNamesIn(text: string): FoundName[] {
  charge(text.length * 4)
  return [...plainNames(text), ...codedNames(text)]
}

function* plainNames(text: string): Generator<FoundName> {
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1)) {
    if (!STARTS[(text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2)]) continue
    charge(MATCH_WORK)
    const name = nameAt(text, at)
    if (ACTIVE_SET.has(name)) yield { at, name, isHidden: false }
  }
}

function* codedNames(text: string): Generator<FoundName> {
  let end = 0
  for (let code = text.indexOf('#'); code !== -1; code = text.indexOf('#', code + 1)) {
    charge(MATCH_WORK)
    if (code < end || !NEEDLESS_CODE.test(text.slice(code, code + 3))) continue
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
const NAME_LENGTH_MAX = 100
