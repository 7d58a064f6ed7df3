/** Messages of Outlook (MSG): names of attachments, and sounds of reminders ([MS-OXMSG]). */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { type Compound, type OleEntry, readCompound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { safeName } from '#inspect/core/names.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { type ShownText, shownText, withoutTags } from '#inspect/judge/pictures/pretexts.ts'
import { recordText } from '#inspect/judge/pictures/report.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { concludeAttachments, judgeAttachment } from './attachments.ts'

const PROPERTIES = mark([[...'__properties_version1.0'].join('\0')])
const ATTACHMENT = /^__attach_version1\.0_/i
const NAMES = /^__nameid_version1\.0$/i
/** Data, long name, short name and display name of an attachment. */
const DATA = /^__substg1\.0_37010102$/i
const FILE_NAMES = [/^__substg1\.0_3707001[EF]$/i, /^__substg1\.0_3704001[EF]$/i, /^__substg1\.0_3001001[EF]$/i]
/** Subject, plain body and page. */
const BODIES = /^__substg1\.0_(?:0037001[EF]|1000001[EF]|10130102|1013001[EF])$/i
const BODY_MAX = 200_000
const COPY_WORK = 0.1
/** The stream that maps identifiers of named properties to numbers, and the size of its entries. */
const MAPPING = /^__substg1\.0_00030102$/i
const MAPPING_BYTES = 8
/** PidLidReminderFileParameter. */
const REMINDER_FILE = 0x851f
const NAMED_PROPERTIES_AT = 0x8000
/** For each entry of the file that is compared with an attachment. */
const ENTRY_WORK = 20

export const outlookMessage: Format = {
  among: { marks: [PROPERTIES] },
  applies: (item) => isOle2(item.bytes) && item.has(PROPERTIES),
  analyse(item, context) {
    const compound = readCompound(item.bytes)
    if (compound === null) return
    const storages = compound.entries.filter(({ storage, name }) => storage && ATTACHMENT.test(name))
    for (const storage of storages) {
      charge(compound.entries.length * ENTRY_WORK)
      const streams = compound.entries.filter(({ parent }) => parent === storage)
      const data = streams.find(({ name }) => DATA.test(name))
      const named = FILE_NAMES.map((pattern) => streams.find(({ name }) => pattern.test(name))).find((entry) => entry)
      if (data === undefined || named === undefined) continue
      const path = [...item.path, safeName(data.name)]
      judgeAttachment(item, textOf(compound, named), compound.read(data).bytes, context, path)
    }
    recordText(item, bodyOf(compound), context)
    for (const sound of reminderSounds(compound))
      if (classifyTarget(sound).kind === 'share')
        context.addFinding(item, { ...MAIL.reminder, detail: describeTarget(sound) })
  },
  conclude: concludeAttachments,
}

function textOf(compound: Compound, entry: OleEntry): string {
  const { bytes } = compound.read(entry)
  const text = view(bytes).toString(/001F$/i.test(entry.name) ? 'utf16le' : 'latin1')
  return text.replace(/(?<!\0)\0+$/, '')
}

/** Its subject and its body, which is read only beside a code. */
function bodyOf(compound: Compound): () => ShownText {
  const streams = compound.entries.filter(({ parent, name }) => (parent === null || parent.root) && BODIES.test(name))
  const copies = streams.map((entry) => {
    const start = compound.read(entry).bytes.subarray(0, BODY_MAX)
    charge(start.length * COPY_WORK)
    keep(start.length)
    return { name: entry.name, text: Buffer.from(start) }
  })
  return () => {
    const texts = copies.map(({ name, text }) => withoutTags(text.toString(/001F$/i.test(name) ? 'utf16le' : 'utf8')))
    return shownText(texts.join('\n'))
  }
}

function reminderSounds(compound: Compound): string[] {
  const mapping = compound.entries.find(({ name, parent }) => MAPPING.test(name) && NAMES.test(parent?.name ?? ''))
  if (mapping === undefined) return []
  const entries = view(compound.read(mapping).bytes)
  const numbers: number[] = []
  for (let at = 0; at + MAPPING_BYTES <= entries.length; at += MAPPING_BYTES) {
    const isNumeric = (entries.readUInt16LE(at + 4) & 1) === 0
    if (isNumeric && entries.readUInt32LE(at) === REMINDER_FILE)
      numbers.push(NAMED_PROPERTIES_AT + entries.readUInt16LE(at + 6))
  }
  const names = new Set(
    numbers.flatMap((number) => ['E', 'F'].map((type) => `__substg1.0_${number.toString(16)}001${type}`.toLowerCase())),
  )
  return compound.entries.filter(({ name }) => names.has(name.toLowerCase())).map((entry) => textOf(compound, entry))
}
