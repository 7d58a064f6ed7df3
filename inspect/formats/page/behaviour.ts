/** Effects of the scripts of a page, as far as they matter for a page that arrives as a document. */

import { isUtf8 } from 'node:buffer'
import { view } from '#inspect/core/bytes.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { type Folded, GAP, isCut, type Script, textsIn } from '#inspect/programs/javascript/javascript.ts'

export interface Behaviour {
  /** Saves a file that the page itself contains. */
  saves: boolean
  /** Decrypts data, or runs a program of the browser on it: what comes out is not known here. */
  computes: boolean
  /** Unpacks data, which it may put into a file for that. */
  unpacks: boolean
  /** Decodes text or numbers into other data. */
  decodes: boolean
  /** The content of saved files, where it is known. */
  payloads: readonly Uint8Array[]
  /** Names that it gives to saved files. */
  fileNames: readonly string[]
  /** Writes to the clipboard. */
  copies: boolean
  /** Texts that it writes there. */
  copied: readonly string[]
  /** Puts them in place of what the reader copies. */
  replacesCopy: boolean
  /** Texts that the script contains or builds: candidates for what it copies. */
  texts: readonly string[]
  /** Addresses that it opens in place of the page, or in a window. */
  openings: readonly string[]
  /** Those in place of the page. */
  redirects: readonly string[]
  /** Addresses of elements that the script makes. */
  framed: readonly string[]
  /** Decodes something and opens an address that could not be determined. */
  opensUnknown: boolean
  /** Addresses that it sends data to. */
  posts: readonly string[]
  /** Addresses that it gives to forms. */
  actions: readonly string[]
  /** Addresses of pictures, scripts and frames, with something that it reads. Most count readers. */
  pixels: readonly string[]
  /** Makes fields that are written as others fields for a password. */
  masksFields: boolean
  /** Adds fields to the page. */
  createsFields: boolean
  /** What it calls these. */
  madeTitles: readonly string[]
  /** Texts that it draws. */
  drawn: readonly string[]
  /** Addresses of scripts that it adds to the page. */
  loads: readonly string[]
  /** Markup that it adds to the page. */
  written: readonly string[]
  /** Adds what it decrypts to the page. */
  writesDecrypted: boolean
  /** Runs text that the script builds first. */
  runsBuiltText: boolean
  /** Understood as a whole, and only changes the page. */
  isPlain: boolean
  /** A limit of the evaluation was reached before something was saved, copied, opened or run. */
  isCut: boolean
  /** Every file that it makes is declared as a picture or table, and is made on demand. */
  exportsOnly: boolean
}

const DECODERS =
  /(?:^|\.)(?:atob|unescape|decodeURIComponent|fromCharCode|fromCodePoint|charCodeAt|Uint8Array(?:\.from)?|fromBase64|subtle\.decrypt|DecompressionStream|inflate|ungzip)$/
const SAVERS = /(?:^|\.)(?:msSaveBlob|msSaveOrOpenBlob|saveAs|showSaveFilePicker)$/
const COMPUTERS = /subtle\.decrypt$|WebAssembly\.(?:instantiate(?:Streaming)?|Module|Instance)$/
const FILES = /(?:^|\.)(?:Blob|File|MSBlobBuilder)$/
const COPIERS = /clipboard\.write(?:Text)?$|clipboardData\.setData$/
/** Decoders that only serve to hide a text. */
const HIDERS = /(?:^|\.)(?:atob|unescape|fromCharCode|fromCodePoint)$/
const RUNNERS = /^(?:eval|Function|execScript|setTimeout|setInterval)$/
const REDIRECTORS = /(?:^|\.)(?:location\.(?:assign|replace)|navigate|replace)$/
const OPENERS = /(?:^|\.)open$/
const LOCATION = /(?:^|\.)(?:location|location\.href|href)$/
const POSTERS = /(?:^|\.)(?:fetch|sendBeacon|ajax|post|axios(?:\.post)?|open|WebSocket|EventSource|io)$/
/** Sends what it is given as a mail. */
const MAIL_SERVICE = /(?:^|\.)emailjs\.send(?:Form)?$/
const MAIL_SERVICE_ADDRESS = 'https://api.emailjs.com/api/v1.0/email/send'
const PICTURE = /(?:^|\.)Image\([^)]{0,40}\)\.src$|createElement\("(?:im(?:g|age)|script|iframe|embed)"\)\.src$/i
/** Also those of drawings, which have another address. */
const DRAWN_PICTURE =
  /(?:^|\.)Image\([^)]{0,40}\)\.\w+$|createElement(?:NS)?\("(?:im(?:g|age)|http:\/\/www\.w3\.org\/\d{4}\/svg)"\)\.\w+$/i
