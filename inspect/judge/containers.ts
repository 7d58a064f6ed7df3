/** Tells files that were packed from those that are part of a document. */

import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { AS_UTF8 } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { roleOf } from '#inspect/detect/magic.ts'

/** Everything around the item is an archive without a purpose of its own. The document itself is in none. */
export function isPlainlyPacked(item: Item): boolean {
  return isWithin(item, (type) => roleOf(type) === 'archive')
}

/** The same, or in a mail. */
export function isPackedOrMailed(item: Item): boolean {
  return isWithin(item, (type) => type === 'message/rfc822' || roleOf(type) === 'archive')
}

function isWithin(item: Item, isPlain: (type: Item['sniffed']['type']) => boolean): boolean {
  for (let [inner, outer] = [item, item.parent]; outer !== null; [inner, outer] = [outer, outer.parent]) {
    // Another encoding of a text is around nothing.
    const isAround = inner.path.at(-1) !== AS_UTF8
    if (isAround && outer.sniffed.kind !== 'zip' && !isPlain(outer.sniffed.type) && !isSoftware(outer)) return false
  }
  return true
}

const PACKAGE = 'application/vnd.openxmlformats-package'
/** The description of a library for .NET, or of an extension of Visual Studio, in the directory of the package. */
const DESCRIPTIONS = ['.nuspec', 'extension.vsixmanifest'].map((name) => Buffer.from(name))

/** Software in the packages of Office, with no document in it. */
function isSoftware({ sniffed, bytes }: Item): boolean {
  if (sniffed.type !== PACKAGE) return false
  charge(bytes.length)
  return DESCRIPTIONS.some((name) => view(bytes).includes(name))
}
