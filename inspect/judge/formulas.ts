/** Judges formulas of tables: conversations that start programs, and functions that send cells or read files. */

import { charge } from '#inspect/core/work.ts'
import { judgeDde } from './dde.ts'

/** Functions that fetch an address. A hyperlink is fetched by a click. */
export const FETCHING = [
  'HYPERLINK',
  'WEBSERVICE',
  'IMPORTXML',
  'IMPORTDATA',
  'IMPORTHTML',
  'IMPORTFEED',
  'IMPORTRANGE',
  'IMAGE',
]

const DDE_FUNCTION = /^\s*DDE\s*\(\s*"{1,2}([\w.\\:]{1,100})"{1,2}\s*[;,]\s*"{0,2}([^"]{0,500})/i
const TOPIC =
  /[ \t]{0,99}(?:'((?:[^'\r\n]|''){0,1000})'|"{1,2}([^"\r\n]{0,1000})"{1,2}|([^'"!\s()[\]{};]{0,1000}))"{0,2}[ \t]{0,99}!([^\s,;"`?(){}]{0,100})/y
const SERVICE_MAX = 200
const BAR_WORK = 3_000

/** `application|topic!item`, anywhere in a formula. After an operator or bracket, the service is the last word. */
export function startsProgram(formula: string): boolean {
  const [, service, topic = ''] = DDE_FUNCTION.exec(formula) ?? []
  if (service !== undefined && judgeDde(service, topic) === 'command') return true
  for (let at = formula.indexOf('|'); at !== -1; at = formula.indexOf('|', at + 1)) {
    charge(BAR_WORK)
    TOPIC.lastIndex = at + 1
    const found = TOPIC.exec(formula)
    if (found === null) continue
    const [, quoted, doubled, bare, name] = found
    const before = formula.slice(Math.max(0, at - SERVICE_MAX), at).trimEnd()
    const program = (/(?<![\w.\\:])[\w.\\:]+(?='?$)/.exec(before)?.[0] ?? '').replace(/^.*(?:=|\()/, '')
    if (judgeDde(program, quoted ?? doubled ?? bare ?? '', name) === 'command') return true
  }
  return false
}

/** Excel asks before it follows a conversation in a cell; a text in quotes is none. */
export function cellStartsProgram(formula: string): boolean {
  return startsProgram(formula.replace(/"[^"]*"/g, '""'))
}

/** Functions that fetch without a click. */
const FETCHED = FETCHING.filter((name) => name !== 'HYPERLINK').join('|')
const SENT = new RegExp(
  String.raw`\b(?:${FETCHED})\(\s*(?:CONCAT(?:ENATE)?\s*\(\s*)?"\s*(https?:[^"]{0,500})"\s*[&,;]\s*(?:[\w.]+\(|\$?[A-Z]{1,3}\$?\d|\[\.)`,
  'i',
)
const READ = /\bWEBSERVICE\(\s*"\s*(file:[^"]{0,500}|[a-z]:\\[^"]{0,500}|\/[^"]{0,500})"/i

/** The address to which a formula appends cells, or the file of the reader that it reads; null: neither. */
export function sentAddress(formula: string): string | null {
  return SENT.exec(formula)?.[1] ?? READ.exec(formula)?.[1] ?? null
}
