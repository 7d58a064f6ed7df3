/** Words by which a format recognises that a text may contain it. */

import { ascii } from './bytes.ts'
import type { Literal } from './matcher/matcher.ts'
import { words } from './words.ts'

/** Elements with addresses or scripts. Others cannot make a browser decode anything. */
const ELEMENTS =
  words(`<html <body <script <style <object <embed <applet <iframe <frame <form <button <input <img <image <link
  <meta <base <area <audio <video <source <track <svg <math <table <bgsound <layer <isindex <select <textarea
  <details <marquee <keygen`)

const WORDS = {
  mail: ['content-transfer-encoding'],
  /** A page with its parts, which need no encoding. */
  relatedParts: ['multipart/related'],
  unreadableMail: [
    'multipart/encrypted',
    'enveloped-data',
    'file must be converted',
    'mac-binhex',
    'message/partial',
    '=ybegin ',
  ],
  armor: ['-----begin '],
  base64: ['base64', 'encoding=b'],
  /** Scripts that create files from lists of numbers. */
  bytes: ['charcode', 'codepoint', 'int8array', 'byte[', 'bytes'],
  dataUrl: ['data:'],
  relationship: ['relationship'],
  field: ['instrtext', 'fldsimple', 'ddeservice'],
  entity: ['<!entity'],
  /** A page or drawing in which an escaped `data:` or `base64` has an effect. */
  markup: [...ELEMENTS, 'href', 'formaction', ' src=', '\tsrc=', '\nsrc=', 'xmlns', '<?xml'],
  utf7: ['utf-7'],
  hz: ['hz-gb'],
  iso2022: ['iso-2022', 'csiso2022'],
  /** The most telling words again in UTF-16. They fit both byte orders. */
  wide: ['base64', 'content-transfer', 'binarydata', 'binary-data', 'href', 'xmlns', 'begin ', ...ELEMENTS].map(
    (word) => [...word].join('\0'),
  ),
} as const

export type Keyword = keyof typeof WORDS

const KEYWORDS = Object.keys(WORDS) as Keyword[]

/** Those of marks are below. */
export const keywordId = (keyword: Keyword): number => -1 - KEYWORDS.indexOf(keyword)

export const KEYWORD_LITERALS: readonly Literal[] = KEYWORDS.flatMap((keyword) =>
  WORDS[keyword].map((word) => ({ bytes: ascii(word), id: keywordId(keyword) })),
)
