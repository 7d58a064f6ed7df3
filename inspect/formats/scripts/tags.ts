/** Scripts in HTML applications, script components and old pages, also in files that are something else as well. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { partAround } from '#inspect/codecs/mail-bounds.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { isNoPage } from '#inspect/judge/files.ts'
import { isProse, isRead, type Language } from '#inspect/judge/scripts/language.ts'
import { className } from '#inspect/programs/class-names.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'
import { isHosted } from './hosts.ts'

export const SCRIPT_TAG = mark(['<script', ':script'], { ignoresCase: true })

interface TagScripts {
  /** The scripts of each language together, because they share their variables. */
  byLanguage: ReadonlyMap<Language, string>
  /** Runs outside browsers, with all rights. */
  isHost: boolean
  /** A script from another computer. */
  remote: string | undefined
}

const TAG = /<(?:[\w.-]+:)?script\b([^>]*)(?:>([\s\S]*?)(<\/(?:[\w.-]+:)?script|$)|$)/gi
/** The extension for scripts counts in a stylesheet. Pages that a stylesheet made keep its name. */
const XSLT = 'urn:schemas-microsoft-com:xslt'
const STYLESHEET = /XSL\/Transform|\/WD-xsl|implements-prefix/i
/** Objects that the scripts of a page or job find by their names. */
const OBJECT = /<object\b([^>]*)/gi
const OBJECT_NAME = /\bid\s*=\s*["']?([a-z_]\w{0,60})/i
const OBJECT_CLASS = /\b(?:classid|progid)\s*=\s*["']?([\w.:{}-]{1,60})/i
/** For each tag, and for each character of the text. */
const TAG_WORK = 1_000
const CHARACTER_WORK = 4
const SOURCE = /(?<=[\s"'/])src\s*=\s*["']?\s*([^"'\s>]{1,1000})/gi
/** Data and templates, which no program runs. */
const DATA = /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|html|x-[\w-]*template|plain))/i

/** null: none, or only as an example for the reader. */
export function readTags(item: Item, written: string): TagScripts | null {
  const text = executableText(item, written)
  if (text === '') return null
  charge(text.length * CHARACTER_WORK)
  const byLanguage = new Map<Language, string>()
  for (const found of text.matchAll(TAG)) {
    charge(TAG_WORK)
    const [, attributes = '', content = ''] = found
    if (DATA.test(attributes) || isParagraphs(item, content) || isMention(item, found)) continue
    const language: Language = /vbs/i.test(attributes) ? 'vbscript' : 'javascript'
    byLanguage.set(language, `${byLanguage.get(language) ?? ''}\n${content.replace(/<!\[CDATA\[|\]\]>/g, '')}`)
  }
  if (byLanguage.size === 0) return null
  declareObjects(text, byLanguage)
  const isStylesheet = text.toLowerCase().includes(XSLT) && STYLESHEET.test(text)
  const isHost = isStylesheet || isHosted(item, text)
  if (isHost) addHandlers(text, byLanguage)
  return { byLanguage, isHost, remote: isHost ? remoteSource(text) : undefined }
}

/** What elements of an application do when they are clicked or shown, in the language of its first script. */
const HANDLER = /\son[a-z]{3,20}\s{0,4}=\s{0,4}(?:"([^"]{1,2000})"|'([^']{1,2000})')/gi

function addHandlers(text: string, byLanguage: Map<Language, string>): void {
  const [[language, source] = []] = byLanguage
  if (language === undefined) return
  let added = ''
  for (const [, double, single] of text.matchAll(HANDLER)) {
    charge(TAG_WORK)
    const code = unreferenced(double ?? single ?? '').replace(/^\s*(?:java|vb)s(?:cript)?:/i, '')
    added += language === 'vbscript' ? `\n${code}` : `\n(function () {${code}\n})();`
  }
  byLanguage.set(language, source + added)
}

