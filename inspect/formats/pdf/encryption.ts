/** Finds out whether a PDF is encrypted, and opens it where no password is needed. */

import { createDecipheriv, createHash } from 'node:crypto'
import { keyOf, type Protection } from './key.ts'
import { rc4 } from './rc4.ts'
import { behind, nameExpression, nameOf, numberOf, readString, stringOf } from './syntax.ts'

/** Undoes the encryption of one stream of an object; embedded files may have a way of their own. */
export type Decrypt = (object: number, generation: number, data: Uint8Array, embedded: boolean) => Uint8Array

export type Access = { state: 'open'; decrypt: Decrypt | null } | { state: 'locked'; detail: string }

const LOCKED: Access = { state: 'locked', detail: 'The PDF is protected by a password.' }
const DICTIONARY_MAX = 16_384
const ENCRYPT = nameExpression('Encrypt', '\\s*(?:(\\d+)\\s+(\\d+)\\s+R|<<)')

/** `text` is the whole file as Latin-1. */
export function accessTo(text: string): Access {
  // Each update of a file has a trailer of its own; readers use the last one.
  const found = [...text.matchAll(ENCRYPT)].at(-1)
  if (found === undefined) return { state: 'open', decrypt: null }
  const dictionary =
    found[1] === undefined ? text.slice(found.index, found.index + DICTIONARY_MAX) : objectText(text, found[1])
  if (dictionary === null) return LOCKED
  const filter = nameOf(dictionary, 'Filter')
  // Words in a text about encryption point to something else.
  if (filter === null && found[1] !== undefined && stringOf(dictionary, 'O') === null)
    return { state: 'open', decrypt: null }
  const protection = readProtection(dictionary, fileId(text, found.index))
  if (filter !== 'Standard' || protection === null) return LOCKED
  const key = keyOf(protection)
  const streams = cipherOf(text, dictionary, 'StmF')
  const files = nameOf(dictionary, 'EFF') === null ? streams : cipherOf(text, dictionary, 'EFF')
  if (key === null || streams === null || files === null) return LOCKED
  return { state: 'open', decrypt: decryptWith(key, streams, files) }
}

function objectText(text: string, number: string): string | null {
  const at = [...text.matchAll(new RegExp(`(?<![0-9])${number}\\s+\\d+\\s+obj\\b`, 'g'))].at(-1)?.index
  if (at === undefined) return null
  const object = text.slice(at, at + DICTIONARY_MAX)
  const end = /\bendobj\b/.exec(object)
  return end === null ? object : object.slice(0, end.index)
}

/** The identifier of the file stands in the same trailer, before or after. */
function fileId(text: string, at: number): Buffer {
  const trailers = [text.slice(at, at + DICTIONARY_MAX), text.slice(Math.max(0, at - DICTIONARY_MAX), at), text]
  for (const trailer of trailers) {
    const value = behind(trailer, 'ID')
    const id = value === null ? null : readString(value.slice(0, 4096).replace(/^\[\s*/, ''))
    if (id !== null) return id
  }
  return Buffer.alloc(0)
}

function readProtection(dictionary: string, id: Buffer): Protection | null {
  const revision = numberOf(dictionary, 'R')
  const owner = stringOf(dictionary, 'O')
  const user = stringOf(dictionary, 'U')
  const permissions = numberOf(dictionary, 'P')
  if (revision === null || owner === null || user === null || permissions === null) return null
  if (revision < 2 || revision > 6) return null
  const length = numberOf(dictionary, 'Length') ?? 40
  return {
    revision,
    // In a crypt filter the length counts bytes, and some writers carry that over.
    keyBytes: [...new Set([length >> 3, length, 16, 5])].filter((bytes) => bytes >= 5 && bytes <= 16),
    owner,
    user,
    ownerKey: stringOf(dictionary, 'OE'),
    userKey: stringOf(dictionary, 'UE'),
    permissions,
    id,
    encryptsMetadata: !/^false\b/.test(behind(dictionary, 'EncryptMetadata') ?? ''),
  }
}

type Cipher = 'rc4' | 'aes-128' | 'aes-256' | 'none'

function cipherOf(text: string, dictionary: string, purpose: 'StmF' | 'EFF'): Cipher | null {
  const version = numberOf(dictionary, 'V') ?? 0
  if (version === 1 || version === 2) return 'rc4'
  if (version !== 4 && version !== 5) return null
  const filter = nameOf(dictionary, purpose) ?? 'Identity'
  if (filter === 'Identity') return 'none'
  const methods: Readonly<Record<string, Cipher>> = { V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256', None: 'none' }
  const filters = resolve(text, behind(dictionary, 'CF'))
  const crypt = filters === null ? null : resolve(text, behind(filters, filter))
  return crypt === null ? null : (methods[nameOf(crypt, 'CFM') ?? ''] ?? null)
}

/** A value, or the object that it refers to. */
function resolve(text: string, value: string | null): string | null {
  const reference = value === null ? null : /^(\d+)\s+\d+\s+R\b/.exec(value)
  return reference?.[1] === undefined ? value : objectText(text, reference[1])
}

function decryptWith(key: Buffer, streams: Cipher, files: Cipher): Decrypt | null {
  if (streams === 'none' && files === 'none') return null
  return (object, generation, data, embedded) => {
    const cipher = embedded ? files : streams
    if (cipher === 'none') return data
    if (cipher === 'aes-256') return aes('aes-256-cbc', key, data)
    const salt = Buffer.from([object, object >> 8, object >> 16, generation, generation >> 8])
    const digest = createHash('md5').update(key).update(salt)
    if (cipher === 'aes-128') digest.update('sAlT')
    const objectKey = digest.digest().subarray(0, Math.min(16, key.length + 5))
    return cipher === 'rc4' ? rc4(objectKey, data) : aes('aes-128-cbc', objectKey, data)
  }
}

function aes(name: string, key: Buffer, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % 16)
  if (whole < 32) return data
  // The padding is left on: it does no harm, and a damaged end must not cost the rest.
  const cipher = createDecipheriv(name, key, data.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([cipher.update(data.subarray(16, whole)), cipher.final()])
}
