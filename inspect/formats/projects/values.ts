/** Commands that build files assemble from values, or encode in literals. */

import { decodedView } from '#inspect/commands/encoded-literals.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** A variable of make, a property of a project of Visual Studio, and what a connection gives its commands. */
const DEFINITIONS = {
  make: /^[ \t]{0,20}(?:export[ \t]{1,20})?([\w.-]{1,60})[ \t]{0,20}[:?+]{0,3}=[ \t]{0,20}([^\r\n]{1,1000})/gm,
  properties: /<([a-z_][\w.]{0,60})>([^<>]{1,1000})<\//gi,
  connection: /^[ \t]{0,20}setenv[ \t]{1,20}([\w.-]{1,60})[ \t]{1,20}["']?([^\r\n"']{1,1000})/gm,
} as const

export type Values = keyof typeof DEFINITIONS

const REFERENCE = /\$[({]([\w.-]{1,60})[)}]|\$([a-z_]\w{0,60})/gi
const TEXT_WORK = 10
const VALUE_WORK = 500
/** Characters that all values may add. */
const ADDED_MAX = 100_000

/** The text with its values in place of their names, as far as they are known. */
export function withValues(text: string, kind: Values): string {
  charge(text.length * TEXT_WORK)
  const values = new Map<string, string>()
  let added = 0
  const resolve = (part: string): string =>
    part.replace(REFERENCE, (whole, enclosed: string | undefined, bare: string) => {
      charge(VALUE_WORK)
      const value = values.get(enclosed ?? bare)
      if (value === undefined || added + value.length > ADDED_MAX) return whole
      charge(value.length * TEXT_WORK)
      added += value.length
      return value
    })
  for (const [, name = '', value = ''] of text.matchAll(DEFINITIONS[kind])) {
    charge(VALUE_WORK)
    keep(VALUE_WORK + value.length)
    values.set(name, resolve(value))
  }
  return values.size === 0 ? text : resolve(text)
}

/** `[99, 117, 114, …]` */
const NUMBERS = /\[\s{0,20}(\d{1,3}(?:u8)?(?:\s{0,20},\s{0,20}\d{1,3}(?:u8)?){15,4000})/g
const PIECES = /concat!\s{0,9}\(([^()]{1,4000})\)/g
const LITERAL = /"((?:[^"\\\r\n]|\\.)*)"?/g
/** A host that the program puts into its command. */
const PUT = /(?<=http:\/\/(?:[\w.-]{0,60}))\{\w{0,40}\}/g

/** Texts that a program joins. */
export function* joinedTexts(text: string): Generator<string> {
  charge(text.length * TEXT_WORK)
  for (const [, pieces = ''] of text.matchAll(PIECES)) {
    charge(VALUE_WORK + pieces.length * TEXT_WORK)
    yield Array.from(pieces.matchAll(LITERAL), ([, piece = '']) => piece).join('')
  }
}

/** Texts that a program decodes. */
export function* codedTexts(text: string): Generator<string> {
  charge(text.length * TEXT_WORK)
  yield* decodedView(text).decoded
  for (const [, numbers = ''] of text.matchAll(NUMBERS)) {
    charge(VALUE_WORK + numbers.length * TEXT_WORK)
    yield Buffer.from(numbers.split(',').map((each) => Number.parseInt(each, 10))).toString('latin1')
  }
}

/** With a name in place of a host that is put in later. */
export function withHosts(text: string): string {
  return text.replace(PUT, 'host.invalid')
}
