/** Documents whose text makes the reader run a command or give a sign-in away. Pages are judged with their scripts. */

import { WEB } from '#inspect/catalogue/web.ts'
import { isCard, unfolded } from '#inspect/codecs/cards.ts'
import { decodeEntities } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { opensWindow, WINDOW_BYTES } from '#inspect/judge/command-windows.ts'
import { seenTextOf } from '#inspect/judge/pages/seen.ts'
import { pastedCommand, pastedTheft, pastedWhereSeen, SESSIONS } from '#inspect/judge/pasting.ts'
import { createSeenText, type SeenText } from '#inspect/judge/seen-text.ts'
import { judgeSignInText, SIGN_INS } from '#inspect/judge/sign-ins.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { SCRIPT_LANGUAGES, SOURCE_FILES } from '#inspect/windows/extensions.ts'
import { COMMAND_WINDOWS } from '#inspect/windows/programs.ts'

const SESSION = mark(SESSIONS, { ignoresCase: true })
/** Bytes around a word that may belong to the same keys. Markup may interrupt them. */
const [BEFORE, AFTER] = [32, 48]
const WINDOW = mark(
  [
    ...['windows', 'win+', 'win +', 'win-', 'win -', 'win&', 'win &', 'winand', 'win and', 'winplus', 'win plus'],
    ...['key', 'button', 'logo', 'taste'].flatMap((name) => [`win${name}`, `win ${name}`, `win-${name}`]),
    ...['ctrl', 'control', 'strg', 'command+', 'command +', 'cmd+', 'cmd +', '\xe2\x8c\x98'],
    ...[...COMMAND_WINDOWS, ...WINDOW_BYTES, 'file explorer', 'address bar', 'run dialog', 'run box', 'run window'],
    ...['run', 'cmd'].flatMap((name) => [`type ${name}`, `type "${name}`, `type '${name}`]),
  ],
  {
    ignoresCase: true,
    fits: (bytes, at) => {
      const around = view(bytes).toString('latin1', Math.max(0, at - BEFORE), at + AFTER)
      return /[<\\]/.test(around) || opensWindow(around)
    },
  },
)
/** Runs of text that part a word. Programs do so as well, where a word was changed. */
const PARTED = mark(['</w:t>', '</a:t>', '</t>', '</text:span>'], {
  fits: (bytes, at) => PARTS.test(bytes.toString('latin1', Math.max(0, at - 1), at + RUN_BYTES)),
})
const PARTS = /^[a-z](?:<[^<>]{0,200}>){1,20}[a-z]/i
/** Between the texts of two runs. */
const RUN_BYTES = 400

const REDUCE_WORK = 5
/** Texts of short elements become millions of pieces, twice. */
const TAG_WORK = 60
/** Code is for programmers. That of macros and scripts is judged by what it does. */
const SOURCES = [...SOURCE_FILES, ...SCRIPT_LANGUAGES.flatMap(([, names]) => names), 'cls', 'frm']
const SOURCE = new RegExp(String.raw`(?:\.(?:${SOURCES.join('|')})| \(source\))$`, 'i')

const nameOf = ({ path }: Item): string => path.at(-1) ?? ''

const PACKAGES = new Set(['ooxml', 'odf'])

/** A text, and how much of it is seen; unless that is all, or the judge of hidden texts compares them. */
interface Reading {
  text: string
  seen?: () => SeenText
}

/** How the texts of an item are taken out of its syntax; null if it has none that a reader sees. */
function readerOf(item: Item): ((text: string) => Iterable<Reading>) | null {
  const { sniffed, parent } = item
  if (PACKAGES.has(parent?.sniffed.kind ?? ''))
    return /\.xml$/i.test(nameOf(item)) ? (xml) => [{ text: textOfXml(xml) }] : null
  if (sniffed.kind === 'rtf') return (rtf) => [{ text: textOfRtf(rtf) }]
  if (sniffed.type === 'message/rfc822') return textOfMail
  if (sniffed.kind !== 'text' || sniffed.type !== 'text/plain' || SOURCE.test(nameOf(item))) return null
  return NOTE.test(item.name ?? nameOf(item))
    ? (text) => [{ text, seen: () => seenOfNote(text) }]
    : (text) => [{ text: isCard(text) ? unescaped(unfolded(text)) : text }]
}

/** Calendars and cards write the ends of lines, commas and semicolons so. */
const unescaped = (text: string): string => text.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1')

