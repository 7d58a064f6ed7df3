/** Detects PDF encryption and decrypts files that open without a password or with a given one. */

import { createDecipheriv, createHash } from 'node:crypto'
import { rc4 } from '#inspect/core/rc4.ts'
import { readDictionary, referenceAt, skipSpace, valueEnd } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import { isUnfinishedReference } from '../syntax/references.ts'
import { nameExpression, nameOf, numberOf, rawValue, readString, stringOf } from '../syntax/values.ts'
import { isEncryptionDeclared } from './declaration.ts'
import { keyOf, type Protection } from './key.ts'

/** Each may have its own cipher. */
type Part = 'stream' | 'file' | 'string'

export type Decrypt = (object: number, generation: number, data: Uint8Array, part: Part) => Uint8Array

/** `locked`: a password would open it. `closed`: by a certificate, or in a way that is not supported or ambiguous. */
type Access = { state: 'open'; decrypt: Decrypt | null } | { state: 'locked' | 'closed'; detail: string }

const LOCKED: Access = { state: 'locked', detail: 'The PDF is password-protected.' }
const CLOSED: Access = { state: 'closed', detail: 'The PDF is encrypted.' }
/** Characters of a dictionary and of a reference to it. Longer ones count as password-protected. */
export const DICTIONARY_MAX = 16_384
const ENCRYPT = nameExpression('Encrypt')

/** Occurrences of `/Encrypt`. Every update of a file adds one; few files have ten. */
const MENTIONS_MAX = 1000
/** Each requires a key derivation. */
const DICTIONARIES_MAX = 16

/** Every encryption dictionary has to open, because readers may use any of them. */
export function readAccess(objects: PdfObjects, passwords: readonly string[] = []): Access {
  const dictionaries = dictionariesOf(objects)
  if (dictionaries === null) return CLOSED
  const unlocked = new Map<string, Decrypt | null>()
  for (const [dictionary, at] of dictionaries) {
    const access = unlock(objects, dictionary, at, passwords)
    if ('state' in access) return access
    unlocked.set(access.name, access.decrypt)
  }
  if (unlocked.size > 1) return { state: 'closed', detail: 'The PDF declares more than one encryption.' }
  return { state: 'open', decrypt: [...unlocked.values()][0] ?? null }
}

/** Every encryption dictionary with the position of `/Encrypt`. null: one is missing or a limit was exceeded. */
function dictionariesOf(objects: PdfObjects): Map<string, number> | null {
  const dictionaries = new Map<string, number>()
  let mentions = 0
  let isMissing = false
  for (const { index, 0: name } of objects.text.matchAll(ENCRYPT)) {
    const found = targetsAt(objects, index + name.length)
    mentions += 1
    if (mentions > MENTIONS_MAX || found === null) return null
    const encryptions = found.filter(isEncryption)
    if (encryptions.length === 0 && !isNull(found)) isMissing = true
    for (const dictionary of encryptions) dictionaries.set(dictionary, index)
    if (dictionaries.size > DICTIONARIES_MAX) return null
  }
  return isMissing && isEncryptionDeclared(objects) ? null : dictionaries
}

/** The values that `/Encrypt` may have. null: too long or ambiguous. */
function targetsAt({ text, follow }: PdfObjects, at: number): string[] | null {
  const next = text.slice(at, at + DICTIONARY_MAX)
  if (next.length === DICTIONARY_MAX && isUnfinishedReference(next)) return null
  const value = next.slice(skipSpace(next, 0))
  const reference = referenceAt(value, 0)
  if (reference === null) return [value]
  return follow(reference.object)?.map((target) => target.text.slice(target.at, target.at + DICTIONARY_MAX)) ?? null
}

/** Some writers declare `null`. */
function isNull(targets: readonly string[]): boolean {
  return targets.length > 0 && targets.every((target) => target.slice(0, valueEnd(target, 0)) === 'null')
}

/** A text that mentions `/Encrypt` may refer to any object. */
function isEncryption(dictionary: string): boolean {
  if (!dictionary.startsWith('<<')) return false
  const values = readDictionary(dictionary, 0)?.values
  // Unreadable, because it exceeds DICTIONARY_MAX.
  return values === undefined || ['Filter', 'O', 'U', 'CF', 'Recipients'].some((key) => values.has(key))
}

