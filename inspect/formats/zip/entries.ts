/** Combines directory entries with their local headers. */

import { type CentralEntry, type Directory, type LocalHeader, localHeader } from '#inspect/codecs/zip-records.ts'
import { view } from '#inspect/core/bytes.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'

export interface Entry {
  name: string
  central: CentralEntry
  /** null: the directory points to no local header. */
  local: LocalHeader | null
  /** From the local header to the end of the data. */
  start: number
  end: number
  encrypted: boolean
  /** Description of a contradiction between directory and local header. */
  conflict: string | null
}

const ENCRYPTED = 1
const STREAMED = 8
const STRONGLY_ENCRYPTED = 0x40
const MASKED = 0x2000
/** Of WinZip; the compression method is in an extra field. */
export const AES_METHOD = 99
/** WinZip AES, and the methods of protected iWork documents. */
const ENCRYPTED_METHODS = new Set([AES_METHOD, 25_451, 25_452])

export function readEntry(bytes: Uint8Array, central: CentralEntry, { end }: Directory): Entry {
  const local = localHeader(bytes, central.localAt) ?? localHeader(bytes, central.localAt - end.base)
  const dataEnd = local === null ? central.localAt : local.dataAt + central.packed
  return {
    name: safeName(decodeName(central.name)),
    central,
    local,
    start: local?.at ?? central.localAt,
    end: dataEnd,
    encrypted: isEncrypted(central) || (local !== null && isEncrypted(local)),
    conflict: conflict(bytes, central, local, dataEnd),
  }
}

export function isEncrypted({ flags, method }: { flags: number; method: number }): boolean {
  return (flags & (ENCRYPTED | STRONGLY_ENCRYPTED | MASKED)) !== 0 || ENCRYPTED_METHODS.has(method)
}

/** Encrypted by ZipCrypto, as all programs support it. */
export function isTraditional({ flags, method }: { flags: number; method: number }): boolean {
  return (flags & (ENCRYPTED | STRONGLY_ENCRYPTED | MASKED)) === ENCRYPTED && !ENCRYPTED_METHODS.has(method)
}

/** Sizes follow the data, and the header may have zeros. */
export function isStreamed({ flags }: { flags: number }): boolean {
  return (flags & STREAMED) !== 0
}

function conflict(bytes: Uint8Array, central: CentralEntry, local: LocalHeader | null, dataEnd: number): string | null {
  if (local === null) return 'The archive directory points to a missing entry.'
  if (dataEnd > bytes.length) return 'Its data extends past the end of the archive.'
  if (local.method !== central.method) return 'The directory and the entry declare different compression methods.'
  if (isEncrypted(local) !== isEncrypted(central)) return 'The directory and the entry disagree on encryption.'
  const unknown = isStreamed(local) || isStreamed(central) || isMasked(local)
  if (differs(local.packed, central.packed, unknown) || differs(local.unpacked, central.unpacked, unknown))
    return 'The directory and the entry declare different sizes.'
  return null
}

function isMasked({ flags }: { flags: number }): boolean {
  return (flags & MASKED) !== 0
}

function differs(local: number, central: number, unknown: boolean): boolean {
  // Some programs set all bits instead of zero in streamed ZIP64 entries.
  return local !== central && !(unknown && (local === 0 || local === 0xffffffff))
}

export function otherName({ central, local }: Entry): string | null {
  if (local === null || isMasked(local) || view(central.name).equals(view(local.name))) return null
  return safeName(decodeName(local.name))
}

export function leavesFolder(name: string): boolean {
  const path = name.replaceAll('\\', '/')
  return /^\/|^[a-z]:/i.test(path) || path.split('/').includes('..')
}

export function isLink({ mode }: CentralEntry): boolean {
  return (mode & 0xf000) === 0xa000
}
