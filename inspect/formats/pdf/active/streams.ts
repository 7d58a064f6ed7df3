/** Judges single streams of a PDF: attachments, fonts, functions, metadata, and data in other files. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeFile } from '#inspect/judge/files.ts'
import { judgeFraud } from '#inspect/judge/frauds.ts'
import { hasPretext, pastedCommand } from '#inspect/judge/pasting.ts'
import { judgeSignInText } from '#inspect/judge/sign-ins.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { COMMAND_NAMES, COMMAND_WINDOWS, DOWNLOADERS, PROXIES, RUNNERS } from '#inspect/windows/programs.ts'
import { BACKSLASH, CLOSING, OPENING } from '../syntax/characters.ts'
import { skipSpace, valueEnd } from '../syntax/dictionary.ts'
import { createValueReader } from '../syntax/value-tree.ts'
import type { PdfDocument } from './document.ts'
import { textOfBytes } from './document.ts'
import type { Findings } from './findings.ts'
import { judgeDeclarations } from './forms.ts'
import { classify, fileNames, judgeServed, judgeTarget } from './targets.ts'

export interface StreamDictionary {
  values: ReadonlyMap<string, readonly string[]>
  isEmbedded: boolean
}

const CHECK_WORK = 500

export function judgeStream(
  dictionary: StreamDictionary,
  bytes: Uint8Array,
  document: PdfDocument,
  findings: Findings,
): void {
  const { values } = dictionary
  charge(CHECK_WORK)
  if (values.has('F') || values.has('FFilter')) judgeExternal(values.get('F') ?? [], document, findings)
  if (mentions(values, 'Filter', 'JBIG2Decode')) findings.add(PDF.jbig2)
  if (mentions(values, 'Type', 'Metadata')) judgeDeclarations(textOfBytes(view(bytes)), findings)
  if (values.get('FunctionType')?.some((type) => type.trim() === '4') && hasOtherThanOperators(bytes))
    findings.add(PDF.functionCode)
  if (['DecodeParms', 'DP'].some((key) => values.get(key)?.some(hasOddColors))) findings.add(PDF.oddColors)
  if (isPageText(values)) judgeShownText(view(bytes), findings)
  if (values.has('Length1') || mentions(values, 'Subtype', 'Type1')) judgeFont(bytes, findings)
}

function mentions(values: StreamDictionary['values'], key: string, name: string): boolean {
  return values.get(key)?.some((value) => value.includes(name)) ?? false
}

/** The data of the stream are in another file. Some readers take F as an abbreviation of Filter. */
function judgeExternal(sources: readonly string[], document: PdfDocument, findings: Findings): void {
  for (const source of sources) {
    const value = createValueReader(source, null).valueAt(0)
    for (const target of fileNames([value], document)) {
      const { kind, isRemote } = classify(target)
      if (isRemote || kind === 'handler') judgeTarget(target, 'automatic', findings)
    }
  }
}