/** A script without an end, in a text that is no page. */
function isMention(item: Item, [, , , end = '']: RegExpExecArray): boolean {
  return end === '' && isNoPage(item)
}

/** Code in Markdown. */
const FENCED = /^(?:```|~~~)[\s\S]*?^(?:```|~~~)|`[^`\r\n]{1,500}`/gm
const ZIP_ENTRY = 'PK\x03\x04'
const ZIP_END = 'PK\x05\x06'

/** Without what is judged as a member, and without code that a note or article only shows. */
function executableText(item: Item, text: string): string {
  const { name, sniffed } = item
  const { kind, type } = sniffed
  if (kind === 'text') {
    if (type === 'message/rfc822') return plainPages(text)
    return type === 'text/plain' && (name === null || isRead(name)) ? withoutExamples(item, text) : text
  }
  const first = text.indexOf(ZIP_ENTRY)
  if (first !== -1 && kind !== null && kind !== 'pdf' && kind !== 'rtf')
    return text.slice(0, first) + text.slice(Math.max(first, text.lastIndexOf(ZIP_END)))
  return roleOf(type) === 'archive' ? '' : text
}

const PAGE_HEADER = /^content-type[ \t]*:\s*(?:text\/html|application\/xhtml\+xml)/gim
const ENCODED_PART = /^content-transfer-encoding[ \t]*:[ \t]*(?:base64|quoted-printable)/im

/** Pages in a mail or web archive, which browsers open under the name of an archive. Encoded ones are members. */
function plainPages(text: string): string {
  const pages: string[] = []
  let end = 0
  for (const { index } of text.matchAll(PAGE_HEADER)) {
    charge(TAG_WORK)
    if (index < end) continue
    const part = partAround(text, index)
    if (part === null || ENCODED_PART.test(part.headers)) continue
    end = part.end
    pages.push(text.slice(part.start, end))
  }
  return pages.join('\n')
}

function withoutExamples(item: Item, text: string): string {
  if (/^(?:\xef\xbb\xbf)?\s*</.test(text)) return text
  const rest = text.replace(FENCED, '')
  const isNote = rest
    .slice(0, rest.indexOf('<') + 1)
    .split(/\r?\n|\r/)
    .some(isProse)
  return isNote && !isHosted(item, rest) && !rest.toLowerCase().includes(XSLT) ? '' : rest
}

/** Word and RTF show code as paragraphs, which end otherwise than the lines of a script. */
function isParagraphs({ sniffed, parent }: Item, content: string): boolean {
  if (sniffed.kind === 'rtf') return !/(?<!\\par ?|\\line ?)\r?\n/.test(content.trim())
  const isStream = sniffed.kind === 'ole2' || (sniffed.kind === null && parent?.sniffed.kind === 'ole2')
  return isStream && !content.includes('\n')
}

function declareObjects(text: string, byLanguage: Map<Language, string>): void {
  for (const [, attributes = ''] of text.matchAll(OBJECT)) {
    charge(TAG_WORK)
    const name = OBJECT_NAME.exec(attributes)?.[1]
    const type = className(OBJECT_CLASS.exec(attributes)?.[1] ?? '')
    if (name === undefined || !/^[\w.]+$/.test(type)) continue
    for (const [language, source] of byLanguage) byLanguage.set(language, DECLARATIONS[language]?.(name, type) + source)
  }
}

const DECLARATIONS: Partial<Record<Language, (name: string, type: string) => string>> = {
  javascript: (name, type) => `var ${name} = new ActiveXObject("${type}");\n`,
  vbscript: (name, type) => `Set ${name} = CreateObject("${type}")\n`,
}

/** Outside browsers, a script from another computer runs with all rights. */
function remoteSource(text: string): string | undefined {
  const tags = [...text.matchAll(TAG)].map(([, attributes = '']) => attributes)
  const targets = tags.flatMap((each) => [...each.matchAll(SOURCE)].map(([, target = '']) => target))
  return targets.find((target) => classifyTarget(target).isRemote)
}
