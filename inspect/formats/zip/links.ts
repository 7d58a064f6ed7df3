/** Tells whether a symbolic link in an archive leads out of it. Archives of sources have many that do not. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'

/** Longer paths are none. */
export const LINK_MAX = 4_096
/** Folders within each other, of which archives have fewer. */
export const FOLDERS_MAX = 64

/** Steps back come first, because a folder in the middle of a path may be a link to elsewhere. */
const PATH = /^(?:(?:\.{1,2})(?:\/|$))*(?:(?!\.{1,2}(?:\/|$))[^/\0\\]+(?:\/|$))*$/

/** `content`: the path that the link leads to; null if it is unknown. `links`: the names of all links in the archive. */
export function staysInside(name: string, content: Uint8Array | null, links: ReadonlySet<string>): boolean {
  if (content === null || content.length === 0 || content.length > LINK_MAX) return false
  const target = view(content).toString('latin1')
  const folders = name.split('/', FOLDERS_MAX + 1).slice(0, -1)
  if (folders.length === FOLDERS_MAX) return false
  charge(name.length * FOLDERS_MAX)
  const isThroughLink = folders.some((_, i) => links.has(folders.slice(0, i + 1).join('/')))
  if (isThroughLink || !PATH.test(target) || /^[a-z]:/i.test(target)) return false
  return target.split('/').filter((step) => step === '..').length <= folders.length
}
