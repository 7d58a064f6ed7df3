/** Items whose bytes hold other files in fragments. */

import type { Item } from '#inspect/core/format.ts'
import { isOle2, isZip } from './sniff.ts'

/** Streams of Office that hold what they carry in records of some thousand bytes. Others hold it as it is. */
const STREAMS_OF_RECORDS = /^(?:workbook|book|worddocument|data|[01]table|powerpoint document|pictures|visiodocument)$/i

/** Sectors of a compound file are in any order, and some of its streams cut what they carry into records. */
export function isFragmented({ bytes, path, parent }: Item): boolean {
  if (isOle2(bytes)) return true
  return parent !== null && isOle2(parent.bytes) && !isZip(bytes) && STREAMS_OF_RECORDS.test(path.at(-1) ?? '')
}
