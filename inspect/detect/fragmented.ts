/** Detects items that contain other files only in fragments. */

import type { Item } from '#inspect/core/format.ts'
import { isOle2, isZip } from './sniff.ts'

/**
 * Office streams that split embedded data into records, or overwrite it by other records as Project does. Other streams keep
 * it contiguous.
 */
const STREAMS_OF_RECORDS =
  /^(?:workbook|book|worddocument|data|[01]table|powerpoint document|pictures|visiodocument|var2?data)$/i

/** Compound files store sectors in any order, and some of their streams split embedded data into records. */
export function isFragmented({ bytes, path, parent }: Item): boolean {
  if (isOle2(bytes)) return true
  return parent !== null && isOle2(parent.bytes) && !isZip(bytes) && STREAMS_OF_RECORDS.test(path.at(-1) ?? '')
}
