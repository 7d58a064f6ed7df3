/** Collects addresses and hashes of a document as keys, so that the service can look them up in lists. */

import { createHash } from 'node:crypto'
import { canonicalHost, canonicalUrl, hashKey, hostKey, hostsOf, urlKey } from '#inspect/codecs/indicator-keys.ts'
import { view } from '#inspect/core/bytes.ts'
import type { IndicatorPart } from '#inspect/core/indicators.ts'
import type { Texts } from '#inspect/core/texts.ts'
import { charge, hold } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { unwrap } from './deception/unwrap.ts'

export type IndicatorKind = 'address' | 'hash'

/** Bytes of all keys, paths and shown addresses as JSON. Past it the document is too complex. */
const INDICATOR_BYTES_MAX = 16_000_000
/** Addresses that are shown as text if a list names them. */
const SHOWN_ADDRESSES_MAX = 5_000
/** Characters of an address. Readers cut longer ones, and lists have none. */
const ADDRESS_MAX = 2_048

const BYTE_WORK = 2
const SEEN_WORK = 200
/** To decode the bytes after a scheme. */
const FOUND_WORK = 1_500
const ADDRESS_WORK = 8_000
const CHARACTER_WORK = 30
const ADDRESS_BYTES = 200
const PART_BYTES = 200

type Part = Pick<IndicatorPart, 'path' | 'hash'> & { addresses: string[]; shown: string[] }

export function createIndicators(kinds: readonly IndicatorKind[], bytesMax = INDICATOR_BYTES_MAX) {
  const parts: Part[] = []
  const seen = new Set<string>()
  let part: Part | null = null
  let bytes = 0
  let shownCount = 0

  const open = (path: readonly string[]): Part => {
    charge(SEEN_WORK)
    hold(PART_BYTES)
    return { path, hash: '', addresses: [], shown: [] }
  }

  /** Parts without an indicator are left out. */
  function spend(to: Part, size: number): boolean {
    const isNew = to.hash === '' && to.addresses.length === 0
    bytes += size + (isNew ? JSON.stringify(to.path).length + PART_BYTES : 0)
    if (bytes > bytesMax) return false
    if (isNew) parts.push(to)
    return true
  }

  function add(text: string, variants: readonly string[]): void {
    charge(SEEN_WORK)
    if (part === null || seen.has(text)) return
    charge(ADDRESS_WORK + variants.length * text.length * CHARACTER_WORK)
    hold(ADDRESS_BYTES + text.length)
    seen.add(text)
    const keys = keysOf(variants)
    if (keys.length === 0) return
    const coded = Buffer.from(keys.join(''), 'latin1').toString('base64')
    const shown = shownCount++ < SHOWN_ADDRESSES_MAX ? describeTarget(variants[0] ?? text) : ''
    if (!spend(part, coded.length + shown.length * 2 + 8)) return
    part.addresses.push(coded)
    if (shown !== '') part.shown.push(shown)
  }

  const pieces = createPieces((text) => {
    for (const [found] of text.matchAll(IN_TEXT)) add(found, variantsOf(withScheme(found)))
  })

  return {
    note(text: string): void {
      const target = text.slice(0, ADDRESS_MAX).trim()
      if (kinds.includes('address') && TARGET.test(target)) add(target, [withScheme(target)])
    },
    within(path: readonly string[], run: () => void): void {
      const around = part
      pieces.flush()
      part = open(path)
      run()
      pieces.flush()
      part = around
    },
    /** The bytes of the part that is being inspected, or of data in it. */
    addBytes(data: Uint8Array): void {
      charge(data.length * BYTE_WORK)
      if (part === null || data.length === 0) return
      if (kinds.includes('hash') && part.hash === '') {
        const hash = Buffer.from(hashKey(createHash('sha256').update(data).digest('hex')), 'latin1').toString('base64')
        if (spend(part, hash.length)) part.hash = hash
      }
      if (kinds.includes('address')) for (const found of addressesIn(view(data))) add(found, variantsOf(found))
    },
    /** Searches the texts that formats read, and passes them on. */
    texts(inner: Texts | null): Texts | null {
      if (!kinds.includes('address')) return inner
      return {
        add(item, place, text, reasons) {
          pieces.add(`${item.path.join('\0')}\0${place}`, text)
          inner?.add(item, place, text, reasons)
        },
        addUnread: (item) => inner?.addUnread(item),
      }
    },
    isExceeded: () => bytes > bytesMax,
    result: (): readonly IndicatorPart[] => parts,
  }
}