const PICTURE_ATTRIBUTES = /^(?:src|(?:xlink:)?href)$/i
const MADE = String.raw`createElement\("(?:input|textarea)"\)\.`
const MADE_TITLE = new RegExp(`${MADE}(?:name|id|placeholder|title|ariaLabel|autocomplete)$`, 'i')
const MADE_ATTRIBUTE = new RegExp(`${MADE}setAttribute$`, 'i')
const WRITERS =
  /document\.write(?:ln)?(?:\.bind\(\))?$|insertAdjacentHTML$|createContextualFragment$|parseFromString$|HTMLUnsafe$|\.setHTML$|^(?:\$|jQuery)\(.*\)\.(?:html|append|prepend|after|before|replaceWith)$/i
const MARKUP_MEMBERS = /\.(?:innerHTML|outerHTML|srcdoc)$/
/** Pages that a frame or window shows, inside their address. */
const PAGE_MEMBERS = /\.(?:src|data|href)$/
const PAGE_ATTRIBUTES = /^(?:src|data|href)$/i
const DATA_PAGE = /^\s*data:(?:text\/html|application\/xhtml|image\/svg)/i
/** Elements that the script makes and that open an address. */
const FRAME_MEMBERS = /createElement\("(?:iframe|frame|embed|object|a)"\)\.(?:src|data|href)$/i
const FRAME_ATTRIBUTE = /createElement\("(?:iframe|frame|embed|object|a)"\)\.setAttribute$/i
/** Elements whose `href` is a link, not the address of the page. */
const LINK_ELEMENT = /createElement|getElementBy|querySelector|\$\(/

/** Runs a file as a part of the control panel (CVE-2021-40444). Nothing else has such a text. */
const PANEL = /^\.cpl:\.\./i

const REMOTE = /^(?:https?:)?\/\//i

/** Names of everything that opens, sends, decodes, loads or runs something. */
const ACTIVE_NAMES =
  /^(?:eval|Function|constructor|setTimeout|setInterval|import|fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|open|assign|replace|navigate|submit|write|writeln|innerHTML|outerHTML|srcdoc|insertAdjacentHTML|importNode|atob|unescape|fromCharCode|fromCodePoint|charCodeAt|Blob|File|createObjectURL|download|clipboard|Worker|postMessage|cookie|action|src|href|top|parent|opener|ActiveXObject)$/
const EXPORTED = /^(?:image\/|text\/(?:csv|plain)|application\/json)/i

export function behaviourOf(script: Script): Behaviour {
  const { calls, assignments, names, evaluated } = script
  const called = (pattern: RegExp) => calls.filter(({ name }) => pattern.test(name))
  const textsOf = (pattern: RegExp) => textsIn(called(pattern).flatMap(({ args }) => args))
  const assigned = (pattern: RegExp) => assignments.filter(({ name }) => pattern.test(name)).map(({ value }) => value)
  const files = called(FILES).flatMap(({ args: [parts] }) => (parts === undefined ? [] : [contentOf(parts)]))
  const fileTitles = textsIn(called(/(?:^|\.)File$/).flatMap(({ args }) => args.slice(1, 2)))
  const links = textsIn(assigned(/\.href$/)).filter((text) => /^data:/i.test(text))
  const named = called(/\.setAttribute$/).flatMap(downloadName)
  const attributes = (pattern: RegExp, element = /./) => [
    ...called(/\.setAttribute$/)
      .filter(({ name }) => element.test(name))
      .flatMap((call) => attributeOf(call, pattern)),
    ...called(/\.setAttributeNS$/)
      .filter(({ name }) => element.test(name))
      .flatMap(({ args, ...call }) => attributeOf({ ...call, args: args.slice(1) }, pattern)),
  ]
  const hasDownload =
    named.length > 0 || assignments.some(({ name }) => name.endsWith('.download')) || names.has('download')
  const clicks = calls.some(({ name }) => /\.(?:click|dispatchEvent)$/.test(name))
  // A file as the address that a reader makes of it.
  const isRead =
    called(/\.readAsDataURL$/).length > 0 && assigned(/\.href$/).some((value) => isNamed(value, /\bresult$/))
  const hasObjectUrl =
    names.has('createObjectURL') || called(/(?:^|\.)createObjectURL$/).length > 0 || links.length > 0 || isRead
  const opensObjectUrl = assigned(LOCATION).some(
    (value) => value.kind === 'unknown' && /createObjectURL/.test(value.name),
  )
  const locations = assignments
    .filter(({ name }) => LOCATION.test(name) && !LINK_ELEMENT.test(name))
    .map(({ value }) => value)
  const redirects = [...textsOf(REDIRECTORS), ...textsIn(locations)].filter(isAddress)
  const framedPages = [
    ...textsIn([...assigned(PAGE_MEMBERS), ...attributes(PAGE_ATTRIBUTES)]),
    ...textsOf(OPENERS),
    ...redirects,
  ]
    .filter((text) => DATA_PAGE.test(text))
    .map((text) => textOf(dataOf(text) ?? new Uint8Array()))
  const texts = textsIn([...calls.flatMap(({ args }) => args), ...assignments.map(({ value }) => value)])
  const saves = called(SAVERS).length > 0 || (hasObjectUrl && (hasDownload || clicks || opensObjectUrl))
  const isUnknownOpening = locations.some(({ kind }) => kind === 'unknown')
  // The address of a file that is not saved is opened in a window or frame.
  const openedPages = saves ? [] : pagesIn(files, hasObjectUrl)
  return {
    saves,
    computes: called(COMPUTERS).length > 0,
    unpacks: called(/(?:^|\.)DecompressionStream$/).length > 0,
    decodes: called(DECODERS).length > 0 || textsOf(/(?:^|\.)fetch$/).some((text) => /^data:/i.test(text)),
    payloads: [...files, ...links.map(dataOf)].filter((bytes) => bytes !== null),
    fileNames: [...textsIn([...assigned(/\.download$/), ...named]), ...textsOf(SAVERS), ...fileTitles],
    copies: called(COPIERS).length > 0 || copiesSelection(calls),
    copied: textsOf(COPIERS),
    replacesCopy: called(/clipboardData\.setData$/).length > 0 && !copiesSelection(calls),
    texts,
    openings: [...redirects, ...textsOf(OPENERS).filter(isAddress), ...texts.filter((text) => PANEL.test(text))],
    redirects,
    framed: [
      ...textsIn(assigned(FRAME_MEMBERS)),
      ...called(FRAME_ATTRIBUTE).flatMap(({ args: [, value] }) => textsIn(value === undefined ? [] : [value])),
    ],
    opensUnknown: called(HIDERS).length > 0 && isUnknownOpening,
    posts: [
      ...textsIn(
        called(POSTERS)
          .filter(isRequest)
          .flatMap(({ args }) => args),
      ),
      ...called(MAIL_SERVICE).map(() => MAIL_SERVICE_ADDRESS),
    ]
      .map((text) => text.replace(/^ws(?=s?:)/i, 'http'))
      .filter((text) => REMOTE.test(text)),
    actions: textsIn(assigned(/\.(?:form)?action$/i)).filter((text) => REMOTE.test(text)),
    pixels: textsIn([...assigned(PICTURE), ...attributes(PICTURE_ATTRIBUTES, DRAWN_PICTURE)]).filter((text) =>
      text.includes(GAP),
    ),
    createsFields: textsOf(/createElement$/).some((text) => /^(?:input|textarea)$/i.test(text)),
    madeTitles: textsIn([
      ...assigned(MADE_TITLE),
      ...called(MADE_ATTRIBUTE).flatMap(({ args: [, value] }) => value ?? []),
    ]),
    masksFields: textsIn(assigned(/\.type$/)).some((text) => /^password$/i.test(text)),
    written: [
      ...textsOf(WRITERS),
      ...textsIn([...assigned(MARKUP_MEMBERS), ...attributes(/^srcdoc$/i)]),
      ...framedPages,
      ...openedPages,
    ].filter((text) => /<[a-z]/i.test(text)),
    drawn: textsOf(/\.(?:fill|stroke)Text$/),
    writesDecrypted: [...called(WRITERS).flatMap(({ args }) => args), ...assigned(MARKUP_MEMBERS)].some(isDecrypted),
    loads: textsIn(assigned(/createElement\("script"\)\.src$/i)),
    isCut: script.isStopped || mayHide(script, saves, hasDownload),
    runsBuiltText: evaluated.some(({ isBuilt }) => isBuilt),
    isPlain: locations.length === 0 && isPlain(script, savesItself(script)),
    exportsOnly: called(FILES).length > 0 && called(FILES).every(isExport),
  }
}

const isDecrypted = (value: Folded): boolean => value.kind === 'unknown' && /subtle\.decrypt/.test(value.name)

/** Functions that run, copy or open a text that they are given. */
const TEXT_TAKERS = new RegExp(
  `${RUNNERS.source}|${COPIERS.source}|\\.constructor$|^(?:window\\.)?open$|(?:^|\\.)(?:location\\.(?:assign|replace)|navigate)$`,
)
/** Functions and members of the page by a name that is not known. */
const HIDDEN_NAME = new RegExp(`^(?:(?:document\\.)?location\\.|navigator\\.(?:clipboard\\.)?)?${GAP}$`)

/** Delays and names of windows are no texts of interest. */
const FIRST_ONLY = /^(?:setTimeout|setInterval|(?:window\.)?open)$/

/** A message or table, whatever follows. */
const INERT = /^\s{0,9}(?:mailto:|tel:|sms:|data:(?:text\/(?:csv|plain)|image\/(?:png|jpeg|gif))[;,])/i
const isInert = (value: Folded): boolean => value.kind === 'unknown' && value.text !== null && INERT.test(value.text)
const mayOpen = (value: Folded): boolean => isCut(value) && !isInert(value)

function takesDoubt({ name, args }: Script['calls'][number]): boolean {
  const isOpener = OPENERS.test(name) || REDIRECTORS.test(name)
  return (FIRST_ONLY.test(name) ? args.slice(0, 1) : args).some(isOpener ? mayOpen : isCut)
}

/** Files that show text or a picture, whatever is in them. Word opens XML as a document. */
const DATA_FILES = /^(?:text|picture)$/
/** No text is an archive. */
const NO_TEXT_FILES = /^(?:text|picture|archive)$/

const isFileOf = (value: Folded, kinds: RegExp): boolean =>
  textsIn([value]).some((name) => {
    const extension = /\.(\w{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
    return extension !== 'xml' && kinds.test(kindOfExtension(extension)?.kind ?? '')
  })

/** Every name that it gives to a saved file is one of these. */
function savesOnly(kinds: RegExp, calls: Script['calls'], assignments: Script['assignments']): boolean {
  const given = [
    ...assignments.filter(({ name }) => name.endsWith('.download')).map(({ value }) => value),
    ...calls.filter(({ name }) => /\.setAttribute$/.test(name)).flatMap(downloadName),
    ...calls.filter(({ name }) => SAVERS.test(name)).flatMap(({ args }) => args.slice(1, 2)),
  ]
  return (
    given.length > 0 &&
    given.every((name) => isFileOf(name, kinds)) &&
    calls.every(({ name, args }) => !SAVERS.test(name) || args.length > 1)
  )
}

/** Whether a text that was not seen whole is run, opened, copied or saved. */
function mayHide({ calls, assignments }: Script, saves: boolean, hasDownload: boolean): boolean {
  const called = (pattern: RegExp) => calls.filter(({ name }) => pattern.test(name))
  const takers = [TEXT_TAKERS, SAVERS, HIDDEN_NAME]
  const isAddress = (name: string): boolean =>
    HIDDEN_NAME.test(name) || (LOCATION.test(name) && !LINK_ELEMENT.test(name))
  return (
    takers.some((pattern) => called(pattern).some(takesDoubt)) ||
    (saves &&
      !savesOnly(DATA_FILES, calls, assignments) &&
      called(FILES).some(
        (call) =>
          takesDoubt(call) &&
          (hasDownload || !isCode(call)) &&
          !(savesOnly(NO_TEXT_FILES, calls, assignments) && isTable(call)),
      )) ||
    (copiesSelection(calls) && assignments.some(({ name, value }) => /\.value$/.test(name) && isCut(value))) ||
    assignments.some(({ name, value }) => isAddress(name) && mayOpen(value))
  )
}

/** What its texts begin with is known, and the parts are nothing else. */
function isTable({ args: [parts] }: Script['calls'][number]): boolean {
  const items = parts?.kind === 'list' ? parts.items : []
  return items.filter(isCut).every((part) => part.kind === 'unknown' && BEGINNING.test(part.text ?? ''))
}

const BEGINNING = /^(?:\ufeff|\xef\xbb\xbf)?[\w"'; ,\t]{8}/

/** Active only together with the address of a page: texts have replacements, and elements have parents, too. */
const WEAK_NAMES = /^(?:replace|assign|parent|top)$/

/** By these, a drawing saves itself. */
const SAVING_NAMES = /^(?:Blob|File|createObjectURL|download|href)$/
const ITSELF = /\bserializeToString\(/
const isNamed = (value: Folded | undefined, wanted: RegExp): boolean =>
  value?.kind === 'unknown' && wanted.test(value.name)

/** Every file is the page or drawing as it is shown, and every address of a link such a file. */
function savesItself({ calls, assignments }: Script): boolean {
  const files = calls.filter(({ name }) => FILES.test(name))
  const links = assignments.filter(({ name }) => /\.href$/.test(name))
  const made = files.flatMap(({ args: [parts] }): readonly (Folded | undefined)[] =>
    parts?.kind === 'list' ? parts.items : [parts],
  )
  return (
    made.length > 0 &&
    made.every((part) => isNamed(part, ITSELF)) &&
    links.every(({ value }) => isNamed(value, /\bcreateObjectURL\(/))
  )
}

function isPlain({ calls, names, evaluated, isComplete }: Script, saves: boolean): boolean {
  const hasAddress = names.has('location') || names.has('navigation')
  const isActive = (name: string): boolean => ACTIVE_NAMES.test(name) && !(saves && SAVING_NAMES.test(name))
  return (
    isComplete &&
    evaluated.length === 0 &&
    !calls.some(({ name }) => !/[\w$)]$/.test(name)) &&
    ![...names].some((name) => isActive(name) && (hasAddress || !WEAK_NAMES.test(name)))
  )
}

const METHOD = /^(?:get|head|post|put|patch|delete)$/i

/** A window has an address where a request has its method. */
function isRequest({ name, args: [first] }: Script['calls'][number]): boolean {
  if (!OPENERS.test(name)) return true
  const [method] = first === undefined ? [] : textsIn([first])
  return method === undefined || METHOD.test(method)
}

const downloadName = (call: Script['calls'][number]): Folded[] => attributeOf(call, /^download$/)

/** The value that an element is given for such an attribute. */
function attributeOf({ args: [key, value] }: Script['calls'][number], name: RegExp): Folded[] {
  return value !== undefined && key?.kind === 'constant' && name.test(String(key.value)) ? [value] : []
}

function isExport({ args, isReached }: Script['calls'][number]): boolean {
  return !isReached && textsIn(args.slice(1)).some((type) => EXPORTED.test(type))
}

/** Browsers show such a file, unless they are told to save it. */
function isCode({ args }: Script['calls'][number]): boolean {
  return textsIn(args.slice(1)).some((type) => /^(?:text|application)\/(?:javascript|css)$/i.test(type))
}

function isAddress(text: string): boolean {
  return /^(?:[a-z.][a-z0-9+.-]*:|\/\/|\\\\)/i.test(text)
}

function copiesSelection(calls: Script['calls']): boolean {
  return calls.some(({ name, args }) => name.endsWith('execCommand') && /^copy$/i.test(textsIn(args)[0] ?? ''))
}

/** The parts of a file joined. null: some are unknown. */
function contentOf(parts: Folded): Uint8Array | null {
  if (parts.kind === 'bytes') return parts.bytes
  if (parts.kind === 'constant') return typeof parts.value === 'string' ? textBytes(parts.value) : null
  if (parts.kind !== 'list') return null
  const numbers = parts.items.map((item) =>
    item.kind === 'constant' && typeof item.value === 'number' ? item.value : null,
  )
  if (numbers.length > 0 && numbers.every((value) => value !== null)) return Uint8Array.from(numbers)
  const contents = parts.items.map(contentOf)
  return contents.every((bytes) => bytes !== null) ? Buffer.concat(contents) : null
}

function pagesIn(files: readonly (Uint8Array | null)[], areOpened: boolean): string[] {
  return areOpened ? files.filter((bytes) => bytes !== null).map(textOf) : []
}

function textOf(bytes: Uint8Array): string {
  return view(bytes).toString('latin1')
}

/** A script has the letters of its page as bytes of UTF-8, and others that it decodes: a text may have both. */
export function textBytes(text: string): Uint8Array {
  if (/^[\0-\xff]*$/.test(text)) return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text.replace(/[^\0-\xff]+/g, ''), 'latin1')
  if (!isUtf8(bytes)) return Buffer.from(text, 'utf8')
  return Buffer.from(
    text.replace(/[^\0-\xff]+/g, (letters) => Buffer.from(letters).toString('latin1')),
    'latin1',
  )
}

/** The bytes of a `data:` address. */
export function dataOf(url: string): Uint8Array | null {
  const comma = url.indexOf(',')
  if (comma === -1) return null
  const body = url.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(url.slice(0, comma))) return Buffer.from(body, 'base64')
  try {
    return Buffer.from(decodeURIComponent(body))
  } catch {
    return Buffer.from(body, 'latin1')
  }
}
