/** Escapes in strings of JSON, without reading the whole. */

import { charge } from '#inspect/core/work.ts'

const ESCAPE = /\\(?:u([0-9a-f]{4})|([^u]))/gi
const CHARACTER_WORK = 10

export function withoutEscapes(json: string): string {
  charge(json.length * CHARACTER_WORK)
  return json.replace(ESCAPE, (_, code: string | undefined, sign = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return sign === 'n' ? '\n' : sign
  })
}