/** Of each address, of those that it leads to, and of their hosts and the domains around them. */
function keysOf(variants: readonly string[]): string[] {
  const keys = new Set<string>()
  for (const variant of variants) {
    const url = URL.parse(variant)
    if (url === null) continue
    for (const each of unwrap(url).urls) {
      const canonical = canonicalUrl(each)
      if (canonical !== null) keys.add(urlKey(canonical))
      for (const host of hostsOf(canonicalHost(each))) keys.add(hostKey(host))
    }
  }
  return [...keys]
}

/** A target with a host: a scheme, `//host`, or the path of a file server. */
const TARGET = /^(?:[a-z][a-z0-9+.-]{1,20}:)?[\\/]{2}|^www\./i
const SHARE = /^[\\/]{2}([^\\/@:?#\s]{1,253})/

function withScheme(target: string): string {
  if (/^www\./i.test(target)) return `http://${target}`
  if (target.startsWith('//')) return `http:${target}`
  const [, host] = SHARE.exec(target) ?? []
  return host === undefined ? target : `file://${host}/`
}

const IN_TEXT = /(?:https?:\/\/|(?<![\w./-])www\.)[^\s<>"`]{1,2040}/gi

const CLOSING = /[)\]}'|\\;,]/
const AT_END = /[.,;:!?'")\]}*_]$/

/** Where an address in a text ends is not known: a bracket may belong to it or to the text. */
function variantsOf(found: string): string[] {
  const decoded = found.includes('&amp;') ? found.replaceAll('&amp;', '&') : found
  let end = decoded.length
  while (end > 0 && AT_END.test(decoded[end - 1] ?? '')) end -= 1
  const closing = decoded.search(CLOSING)
  return [...new Set([decoded.slice(0, end), decoded, closing < 0 ? decoded : decoded.slice(0, closing)])]
}

const NEEDLES = [
  { bytes: Buffer.from('://'), width: 1 },
  { bytes: Buffer.from(':\\/\\/'), width: 1 },
  { bytes: Buffer.from('://', 'utf16le'), width: 2 },
] as const
/** Other letters may be in front of it. */
const WEB = /^[a-z]?(https?:\/\/[^\s<>"`]+)/i
/** Of `http` and `https`. */
const SCHEME_MIN = 4
const SCHEME_MAX = 5

/** Addresses on the web in bytes of any type, as text of one or two bytes a character. */
function* addressesIn(data: Buffer): Generator<string> {
  for (const { bytes, width } of NEEDLES)
    for (let at = data.indexOf(bytes); at >= 0; at = data.indexOf(bytes, at + bytes.length)) {
      const found = addressAt(data, at, width)
      if (found !== undefined) yield found
    }
}

/** `at`: of the colon. */
function addressAt(data: Buffer, at: number, width: 1 | 2): string | undefined {
  let start = at
  while (start >= width && at - start < SCHEME_MAX * width && isLetter(data[start - width])) start -= width
  if (at - start < SCHEME_MIN * width) return undefined
  charge(FOUND_WORK)
  const part = data.subarray(start, Math.min(data.length, start + ADDRESS_MAX * width))
  const text = part.toString(width === 2 ? 'utf16le' : 'utf8').replaceAll('\\/', '/')
  return WEB.exec(text)?.[1]
}

const isLetter = (code = 0): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/** Texts come in pieces: an address may be in several. */
const PENDING_MAX = 16_384

function createPieces(search: (text: string) => void) {
  let place = ''
  let pending = ''
  function flush(rest = ''): void {
    if (pending.length > rest.length) search(pending)
    pending = rest
  }
  return {
    add(where: string, text: string): void {
      if (where !== place) flush()
      place = where
      pending += text
      if (pending.length > PENDING_MAX) flush(pending.slice(-ADDRESS_MAX))
    },
    flush: () => flush(),
  }
}
