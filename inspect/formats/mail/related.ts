/** Pages of web archives whose scripts are other parts, by their ids or addresses. */

import { partAround } from '#inspect/codecs/mail-bounds.ts'
import { decodeBase64Variants, unquote } from '#inspect/codecs/transfer-encodings.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'

const NAMED = /^content-(?:id|location)[ \t]*:/im
const RELATED = /^(?:content-type[ \t]*:\s*(?:text\/html|application\/xhtml)|content-(?:id|location)[ \t]*:)/gim
const PAGE = /^content-type[ \t]*:\s*(?:text\/html|application\/xhtml)/im
const ENCODING = /^content-transfer-encoding[ \t]*:\s*"?([\w-]{1,40})/im
const NAMES = /^content-(id|location)[ \t]*:\s*<?([^>\r\n]{1,1000})/gim
const SCRIPT = /<script\b([^<>]*)>/gi
const SOURCE = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i

const TEXT_WORK = 4
const PART_WORK = 2_000
const NAME_WORK = 200
const PART_BYTES = 500
/** Parts of an archive, and characters of its pages with their scripts. */
export const PARTS_MAX = 2_000
export const JOINED_MAX = 8_000_000

interface Part {
  isPage: boolean
  names: readonly string[]
  encoding: string | undefined
  start: number
  end: number
}

type Bodies = (source: string) => string | undefined

/** Inspects each page a second time, with the scripts that it loads from the same archive. */
export function inspectRelated(item: Item, text: string, context: Context): void {
  charge(text.length)
  if (!NAMED.test(text)) return
  charge(text.length * TEXT_WORK)
  const parts = partsIn(text)
  if (parts === null) {
    context.addObstacle(item, 'too_complex', 'The web archive has too many parts.')
    return
  }
  const bodies = bodiesOf(text, parts)
  let left = JOINED_MAX
  for (const part of parts) {
    const page = part.isPage ? withScripts(bodyOf(text, part), bodies, left) : null
    if (page === null) continue
    left -= page.length
    if (left < 0) {
      context.addObstacle(item, 'too_complex', 'The pages of the web archive have too many scripts.')
      return
    }
    if (!context.countEntry(item) || !context.chargeBytes(item, page.length, 'stream')) return
    context.inspectMember(item, '(page with its scripts)', Buffer.from(page, 'latin1'))
  }
}

/** null: too many. */
function partsIn(text: string): Part[] | null {
  const parts: Part[] = []
  let from = 0
  for (const { index } of text.matchAll(RELATED)) {
    charge(PART_WORK)
    const part = index < from ? null : partAround(text, index)
    if (part === null) continue
    if (parts.length >= PARTS_MAX) return null
    const { headers, start, end } = part
    from = start
    charge((end - start + headers.length) * TEXT_WORK)
    keep(PART_BYTES + headers.length)
    parts.push({
      isPage: PAGE.test(headers),
      names: Array.from(headers.matchAll(NAMES), ([, kind = '', name = '']) => nameOf(kind, name)),
      encoding: ENCODING.exec(headers)?.[1]?.toLowerCase(),
      start,
      end,
    })
  }
  return parts
}

const nameOf = (kind: string, name: string): string =>
  kind.toLowerCase() === 'id' ? `cid:${name.trim()}` : name.trim().toLowerCase()

function bodyOf(text: string, { encoding, start, end }: Part): string {
  charge((end - start) * TEXT_WORK)
  const body = text.slice(start, end)
  if (encoding === 'base64')
    return Buffer.from(decodeBase64Variants(Buffer.from(body, 'latin1'))[0] ?? []).toString('latin1')
  return encoding === 'quoted-printable' ? Buffer.from(unquote(Buffer.from(body, 'latin1'))).toString('latin1') : body
}

/** The texts of parts by what a page calls them. */
function bodiesOf(text: string, parts: readonly Part[]): Bodies {
  const byName = new Map(parts.flatMap((part) => part.names.map((name) => [name, part] as const)))
  const partOf = (source: string): Part | undefined => {
    if (/^cid:/i.test(source)) return byName.get(`cid:${source.slice('cid:'.length)}`)
    const address = source.toLowerCase()
    const known = byName.get(address)
    if (known !== undefined || /^[a-z]+:/.test(address)) return known
    const ending = `/${address.replace(/^(?:\.?\/)+/, '')}`
    charge(byName.size * NAME_WORK)
    return [...byName].find(([name]) => name.endsWith(ending))?.[1]
  }
  return (source) => {
    const part = partOf(source)
    return part === undefined ? undefined : bodyOf(text, part)
  }
}

/** null: it has none. With more than `left` characters, the rest is left out. */
function withScripts(page: string, bodies: Bodies, left: number): string | null {
  charge(page.length * TEXT_WORK)
  let added = 0
  const joined = page.replace(SCRIPT, (whole, attributes: string) => {
    charge(PART_WORK)
    const [, double, single, bare] = SOURCE.exec(attributes) ?? []
    const source = (double ?? single ?? bare ?? '').trim()
    const body = source === '' || added > left ? undefined : bodies(source)
    if (body === undefined) return whole
    added += body.length
    return `<script${attributes.replace(SOURCE, '')}>${body}\n`
  })
  return added === 0 ? null : joined
}
