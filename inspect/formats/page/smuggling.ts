/** Files that a page builds from its own content and saves (HTML smuggling). */

import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import type { FileKind } from '#inspect/judge/extensions.ts'
import { judgeFile } from '#inspect/judge/files.ts'
import type { Behaviour } from './behaviour.ts'

/** Files that are inspected. A page saves one. */
const FILES_MAX = 20
/** Coded data of this length is a file. Keys and pictures of a few pixels are shorter. */
const DATA_MIN = 1_024
const DIGIT_WORK = 10

const DANGEROUS: ReadonlySet<FileKind> = new Set(['program', 'script', 'shortcut', 'archive', 'diskImage'])

export function judgeSaving(item: Item, source: string, behaviour: Behaviour, context: Context): void {
  if (!behaviour.saves) return
  const kinds = kindsOf(source, behaviour)
  for (const bytes of behaviour.payloads.slice(0, FILES_MAX)) {
    if (!context.countEntry(item) || !context.chargeBytes(item, bytes.length, 'stream')) return
    context.inspectMember(item, '(saved file)', bytes)
  }
  const found = kinds.find((kind) => DANGEROUS.has(kind))
  if (found !== undefined) context.addFinding(item, { ...WEB.smuggledFile, detail: DETAILS[found] ?? null })
  else if (kinds.includes('data') && behaviour.decodes)
    context.addFinding(item, { ...WEB.smugglingParts, detail: null })
  else context.addFinding(item, { ...WEB.download, detail: null })
}

function kindsOf(source: string, { payloads, fileNames, decodes }: Behaviour): FileKind[] {
  const name = fileNames[0] ?? ''
  const kinds = payloads.slice(0, FILES_MAX).map((bytes) => {
    const { kind, isDangerous } = judgeFile(name, bytes)
    // Readers expect tools that write a Python or shell script to save it.
    return kind === 'script' && !isDangerous ? 'text' : kind
  })
  const coded = payloads.length === 0 && decodes ? codedKind(source, name) : null
  return coded === null ? kinds : [...kinds, coded]
}

const DETAILS: Partial<Record<FileKind, string>> = {
  program: 'a program',
  script: 'a script',
  shortcut: 'a shortcut',
  archive: 'an archive',
  diskImage: 'a disk image',
}

const BASE64_DATA = /[A-Za-z0-9+/]{64,}={0,2}/g
const OTHER_DATA = /(?:\d{1,3}\s*,\s*){256}|[0-9a-f]{1024}/i

/** What the longest data in a script is, if the script was too complex to be followed. null: it has no long data. */
function codedKind(source: string, name: string): FileKind | null {
  charge(source.length * DIGIT_WORK)
  let longest = ''
  for (const [digits] of source.matchAll(BASE64_DATA)) if (digits.length > longest.length) longest = digits
  if (longest.length >= DATA_MIN) {
    const forwards = judgeFile(name, Buffer.from(longest, 'base64')).kind
    if (DANGEROUS.has(forwards)) return forwards
    const backwards = judgeFile(name, Buffer.from([...longest].reverse().join(''), 'base64')).kind
    return DANGEROUS.has(backwards) ? backwards : forwards
  }
  return OTHER_DATA.test(source) ? 'data' : null
}
