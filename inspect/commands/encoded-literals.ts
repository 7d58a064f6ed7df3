/** A program as it reads itself: escapes are characters, and literals that it decodes are text. */

import { charge } from '#inspect/core/work.ts'

const ESCAPE = /\\x([\da-f]{2})|\\u([\da-f]{4})/gi
/** Base64 or hexadecimal between quotes. */
const CODED = /["'`]([A-Za-z0-9+/_-]{24,200000}={0,2})["'`]/g
/** Codes of letters. */
const CODES = /[[{(](?:\s{0,4}\d{1,3}\s{0,4},){12,4000}\s{0,4}\d{1,3}\s{0,4}[\]})]/g
const HEX = /^(?:[\da-f]{2})+$/i
const READABLE = /^[\t\r\n\x20-\x7e]{16,}$/
const TEXT_WORK = 20
/** Base64 in Base64. */
const DEPTH_MAX = 3

export interface View {
  /** With everything that its literals contain. */
  text: string
  decoded: readonly string[]
}

export function decodedView(text: string): View {
  let view = text
  let last = text
  const all: string[] = []
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    charge(last.length * TEXT_WORK)
    const plain = last.replace(ESCAPE, (_, byte, unit) => String.fromCharCode(Number.parseInt(byte ?? unit, 16)))
    const coded = Array.from(plain.matchAll(CODED), ([, each = '']) => decode(each))
    const decoded = [...coded, ...Array.from(plain.matchAll(CODES), ([codes]) => lettersOf(codes))].filter(
      (each) => each !== '',
    )
    view = depth === 0 ? plain : view
    if (decoded.length === 0) break
    all.push(...decoded)
    last = decoded.join('\n')
    view += `\n${last}`
  }
  return { text: view, decoded: all }
}

function lettersOf(codes: string): string {
  const found = String.fromCharCode(...(codes.match(/\d{1,3}/g) ?? []).map(Number))
  return READABLE.test(found) ? found : ''
}

function decode(coded: string): string {
  const found = Buffer.from(coded, HEX.test(coded) ? 'hex' : 'base64').toString('latin1')
  return READABLE.test(found) ? found : ''
}
