/** Files of a server that a link downloads, by the path of the address. */

import { anyCase } from '#inspect/core/pattern.ts'
import { IMITATED, SERVER_PAGES } from '#inspect/windows/extensions.ts'
import { kindOfExtension } from './extensions.ts'
import { isPaperName } from './papers.ts'

interface ServedFile {
  /** A program, script or shortcut; else an archive or disk image. */
  isCode: boolean
  /** Called like a document: `invoice.pdf.js`. */
  isPosing: boolean
  /** Called like a paper that comes by mail: `Invoice_4711.zip`. */
  isPaper: boolean
  /** Opening it runs code of the host of scripts or a shortcut, which no site offers for download. */
  isTrap: boolean
}

const DOWNLOADED: ReadonlySet<string> = new Set(['archive', 'diskImage', 'program', 'script', 'shortcut'])
const CODE: ReadonlySet<string> = new Set(['program', 'script', 'shortcut'])
const SERVER_PAGE = anyCase`\.${SERVER_PAGES}$`
const POSING = anyCase`\.${IMITATED}\.\w{2,4}$`
/** Browsers show the text of a script for pages, and tools are installed by scripts for shells. */
const SHOWN: ReadonlySet<string> = new Set([
  'js',
  'ps1',
  'command',
  'terminal',
  'inf',
  'reg',
  'prf',
  'chm',
  'hlp',
  'jnlp',
])

/** null: a page, a document or anything else that is shown. */
export function servedFile(target: string): ServedFile | null {
  const path = URL.parse(target.trim().replace(/^\/\//, 'https://'))?.pathname ?? ''
  const extension = /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const found = kindOfExtension(extension)
  if (found === null || !DOWNLOADED.has(found.kind) || SERVER_PAGE.test(path)) return null
  const isCode = CODE.has(found.kind)
  return {
    isCode,
    isPosing: POSING.test(path),
    isPaper: isPaperName(decoded(path.slice(path.lastIndexOf('/') + 1))),
    isTrap: isCode && found.kind !== 'program' && found.severity === 'malicious' && !SHOWN.has(extension),
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
