/** Bytes in objects of the browser: files, answers, streams and keys. */

import { inflatedBytes } from '../inflated.ts'
import { bytesIn, derivedBytes, importedKey, listIn } from './ciphers.ts'
import { textOfBytes } from './functions.ts'
import {
  isComposite,
  isUnknown,
  type ListValue,
  named,
  UNKNOWN,
  type Unknown,
  unknownOf,
  type Value,
} from './values.ts'

/** Objects that are made of bytes, by what makes them. Parts of a file are in a list. */
const MAKERS: ReadonlyMap<string, (args: readonly Value[]) => Uint8Array | null> = new Map([
  ['Response', ([body]: readonly Value[]) => bytesOf(body)],
  ['Blob', ([parts]: readonly Value[]) => joinedParts(parts)],
  ['File', ([parts]: readonly Value[]) => joinedParts(parts)],
  ['crypto.subtle.importKey', importedKey],
  ['crypto.subtle.deriveKey', derivedBytes],
])

/** What an object holds that the host makes. null: not known. */
export function heldBy(name: string, args: readonly Value[]): ListValue | null {
  const bytes = MAKERS.get(name)?.(args) ?? null
  return bytes === null ? null : listIn(bytes)
}

function bytesOf(value: Value): Uint8Array | null {
  return typeof value === 'string' ? Buffer.from(value, 'latin1') : bytesIn(value)
}

function joinedParts(parts: Value): Uint8Array | null {
  if (!isComposite(parts) || parts.kind !== 'list' || parts.any !== undefined) return null
  const found = parts.items.map(bytesOf)
  return found.every((bytes) => bytes !== null) ? Buffer.concat(found) : null
}

/** Members that have the same bytes, and methods that return an object with them. */
const SAME = /\.(?:body|stream|blob|clone|pipeThrough|arrayBuffer|bytes|text|then)$/
const METHOD = /\.(\w+)$/
const UNPACKER = /^DecompressionStream\("(?:gzip|deflate(?:-raw)?)"\)$/

/** The member of an object that holds bytes. */
export function heldMember({ content }: Unknown, value: Value): Value {
  if (content === undefined || !isUnknown(value) || !SAME.test(value.name)) return value
  return unknownOf({ ...value, content })
}

/** What a method of such an object returns. null: not known. */
export function heldResult({ name, content }: Unknown, [arg]: readonly Value[]): Value {
  if (content === undefined) return null
  const method = METHOD.exec(name)?.[1]
  if (method === 'arrayBuffer' || method === 'bytes') return copyOf(content)
  if (method === 'text') return textOfBytes(content)
  if (method !== 'pipeThrough') return unknownOf({ ...named(`${name}()`), content })
  const packed = isUnknown(arg) && UNPACKER.test(arg.name) ? bytesIn(content) : null
  const bytes = packed === null ? null : inflatedBytes(packed.toString('latin1'))
  return bytes === null ? UNKNOWN : unknownOf({ ...named(`${name}()`), content: listIn(bytes) })
}

const copyOf = (list: ListValue): Value => {
  const bytes = bytesIn(list)
  return bytes === null ? UNKNOWN : listIn(bytes)
}
