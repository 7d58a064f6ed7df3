/** Reads files of sections with keys, as Windows does: whatever stands around the section that is asked for is ignored. */

import type { Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'

export interface Entry {
  section: string
  key: string
  value: string
}

const HEADER = /^\[([^\]]+)\]/
const NO_KEY = /[;#[\]]/
const KEY_MAX = 100
const COMMENT = /^(?:[;#]|\/\/|$)/
/** Files that are read as sections whatever they contain. */
const NAMES = /\.(?:url|website|desktop|scf|theme|themepack|ini|inf|ica|service)[.\s]*$/i
/** One line in eight may be anything else, in a file without such a name. */
const OTHER_SHARE = 8
const LINE_WORK = 400
const CHARACTER_WORK = 6
const ENTRY_BYTES = 200

/** All entries. Empty: a text that only mentions sections. */
export function readSections({ name }: Item, text: string): Entry[] {
  charge(text.length)
  const othersMax = NAMES.test(name ?? '') ? Number.POSITIVE_INFINITY : linesIn(text) / OTHER_SHARE
  const entries: Entry[] = []
  let [section, lines, others] = ['', 0, 0]
  for (const found of text.matchAll(/[^\r\n]+/g)) {
    charge(LINE_WORK + found[0].length * CHARACTER_WORK)
    const line = found[0].trim()
    lines += 1
    section = HEADER.exec(line)?.[1]?.trim().toLowerCase() ?? section
    const entry = entryOf(line)
    if (entry !== null) {
      keep(ENTRY_BYTES + line.length)
      entries.push({ section, ...entry })
    } else if (!HEADER.test(line) && !COMMENT.test(line)) others += 1
    // Prose and programs, most of which is not read.
    if (others > othersMax) return []
  }
  return othersMax === Number.POSITIVE_INFINITY || others * OTHER_SHARE <= lines ? entries : []
}

/** At least as many as there are. */
function linesIn(text: string): number {
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED || code === CARRIAGE_RETURN) count += 1
  }
  return count
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d]

/** null: no key. */
function entryOf(line: string): Omit<Entry, 'section'> | null {
  const sign = line.indexOf('=')
  const key = line.slice(0, Math.max(0, sign)).trimEnd()
  if (key === '' || key.length > KEY_MAX || NO_KEY.test(key)) return null
  const value = line.slice(sign + 1).trimStart()
  return { key: key.toLowerCase(), value: value.replace(/^(["'])(.*)\1$/, '$2') }
}

/** The values of a key. Those of a section for wide characters may be in UTF-7. */
export function valuesOf(entries: readonly Entry[], section: RegExp, key: RegExp): string[] {
  return entries
    .filter((entry) => section.test(entry.section) && key.test(entry.key))
    .flatMap(({ section: name, value }) => (name.endsWith('.w') ? [value, fromUtf7(value)] : [value]))
}

const UTF16 = new TextDecoder('utf-16be')

function fromUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, digits: string) =>
    digits === '' ? '+' : UTF16.decode(Buffer.from(digits, 'base64')),
  )
}
