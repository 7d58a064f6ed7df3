/** Functions of the language that scripts use to build texts and bytes. The caller charges for what they read. */

import { inflatedBytes } from '../inflated.ts'
import { spend, store } from './budget.ts'
import { bytesIn, decrypted, derivedBytes, digested, listIn } from './ciphers.ts'
import { newPattern } from './patterns.ts'
import { PIECE_BYTES } from './search.ts'
import {
  bufferOf,
  CUT,
  CUT_NUMBER,
  combine,
  type Invoke,
  ITEM_BYTES,
  ITEMS_MAX,
  isAlternatives,
  isComposite,
  isKnown,
  isLossy,
  isPlainChoice,
  isRecord,
  isUnknown,
  join,
  listOf,
  numberOf,
  recordOf,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

type Builtin = (args: Value[], invoke: Invoke) => Value

const ITEM_WORK = 20
const CHARACTER_WORK = 8

const numberAt = (args: readonly Value[], i: number): number | undefined =>
  args[i] === undefined ? undefined : numberOf(args[i])
const textAt = (args: readonly Value[], i: number): string => textOf(args[i]) ?? ''

const MATH = ['floor', 'ceil', 'round', 'abs', 'pow', 'min', 'max', 'sqrt', 'trunc'] as const
/** Arguments of one call that the engine takes at once. */
const ARGUMENTS_MAX = 10_000

/** Functions that put their arguments into a list, or call them. */
export const STORING = /^(?:\w*Array(?:\.\w+)?|ArrayBuffer)$/

export const FUNCTIONS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['String.fromCharCode', (args) => fromCodes(args, String.fromCharCode)],
  ['String.fromCodePoint', (args) => fromCodes(args, safeFromCodePoint)],
  ['String', ([value = '']) => textOf(value) ?? value],
  ['Number', ([value]) => numberOf(value)],
  ['Boolean', ([value]) => (isComposite(value) ? (isUnknown(value) ? UNKNOWN : true) : Boolean(value))],
  [
    'parseInt',
    (args) => (isUnknown(args[0]) ? unknownNumber(args) : Number.parseInt(textAt(args, 0), numberAt(args, 1))),
  ],
  ['parseFloat', (args) => (isUnknown(args[0]) ? unknownNumber(args) : Number.parseFloat(textAt(args, 0)))],
  ['isNaN', ([value]) => (isUnknown(value) ? UNKNOWN : Number.isNaN(numberOf(value)))],
  ['unescape', decoder(unescaped, PIECE_BYTES)],
  ['escape', decoder((text) => text)],
  ['decodeURIComponent', decoder(percentDecoded, PIECE_BYTES)],
  ['decodeURI', decoder(percentDecoded, PIECE_BYTES)],
  // Addresses stay legible.
  ['encodeURI', ([value]) => value],
  ['encodeURIComponent', ([value]) => value],
  ['atob', decoder((text) => Buffer.from(text, 'base64').toString('latin1'))],
  // Unpacks for shells.
  ['sh_inflate', decoder((text) => inflatedBytes(text)?.toString('latin1') ?? '')],
  // Scripts code other letters as UTF-8 first, which is not followed.
  ['btoa', decoder((text) => Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8').toString('base64'))],
  ['Object.create', ([parent]) => ({ ...recordOf(new Map()), ...(isRecord(parent) && { parent }) })],
  ['Promise.resolve', ([value]) => value],
  ['Array', array],
  ['Array.of', (args) => listOf(args)],
  ['Array.from', arrayFrom],
  ['RegExp', ([source, flags]) => newPattern(source, flags)],
  // Streams of PDF readers.
  ['util.streamFromString', ([text]) => text],
  ['util.stringFromStream', readerText],
  ['SOAP.stringFromStream', readerText],
  ['SOAP.streamFromString', ([text]) => text],
  ['SOAP.streamDecode', readerText],
  ['util.byteToChar', (args) => fromCodes(args, String.fromCharCode)],
  ['Buffer.from', (args) => bufferFrom(args)],
  ['Buffer.concat', ([list]) => joinedBuffers(list)],
  ['TextEncoder().encode', ([text]) => bytesOf([text])],
  ['TextDecoder().decode', ([bytes]) => textOfBytes(bytes)],
  ['crypto.subtle.decrypt', decrypted],
  ['crypto.subtle.digest', digested],
  ['crypto.subtle.deriveBits', (args) => listOr(derivedBytes(args))],
  // Libraries of a server.
  ...['pako.inflate', 'pako.ungzip', 'pako.inflateRaw', 'fflate.decompressSync', 'fflate.gunzipSync'].map(
    (name): [string, Builtin] => [name, ([packed]) => listOr(unpacked(packed))],
  ),
  ...['Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'ArrayBuffer'].flatMap((name) => [
    [name, typed] as const,
    [`${name}.from`, arrayFrom] as const,
    [`${name}.of`, (args: Value[]) => listOf(args, true)] as const,
  ]),
  ...MATH.map((name): [string, Builtin] => [`Math.${name}`, (args) => math(name, args)]),
])

