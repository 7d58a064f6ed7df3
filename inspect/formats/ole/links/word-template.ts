/** The template of a binary Word document. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { targetDetail } from '#inspect/judge/links.ts'
import { isBareServer, judgeReference } from '#inspect/judge/references.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'

/** The position and size of the list of names in the table stream ([MS-DOC] `SttbfAssoc`). */
const NAMES_AT = 0x19a
const WIDE = 0xffff
const HEADER_BYTES = 6
/** Place of the template in the list. */
const TEMPLATE = 1

/** Empty: none, or unreadable. */
export function templateOf(word: Buffer, table: Buffer): string {
  if (word.length < NAMES_AT + 8) return ''
  const start = word.readUInt32LE(NAMES_AT)
  const names = table.subarray(start, start + word.readUInt32LE(NAMES_AT + 4))
  if (names.length < HEADER_BYTES || names.readUInt16LE(0) !== WIDE) return ''
  let at = HEADER_BYTES
  for (let i = 0; at + 2 <= names.length; i++) {
    const end = at + 2 + names.readUInt16LE(at) * 2
    if (i === TEMPLATE) return names.toString('utf16le', at + 2, end)
    at = end
  }
  return ''
}

export function judgeTemplate(item: Item, template: string, context: Context): void {
  const found = judgeReference('attachedtemplate', template, true)
  if (found === null || (found.severity === 'notice' && found !== OFFICE.companyServer)) return
  // Companies kept the templates of this format on their file servers.
  const target = classifyTarget(template)
  const isNamed = found.severity === 'malicious' && target.kind === 'share' && !isBareServer(target, template)
  context.addFinding(item, { ...(isNamed ? OFFICE.fileServerReference : found), detail: targetDetail(template) })
}