function unlock(
  objects: PdfObjects,
  dictionary: string,
  at: number,
  passwords: readonly string[],
): { name: string; decrypt: Decrypt | null } | Access {
  const protection = readProtection(dictionary, fileId(objects.text, at))
  if (nameOf(dictionary, 'Filter') !== 'Standard' || protection === null) return CLOSED
  const key = firstKey(protection, ['', ...passwords])
  const streams = cipherOf(objects, dictionary, 'StmF')
  const files = nameOf(dictionary, 'EFF') === null ? streams : cipherOf(objects, dictionary, 'EFF')
  const strings = cipherOf(objects, dictionary, 'StrF')
  if (streams === null || files === null || strings === null) return CLOSED
  if (key === null) return LOCKED
  const ciphers = { stream: streams, file: files, string: strings }
  return { name: `${key.toString('hex')} ${JSON.stringify(ciphers)}`, decrypt: decryptWith(key, ciphers) }
}

function firstKey(protection: Protection, passwords: readonly string[]): Buffer | null {
  for (const password of passwords) {
    const key = keyOf(protection, password)
    if (key !== null) return key
  }
  return null
}

const ID = nameExpression('ID')

/** The file identifier is in the same trailer, before or after `/Encrypt`. */
function fileId(text: string, at: number): Buffer {
  const trailers = [text.slice(at, at + DICTIONARY_MAX), text.slice(Math.max(0, at - DICTIONARY_MAX), at), text]
  for (const trailer of trailers) {
    ID.lastIndex = 0
    const found = ID.exec(trailer)
    const value = found === null ? null : trailer.slice(found.index + found[0].length).slice(0, 4096)
    const id = value === null ? null : readString(value.replace(/^\s*(?:\[\s*)?/, ''))
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
    // The unit is bits, but some writers use bytes as in crypt filters.
    keyBytes: [...new Set([length >> 3, length, 16, 5])].filter((bytes) => bytes >= 5 && bytes <= 16),
    owner,
    user,
    ownerKey: stringOf(dictionary, 'OE'),
    userKey: stringOf(dictionary, 'UE'),
    permissions,
    id,
    encryptsMetadata: !/^false\b/.test(rawValue(dictionary, 'EncryptMetadata') ?? ''),
  }
}

type Cipher = 'rc4' | 'aes-128' | 'aes-256' | 'none'

function cipherOf({ resolve }: PdfObjects, dictionary: string, purpose: 'StmF' | 'EFF' | 'StrF'): Cipher | null {
  const version = numberOf(dictionary, 'V') ?? 0
  if (version === 1 || version === 2) return 'rc4'
  if (version !== 4 && version !== 5) return null
  const filter = nameOf(dictionary, purpose) ?? 'Identity'
  if (filter === 'Identity') return 'none'
  const methods: Readonly<Record<string, Cipher>> = { V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256', None: 'none' }
  const [filters, ...others] = resolve(rawValue(dictionary, 'CF') ?? '')
  const [crypt, ...more] = resolve(rawValue(filters?.slice(0, DICTIONARY_MAX) ?? '', filter) ?? '')
  if (crypt === undefined || others.length > 0 || more.length > 0) return null
  return methods[nameOf(crypt.slice(0, DICTIONARY_MAX), 'CFM') ?? ''] ?? null
}

function decryptWith(key: Buffer, ciphers: Readonly<Record<Part, Cipher>>): Decrypt | null {
  if (Object.values(ciphers).every((cipher) => cipher === 'none')) return null
  const last = { name: '', key }
  return (object, generation, data, part) => {
    const cipher = ciphers[part]
    if (cipher === 'none') return data
    if (cipher === 'aes-256') return aes('aes-256-cbc', key, data)
    // Reuses the key of the last object, which may have many strings.
    const name = `${object} ${generation} ${cipher}`
    if (last.name !== name) Object.assign(last, { name, key: objectKey(key, object, generation, cipher) })
    return cipher === 'rc4' ? rc4(last.key, data) : aes('aes-128-cbc', last.key, data)
  }
}

function objectKey(key: Buffer, object: number, generation: number, cipher: Cipher): Buffer {
  const salt = Buffer.from([object, object >> 8, object >> 16, generation, generation >> 8])
  const digest = createHash('md5').update(key).update(salt)
  if (cipher === 'aes-128') digest.update('sAlT')
  return digest.digest().subarray(0, Math.min(16, key.length + 5))
}

function aes(name: string, key: Buffer, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % 16)
  if (whole < 32) return data
  // Keeps the padding, so that a damaged end does not lose the data.
  const cipher = createDecipheriv(name, key, data.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([cipher.update(data.subarray(16, whole)), cipher.final()])
}