const listOr = (bytes: Uint8Array | null): Value => (bytes === null ? UNKNOWN : listIn(bytes))

function unpacked(packed: Value): Uint8Array | null {
  const bytes = bytesIn(packed)
  return bytes === null ? null : inflatedBytes(bytes.toString('latin1'))
}

function unknownNumber(args: readonly Value[]): Value {
  return args.some(isLossy) ? CUT_NUMBER : UNKNOWN
}

function math(name: (typeof MATH)[number], args: readonly Value[]): Value {
  if (args.some(isUnknown)) return unknownNumber(args)
  if (args.length > ARGUMENTS_MAX) return CUT
  const numbers = args.map(numberOf)
  return (Math[name] as (...numbers: number[]) => number)(...numbers)
}

/** `bytes`: memory for each character while it is decoded. */
function decoder(decode: (text: string) => string, bytes = 1): Builtin {
  return ([value]) => {
    const text = textOf(value)
    if (text === null) return isLossy(value) ? CUT : UNKNOWN
    spend(text.length * CHARACTER_WORK)
    store(text.length * bytes)
    return decode(text)
  }
}

const UNICODE = /%u([\da-f]{4})|%([\da-f]{2})/gi

function unescaped(text: string): string {
  return text.replace(UNICODE, (_, four?: string, two?: string) =>
    String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
  )
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return unescaped(text)
  }
}

function fromCodes(args: readonly Value[], convert: (code: number) => string): Value {
  const length = args.reduce(
    (sum: number, arg) => sum + (isComposite(arg) && arg.kind === 'list' ? arg.items.length : 1),
    0,
  )
  spend(length * ITEM_WORK)
  store(length * PIECE_BYTES)
  const codes = args.flatMap((arg) => (isComposite(arg) && arg.kind === 'list' ? arg.items : [arg]))
  if (codes.some(isUnknown)) return codes.some(isLossy) ? CUT : UNKNOWN
  return combine(codes, (numbers) => numbers.map((code) => convert(numberOf(code))).join(''))
}

