/** Signs that a macro hides its text. */

import { charge } from '#inspect/core/work.ts'

const CHARACTER_WORK = 20

const DECODES = /strreverse|\bchrw?\$?\s*\(\s*[a-z&(]|bin\.(?:base64|hex)|\bxor\b|frombase64|unescape\s*\(/

/** Whether the source, in lower case, decodes texts. */
export function decodesText(source: string): boolean {
  charge(source.length * CHARACTER_WORK)
  return DECODES.test(source) || obfuscationOf(source) > 0
}

/** Codes that have no other way to be written, or that separate values. */
const ORDINARY = new Set(['0', '9', '10', '13', '32', '34', '39'])
const CODES_MIN = 12

/** How many tricks of obfuscators the source, in lower case, uses. */
export function obfuscationOf(source: string): number {
  charge(source.length * CHARACTER_WORK)
  const codes = new Set([...source.matchAll(/\bchrw?\$?\s*\(\s*(\d{1,5})\s*\)/g)].map(([, code = '']) => code))
  const signs = [
    [...codes].filter((code) => !ORDINARY.has(code)).length >= CODES_MIN,
    /strreverse\s*\(\s*"[^"]{6}/.test(source),
    /array\(\s*(?:(?:&h)?-?[\da-f]{1,5}\s*,\s*){50}/.test(source),
    /"[0-9a-z+/=]{200}/.test(source),
    /\bxor\b/.test(source) && /\bascw?\$?\s*\(\s*mid/.test(source),
    // `"a" & "b" & "c" & …`: nobody splits words.
    /(?:"[^"\r\n]{1,6}"\s*[&+]\s*){12}/.test(source),
    /(?:replace\$?\(\s*){3}/.test(source),
  ]
  return signs.filter(Boolean).length
}
