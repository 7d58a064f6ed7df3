/** Judges the addresses and files that actions lead to. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { PDF } from '#inspect/catalogue/pdf.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { ownerOf } from '#inspect/judge/deception/signs.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { judgeShare } from '#inspect/judge/links.ts'
import { hasPretext } from '#inspect/judge/pasting.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import { servedFile } from '#inspect/judge/served-files.ts'
import { classifyTarget, describeTarget, reachOf } from '#inspect/targets/targets.ts'
import { IMAGES, SERVER_PAGES } from '#inspect/windows/extensions.ts'
import { CALCULATORS, INTERPRETERS, RUNNERS } from '#inspect/windows/programs.ts'
import type { PdfValue } from '../syntax/value-tree.ts'
import type { Trigger } from './actions.ts'
import type { PdfDocument } from './document.ts'
import type { Findings } from './findings.ts'

/** Keys of the name in a file specification. */
const FILE_KEYS = ['UF', 'F', 'DOS', 'Unix', 'Mac', 'URI']

/** The names in a file specification, which is a text or a dictionary. */
export function fileNames(values: readonly PdfValue[] | undefined, document: PdfDocument): string[] {
  const inner = document
    .dictionaries(values)
    .flatMap(({ entries }) => FILE_KEYS.flatMap((key) => entries.get(key) ?? []))
  return [...document.texts(values), ...document.texts(inner)]
}

const SLASHES_BEFORE_SCHEME = /^[\\/]+(?=[a-z][a-z+.-]{1,20}:[\\/])/i
/** `\\host\share` in a literal string where the backslashes were not escaped. */
const UNESCAPED_SHARE = /^\\[\w-]+(?:\.[\w-]+)+[\\/\t\n\r\f\b\v]/

/** Some readers skip slashes before a scheme, and some authors forget to escape backslashes. */
export function classify(target: string): ReturnType<typeof classifyTarget> {
  const found = classifyTarget(target)
  if (found.kind !== 'file') return found
  if (SLASHES_BEFORE_SCHEME.test(target)) return classifyTarget(target.replace(SLASHES_BEFORE_SCHEME, ''))
  return UNESCAPED_SHARE.test(target) ? classifyTarget(`\\${target}`) : found
}

export function judgeTarget(target: string, trigger: Trigger, findings: Findings): void {
  const found = classify(target)
  const { kind, scheme, severity, isRemote } = found
  const detail = describeTarget(target)
  const isAutomatic = trigger !== 'click'
  if (kind === 'share')
    findings.add(isOpenedShare(found, trigger) ? PDF.automaticShare : judgeShare(found, target), detail)
  else if (scheme === 'ms-msdt') findings.add(LINKS.troubleshooter, detail)
  else if (kind === 'handler' && severity !== 'notice')
    findings.add(handlerFinding(isAutomatic, severity === 'malicious'), detail)
  else if (kind === 'script')
    findings.add(isAutomatic || severity === 'suspicious' ? PDF.remoteAction : LINKS.script, detail)
  else if (isRemote) findings.add(isAutomatic ? automaticFinding(target, trigger) : clickFinding(target, kind), detail)
}

/** Forms of a company may fetch from its own servers while they are filled in. */
function isOpenedShare({ host }: ReturnType<typeof classify>, trigger: Trigger): boolean {
  return trigger === 'automatic' || (trigger === 'field' && reachOf(host) !== 'company')
}

function handlerFinding(isAutomatic: boolean, isMalicious: boolean): Definition {
  if (isAutomatic) return LINKS.handlerAutomatic
  return isMalicious ? LINKS.handlerProgram : LINKS.handler
}

function clickFinding(target: string, kind: ReturnType<typeof classify>['kind']): Definition {
  return kind === 'webIp' && isProgram(pathOf(target)) ? PDF.programLink : PDF.link
}

/** A program or script from another computer needs no second opinion; a page may be the help of a form. */
function automaticFinding(target: string, trigger: Trigger): Definition {
  if (isRemoteProgram(target)) return PDF.automaticProgram
  if (isNamelessServer(target)) return PDF.automaticServer
  return trigger === 'automatic' ? PDF.remoteAction : PDF.link
}

/** A web server on the internet that is only known by its number, which no form is sent to. */
export function isNamelessServer(target: string): boolean {
  const { kind, host } = classify(target)
  return kind === 'webIp' && reachOf(host) !== 'company'
}

function pathOf(target: string): string {
  return URL.parse(target.trim())?.pathname ?? ''
}

/** The path of a web address names a program, a script or a shortcut. */
export function isRemoteProgram(target: string): boolean {
  const path = pathOf(target)
  return path.includes('.') && isProgram(path) && !SCRIPTS_OF_SERVERS.test(path)
}

/** A page that is nothing but a link to a file for unpacking or starting. `isAsking`: its text says why to click. */
export function judgeCover(target: string, isAsking: boolean, findings: Findings): void {
  const file = servedFile(target)
  if (file === null || !classify(target).isRemote) return
  const isTrap = file.isPosing || isAsking || isNamelessServer(target)
  findings.add(isTrap ? PDF.programPage : PDF.downloadPage, describeTarget(target))
}

/** A link of any size to a script or program that poses as a paper, or to such an archive if the text of the page is about it. */
export function judgeServed(target: string, text: string, findings: Findings): void {
  const file = servedFile(target)
  const { host, isRemote } = classify(target)
  if (file === null || !isRemote || reachOf(host) === 'company' || ownerOf(host) !== undefined) return
  const isCode = file.isCode && (file.isPosing || file.isPaper || file.isTrap)
  if (isCode || (file.isPaper && !file.isCode && lures(text))) findings.add(PDF.programPage, describeTarget(target))
}

/** More words are a letter that somebody wrote. */
const LURE_WORDS_MAX = 80

function lures(text: string): boolean {
  const { words, pretext, lure } = shownText(text, true)
  return words <= LURE_WORDS_MAX && (pretext || lure || hasPretext(text))
}

/** Addresses with these extensions are served by programs, and `.com` may be the end of a name. */
const SCRIPTS_OF_SERVERS = anyCase`\.(?:${SERVER_PAGES}|dll|js)$`

/** A link to a program on the computer of the reader. */
export function judgeProgram(target: string, trigger: Trigger, findings: Findings): void {
  if (classify(target).kind !== 'file' || !isProgram(target)) return
  findings.add(trigger !== 'click' ? PDF.launchCommand : PDF.launchFile, describeTarget(target))
}

/** Programs that run others, with or without their extension. */
const SHELL = anyCase`(?:^|[\\/])(?:${RUNNERS}|${INTERPRETERS}|${CALCULATORS}|osascript|open)(?:\.${IMAGES})?$`

export function isProgram(file: string): boolean {
  const name = file.trim().replace(/(?<![\\/])[\\/]+$/, '')
  const extension = /\.([^.\\/\s]+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return SHELL.test(name) || kindOfExtension(extension)?.severity === 'malicious'
}

/** Dictionaries in which media name their files. */
const MEDIA_DEPTH = 5

/** The files of media, which are in dictionaries within each other. */
export function mediaFiles(values: readonly PdfValue[], document: PdfDocument, depth = 0): string[] {
  if (depth > MEDIA_DEPTH) return []
  return document
    .dictionaries(values)
    .flatMap(({ entries }) => [
      ...fileNames(entries.get('F'), document),
      ...['R', 'C', 'D', 'Annotation', 'AN', 'Movie', 'F'].flatMap((key) =>
        mediaFiles(entries.get(key) ?? [], document, depth + 1),
      ),
    ])
}
