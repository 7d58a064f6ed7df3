/** URL schemes that start a program, and how dangerous a link with one is. */

import type { Severity } from '#inspect/core/findings.ts'
import { ASKING, HELP, OFFICE, SEARCH, STARTING } from '#inspect/windows/schemes.ts'

interface Rule {
  severity: Severity
  /** Of links that match. */
  worse?: readonly [pattern: RegExp, severity: Severity]
}

const REMOTE = /https?:|\\\\|file:|%5c%5c/i
const REMOTE_CRUMB = /(?:crumb|subquery)=(?:(?!(?:crumb|subquery)=)[^&])*(?:\\\\|%5c%5c|\/\/|%2f%2f)/i

const MALICIOUS: Rule = { severity: 'malicious' }
const SUSPICIOUS: Rule = { severity: 'suspicious' }
/** Opens a document of the link's choice in an Office program. SharePoint makes such links to its own documents. */
const REMOTE_DOCUMENT: Rule = {
  severity: 'notice',
  worse: [
    /http:|https:\/*(?:[^/@]{0,200}@)?(?:[\d.]+|0x[\da-fx.]+|\[[^\]]{0,50}\])(?::\d*)?(?:\/|$)|\\\\|file:|%5c%5c/i,
    'suspicious',
  ],
}
const REMOTE_SEARCH: Rule = { severity: 'suspicious', worse: [REMOTE_CRUMB, 'malicious'] }
/** A page in a web archive, with the address of the page. The archive of an ordinary link is on the author's own computer. */
const ARCHIVED_PAGE = /^mhtml:(?:file:)?[\\/]{0,3}[a-z][:|][^!]*(?:!(?:(?:https?|file|cid):[^!]*)?)?$/i
const REMOTE_ARCHIVE: Rule = {
  severity: 'notice',
  worse: [new RegExp(`^(?!${ARCHIVED_PAGE.source.slice(1)})`, 'i'), 'malicious'],
}
/** Compiled help: an ordinary one is on the same computer. */
const REMOTE_HELP: Rule = { severity: 'notice', worse: [REMOTE, 'malicious'] }

const each = (rule: Rule, schemes: readonly string[]): (readonly [string, Rule])[] =>
  schemes.map((scheme) => [scheme, rule] as const)

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...each(MALICIOUS, STARTING),
  ...each(REMOTE_SEARCH, SEARCH),
  ...each({ severity: 'suspicious', worse: [/source=https?:/i, 'malicious'] }, ['ms-appinstaller']),
  ...each({ severity: 'suspicious', worse: [/\.\.|%2e%2e|shell/i, 'malicious'] }, ['vnd.sun.star.script']),
  ...each({ severity: 'suspicious', worse: [/shell/i, 'malicious'] }, ['macro']),
  ...each({ severity: 'notice', worse: [/^ppaction:\/\/program/i, 'malicious'] }, ['ppaction']),
  ...each({ severity: 'notice', worse: [/[?&]attach(?:ment)?=/i, 'suspicious'] }, ['mailto']),
  ...each(REMOTE_ARCHIVE, ['mhtml']),
  ...each(REMOTE_HELP, HELP),
  ...each(REMOTE_DOCUMENT, OFFICE),
  ...each(SUSPICIOUS, ASKING),
])

/** null: the scheme starts no program that is known to be abused. */
export function handlerSeverity(scheme: string, target: string): Severity | null {
  const rule = RULES.get(scheme)
  if (rule === undefined) return null
  return rule.worse?.[0].test(target) ? rule.worse[1] : rule.severity
}
