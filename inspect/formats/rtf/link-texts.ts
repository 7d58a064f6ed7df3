/** Texts of links in RTF that name another target than their field. */

import { readInstruction } from '#inspect/codecs/field-instructions.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { SHOWN_TEXT_MAX } from '#inspect/judge/deception/claims.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'

const FIELD_RESULT = mark(['fldrslt'])

/** Links of a document, and characters of one with its markup. */
const LINKS_MAX = 500
const LINK_MAX = 4_000
const CHARACTER_WORK = 10

export function judgeLinkTexts(item: Item, context: Context): void {
  if (!item.has(FIELD_RESULT)) return
  const bytes = view(item.bytes)
  const deception = createDeceptionJudge(item, context, { trustsText: false })
  let at = bytes.indexOf('fldrslt')
  for (let count = 0; at !== -1 && count < LINKS_MAX; count++) {
    charge(LINK_MAX * 2 * CHARACTER_WORK)
    const shown = textOf(bytes.toString('latin1', at + 'fldrslt'.length, at + LINK_MAX))
    const target = shown.includes('.') ? targetOf(bytes.toString('latin1', Math.max(0, at - LINK_MAX), at)) : null
    if (target !== null && shown.length <= SHOWN_TEXT_MAX) deception.addText(target, shown)
    at = bytes.indexOf('fldrslt', at + 1)
  }
  deception.finish()
}

/** The instruction of the field, which is the last before its result. */
function targetOf(before: string): string | null {
  const start = before.lastIndexOf('fldinst')
  const field = start === -1 ? null : readInstruction(textOf(before.slice(start + 'fldinst'.length)))
  return field?.name === 'HYPERLINK' ? (field.values[0] ?? null) : null
}

const TOKEN =
  /([{}])|\\u(-?\d{1,5}) ?\??|\\'([0-9a-f]{2})|\\([\\{}])|\\[a-z]{1,32}-?\d{0,10} ?|\\\*|[^\\{}\r\n]{1,400}/gi

/** Up to the end of the group in which it is. */
function textOf(source: string): string {
  let text = ''
  let depth = 0
  for (const [token, brace, code, hex, sign] of source.matchAll(TOKEN)) {
    if (brace === '{') depth += 1
    else if (brace === '}' && --depth < 0) break
    else if (code !== undefined) text += String.fromCharCode(Number(code) & 0xffff)
    else if (hex !== undefined) text += String.fromCharCode(Number.parseInt(hex, 16))
    else if (sign !== undefined) text += sign
    else if (!/^[\\}]/.test(token)) text += token
  }
  return text.trim()
}