/** Calculator functions consist of numbers, operators and braces. */
function hasOtherThanOperators(bytes: Uint8Array): boolean {
  charge(bytes.length * 4)
  const text = view(bytes).toString('latin1')
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  return start !== -1 && end > start && /[("'=;:\\`]/.test(text.slice(start, end).replaceAll(/%[^\r\n]*/g, ''))
}

const COLORS = /\/Colors\s+(\d+)/
/** CVE-2009-3459 */
const COLORS_MAX = 16_777_216

function hasOddColors(parameters: string): boolean {
  return Number(COLORS.exec(parameters)?.[1] ?? 0) > COLORS_MAX
}

const MATRIX_MAX = 2_000

function judgeFont(bytes: Uint8Array, findings: Findings): void {
  const head = view(bytes)
  charge(head.length)
  for (let at = head.indexOf('/FontMatrix'); at !== -1; at = head.indexOf('/FontMatrix', at + 1)) {
    charge(CHECK_WORK)
    const text = head.toString('latin1', at + 11, at + 11 + MATRIX_MAX)
    const start = skipSpace(text, 0)
    if (text[start] === '[' && text.slice(start, valueEnd(text, start)).includes('(')) findings.add(PDF.fontCode)
  }
}

/** Content of pages has no type. */
function isPageText(values: StreamDictionary['values']): boolean {
  return !values.has('Type') && !values.has('Subtype') && !values.has('Length1') && !values.has('FunctionType')
}

/** From its end: a long word has many places at which a name may begin. */
const COMMANDS = anyCase`[ )](?<=(?:${RUNNERS}|${PROXIES}|${DOWNLOADERS}|${COMMAND_NAMES})(?:\.(?:exe|vbs))?[ )])`
/** Longer pages are read in parts. */
export const SHOWN_MAX = 262_144
/** The place where the reader has to enter the command. */
const KEYS = anyCase`win(?:dows)?(?: ?(?:key|logo))? ?\+ ?[rx]\b|\brun (?:dialog|box|window)|(?:ctrl|control|strg) ?\+ ?v\b|(?:open|start) (?:a |the )?${COMMAND_WINDOWS}`
/** Reports on such attacks describe them. */
const REPORT = /phishing|malware|attackers?\b|threat|clickfix|security|victim|campaign|never|do not|don't/i

/** A page that tells the reader to run a command from a server (ClickFix). Only text in standard encodings is legible. */
function judgeShownText(bytes: Buffer, findings: Findings): void {
  const parts = bytes.length > SHOWN_MAX ? shownParts(bytes) : [bytes.toString('latin1')]
  for (const part of parts) {
    charge(part.length)
    if (!COMMANDS.test(part)) continue
    charge(part.length * SHOWN_WORK)
    const lines = shownLines(part)
    const command = pastedCommand(lines.join('\n'))
    if (command !== null) findings.add(WEB.clickFix, describeTarget(command.trim()))
    else if (tellsCommand(lines.join(' '))) findings.add(PDF.commandText)
  }
}

/** What a short document asks its reader to do, in any font. `links`: what is clicked. */
export function judgeSaid(text: string, links: readonly string[], findings: Findings): void {
  const command = pastedCommand(text)
  if (command !== null) findings.add(WEB.clickFix, describeTarget(command.trim()))
  for (const link of links) judgeServed(link, text, findings)
  const signIn = judgeSignInText(text, links)
  if (signIn !== null) findings.add(signIn.definition, signIn.detail)
  const fraud = judgeFraud(text, links.length > 0)
  if (fraud !== null) findings.add(fraud.definition, fraud.detail ?? undefined)
}

function tellsCommand(text: string): boolean {
  return KEYS.test(text) && !REPORT.test(text) && findCommand(text)?.isRemote === true
}

/** Only the texts of a long page, most of which is a drawing. Each part has the second half of the one before. */
function* shownParts(bytes: Buffer): Generator<string> {
  charge(bytes.length * PART_WORK)
  let part = Buffer.allocUnsafe(2 * SHOWN_MAX)
  let length = 0
  for (let at = bytes.indexOf(OPENING); at !== -1; at = next(bytes, OPENING, at)) {
    const end = textEnd(bytes, at)
    charge(TEXT_WORK + (end - at))
    if (length + end - at > part.length) part = Buffer.concat([part.subarray(0, length)], 2 * (length + end - at))
    if (end - at > NEAR) length += bytes.copy(part, length, at, end)
    else while (at < end) part[length++] = bytes[at++] as number
    at = end
    if (length < SHOWN_MAX) continue
    yield part.toString('latin1', 0, length)
    part.copyWithin(0, SHOWN_MAX / 2, length)
    length -= SHOWN_MAX / 2
  }
  yield part.toString('latin1', 0, length)
}

/** Behind the first parenthesis that is not escaped. */
function textEnd(bytes: Buffer, from: number): number {
  for (let at = next(bytes, CLOSING, from); at !== -1; at = next(bytes, CLOSING, at + 1))
    if (bytes[at - 1] !== BACKSLASH) return at + 1
  return bytes.length
}

/** Bytes that are read by a loop: a search takes as long for so few. */
const NEAR = 64

function next(bytes: Buffer, byte: number, from: number): number {
  const near = Math.min(bytes.length, from + NEAR)
  for (let at = from; at < near; at++) if (bytes[at] === byte) return at
  return bytes.indexOf(byte, near)
}

const TEXT_WORK = 120
const PART_WORK = 0.2

const SHOWN_WORK = 40
const SHOWN = /\\.|\(((?:[^\\()]|\\.){1,1000})\)/gs

/** Whether the text of a page says why its reader should click on it. */
export function pageHasPretext({ values }: StreamDictionary, bytes: Uint8Array): boolean {
  if (!isPageText(values) || bytes.length > SHOWN_MAX) return false
  charge(bytes.length * SHOWN_WORK)
  return hasPretext(shownLines(view(bytes).toString('latin1')).join(' '))
}

function shownLines(content: string): string[] {
  const texts = [...content.matchAll(SHOWN)].flatMap(([, text]) => text ?? [])
  return texts.map((text) => text.replace(/\\(.)/gs, '$1'))
}

const MACROS = Buffer.from('vbaProject.bin')
const MACRO_EXTENSION = /\.(?:doc|dot|xls|xlt|xla|ppt|pps|pot|ppa|sld)m$/i

export function judgeAttachment(names: readonly string[], bytes: Uint8Array, findings: Findings): void {
  findings.add(PDF.embeddedFile)
  // Films of rich media are attached too.
  const others = names.filter((name) => !/\.swf$/i.test(name))
  if (others.length < names.length) findings.add(PDF.richMedia)
  const judged = (names.length === 0 ? [''] : others).map((name) => judgeFile(name, bytes))
  if (judged.some(({ isDangerous }) => isDangerous)) findings.add(PDF.embeddedProgram)
  else if (judged.some(({ severity }) => severity === 'suspicious')) findings.add(PDF.embeddedRisk)
  charge(bytes.length)
  const isPackage = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (names.some((name) => MACRO_EXTENSION.test(name)) || (isPackage && view(bytes).includes(MACROS)))
    findings.add(PDF.embeddedMacros)
}
