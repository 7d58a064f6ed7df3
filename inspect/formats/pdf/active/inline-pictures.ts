/** Pictures that are written in the content of a PDF page, between BI and EI. */

import { charge } from '#inspect/core/work.ts'
import { filterChains } from '../streams/filter-chains.ts'
import { decode } from '../streams/filters.ts'
import { createRecoveryBudget } from '../streams/flate.ts'
import type { PdfObjects } from '../syntax/objects.ts'

type Values = ReadonlyMap<string, readonly string[]>

interface InlinePicture {
  values: Values
  bytes: Uint8Array
}

/** Of a page and its forms. */
export const INLINE_MAX = 24
/** Bytes of one that is unpacked. */
const INLINE_BYTES_MAX = 4_000_000
const CHARACTER_WORK = 4

/** With a table of colours. Another beginning ends it. */
const PICTURE = /(?<!\S)BI\s((?:(?!\sBI\s)[\s\S]){1,3000}?)\sID\s/g
const END = /\sEI(?=\s|$)/g
const ENTRY = /\/(\w{1,20})\s{0,9}(\[[^[\]]{0,2500}\]|\/[\w.-]{1,40}|\(?[^\s/[\]()]{1,20})/g
const NAMES: Readonly<Record<string, string>> = {
  W: 'Width',
  H: 'Height',
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  F: 'Filter',
  DP: 'DecodeParms',
  IM: 'ImageMask',
}

export function* inlinePictures(content: string, objects: PdfObjects): Generator<InlinePicture> {
  if (!content.includes('BI') || !content.includes('EI')) return
  charge(content.length * CHARACTER_WORK)
  const recovery = createRecoveryBudget()
  for (const { 0: head, 1: text = '', index } of content.matchAll(PICTURE).take(INLINE_MAX)) {
    const start = index + head.length
    END.lastIndex = start
    const end = END.exec(content)?.index ?? content.length
    const values = new Map<string, string[]>()
    for (const [, key = '', value = ''] of text.matchAll(ENTRY))
      if (!(key === 'IM' && value !== 'true')) values.set(NAMES[key] ?? key, [value])
    const [chain = []] = filterChains(values, objects)
    if (typeof chain === 'string') continue
    const decoded = decode(Buffer.from(content.slice(start, end), 'latin1'), null, chain, INLINE_BYTES_MAX, recovery)
    if (decoded !== 'too_large') yield { values, bytes: decoded.bytes }
  }
}
