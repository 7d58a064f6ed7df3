/** Extracts files from OneNote sections by their GUID. */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { isViewOf, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { judgeFile } from '#inspect/judge/files.ts'
import { HOST_SCRIPTS } from '#inspect/windows/extensions.ts'

/** GUID of a FileDataStoreObject: {BDE316E7-2665-4511-A4C4-8D4D0B7A9EAC}. */
const HEADER_GUID = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
const HEADER = mark([HEADER_GUID.toString('latin1')])
/** The GUID, the length in eight bytes, and twelve reserved bytes. */
const HEADER_BYTES = 36
/** GUID of the footer: {71FBA722-0F79-4A0B-BB13-899256426B24}. */
const FOOTER_GUID = Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex')
/** Files are padded to eight bytes. */
const PADDING_MAX = 7

export const onenote: Format = {
  among: { marks: [HEADER] },
  // Files in a view on the parent were found there, so that nested sections are not read repeatedly.
  applies: (item) => item.has(HEADER) && (item.parent === null || !isViewOf(item.bytes, item.parent.bytes)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    const footerFrom = createSearch(bytes)
    const files: ReturnType<typeof judgeFile>[] = []
    let isCommand = false
    for (let at = bytes.indexOf(HEADER_GUID); at !== -1; at = bytes.indexOf(HEADER_GUID, at + 1)) {
      const start = at + HEADER_BYTES
      const length =
        start <= bytes.length ? Number(bytes.readBigUInt64LE(at + HEADER_GUID.length)) : Number.POSITIVE_INFINITY
      let end = Math.min(start + length, bytes.length)
      if (!bytes.subarray(end, end + PADDING_MAX + FOOTER_GUID.length).includes(FOOTER_GUID)) {
        context.addObstacle(item, 'damaged', 'A file in the section has no valid end.')
        end = Math.max(end, footerFrom(start))
      }
      const data = bytes.subarray(start, end)
      if (!take(data.length)) return
      if (data.length === 0) continue
      files.push(judgeFile('', data))
      isCommand ||= beginsWithCommand(data)
      context.inspectMember(item, '(attached file)', data)
    }
    judgeFiles(item, files, isCommand, bytes, context)
  },
}

/** Extensions of scripts, as OneNote stores names: in UTF-16, before a zero. Programs are found by their content. */
const NAMES = HOST_SCRIPTS.map((extension) => Buffer.from(`.${extension}\0`, 'utf16le'))

/** Files are stored without their names, which are elsewhere in the section. */
function judgeFiles(
  item: Item,
  files: readonly ReturnType<typeof judgeFile>[],
  isCommand: boolean,
  bytes: Buffer,
  context: Context,
): void {
  if (files.length === 0) return
  context.addFinding(item, { ...MAIL.note, detail: null })
  const hasOther = files.some(({ kind }) => kind === 'text' || kind === 'data' || kind === 'page' || kind === 'script')
  // Notes are no archives of software: a script in them is for a click.
  const isScript = files.some(({ kind, severity }) => kind === 'script' && severity === 'suspicious')
  const isNamed = hasOther && NAMES.some((name) => bytes.includes(name))
  if (isNamed || isScript || isCommand || files.some(({ isDangerous }) => isDangerous))
    context.addFinding(item, { ...MAIL.noteProgram, detail: null })
}

const LINE_BYTES = 8_192

/** Its first line is a command of Windows that cannot be read, so that it is no note about one. */
function beginsWithCommand(data: Buffer): boolean {
  const [line = ''] = data
    .toString('latin1', 0, LINE_BYTES)
    .trimStart()
    .split(/[\r\n]/, 1)
  const command = /^[\w%"\\^]/.test(line) ? findCommand(line) : null
  return command?.isWindows === true && (command.isEncoded || command.isObfuscated)
}

/** Finds the next footer, or the end. Offsets only grow, so nothing is searched twice. */
function createSearch(bytes: Buffer): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = bytes.indexOf(FOOTER_GUID, from)
    if (found === -1) found = bytes.length
    return found
  }
}