function safeFromCodePoint(code: number): string {
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function array(args: Value[]): Value {
  const [length] = args
  if (args.length !== 1 || typeof length !== 'number') return listOf(args)
  return filled(length, undefined, false)
}

function filled(length: number, value: Value, isTyped: boolean): Value {
  if (!Number.isInteger(length) || length < 0) return UNKNOWN
  if (length > ITEMS_MAX) return CUT
  spend(length * ITEM_WORK)
  store(length * ITEM_BYTES)
  return listOf(Array<Value>(length).fill(value), isTyped)
}

function typed([source]: Value[]): Value {
  if (typeof source === 'number') return filled(source, 0, true)
  if (!isComposite(source) || source.kind !== 'list') return UNKNOWN
  store(source.items.length * ITEM_BYTES)
  return listOf([...source.items], true)
}

function arrayFrom([source, callee]: Value[], invoke: Invoke): Value {
  const items = itemsOf(source)
  if (items === null) return UNKNOWN
  spend(items.length * ITEM_WORK)
  store(items.length * ITEM_BYTES)
  return listOf(callee === undefined ? [...items] : items.map((item, i) => invoke(callee, [item, i])))
}

/** null: not known. */
export function itemsOf(source: Value): readonly Value[] | null {
  if (typeof source === 'string') {
    spend(source.length * ITEM_WORK)
    store(source.length * PIECE_BYTES)
    return [...source]
  }
  if (!isComposite(source)) return null
  if (source.kind === 'list') return source.items
  const length = source.kind === 'record' ? source.cells.get('length') : undefined
  if (typeof length !== 'number' || !(length <= ITEMS_MAX)) return null
  const count = Math.max(0, Math.floor(length))
  spend(count * ITEM_WORK)
  store(count * ITEM_BYTES)
  return Array<Value>(count).fill(undefined)
}

/** Of a list that is not known, one item that may be any. */
export function spreadOf(source: Value): readonly Value[] {
  const items = itemsOf(source)
  if (items !== null) return items
  if (!isAlternatives(source) || !isPlainChoice(source))
    return [isAlternatives(source) || isLossy(source) ? CUT : UNKNOWN]
  const known = source.values.find(isKnown)
  return itemsOf(known)?.map((item) => join(item, UNKNOWN)) ?? [UNKNOWN]
}

const ENCODINGS: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'latin1',
  'binary',
  'utf8',
  'utf-8',
  'ascii',
  'base64url',
])

/** Encodings of bytes as text, as this evaluator reads it. */
function bufferFrom(args: readonly Value[]): Value {
  const bytes = bytesOf(args)
  if (!isComposite(bytes) || bytes.kind !== 'list') return bytes
  spend(bytes.items.length * ITEM_WORK)
  store(bytes.items.length * ITEM_BYTES)
  const buffer = bufferOf([...bytes.items])
  return bytes.any === undefined ? buffer : Object.assign(buffer, { any: bytes.any })
}

function joinedBuffers(list: Value): Value {
  if (!isComposite(list) || list.kind !== 'list' || list.any !== undefined) return UNKNOWN
  const parts = list.items.map((item) => (isComposite(item) && item.kind === 'list' ? item.items : null))
  if (parts.includes(null)) return UNKNOWN
  const length = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0)
  if (length > ITEMS_MAX) return CUT
  spend(length * ITEM_WORK)
  store(length * ITEM_BYTES)
  return bufferOf(parts.flatMap((part) => part ?? []))
}

function bytesOf([source, encoding]: readonly Value[]): Value {
  if (isComposite(source)) return source.kind === 'list' ? source : UNKNOWN
  const name = encoding === undefined ? 'utf8' : (textOf(encoding) ?? '')
  if (!ENCODINGS.has(name)) return UNKNOWN
  const text = textOf(source) ?? ''
  // At most three bytes for each character.
  spend(text.length * ITEM_WORK)
  store(text.length * 3)
  const bytes = Buffer.from(text, name as BufferEncoding)
  if (bytes.length > ITEMS_MAX) return CUT
  spend(bytes.length * ITEM_WORK)
  store(bytes.length * ITEM_BYTES)
  return listOf([...bytes], true)
}

/** Text of a stream, with the name of an encoding. */
function readerText([stream, encoding]: Value[]): Value {
  const text = textOf(stream)
  if (text === null) return UNKNOWN
  const name = encoding === undefined ? '' : (textOf(encoding) ?? '')
  spend(text.length * CHARACTER_WORK)
  store(text.length)
  return /^(?:base64|hex)$/i.test(name)
    ? Buffer.from(text, name.toLowerCase() as BufferEncoding).toString('latin1')
    : text
}

export function textOfBytes(value: Value, encoding: Value = 'utf8'): Value {
  if (!isComposite(value) || value.kind !== 'list') return UNKNOWN
  spend(value.items.length * ITEM_WORK)
  store(value.items.length)
  if (isLossy(value.any) || value.items.some((item) => isAlternatives(item) || isLossy(item))) return CUT
  const name = textOf(encoding) ?? ''
  if (!ENCODINGS.has(name)) return UNKNOWN
  return Buffer.from(value.items.map(numberOf)).toString(name as BufferEncoding)
}
