/** Archive entries that no directory lists: found by their local headers, and looked at like the others. */

import { view } from '../../bytes.ts'
import { inflate } from '../../inflate.ts'
import { decodeName, safeName } from '../../names.ts'
import type { Item, Visit } from '../../visit.ts'
import { isEncrypted, isStreamed } from './entries.ts'
import { ZIP_FINDINGS } from './findings.ts'
import type { Range } from './ranges.ts'
import { type LocalHeader, localHeader } from './records.ts'
import { STORED } from './unpack.ts'

const SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')
const NAME_PLAUSIBLE_MAX = 1024
const VERSION_MAX = 63

/** `noteworthy`: the archive has a directory, so being absent from it means something. */
export function carve(item: Item, ranges: readonly Range[], visit: Visit, noteworthy: boolean): void {
  for (const range of ranges) {
    let from = range.start
    for (let local = next(item.bytes, range, from); local !== null; local = next(item.bytes, range, from)) {
      if (!visit.enter(item)) return
      const name = safeName(decodeName(local.name))
      if (noteworthy) visit.find(item, { ...ZIP_FINDINGS.hidden, detail: null, path: [...item.path, name] })
      from = look(item, local, name, range.end, visit)
    }
  }
}

/** The next local header in a range. */
function next(bytes: Uint8Array, range: Range, from: number): LocalHeader | null {
  for (let at = find(bytes, range, from); at !== -1; at = find(bytes, range, at + 1)) {
    const local = isPlausible(bytes, at) ? localHeader(bytes, at) : null
    if (local !== null && local.dataAt <= range.end) return local
  }
  return null
}

function find(bytes: Uint8Array, { end }: Range, from: number): number {
  return view(bytes.subarray(0, end)).indexOf(SIGNATURE, from)
}

/** Four bytes may be chance, so the version, the method and the length of the name must make sense. */
function isPlausible(bytes: Uint8Array, at: number): boolean {
  const [version = 0, method = 0, nameLow = 0, nameHigh = 0] = [
    bytes[at + 4],
    bytes[at + 8],
    bytes[at + 26],
    bytes[at + 27],
  ]
  if (version > VERSION_MAX || method > 99 || bytes[at + 9] !== 0) return false
  const name = nameLow | (nameHigh << 8)
  return name > 0 && name <= NAME_PLAUSIBLE_MAX && !bytes.subarray(at + 30, at + 30 + name).includes(0)
}

/** Looks at one entry and says where to search on. */
function look(item: Item, local: LocalHeader, name: string, end: number, visit: Visit): number {
  const sized = !isStreamed(local) && local.dataAt + local.packed <= end
  const dataEnd = sized ? local.dataAt + local.packed : end
  const packed = item.bytes.subarray(local.dataAt, dataEnd)
  if (isEncrypted(local)) {
    visit.hinder(item, 'encrypted', 'It is encrypted.', [...item.path, name])
    return sized ? dataEnd : local.dataAt
  }
  if (local.method === STORED) {
    // Without a size its end is unknown; the raw bytes are scanned in any case.
    if (!sized || packed.length === 0) return local.dataAt
    visit.spend(packed.length, 'archive')
    visit.member(item, name, packed)
    return dataEnd
  }
  const inflated = inflate(packed, visit.room(), local.unpacked)
  if (inflated.outcome === 'too_large') {
    visit.spend(visit.room(), 'archive')
    visit.hinder(item, 'too_complex', 'It unpacks to more bytes than are left.', [...item.path, name])
  }
  if (inflated.outcome === 'corrupt' || inflated.outcome === 'too_large') return local.dataAt
  visit.spend(inflated.bytes.length, 'archive')
  visit.member(item, name, inflated.bytes)
  return local.dataAt + inflated.consumed
}
