/** Files that a page builds from its own content and saves (HTML smuggling). */

import { WEB } from '#inspect/catalogue/web.ts'
import { MAGIC } from '#inspect/codecs/gzip-header.ts'
import { readDirectory } from '#inspect/codecs/zip-records.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { judgeFile } from '#inspect/judge/files.ts'
import type { FileKind } from '#inspect/windows/extensions.ts'
import { type Behaviour, dataOf } from './behaviour.ts'
import type { Tag } from './markup.ts'

/** Coded data of this length is a file. Keys and pictures of a few pixels are shorter. */
const DATA_MIN = 1_024
const DIGIT_WORK = 10

const DANGEROUS: ReadonlySet<FileKind> = new Set(['program', 'script', 'shortcut', 'archive', 'diskImage'])

interface Page {
  text: string
  /** Texts of elements that the script may read. */
  values: ReadonlyMap<string, string>
}

/** Elements that show an address, or save it if it cannot be shown. */
const FRAMES: Readonly<Record<string, string>> = { iframe: 'src', frame: 'src', embed: 'src', object: 'data' }
const CLICKS = /\.click\s{0,4}\(|dispatchEvent/
/** A browser shows these itself. */
const SHOWN =
  /^data:(?:text\/|image\/|audio\/|video\/|font\/|application\/(?:pdf|json|(?:x-)?javascript|xhtml|xml|font))/i

/** Archives and programs by their declared types, whatever their bytes are. */
const DECLARED =
  /^data:application\/(?:octet-stream|(?:x-)?(?:zip|rar|7z|iso|msdownload|msdos|ms|compressed|gzip|tar|vnd\.rar|download|force)[\w.+-]{0,40})[;,]/i

/** Files inside addresses, which a browser saves as soon as the page is open. */
export function judgeAddresses(
  item: Item,
  tags: readonly Tag[],
  source: string,
  behaviour: Behaviour | null,
  context: Context,
): void {
  const framed = tags.flatMap(({ name, attributes }) => attributes.get(FRAMES[name] ?? '') ?? [])
  const clicked = CLICKS.test(source)
    ? tags.flatMap(({ name, attributes }) =>
        name === 'a' && attributes.has('download') ? (attributes.get('href') ?? []) : [],
      )
    : []
  const isNamed =
    clicked.length > 0 &&
    tags.some(({ attributes }) => DANGEROUS.has(namedKind(attributes.get('download') ?? '') ?? 'data'))
  for (const address of [...framed, ...clicked, ...(behaviour?.redirects ?? [])]) {
    if (!/^\s{0,9}data:/i.test(address) || SHOWN.test(address.trim())) continue
    charge(address.length)
    const { kind } = judgeFile('', dataOf(address) ?? new Uint8Array())
    const isLong = address.length >= DATA_MIN || (isNamed && clicked.includes(address))
    const isOpaque = kind === 'data' && isLong && DECLARED.test(address.trim()) && !waits(source)
    if (!DANGEROUS.has(kind) && !isOpaque) continue
    context.addFinding(item, { ...WEB.smuggledFile, detail: DETAILS[kind] ?? null })
    return
  }
}

/** Under the name of a file that does harm, a click saves data that look like no such file. */
export function judgeOffers(item: Item, tags: readonly Tag[], context: Context): void {
  for (const { name, attributes } of tags) {
    const kind = name === 'a' ? namedKind(attributes.get('download') ?? '') : undefined
    const address = attributes.get('href')?.trim() ?? ''
    if (kind === undefined || !DANGEROUS.has(kind) || address.length < DATA_MIN || !DECLARED.test(address)) continue
    charge(address.length)
    if (judgeFile('', dataOf(address) ?? new Uint8Array()).kind !== 'data') continue
    context.addFinding(item, { ...WEB.smuggledFile, detail: DETAILS[kind] ?? null })
    return
  }
}

export function judgeSaving(item: Item, source: string, page: Page, behaviour: Behaviour, context: Context): void {
  // With a key that the page contains, it is only hidden.
  if (behaviour.writesDecrypted && !waits(page.text)) context.addFinding(item, { ...WEB.hiddenScript, detail: null })
  if (!behaviour.saves) return
  const kinds = kindsOf(source, page, behaviour)
  for (const bytes of behaviour.payloads) {
    if (!context.countEntry(item) || !context.chargeBytes(item, bytes.length, 'stream')) return
    context.inspectMember(item, '(saved file)', bytes)
  }
  const found = kinds.find((kind) => DANGEROUS.has(kind)) ?? unseenKind(page, behaviour)
  if (found !== undefined) context.addFinding(item, { ...WEB.smuggledFile, detail: DETAILS[found] ?? null })
  else if (savesUnseen(behaviour) || savesData(kinds, behaviour))
    context.addFinding(item, { ...WEB.smugglingParts, detail: null })
  else context.addFinding(item, { ...WEB.download, detail: null })
}

function savesData(kinds: readonly FileKind[], { decodes, payloads, exportsOnly }: Behaviour): boolean {
  return kinds.includes('data') && decodes && !(payloads.length === 0 && exportsOnly)
}

/** A file that only a browser can decrypt or compute, under a name of those that do harm. */
function savesUnseen({ payloads, computes, fileNames }: Behaviour): boolean {
  return payloads.length === 0 && computes && fileNames.some((name) => DANGEROUS.has(namedKind(name) ?? 'data'))
}

/** A click, a choice, a password of the reader, or data of a server. */
const NEEDS =
  /\bon(?:click|submit|change)\b|(?<!Event\(\s{0,4})["'](?:click|submit|change|drop|input)["']|\.on\(|\.value\b|\bprompt\s{0,4}\(|\.files\b|XMLHttpRequest|\bfetch\s{0,4}\((?!\s{0,4}["'\x60]data:)/

/** Whether a page waits for somebody or something. */
function waits(page: string): boolean {
  charge(page.length * DIGIT_WORK)
  return NEEDS.test(page)
}

/** What a page decodes and saves as soon as it is open can only come from the page itself: its name tells enough. */
function unseenKind(page: Page, { payloads, computes, decodes, fileNames }: Behaviour): FileKind | undefined {
  if (payloads.length > 0 || !(computes || decodes)) return undefined
  const kind = fileNames.map(namedKind).find((each) => each !== undefined && DANGEROUS.has(each))
  return kind === undefined || waits(page.text) || !(computes || hasScraps(page)) ? undefined : kind
}

/** Shorter pieces of Base64, which no name of a program looks like, and the shortest archive that they make. */
const SCRAP = /(?<![\w+/-]|base64,\s{0,4})(?=[a-z0-9+/]{0,40}[A-Z])[A-Za-z0-9+/]{24,}/g
const SCRAPS_MIN = 100

function hasScraps(page: Page): boolean {
  charge(page.text.length * DIGIT_WORK)
  if ([...new Set(page.values.values())].some(isCoded)) return true
  let total = 0
  for (const [digits] of page.text.matchAll(SCRAP)) total += digits.length
  return total >= SCRAPS_MIN
}

const namedKind = (name: string): FileKind | undefined =>
  kindOfExtension(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')?.kind

function kindsOf(source: string, page: Page, { payloads, fileNames, decodes, unpacks }: Behaviour): FileKind[] {
  const name = fileNames[0] ?? ''
  const kinds = payloads
    .filter(({ length }) => length > 0)
    .map((bytes) => {
      const { kind, isDangerous } = judgeFile(name, bytes)
      if (unpacks && MAGIC.equals(bytes.subarray(0, MAGIC.length))) return payloads.length > 1 ? 'text' : 'data'
      if (kind === 'archive' && waits(page.text)) return packedKind(bytes)
      // Readers expect tools that write a Python or shell script to save it.
      return kind === 'script' && !isDangerous ? 'text' : kind
    })
  const coded = payloads.length === 0 && decodes ? codedKind(source, name) : null
  if (coded !== null) return [...kinds, coded]
  const named = namedKind(name)
  const isDangerous = named !== undefined && DANGEROUS.has(named)
  return payloads.length === 0 && isDangerous && hasPieces(page) ? ['data'] : kinds
}

/** Reports save their raw results when a button is pressed. A smuggled archive holds something that runs, or is locked. */
function packedKind(bytes: Uint8Array): FileKind {
  charge(bytes.length)
  const { entries, fault } = readDirectory(bytes, MEMBERS_MAX) ?? { entries: [], fault: 'none' }
  if (fault !== null || entries.length === 0 || entries.length === MEMBERS_MAX) return 'archive'
  const kinds = entries
    .filter(({ name }) => !/\/$/.test(textOf(name)))
    .map(({ name, flags }) => ((flags & ENCRYPTED) === 0 ? (namedKind(textOf(name)) ?? 'text') : 'archive'))
  if (kinds.every((kind) => kind === 'text' || kind === 'picture')) return 'text'
  return kinds.every((kind) => !OPENED.has(kind)) ? 'data' : 'archive'
}

const MEMBERS_MAX = 1_000
const ENCRYPTED = 1
const OPENED: ReadonlySet<FileKind> = new Set([...DANGEROUS, 'link', 'page'])
const textOf = (name: Uint8Array): string => view(name).toString('latin1')

/** Pieces of Base64 in attributes and elements, but not pictures and fonts in addresses. */
const PIECE = /(?<![\w+/]|base64,\s{0,4})[A-Za-z0-9+/]{48,}/g

/** In another alphabet, a long text without spaces in one element. */
function isCoded(text: string): boolean {
  charge(text.length)
  return text.length >= DATA_MIN && text.split(/\s+/).length * WORD_MIN < text.length
}

/** The shortest line of coded data. */
const WORD_MIN = 40

function hasPieces({ text, values }: Page): boolean {
  if ([...new Set(values.values())].some(isCoded)) return true
  charge(text.length * DIGIT_WORK)
  let total = 0
  for (const [digits] of text.matchAll(PIECE)) {
    total += digits.length
    if (total >= DATA_MIN) return true
  }
  return false
}

const DETAILS: Partial<Record<FileKind, string>> = {
  program: 'a program',
  script: 'a script',
  shortcut: 'a shortcut',
  archive: 'an archive',
  diskImage: 'a disk image',
}

const BASE64_DATA = /[A-Za-z0-9+/]{64,}={0,2}/g
const OTHER_DATA = /(?:\d{1,3}\s*,\s*){256}|[0-9a-f]{1024}/i

/** The kind of the longest data in a script, if the script was too complex to be followed. null: it has no long data. */
function codedKind(source: string, name: string): FileKind | null {
  charge(source.length * DIGIT_WORK)
  let longest = ''
  for (const [digits] of source.matchAll(BASE64_DATA)) if (digits.length > longest.length) longest = digits
  if (longest.length >= DATA_MIN) {
    const forwards = judgeFile(name, Buffer.from(longest, 'base64')).kind
    if (DANGEROUS.has(forwards)) return forwards
    const backwards = judgeFile(name, Buffer.from([...longest].reverse().join(''), 'base64')).kind
    return DANGEROUS.has(backwards) ? backwards : forwards
  }
  return OTHER_DATA.test(source) ? 'data' : null
}
