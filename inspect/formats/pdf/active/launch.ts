/** Judges actions that start programs. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import type { Action } from './actions.ts'
import type { PdfDocument } from './document.ts'
import type { Findings } from './findings.ts'
import { classify, fileNames, isProgram, isRemoteProgram } from './targets.ts'

/** Dictionaries with the program for each system. */
const SYSTEMS = ['Win', 'Unix', 'Mac']
export function judgeLaunch(
  { dictionary: { entries }, trigger }: Action,
  document: PdfDocument,
  findings: Findings,
): void {
  const systems = document.dictionaries(SYSTEMS.flatMap((key) => entries.get(key) ?? []))
  const named = [
    ...fileNames(entries.get('F'), document),
    ...systems.flatMap((system) => fileNames(system.entries.get('F'), document)),
    ...document.texts(SYSTEMS.flatMap((key) => entries.get(key) ?? [])),
  ]
  const parameters = systems
    .flatMap((system) => document.texts(system.entries.get('P')))
    .filter((text) => text.trim() !== '')
  const files = trigger === 'click' ? named.filter((file) => !isMistyped(file)) : named
  if (files.length < named.length && files.length + parameters.length === 0) return
  const shown = describeTarget([...files.slice(0, 1), ...parameters.slice(0, 1)].join(' '))
  const isCommand =
    parameters.length > 0 ||
    files.some(isProgram) ||
    [...files, `${files[0] ?? ''} ${parameters[0] ?? ''}`].some((text) => findCommand(text) !== null)
  const isAutomaticRemote = trigger !== 'click' && files.some((file) => classify(file).isRemote)
  if (isCommand || isAutomaticRemote) findings.add(PDF.launchCommand, shown)
  else
    findings.add(
      trigger === 'click' && files.length > 0 && files.every(isPlainFile) ? PDF.launchDocument : PDF.launchFile,
      shown,
    )
}

/** Kinds of files that contain no macros and run nothing. */
const PLAIN =
  /\.(?:pdf|txt|csv|docx|xlsx|pptx|odt|ods|odp|png|jpe?g|gif|tiff?|bmp|webp|mp[34g]|m4[av]|mpe?g|mov|avi|wmv|wma|wav|webm|mkv|ogg|ogv|flac|aiff?)\s*$/i

/** A film or document on the computer of the reader. */
function isPlainFile(file: string): boolean {
  return /^(?:relative|file)$/.test(classify(file).kind) && PLAIN.test(file)
}

/** In parentheses, or with one slash. As a path of a file it has no colon. */
const MISTYPED = /^\s{0,4}(?:\/{0,2}\(\s{0,4}(https?):?[\\/]{1,9}|(https?):[\\/](?![\\/]))/i

/** An address on the web that no program can open, because its author mistyped it. */
function isMistyped(file: string): boolean {
  if (!MISTYPED.test(file)) return false
  const address = file.replace(MISTYPED, 'https://').replace(/\)\s*$/, '')
  return classify(address).kind === 'web' && !isRemoteProgram(address)
}
