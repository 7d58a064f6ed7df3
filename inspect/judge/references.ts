/** Judges a relationship of an Office package by its type and target. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { classifyTarget, isIpAddress, reachOf, type Target } from '#inspect/targets/targets.ts'
import { HOST_SCRIPTS, MACRO_DOCUMENTS } from '#inspect/windows/extensions.ts'

type Rule = (target: Target, text: string) => Definition | null

/** Office links charts and sheets to workbooks there. Files need a sign-in, and are never served as scripts. */
const CLOUD_STORAGE =
  /^https:\/\/(?:d\.docs\.live\.net|[a-z0-9-]+\.sharepoint\.com)\/[^?#]*\.(?:(?:xl[st]|pp[ts]|pot|do[ct])[xmb]?)(?:[?#!]|$)/i
const WEB_DAV = /@(?:SSL|\d+)(?:@\d+)?\\|[\\/]DavWWWRoot[\\/]/i
const MACRO_FILE = anyCase`\.(?:${MACRO_DOCUMENTS}|${HOST_SCRIPTS}|exe|html?|php)(?:[?#!]|$)`
const PROGRAM_FILE = anyCase`\.(?:${HOST_SCRIPTS}|exe|scr|lnk|html?|php)(?:[?#!]|$)`

/** A public server without a name, a web server without one, or one reached through WebDAV. Companies name their servers. */
export function isBareServer({ kind, host }: Target, text: string): boolean {
  if (kind === 'webIp') return true
  const isPublicAddress = isIpAddress(host) && reachOf(host) !== 'company'
  return kind === 'share' && (isPublicAddress || (WEB_DAV.test(text) && !CLOUD_HOST.test(host)))
}

const CLOUD_HOST = /\.sharepoint\.com$/

/** Content of a share that Office reads without a click. */
export function judgeFileServer(target: Target, text: string): Definition {
  if (isIntranet(target, text)) return OFFICE.companyServer
  return isBareServer(target, text) ? OFFICE.credentialLeak : OFFICE.fileServerReference
}

export function isCloudStorage(text: string): boolean {
  return CLOUD_STORAGE.test(text)
}

const startsProgram = ({ kind, severity, isRemote }: Target): boolean =>
  (kind === 'handler' && (severity !== 'notice' || isRemote)) || kind === 'script'
const isWeb = ({ kind, isRemote }: Target): boolean => isRemote && (kind === 'web' || kind === 'webIp')

const DOCUMENT_FILE = /\.(?:(?:xl[st]|pp[ts]|pot|do[ct])[xmb]?|od[tsp])(?:[?#!]|$)/i

/** A document on a web server that only a company's own network knows by this name. */
export function isIntranetPage(target: Target, text: string): boolean {
  return target.kind === 'web' && target.isRemote && reachOf(target.host) === 'company' && DOCUMENT_FILE.test(text)
}

const isIntranet = (target: Target, text: string): boolean =>
  target.kind === 'share' && reachOf(target.host) === 'company' && !isBareServer(target, text)

const isNamedServer = (target: Target, text: string): boolean =>
  target.kind === 'share' &&
  !isBareServer(target, text) &&
  (CLOUD_HOST.test(target.host) || reachOf(target.host) === 'zone')

const template: Rule = (target, text) => {
  if (isIntranet(target, text)) return OFFICE.companyServer
  if (isNamedServer(target, text)) return OFFICE.fileServerReference
  if (startsProgram(target) || target.kind === 'share' || target.kind === 'webIp') return OFFICE.remoteTemplate
  if (isIntranetPage(target, text)) return OFFICE.companyServer
  if (isWeb(target) && CLOUD_STORAGE.test(text))
    return MACRO_FILE.test(text) ? OFFICE.webTemplate : OFFICE.companyServer
  if (isWeb(target)) return MACRO_FILE.test(text) ? OFFICE.remoteTemplate : OFFICE.webTemplate
  return target.kind === 'file' ? OFFICE.localTemplate : null
}

/** A name inside the document may be another address, which is loaded too (CVE-2021-40444). */
const NAMED_ADDRESS = /!\s*(?:x-usc|script(?:let)?|https?|file|mhtml|ms-[a-z]{2,20}|its|mk|(?:java|vb)script):/i

const object: Rule = (target, text) => {
  if (target.isRemote && NAMED_ADDRESS.test(text)) return OFFICE.remoteObject
  if (isIntranetPage(target, text)) return OFFICE.companyServer
  if (CLOUD_STORAGE.test(text)) return OFFICE.fileServerObject
  if (isWeb(target) || target.kind === 'handler' || target.kind === 'script') return OFFICE.remoteObject
  if (isIntranet(target, text)) return OFFICE.companyServer
  if (target.kind === 'share') return isBareServer(target, text) ? OFFICE.remoteObject : OFFICE.fileServerObject
  return target.kind === 'file' || target.kind === 'relative' ? OFFICE.linkedObject : null
}

const frame: Rule = (target, text) => {
  if (target.kind === 'share' && !isBareServer(target, text)) return judgeFileServer(target, text)
  if (isIntranetPage(target, text)) return OFFICE.companyServer
  return target.isRemote || startsProgram(target) ? OFFICE.remoteFrame : null
}

const picture: Rule = (target, text) => {
  if (startsProgram(target)) return LINKS.handlerAutomatic
  if (target.kind === 'share') return judgeFileServer(target, text)
  return target.isRemote ? OFFICE.remotePicture : null
}

/** Excel asks before it reads the other workbook. */
const workbook: Rule = (target, text) => {
  if (startsProgram(target)) return LINKS.handlerAutomatic
  if (isBareServer(target, text)) return OFFICE.fileServerReference
  return target.isRemote && PROGRAM_FILE.test(text) ? OFFICE.externalPart : OFFICE.linkedObject
}

const mailMerge: Rule = (target, text) => {
  if (target.kind === 'share') {
    const found = judgeFileServer(target, text)
    return found.severity === 'suspicious' ? OFFICE.remoteMailMerge : found
  }
  return target.isRemote ? OFFICE.remoteMailMerge : OFFICE.mailMergeSource
}

const core: Rule = (target) => (target.isRemote || startsProgram(target) ? OFFICE.externalCore : null)

const part: Rule = (target, text) => {
  if (startsProgram(target)) return LINKS.handlerAutomatic
  if (target.kind === 'share') return judgeFileServer(target, text)
  return target.isRemote && !CLOUD_STORAGE.test(text) ? OFFICE.externalPart : null
}

const other: Rule = (target, text) => {
  if (startsProgram(target)) return LINKS.handlerAutomatic
  return target.kind === 'share' ? judgeFileServer(target, text) : null
}

const each = (rule: Rule, types: string): (readonly [string, Rule])[] => types.split(' ').map((type) => [type, rule])

/** By the last segment of the type, in lower case. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ...each(template, 'attachedtemplate'),
  ...each(object, 'oleobject'),
  ...each(frame, 'frame subdocument afchunk'),
  ...each(picture, 'image audio video media hdphoto svg'),
  ...each(
    workbook,
    'externallinkpath externallinklongpath externalreference xlpathmissing xlstartup xlalternatestartup xllibrary',
  ),
  ...each(mailMerge, 'mailmergesource mailmergeheadersource recipientdata'),
  ...each(
    core,
    `officedocument settings styles slide slidelayout slidemaster worksheet chartsheet dialogsheet control
    activexcontrolbinary vbaproject package xlmacrosheet xlintlmacrosheet extensibility customui`.replace(/\s+/g, ' '),
  ),
  ...each(
    part,
    `slideupdateurl slideupdateinfo attachedtoolbars keymapcustomizations transform attachedschema externaldata externallink
    chart chartusershapes comments core-properties custom-properties extended-properties diagramdata drawing vmldrawing font
    footer header footnotes endnotes glossarydocument notesslide pivotcachedefinition pivottable sharedstrings theme thumbnail
    wordvbadata customxml websettings fonttable numbering connections querytable`.replace(/\s+/g, ' '),
  ),
])

/** null: nothing to report. Hyperlinks are judged like links of every other format. */
export function judgeReference(type: string, text: string, isExternal: boolean): Definition | null {
  const target = classifyTarget(text)
  if (target.scheme === 'ms-msdt') return LINKS.troubleshooter
  if (text === '') return null
  // Names of parts inside the package.
  if (!isExternal && (target.kind === 'relative' || target.kind === 'file')) return null
  return (RULES.get(type) ?? other)(target, text)
}
