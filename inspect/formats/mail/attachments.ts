/** Judges the files attached to a mail by their names and content. */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeFile } from '#inspect/judge/files.ts'

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

/** `path`: of the attachment, if it is a member. */
export function judgeAttachment(
  item: Item,
  name: string,
  bytes: Uint8Array,
  context: Context,
  path: readonly string[] = [...item.path, safeName(name)],
): void {
  const shown = shownName(name)
  const { isDangerous, disguise } = judgeFile(shown, bytes)
  context.addFinding(item, { ...MAIL.attachment, detail: null })
  if (isDangerous) context.addFinding(item, { ...MAIL.program, detail: safeName(shown), path })
  else if (disguise !== null) context.addFinding(item, { ...MAIL.disguise, detail: safeName(shown), path })
}

const NAME_HEADER =
  /^(?:content-(?:type|disposition):[^\r\n]{0,400}?\b|[ \t]+)(?:file)?name\*?\s*=\s*(?:"([^"\r\n]{1,400})"|([^\s;"]{1,400}))/gim
const EMPTY = new Uint8Array()
const NAME_WORK = 3_000

/** Attachments that are not encoded are no members: their names alone are judged. */
export const attachmentNames: Format = {
  applies: ({ sniffed }) => sniffed.type === 'message/rfc822',
  analyse(item, context) {
    for (const [, quoted, bare = ''] of view(item.bytes).toString('latin1').matchAll(NAME_HEADER)) {
      charge(NAME_WORK)
      judgeAttachment(item, quoted ?? bare, EMPTY, context, item.path)
    }
  },
}
