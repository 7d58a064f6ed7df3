/** Deceptive addresses in plain texts, Markdown, exported chats and the text of mails. Lists of addresses, code and reports are not judged. */

import { unfolded } from '#inspect/codecs/cards.ts'
import { withoutEscapes } from '#inspect/codecs/json-escapes.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import { addressesIn, linksWithText } from '#inspect/judge/deception/written.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import { SCRIPT_LANGUAGES, SOURCE_FILES } from '#inspect/windows/extensions.ts'

const WEB = mark(['http://', 'https://'], { ignoresCase: true })
/** A longer text is no message. */
export const MESSAGE_MAX = 20_000
/** Code and settings name servers that nobody opens. */
const SOURCES = [
  ...SOURCE_FILES,
  ...SCRIPT_LANGUAGES.flatMap(([, names]) => names),
  'json',
  'xml',
  'log',
  'list',
  'lst',
]
const SOURCE = new RegExp(String.raw`\.(?:${SOURCES.join('|')})$|^hosts$`, 'i')
/** Texts about deception quote it. */
const ABOUT =
  /phish|spoof|homograph|homoglyph|typo-?squat|look-?alike|punycode|defang|block-?list|black-?list|malware|indicators? of compromise|\bIOCs?\b|threat intel|hxxps?:|\bfake (?:site|domain|page|address)|gefälscht|hameçonnage|suplanta/i

/** Names of hosts say nothing about the text. */
const ADDRESS = /https?:\/\/[^\s<>"']{1,500}/gi

export const textLinks: Format = {
  among: { marks: [WEB] },
  applies: (item) => item.has(WEB) && (isText(item) || isMail(item) || isJson(item)),
  analyse(item, context) {
    const text = isMail(item) ? bodyOf(item) : isJson(item) ? saidIn(item) : textOf(item)
    const isMessage = isMail(item) || (item.parent !== null && isMail(item.parent)) || isJson(item) || isChat(text)
    if (text === '' || ABOUT.test(text.replace(ADDRESS, ' '))) return
    const deception = createDeceptionJudge(item, context, {
      trustsText: isMessage,
      needsStrong: !isMessage || isJson(item),
      ...(isMessage && { about: () => shownText(text.replace(ADDRESS, ' '), true) }),
    })
    for (const { target, shown } of linksWithText(text)) deception.add(target, shown)
    for (const address of (text.length > MESSAGE_MAX ? null : addressesIn(text)) ?? []) deception.add(address)
    deception.finish()
  },
}

/** Lines with a time and a name: `[12/03/2026, 10:01] Anna: hello`. */
const SAID = /^[\u200e\ufeff]?\[?\d{1,4}[./:-]\d{1,2}[^\n:\]]{0,20}[\d:]{2,9}[^\n\]]{0,6}(?:\]| -|,)? ?[^\n:]{1,60}: /gm
const CHAT_MAX = 20_000

function isChat(text: string): boolean {
  const lines = text.slice(0, CHAT_MAX).trim().split('\n')
  return lines.length > 1 && (text.slice(0, CHAT_MAX).match(SAID)?.length ?? 0) * 2 >= lines.length
}

const isJson = ({ sniffed }: Item): boolean => sniffed.type === 'application/json'

/** Keys of what programs for chats export: when, who, and what. */
const KEYS = [
  /"(?:ts|timestamp|timestamp_ms|date|created_?at|createdDateTime|sent_at|time)"\s?:/i,
  /"(?:user|username|user_name|from|sender|sender_name|author|displayName|nick|role)"\s?:|"messageType"\s?:/i,
  /"(?:text|body|content|message|messages)"\s?:/i,
]

/** The text of a chat; '' if it is none. */
function saidIn(item: Item): string {
  const text = textOf(item)
  if (KEYS.every((key) => key.test(text))) return withoutEscapes(text)
  // A time in brackets looks like a list.
  return isChat(text) ? text : ''
}

const isMail = ({ sniffed }: Item): boolean => sniffed.type === 'message/rfc822'

function isText({ sniffed, name, path, parent }: Item): boolean {
  const isInDocument = parent !== null && parent.sniffed.kind !== 'text' && parent.sniffed.kind !== 'zip'
  return sniffed.type === 'text/plain' && !SOURCE.test(name ?? path.at(-1) ?? '') && !isInDocument
}

/** A table of links is read up to here. */
const TEXT_MAX = 500_000

function textOf({ bytes }: Item): string {
  return unfolded(decodeText(bytes.subarray(0, TEXT_MAX), encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'))
}

const TAG = /<(?!https?:\/\/)[^<>]{0,20000}>/g
const GAP = /\r?\n\r?\n/
/** Lines of headers, boundaries and Base64. */
const NO_TEXT =
  /^(?:(?:content-[\w-]{1,40}|mime-version|x-[\w-]{1,60}):[^\n]{0,2000}|--[^\n]{0,200}|[A-Za-z0-9+/=]{40,200}\r?)$/gim

/** Text of the parts that are not encoded: the others are members. Addresses of pages are judged with the pages. */
function bodyOf({ bytes }: Item): string {
  const source = view(bytes.subarray(0, TEXT_MAX)).toString()
  const start = GAP.exec(source)?.index ?? 0
  return source.slice(start).replace(NO_TEXT, '').replace(TAG, ' ')
}
