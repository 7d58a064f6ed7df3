/** Decodes the parts of mails and web archives: Base64, quoted-printable and uuencode, whatever carries them. */

import { type Part, PLAIN, partsOf } from '#inspect/codecs/mime-parts.ts'
import { unbase64, unquote, uudecode } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'

const DECODERS: Readonly<Record<string, (body: Uint8Array) => Uint8Array[]>> = {
  base64: unbase64,
  'quoted-printable': (body) => [unquote(body)],
  'x-uuencode': (body) => [uudecode(body)],
  'x-uue': (body) => [uudecode(body)],
  uuencode: (body) => [uudecode(body)],
  uue: (body) => [uudecode(body)],
}
/** What the texts that come from one mail have in common: each shows what is behind it once more. */
interface Origin {
  left: number
  mailbox: boolean
}
const origins = new WeakMap<Uint8Array, Origin>()

const isEncoded = (encoding: string): boolean => !PLAIN.has(encoding)

// Not only what looks like a mail, or like text: some readers forgive anything before the first header.
export const mail: Format = {
  applies: (item) => item.mentions('mail'),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const before = origins.get(item.bytes)
    const origin = before ?? { left: PASSES_MAX * item.bytes.length, mailbox: text.startsWith('From ') }
    // Thousands of headers may stand in front of one body.
    const seen = new Set<string>()
    for (const part of partsOf(text, isEncoded, origin.mailbox)) {
      if (!context.countEntry(item)) return
      for (const start of part.starts) {
        const body = `${part.encoding} ${start} ${part.end}`
        if (seen.has(body)) continue
        seen.add(body)
        origin.left -= Math.max(0, part.end - start)
        if (origin.left < 0) {
          context.addObstacle(item, 'too_complex', 'Its parts lie in each other.')
          return
        }
        if (!look(item, part, start, origin, context)) return
      }
    }
  },
}

/** Looks at one reading of a part; false when the budget is spent. */
function look(
  item: Item,
  { encoding, name, end, bare }: Part,
  start: number,
  origin: Origin,
  context: Context,
): boolean {
  const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (decode === undefined) {
    if (bare && item.sniffed.kind === 'text' && item.sniffed.type !== 'message/rfc822') return true
    context.addObstacle(item, 'too_complex', 'A part of the mail is encoded in a way that is not known.')
    return true
  }
  const length = Math.max(0, end - start)
  // Asked before decoding: ten thousand headers in front of one large body would all decode it.
  if (!context.chargeBytes(item, length, 'stream')) return false
  for (const bytes of decode(item.bytes.subarray(start, end))) {
    if (encoding === 'quoted-printable') origins.set(bytes, origin)
    if (bytes.length > 0) context.inspectMember(item, safeName(name), bytes)
  }
  return true
}
