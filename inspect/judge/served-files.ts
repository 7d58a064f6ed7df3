/** Files of a server that a link downloads, by the path of the address. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
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
  const { pathname: path = '', searchParams } = URL.parse(target.trim().replace(/^\/\//, 'https://')) ?? {}
  charge(target.length)
  const packed = [decoded(path), ...(searchParams?.values() ?? [])].find(isPackedScript)
  if (packed !== undefined) return { isCode: true, isPosing: true, isPaper: isPaperName(packed), isTrap: true }
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

/** `Invoice.vbs.zip`: an archive that is called like the script in it, which runs when it is opened. */
function isPackedScript(name: string): boolean {
  const [, inner = '', outer = ''] = /[^/]\.(\w{2,5})\.(\w{2,5})$/.exec(name)?.map((each) => each.toLowerCase()) ?? []
  const [script, archive] = [kindOfExtension(inner), kindOfExtension(outer)]
  return (
    archive?.kind === 'archive' && script?.kind === 'script' && script.severity === 'malicious' && !SHOWN.has(inner)
  )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