export const pastedCommands: Format = {
  among: { marks: [WINDOW, PARTED, SIGN_INS, SESSION] },
  applies: (item) => [WINDOW, PARTED, SIGN_INS, SESSION].some((each) => item.has(each)) && readerOf(item) !== null,
  analyse(item, context) {
    const { bytes } = item
    charge(bytes.length * REDUCE_WORK)
    const text = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    for (const { text: read, seen } of readerOf(item)?.(text) ?? []) {
      const theft = item.has(SESSION) ? pastedTheft(read) : null
      const command = theft ?? (seen === undefined ? pastedCommand(read) : pastedWhereSeen(read, seen))
      const signIn = item.has(SIGN_INS) ? judgeSignInText(read) : null
      if (signIn !== null) context.addFinding(item, { ...signIn.definition, detail: signIn.detail })
      if (command === null) continue
      context.addFinding(item, { ...WEB.clickFix, detail: describeTarget(command.trim()) })
      return
    }
  },
}

function textOfXml(xml: string): string {
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) charge(TAG_WORK)
  return decodeEntities(
    xml
      .replace(/<\/?(?:\w{1,9}:)?(?:p|h|br|line-break|tr|tab|si|row|div|li|td)\b[^<>]*>/g, '\n')
      .replace(/<[^<>]*>/g, ''),
  )
}

/** Parts that are not encoded; the others are members. No part says what another one means: a reader sees one of them. */
function* textOfMail(mail: string): Generator<Reading> {
  const limits = new Set(Array.from(mail.matchAll(BOUNDARY).take(LIMITS_MAX), ([, name]) => `--${name}`))
  let from = 0
  for (let at = mail.indexOf('\n--'); at !== -1; at = mail.indexOf('\n--', at + 1)) {
    charge(LINE_WORK)
    const end = mail.indexOf('\n', at + 1)
    const limit = mail.slice(at + 1, Math.min(end === -1 ? mail.length : end, at + LIMIT_LENGTH_MAX)).trimEnd()
    if (!limits.has(limit) && !limits.has(limit.replace(/--$/, ''))) continue
    yield textOfPart(mail.slice(from, at))
    from = end === -1 ? mail.length : end + 1
  }
  yield textOfPart(mail.slice(from))
}

function textOfPart(written: string): Reading {
  const part = written.replace(HEADERS, '')
  if (!/<html|<body|<p\b/i.test(part)) return { text: part }
  return { text: textOfXml(part), seen: () => seenTextOf(part, false) }
}

/** Notes that viewers turn into pages, without these comments and definitions. */
const NOTE = /\.(?:md|markdown|mdown|mkdn?|mdx)$/i
const UNSHOWN = /<!--(?:(?!-->)[\s\S])*(?:-->|$)|^ {0,3}\[[^\]\n]{1,200}\]:[^\n]*/gm

function seenOfNote(text: string): SeenText {
  charge(text.length * REDUCE_WORK)
  const seen = createSeenText()
  let from = 0
  for (const { 0: found, index } of text.matchAll(UNSHOWN)) {
    charge(LINE_WORK)
    seen.add(text.slice(from, index))
    seen.add(found, COMMENT)
    from = index + found.length
  }
  seen.add(text.slice(from))
  return seen.read()
}

const COMMENT = ['comment']

/** Names of boundaries, characters of a line with one, and work for each such line. */
const LIMITS_MAX = 1_000
const LIMIT_LENGTH_MAX = 300
const LINE_WORK = 2_000
const BOUNDARY = /\bboundary\s{0,9}=\s{0,9}"?([^"\r\n;]{1,200})/gi
/** Lines with a name, and those that continue them. */
const HEADERS = /^(?:[!-9;-~]{1,100}:[^\n]*(?:\n|$)(?:[ \t][^\n]*(?:\n|$))*)+/

const textOfRtf = (rtf: string): string =>
  rtf
    .replace(/\\(?:par|line|row|cell)\b ?/g, '\n')
    .replace(/\\u(-?\d{1,5}) ?(?:\\'[0-9a-f]{2}|[^\\{}])?/gi, (_, code: string) =>
      String.fromCharCode(Number(code) & 0xffff),
    )
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([\\{}])/g, '$1')
    .replace(/\\[a-z]{1,32}-?\d{0,10} ?|[{}]/g, '')
