/** The address that the text of a link names. */

import { ownerOf } from './signs.ts'
import { webAddress } from './unwrap.ts'

/** Longer texts are no addresses. */
export const SHOWN_TEXT_MAX = 300
/** A picture in Markdown, of which no reader sees the address. */
const PICTURE = /!\[[^[\]]{0,200}\]\([^()]{0,300}\)/g
const WHOLE = /^[<("'[]?((?:https?:\/\/|www\.)[^\s<>"']{4,300})$/i
const INNER = /https?:\/\/[^\s<>"']{4,300}/i
const BARE = /^(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?:\/\S{0,200})?$/i

/** A host with a part in front of its domain. */
const PARTED = /^(?:[a-z0-9-]{1,63}\.){2,6}[a-z]{2,24}(?:\/|$)/i

/** A domain and a page to sign in: no file is named so. */
const SIGN_IN =
  /^[a-z0-9-]{3,63}\.[a-z]{2,24}\/(?:[\w-]{1,40}\/)?(?:log-?in|sign-?in|log-?on|ebanking|banking|webmail)\/?$/i

/** The address that a text names. Without a scheme it may be the name of a file, unless it belongs to a brand. */
export function claimIn(shown: string): { url: URL; isBare: boolean; isTurned: boolean } | null {
  if (shown === '' || shown.length > SHOWN_TEXT_MAX || !shown.includes('.')) return null
  const written = decoded(shown)
  const text = asShown(written).replace(PICTURE, ' ').trim()
  const found = WHOLE.exec(text)?.[1] ?? INNER.exec(text)?.[0] ?? (BARE.test(text) ? text : null)
  if (found === null) return null
  const url = webAddress(/^https?:/i.test(found) ? found : `http://${found}`)
  if (url === null) return null
  const isKnown = WHOLE.test(text) || INNER.test(text) || ownerOf(url.hostname) !== undefined
  return isKnown || PARTED.test(text) || SIGN_IN.test(text)
    ? { url, isBare: !isKnown, isTurned: written.includes(TURNED) }
    : null
}

const TURNED = '\u202e'
const REVERSED = /\u202e([^\u202c\u2069\n]{1,300})[\u202c\u2069]?/g

/** As a reader sees it: what is written from right to left is turned, and characters without a shape are removed. */
function asShown(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text)) return text
  return text
    .replace(REVERSED, (_, turned: string) => [...turned].reverse().join(''))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
}

/** Readers decode texts byte by byte: what is UTF-8 is read as that. */
export function decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const utf8 = Buffer.from(text, 'latin1').toString()
  return utf8.includes('\ufffd') ? text : utf8
}
