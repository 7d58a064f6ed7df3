/** Attachments in the format of Outlook for other mail programs (TNEF, winmail.dat; [MS-OXTNEF]). */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { startsWith, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { concludeAttachments, judgeAttachment } from './attachments.ts'

const SIGNATURE = [0x78, 0x9f, 0x3e, 0x22]
/** The signature and a key. */
const HEADER_BYTES = 6
/** Level, identifier and length before the data of an attribute, and a checksum after it. */
const ATTRIBUTE_BYTES = 9
const CHECKSUM_BYTES = 2
const LEVELS = new Set([1, 2])
const ATTACHMENT_START = 0x00069002
const TITLE = 0x00018010
const DATA = 0x0006800f
/** The text, and properties of the message and of an attachment, which may contain other messages and files. */
const OTHER_PARTS: ReadonlyMap<number, string> = new Map([
  [0x0002800c, '(body)'],
  [0x00069003, '(properties)'],
  [0x00069005, '(properties)'],
])
/** Work for each attribute, and memory for each part. */
const ATTRIBUTE_WORK = 500
const PART_BYTES = 200

export const tnef: Format = {
  among: { binary: true },
  applies: ({ bytes }) => startsWith(bytes, SIGNATURE),
  analyse(item, context) {
    const take = createPieceBudget(item, context)
    const { parts, isWhole } = readParts(view(item.bytes))
    if (!isWhole) context.addObstacle(item, 'damaged', 'The attachment of Outlook (TNEF) is damaged.')
    for (const sound of reminderSounds(view(item.bytes)))
      if (classifyTarget(sound).kind === 'share')
        context.addFinding(item, { ...MAIL.reminder, detail: describeTarget(sound) })
    for (const { title, isAttachment, data } of parts) {
      if (data.length === 0) continue
      if (!take(data.length)) return
      if (isAttachment) judgeAttachment(item, title, data, context)
      context.inspectMember(item, safeName(title), data)
    }
  },
  conclude: concludeAttachments,
}

interface Part {
  title: string
  isAttachment: boolean
  data: Buffer
}

function readParts(bytes: Buffer): { parts: readonly Part[]; isWhole: boolean } {
  const parts: Part[] = []
  let attachment: Part | null = null
  let at = HEADER_BYTES
  while (at + ATTRIBUTE_BYTES <= bytes.length && LEVELS.has(bytes[at] ?? 0)) {
    charge(ATTRIBUTE_WORK)
    const id = bytes.readUInt32LE(at + 1)
    const start = at + ATTRIBUTE_BYTES
    const end = start + bytes.readUInt32LE(at + 5)
    const data = bytes.subarray(start, end)
    // The title may follow the data.
    if (id === ATTACHMENT_START || (attachment === null && (id === TITLE || id === DATA))) {
      attachment = { title: '(attached file)', isAttachment: true, data: Buffer.alloc(0) }
      keep(PART_BYTES)
      parts.push(attachment)
    }
    if (attachment !== null) complete(attachment, id, data)
    const title = OTHER_PARTS.get(id)
    if (title !== undefined) parts.push({ title, isAttachment: false, data })
    at = end + CHECKSUM_BYTES
  }
  return { parts, isWhole: at === bytes.length }
}

function complete(attachment: Part, id: number, data: Buffer): void {
  if (id === TITLE) attachment.title = decodeName(data).replace(/\0.*$/s, '')
  if (id === DATA) attachment.data = data
}

/** The set of common properties, a numeric name, and PidLidReminderFileParameter. */
const REMINDER_FILE = Buffer.from('0820060000000000c000000000000046000000001f850000', 'hex')
/** The type of the property is before its number and its name. */
const TYPE_BEFORE = 4
const UNICODE = 0x1f

/** Files that Outlook plays. The value is a count, a length and the text. */
function reminderSounds(bytes: Buffer): string[] {
  const sounds: string[] = []
  charge(bytes.length)
  for (let at = bytes.indexOf(REMINDER_FILE); at !== -1; at = bytes.indexOf(REMINDER_FILE, at + 1)) {
    charge(ATTRIBUTE_WORK)
    const start = at + REMINDER_FILE.length + 8
    if (at < TYPE_BEFORE || start > bytes.length) continue
    const encoding = bytes.readUInt16LE(at - TYPE_BEFORE) === UNICODE ? 'utf16le' : 'latin1'
    sounds.push(bytes.toString(encoding, start, start + bytes.readUInt32LE(start - 4)).replace(/\0[\s\S]*$/, ''))
  }
  return sounds
}
