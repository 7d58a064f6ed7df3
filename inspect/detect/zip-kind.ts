/** Distinguishes ZIP packages (OOXML, ODF, EPUB) by the names in their directory. */

import { localHeader, readDirectory } from '#inspect/codecs/zip-records.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Kind } from '#inspect/core/kind.ts'
import { decodeName } from '#inspect/core/names.ts'

/** Names that are read. An archive with more entries is too complex anyway. */
export const NAMES_MAX = 10_000
const ODF_TYPE = /^application\/vnd\.(?:oasis\.opendocument|sun\.xml)\./

interface Package {
  kind: Kind
  type: string
}

const ZIP: Package = { kind: 'zip', type: 'application/zip' }
const OOXML_TYPES: readonly (readonly [folder: string, type: string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['visio/', 'application/vnd.ms-visio.drawing'],
]

/** Names in the directory of an archive at the end of these bytes, or null without one. */
export function findEnd(bytes: Uint8Array): { names: string[] } | null {
  const directory = readDirectory(bytes, NAMES_MAX)
  if (directory === null || directory.entries.length === 0) return null
  return { names: directory.entries.map(({ name }) => decodeName(name)) }
}

export function packageOf(names: readonly string[]): Package {
  const lower = names.map((name) => name.toLowerCase().replaceAll('\\', '/').replace(/^\//, ''))
  if (lower.includes('[content_types].xml')) {
    const found = OOXML_TYPES.find(([folder]) => lower.some((name) => name.startsWith(folder)))
    return { kind: 'ooxml', type: found?.[1] ?? 'application/vnd.openxmlformats-package' }
  }
  if (lower.includes('content.xml') && (lower.includes('meta-inf/manifest.xml') || lower.includes('mimetype')))
    return { kind: 'odf', type: 'application/vnd.oasis.opendocument' }
  return ZIP
}

/** OpenDocument and EPUB store their media type first and uncompressed. */
function declaredType(head: Uint8Array): string | null {
  const first = localHeader(head, 0)
  if (first === null || decodeName(first.name) !== 'mimetype') return null
  const data = view(head.subarray(first.dataAt, first.dataAt + 128)).toString('latin1')
  return /^application\/[\w.+-]+?(?=PK|[^\w.+-]|$)/.exec(data)?.[0] ?? null
}

/** For bytes that begin with a ZIP signature. */
export function sniffPackage(head: Uint8Array, whole: Uint8Array): Package {
  const stated = declaredType(head)
  if (stated !== null && ODF_TYPE.test(stated)) return { kind: 'odf', type: stated }
  if (stated === 'application/epub+zip') return { kind: 'zip', type: stated }
  const directory = findEnd(whole)
  if (directory !== null) return packageOf(directory.names)
  const first = localHeader(head, 0)
  return first === null ? ZIP : packageOf([decodeName(first.name)])
}
