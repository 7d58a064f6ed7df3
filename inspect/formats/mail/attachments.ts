/** Judges the files attached to a mail by their names and content. */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { partAround } from '#inspect/codecs/mail-bounds.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { EVERYDAY, judgeFile } from '#inspect/judge/files.ts'

const ENCODED_WORD = /=\?[^?\s]{1,40}\?([BQ])\?([^?]{0,400})\?=\s*/gi

/** The name as mail programs show it: with encoded words (RFC 2047) and percent-encoding (RFC 2231) decoded. */
function shownName(name: string): string {
  const words = name.replace(ENCODED_WORD, (_, encoding: string, text: string) =>
    encoding.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : percentDecoded(text.replaceAll('_', ' ').replace(/=(?=[0-9a-f]{2})/gi, '%')),
  )
  return /^[\w-]*'[\w-]*'/.test(words) ? percentDecoded(words.replace(/^[\w-]*'[\w-]*'/, '')) : words
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Windows opens these in an editor, so that they are judged by their content. */
const OPENS_IN_EDITOR = /\.ps1$/i

/** `path`: of the attachment, if it is a member. */
export function judgeAttachment(
  item: Item,
  name: string,
  bytes: Uint8Array,
  context: Context,
  path: readonly string[] = [...item.path, safeName(name)],
): void {
  const shown = shownName(name)
  const { kind, isDangerous, disguise } = judgeFile(shown, bytes)
  context.addFinding(item, { ...MAIL.attachment, detail: null })
  if (isDangerous && disguise === null && OPENS_IN_EDITOR.test(shown))
    context.addFinding(item, { ...MAIL.script, detail: safeName(shown), path })
  else if (isDangerous && disguise === null && (kind === 'script' || kind === 'shortcut'))
    context.record(item, RUNNABLE, { name: safeName(shown), path })
  else if (isDangerous) context.addFinding(item, { ...MAIL.program, detail: safeName(shown), path })
  else if (disguise !== null) context.addFinding(item, { ...MAIL.disguise, detail: safeName(shown), path })
}

/** A script or shortcut, which its content excuses. */
const RUNNABLE = factType<{ name: string; path: readonly string[] }>('attached script')

export function concludeAttachments(item: Item, facts: Facts, context: Context): void {
  const runnable = facts.of(RUNNABLE)
  if (runnable.length === 0) return
  const readings = Map.groupBy(facts.of(EVERYDAY), ({ path }) => path.join('\0'))
  for (const { value } of runnable) {
    const { name, path } = value
    const isEveryday = readings.get(path.join('\0'))?.every((reading) => reading.value) === true
    context.addFinding(item, { ...(isEveryday ? MAIL.script : MAIL.program), detail: name, path })
  }
}

const NAME_HEADER =
  /^(?:content-(?:type|disposition):[^\r\n]*?\b|[ \t]+)(?:file)?name\*?\s*=\s*(?:"([^"\r\n]{1,400})"|([^\s;"]{1,400}))/gim
const ENCODED = /^content-transfer-encoding[ \t]*:[ \t]*["']?(?:base64|quoted-printable|(?:x-)?uue)/im
const EMPTY = new Uint8Array()
const NAME_WORK = 3_000

/** Judges the names of all attachments, and inspects scripts that are not encoded. Encoded ones are members already. */
export const attachmentNames: Format = {
  applies: ({ sniffed }) => sniffed.type === 'message/rfc822',
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    let inspected = -1
    for (const { index, name } of namesIn(text)) {
      charge(NAME_WORK)
      judgeAttachment(item, name, EMPTY, context)
      if (index < inspected || judgeFile(shownName(name), EMPTY).kind !== 'script') continue
      const body = plainBody(text, index)
      if (body === null) continue
      inspected = body.end
      if (!context.chargeBytes(item, body.end - body.start, 'stream')) return
      context.inspectMember(item, safeName(name), item.bytes.subarray(body.start, body.end))
    }
  },
  conclude: concludeAttachments,
}

/** A name in several parameters (RFC 2231). */
const FIRST_PIECE = /\b(?:file)?name\*0\*?\s{0,9}=\s{0,9}(?:"([^"\r\n]{0,400})"|([^\s;"]{0,400}))/gi
const NEXT_PIECE = /\s{0,9};\s{0,99}(?:file)?name\*\d{1,2}\*?\s{0,9}=\s{0,9}(?:"([^"\r\n]{0,400})"|([^\s;"]{0,400}))/iy

function* namesIn(text: string): Generator<{ index: number; name: string }> {
  for (const { index, 1: quoted, 2: bare = '' } of text.matchAll(NAME_HEADER)) yield { index, name: quoted ?? bare }
  for (const found of text.matchAll(FIRST_PIECE)) {
    let name = found[1] ?? found[2] ?? ''
    NEXT_PIECE.lastIndex = found.index + found[0].length
    for (let next = NEXT_PIECE.exec(text); next !== null; next = NEXT_PIECE.exec(text)) {
      charge(NAME_WORK)
      name += next[1] ?? next[2] ?? ''
    }
    yield { index: found.index, name }
  }
}

/** The body of the part with this header, up to the next boundary line; null if it is encoded. */
function plainBody(text: string, at: number): { start: number; end: number } | null {
  const part = partAround(text, at)
  return part === null || ENCODED.test(part.headers) ? null : part
}
