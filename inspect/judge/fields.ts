/** Judges Word fields, wherever they are stored: OOXML, Word 2003 XML, binary documents, RTF. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { type FieldInstruction, readInstruction } from '#inspect/codecs/field-instructions.ts'
import { classifyTarget, describeTarget, type Target } from '#inspect/targets/targets.ts'
import { isOfficeProgram, judgeDde } from './dde.ts'
import { targetDetail } from './links.ts'
import { isIntranetPage, judgeFileServer } from './references.ts'

interface JudgedField {
  definition: Definition
  detail: string | null
}

type Rule = (instruction: FieldInstruction, dde: Definition) => JudgedField | null

/** Each value of the field, the first for which the finder finds something. */
const byTarget =
  (find: (target: Target, text: string) => Definition | null): Rule =>
  ({ values, switches }) => {
    for (const text of [...values, ...switches.values()]) {
      const definition = find(classifyTarget(text), text)
      if (definition !== null) return { definition, detail: targetDetail(text) }
    }
    return null
  }

const opensProgram = ({ kind, severity }: Target): boolean => kind === 'handler' && severity !== 'notice'

const picture = byTarget((target, text) => {
  if (opensProgram(target)) return LINKS.handlerAutomatic
  if (target.kind === 'share') return judgeFileServer(target, text)
  return target.isRemote ? OFFICE.remotePicture : null
})

const text = byTarget((target, path) => {
  if (opensProgram(target)) return LINKS.handlerAutomatic
  if (target.kind === 'share') return judgeFileServer(target, path)
  return target.isRemote ? OFFICE.remoteText : null
})

const data = byTarget((target, text) => {
  if (target.kind === 'share' && judgeFileServer(target, text) === OFFICE.credentialLeak) return OFFICE.credentialLeak
  return target.isRemote ? OFFICE.remoteMailMerge : null
})

const object = byTarget((target, text) => {
  if (target.kind === 'handler' || target.kind === 'script') return OFFICE.remoteObject
  if (target.kind === 'share') {
    const found = judgeFileServer(target, text)
    return found === OFFICE.fileServerReference ? OFFICE.fileServerObject : found
  }
  if (isIntranetPage(target, text)) return OFFICE.companyServer
  if (target.isRemote) return OFFICE.remoteObject
  return target.kind === 'file' ? OFFICE.linkedObject : null
})

const FORMATS = /^(?:MERGEFORMAT(?:INET)?|CHARFORMAT)$/i

const conversation: Rule = ({ values, switches }, dde) => {
  const [service = '', topic = '', ...rest] = values
  // Only the switch for the format: such a field starts nothing.
  if (switches.has('*') && topic === '' && FORMATS.test(service))
    return { definition: OFFICE.ddeDocument, detail: null }
  const kind = judgeDde(service, topic, rest.join(' '))
  const detail = describeTarget([service, topic, ...rest].join(' '))
  // Word starts any other service as a program. Without a topic, another field provides it.
  if (kind === 'command' || !isOfficeProgram(service) || topic === '') return { definition: dde, detail }
  return { definition: kind === 'remote' ? OFFICE.remoteText : OFFICE.ddeDocument, detail }
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['DDE', conversation],
  ['DDEAUTO', conversation],
  ['INCLUDETEXT', text],
  ['INCLUDE', text],
  ['RD', text],
  ['INCLUDEPICTURE', picture],
  ['IMPORT', picture],
  ['LINK', object],
  ['EMBED', object],
  ['DATABASE', data],
])

/** `dde`: the finding for a field that starts a program. `onLink` receives the target of a hyperlink. */
export function judgeField(instruction: string, dde: Definition, onLink: (target: string) => void): JudgedField | null {
  const field = readInstruction(instruction)
  if (field === null) return null
  if (field.name === 'HYPERLINK' && field.values[0] !== undefined && !field.switches.has('l')) onLink(field.values[0])
  return RULES.get(field.name)?.(field, dde) ?? null
}
