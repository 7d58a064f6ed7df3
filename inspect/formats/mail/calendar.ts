/** Calendar files (iCalendar, RFC 5545): attached files, and sounds and programs of alarms. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { MAIL } from '#inspect/catalogue/mail.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { safeName } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { demandIn } from '#inspect/judge/invitations.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'
import { concludeAttachments, judgeAttachment } from './attachments.ts'

const CALENDAR = mark(['BEGIN:VCALENDAR'], { ignoresCase: true })
const PROPERTY = /^(attach|action|begin|end|url|x-alt-desc)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/i
const FILE_NAME = /;(?:x-)?(?:file)?name="?([^";:]+)/i
const CHARACTER_WORK = 10
const LINE_WORK = 500

const SHARING = mark(['x-sharing-config-url'], { ignoresCase: true })
const SHARING_HEADER = /^x-sharing-config-url:[ \t]*([^\r\n]{1,2000})/gim

/** A message that shares a calendar tells Outlook where it is. */
export const sharedCalendar: Format = {
  among: { marks: [SHARING] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(SHARING),
  analyse(item, context) {
    charge(item.bytes.length * CHARACTER_WORK)
    for (const [, target = ''] of view(item.bytes).toString('latin1').matchAll(SHARING_HEADER)) {
      charge(LINE_WORK)
      if (classifyTarget(target.trim()).kind !== 'share') continue
      context.addFinding(item, { ...MAIL.sharing, detail: describeTarget(target.trim()) })
    }
  },
}

export const calendar: Format = {
  among: { marks: [CALENDAR] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(CALENDAR),
  analyse(item, context) {
    charge(item.bytes.length * CHARACTER_WORK)
    // A long line is folded: its next line begins with white space.
    const text = view(item.bytes)
      .toString('latin1')
      .replace(/\r?\n[ \t]/g, '')
    judgeDemand(item, text, context)
    let isAlarm = false
    for (const line of text.split(/\r?\n/)) {
      charge(LINE_WORK)
      const [, name = '', parameters = '', value = ''] = PROPERTY.exec(line) ?? []
      const key = name.toLowerCase()
      if ((key === 'begin' || key === 'end') && /^valarm$/i.test(value.trim())) isAlarm = key === 'begin'
      const inspected = inspectValue(item, { key, parameters, value }, context)
      if (inspected === 'stopped') return
      if (inspected === 'none' && (key === 'attach' || key === 'url'))
        judgeAddress(item, value.trim(), isAlarm, context)
    }
  },
  conclude: concludeAttachments,
}

const SHOWN = /^(?:summary|description|location|comment|x-alt-desc)(?:;[^:\r\n]{0,200})?:([^\r\n]{1,8000})/gim
const LINK = /<a\b[^<>]{0,400}?\bhref\s{0,4}=\s{0,4}["']?(https?:[^"'\s<>]{1,2000})/gi
const TAG = /<[^<>]{0,2000}>/g
const ATTENDEE = /^attendee(?:;[^\r\n]{0,200}?)?:mailto:([^\r\n]{3,200})/gim
const ATTENDEES_MAX = 20
const ORGANIZER = /^organizer(?:;[^\r\n]{0,200}?)?:mailto:([^\r\n]{3,200})/im

/** What a sender calls itself. */
const SENDER = /^organizer(?:;[^:\r\n]{0,200})?;cn=("[^"\r\n]{1,200}"|[^;:"\r\n]{1,200})/im

/** What the entries say, whoever opens them. */
function judgeDemand(item: Item, text: string, context: Context): void {
  const said = Array.from(text.matchAll(SHOWN).take(ENTRIES_MAX + 1), ([, value = '']) => value)
  if (said.length > ENTRIES_MAX) return
  said.push(SENDER.exec(text)?.[1] ?? '')
  const shown = Buffer.from(said.join('\n'), 'latin1')
    .toString()
    .replace(/\\n/gi, '\n')
    .replace(/\\([,;\\])/g, '$1')
  const demand = demandIn({
    text: shown.replace(LINK, ' $1 ').replace(TAG, ' '),
    organizer: ORGANIZER.exec(text)?.[1] ?? '',
    attendees: Array.from(text.matchAll(ATTENDEE).take(ATTENDEES_MAX), ([, attendee = '']) => attendee),
  })
  if (demand !== null) context.addFinding(item, { ...MAIL.invitation, detail: describeTarget(demand) })
}

/** Lines that are shown. Calendars with more are no invitation. */
const ENTRIES_MAX = 12

/** `stopped`: the budget is spent. */
function inspectValue(
  item: Item,
  { key, parameters, value }: { key: string; parameters: string; value: string },
  context: Context,
): 'inspected' | 'stopped' | 'none' {
  const isFile = key === 'attach' && /;encoding=base64/i.test(parameters)
  if (!isFile && key !== 'x-alt-desc') return 'none'
  const isWhole = isFile ? inspectAttached(item, parameters, value, context) : inspectDescription(item, value, context)
  return isWhole ? 'inspected' : 'stopped'
}

/** A page, whose lines were folded. false: the budget is spent. */
function inspectDescription(item: Item, value: string, context: Context): boolean {
  if (!context.countEntry(item) || !context.chargeBytes(item, value.length, 'stream')) return false
  const page = value.replace(/\\([,;\\])/g, '$1').replace(/\\n/gi, '\n')
  context.inspectMember(item, '(description)', Buffer.from(page, 'latin1'))
  return true
}

/** false: the budget is spent. */
function inspectAttached(item: Item, parameters: string, value: string, context: Context): boolean {
  const bytes = Buffer.from(value, 'base64')
  const name = FILE_NAME.exec(parameters)?.[1] ?? '(attached file)'
  if (!context.countEntry(item) || !context.chargeBytes(item, bytes.length, 'stream')) return false
  judgeAttachment(item, name, bytes, context)
  context.inspectMember(item, safeName(name), bytes)
  return true
}

/** The file of an alarm is opened without a click. */
function judgeAddress(item: Item, target: string, isAlarm: boolean, context: Context): void {
  const { kind, severity } = classifyTarget(target)
  const detail = describeTarget(target)
  const extension = /\.([a-z0-9]{1,10})(?:[?#]|$)/i.exec(target)?.[1]?.toLowerCase() ?? ''
  if (kind === 'share') context.addFinding(item, { ...(isAlarm ? MAIL.reminder : LINKS.fileServer), detail })
  else if (kind === 'handler' && severity !== 'notice')
    context.addFinding(item, { ...(isAlarm ? LINKS.handlerAutomatic : LINKS.handler), detail })
  else if (isAlarm && (kindOfExtension(extension)?.severity === 'malicious' || findCommand(target) !== null))
    context.addFinding(item, { ...MAIL.program, detail })
}
