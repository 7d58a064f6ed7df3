/** Offers words in the text of a mail as passwords for its attachments, before they are inspected. */

import { readCompound } from '#inspect/codecs/compound.ts'
import { partsOf, UNNAMED } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants, unquote } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { passwordsIn, textOfPage } from '#inspect/judge/passwords.ts'

const OUTLOOK = mark([[...'__properties_version1.0'].join('\0')])
/** Subject, text and page of a message. */
const OUTLOOK_TEXT = /^__substg1\.0_(?:0037|1000|1013)(?:001[EF]|0102)$/i
/** Bytes of a text. Only encrypted documents need passwords, and they remain encrypted without one. */
const TEXT_MAX = 262_144
const DECODE_WORK = 12

export const mailPasswords: Format = {
  applies: (item) => item.sniffed.type === 'message/rfc822' || isOutlook(item),
  analyse(item, context) {
    context.offerPasswords(item, () => {
      const texts = isOutlook(item) ? outlookTexts(item) : mailTexts(item)
      return passwordsIn(texts.map(textOfPage).join('\n'))
    })
  },
}

function isOutlook(item: Item): boolean {
  return isOle2(item.bytes) && item.has(OUTLOOK)
}

/** The decoded texts without a name, and the mail as it is, without lines of Base64. */
function mailTexts({ bytes }: Item): string[] {
  const raw = view(bytes).toString('latin1')
  const texts: string[] = []
  for (const { encoding, name, starts, end } of partsOf(raw, isText)) {
    const start = starts[0] ?? end
    if (name !== UNNAMED || end - start > TEXT_MAX) continue
    charge((end - start) * DECODE_WORK)
    const body = bytes.subarray(start, end)
    for (const text of encoding === 'base64' ? decodeBase64Variants(body) : [unquote(body)])
      texts.push(...readings(text))
  }
  charge(raw.length * DECODE_WORK)
  const plain = raw.slice(0, TEXT_MAX * 4).replace(/^[A-Za-z0-9+/=]{60,}\r?$/gm, '')
  return [...texts, ...readings(Buffer.from(plain.slice(0, TEXT_MAX), 'latin1'))]
}

const isText = (encoding: string): boolean => encoding === 'base64' || encoding === 'quoted-printable'

function outlookTexts({ bytes }: Item): string[] {
  const compound = readCompound(bytes)
  const entries = compound?.entries.filter(({ name, size }) => OUTLOOK_TEXT.test(name) && size <= TEXT_MAX) ?? []
  return entries.flatMap((entry) => {
    const data = view(compound?.read(entry).bytes ?? bytes.subarray(0, 0))
    return /001F$/i.test(entry.name) ? [data.toString('utf16le')] : readings(data)
  })
}

/** In UTF-8, or else in the code pages of Western and Cyrillic Windows. */
function readings(bytes: Uint8Array): string[] {
  const text = view(bytes).toString('utf8')
  if (!text.includes('\ufffd')) return [text]
  return ['windows-1252', 'windows-1251'].map((encoding) => new TextDecoder(encoding).decode(bytes))
}
