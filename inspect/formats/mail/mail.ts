/** Decodes the parts of mails and web archives. */

import { type Part, PLAIN, partsOf, UNNAMED } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants, unquote, uudecode } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { concludeAttachments, judgeAttachment } from './attachments.ts'
import { inspectRelated } from './related.ts'

const DECODERS: Readonly<Record<string, (body: Uint8Array) => Uint8Array[]>> = {
  base64: decodeBase64Variants,
  'quoted-printable': (body) => [unquote(body)],
  'x-uuencode': uudecodeVariants,
  'x-uue': uudecodeVariants,
  uuencode: uudecodeVariants,
  uue: uudecodeVariants,
}
/** Work for each character of a part, and memory for each part. */
const DECODE_WORK = 3
const BODY_BYTES = 150

/** Some programs need no line `begin`. */
function uudecodeVariants(body: Uint8Array): Uint8Array[] {
  const file = uudecode(body)
  return [file.length > 0 ? file : uudecode(body, true)]
}

/** Shared by all texts decoded from one mail, because each contains the parts after it once more. */
interface Origin {
  left: number
  mailbox: boolean
  /** Its mails are inspected already. */
  isRest?: boolean
}
const origins = new WeakMap<Uint8Array, Origin>()

const isEncoded = (encoding: string): boolean => !PLAIN.has(encoding)

// Applies to any data: some readers accept anything before the first header.
export const mail: Format = {
  among: { keywords: ['mail', 'relatedParts'] },
  applies: (item) => item.mentions('mail') || item.mentions('relatedParts'),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const before = origins.get(item.bytes)
    if (before?.isRest) return
    if (before === undefined) inspectRelated(item, text, context)
    const origin = before ?? { left: PASSES_MAX * item.bytes.length, mailbox: text.startsWith('From ') }
    // Thousands of headers may precede one body.
    const seen = new Set<string>()
    const isNew = (body: string): boolean => {
      if (seen.has(body)) return false
      keep(BODY_BYTES)
      seen.add(body)
      return true
    }
    for (const part of partsOf(text, isEncoded, origin.mailbox)) {
      if (!context.countEntry(item)) return
      for (const start of part.starts)
        if (isNew(`${part.encoding} ${start} ${part.end}`) && !inspectPart(item, part, start, origin, context)) return
    }
  },
  conclude: concludeAttachments,
}

/** Inspects one interpretation of a part. false: the budget is spent. */
function inspectPart(item: Item, part: Part, start: number, origin: Origin, context: Context): boolean {
  const { encoding, end, bare } = part
  const length = Math.max(0, end - start)
  origin.left -= length
  if (origin.left < 0) {
    context.addObstacle(item, 'too_complex', 'Its parts overlap too often.')
    return false
  }
  const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (decode === undefined) {
    if (bare && item.sniffed.kind === 'text' && item.sniffed.type !== 'message/rfc822') return true
    context.addObstacle(item, 'too_complex', 'A part of the mail uses an unsupported encoding.')
    return true
  }
  // Charged before decoding: ten thousand headers before one large body would all decode it.
  if (!context.chargeBytes(item, length, 'stream')) return false
  charge(length * DECODE_WORK)
  for (const bytes of decode(item.bytes.subarray(start, end)))
    if (bytes.length > 0) inspectDecoded(item, part, bytes, origin, context)
  return true
}

function inspectDecoded(item: Item, part: Part, bytes: Uint8Array, origin: Origin, context: Context): void {
  const { encoding, name, isRest, isPlain } = part
  if (isRest) origins.set(bytes, { ...origin, isRest })
  else if (encoding === 'quoted-printable') origins.set(bytes, origin)
  if (name !== UNNAMED) judgeAttachment(item, name, bytes, context)
  // A text that is shown does nothing, and each of its mails is inspected for itself.
  if (isRest && isPlain) context.scan(item, safeName(name), bytes)
  else context.inspectMember(item, safeName(name), bytes)
}
