/** Values of Python expressions, and the functions that make texts of others. */

import { charge, keep } from '#inspect/core/work.ts'

/** `name`: a module, function or object by its full name; `self`: the text whose method it is. null: not known. */
export type Value =
  | { text: string }
  | { number: number }
  | { items: readonly Value[] }
  | { name: string; self?: string }
  | null

const TEXT_MAX = 1_000_000
const CHARACTERS_MAX = 50_000

/** A list of texts counts as a command line. */
export function textOf(value: Value | undefined): string | null {
  if (!value) return null
  if ('text' in value) return value.text
  if (!('items' in value)) return null
  const words = value.items.map(textOf)
  return words.includes(null) ? null : words.join(' ')
}

export const nameOf = (value: Value | undefined): string | null => (value && 'name' in value ? value.name : null)

const known = (text: string | null): Value => (text === null || text.length > TEXT_MAX ? null : { text })

export function memberOf(value: Value, name: string): Value {
  if (value === null || 'items' in value) return { name: `.${name}` }
  if ('text' in value) return { name: `.${name}`, self: value.text }
  if ('number' in value) return null
  return { name: /^(?:builtins|__builtins__)$/.test(value.name) ? name : `${value.name}.${name}` }
}

export function sumOf(left: Value, right: Value): Value {
  if (left === null || right === null) return null
  if ('text' in left && 'text' in right) {
    charge(Math.min(left.text.length, right.text.length) + 1)
    return left.text.length + right.text.length > TEXT_MAX ? null : known(left.text + right.text)
  }
  return 'number' in left && 'number' in right ? { number: left.number + right.number } : null
}

export const reversed = (text: string): string => [...text].reverse().join('')

function charactersOf(values: readonly Value[]): string | null {
  const codes = values.slice(0, CHARACTERS_MAX).map((item) => (item && 'number' in item ? item.number : Number.NaN))
  return codes.every((code) => code >= 0 && code <= 0x10ffff) ? String.fromCodePoint(...codes) : null
}

const itemsOf = (value: Value | undefined): readonly Value[] | null => (value && 'items' in value ? value.items : null)
const decoded = (text: string | null, encoding: BufferEncoding): string | null =>
  text && Buffer.from(encoding === 'hex' ? text.replace(/\s/g, '') : text, encoding).toString()

type Fold = (given: readonly Value[]) => string | null

const toText: Fold = ([first]) => {
  const items = itemsOf(first)
  return items === null ? textOf(first) : charactersOf(items)
}
const fromBase64: Fold = ([first]) => decoded(textOf(first), 'base64')
const fromHex: Fold = ([first]) => decoded(textOf(first), 'hex')

const FUNCTIONS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  ['chr', (given) => charactersOf(given)],
  ['str', toText],
  ['bytes', toText],
  ['bytearray', toText],
  ['list', ([first]) => textOf(first)],
  ['reversed', ([first]) => (first && 'text' in first ? reversed(first.text) : null)],
  ['map', ([first, second]) => (nameOf(first) === 'chr' ? charactersOf(itemsOf(second) ?? [null]) : null)],
  ['base64.b64decode', fromBase64],
  ['base64.urlsafe_b64decode', fromBase64],
  ['bytes.fromhex', fromHex],
  ['bytearray.fromhex', fromHex],
  ['binascii.unhexlify', fromHex],
  ['binascii.a2b_hex', fromHex],
  ['codecs.decode', ([first, second]) => decodedAs(textOf(first), textOf(second) ?? '')],
])

function decodedAs(text: string | null, encoding: string): string | null {
  if (/^rot_?13$/i.test(encoding))
    return (
      text?.replace(/[a-z]/gi, (letter) => {
        const base = letter <= 'Z' ? 65 : 97
        return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
      }) ?? null
    )
  if (/^hex/i.test(encoding)) return decoded(text, 'hex')
  return /^base64/i.test(encoding) ? decoded(text, 'base64') : text
}

const METHODS: ReadonlyMap<string, (self: string, given: readonly Value[]) => string | null> = new Map([
  ['.join', (self: string, [first]: readonly Value[]) => joined(self, first)],
  ['.lower', (self: string) => self.toLowerCase()],
  ['.upper', (self: string) => self.toUpperCase()],
  ['.strip', (self: string) => self.trim()],
  ['.decode', (self: string) => self],
  ['.encode', (self: string) => self],
  [
    '.replace',
    (self: string, [first, second]: readonly Value[]) => {
      const [from, to] = [textOf(first), textOf(second)]
      return from === null || to === null || from === '' ? null : replaced(self, from, to)
    },
  ],
])

function replaced(text: string, from: string, to: string): string | null {
  keep(text.length / from.length)
  const pieces = text.split(from)
  return text.length + pieces.length * to.length > TEXT_MAX ? null : pieces.join(to)
}

function joined(separator: string, value: Value | undefined): string | null {
  if (value && 'text' in value) keep(value.text.length)
  const words = value && 'text' in value ? [...value.text] : (itemsOf(value)?.map(textOf) ?? [null])
  const length = words.reduce((sum, word) => sum + (word?.length ?? 0) + separator.length, 0)
  return length > TEXT_MAX || words.includes(null) ? null : words.join(separator)
}

const CHARACTER_WORK = 20

function lengthOf(value: Value): number {
  if (value === null) return 1
  if ('text' in value) return value.text.length
  return 'items' in value ? value.items.reduce<number>((sum, item) => sum + lengthOf(item), 1) : 1
}

/** The result of a function or method of texts; null: not known. */
export function fold(name: string, self: string | undefined, given: readonly Value[]): Value {
  charge((given.reduce<number>((sum, value) => sum + lengthOf(value), 1) + (self?.length ?? 0)) * CHARACTER_WORK)
  if (self !== undefined) return known(METHODS.get(name)?.(self, given) ?? null)
  return known(FUNCTIONS.get(name)?.(given) ?? null)
}
