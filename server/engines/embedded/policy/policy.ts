/** The operator's policy: how much each finding counts, in place of the severity in the catalogue. */
import { createHash } from 'node:crypto'
import { type AnalyserReport, FINDINGS_MAX, SEVERITIES } from '#engines/embedded/protocol.ts'
import type { Outcome } from '#engines/engine.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { CLASSES, classesOf, contains } from './classes.ts'

const ACTIONS = ['allow', 'notice', 'suspicious', 'block'] as const
type Action = (typeof ACTIONS)[number]

export interface Policy {
  /** Of the file, in hex. */
  sha256: string
  /** By the id of the finding. Findings without one keep their severity. */
  actions: ReadonlyMap<string, Action>
  /** Findings that are malicious without the policy and less with it. */
  lowered: readonly string[]
}

type Finding = NonNullable<Outcome['findings']>[number]

export const POLICY_BYTES_MAX = 65_536
const PROBLEMS_MAX = 10
const NAME_SHOWN_MAX = 60

/** The test file must show that scanning works, and bombs harm every reader. */
const NEVER_LOWERED = /^Docvet\.(?:Test|Bomb)\./
const UNREAD = /^Docvet\.Unscannable\./
const OBSTACLES = {
  encrypted: 'Docvet.Unscannable.Encrypted',
  too_complex: 'Docvet.Unscannable.TooComplex',
  damaged: 'Docvet.Unscannable.Damaged',
} as const

const SEVERITY_OF = { allow: 'notice', notice: 'notice', suspicious: 'suspicious', block: 'malicious' } as const
const ALLOWED = 'Allowed by the policy of the operator'

/** The problems quote names but no values: a file given by mistake may contain secrets. */
export function parsePolicy(text: string): { policy: Policy } | { problems: string[] } {
  if (Buffer.byteLength(text) > POLICY_BYTES_MAX)
    return { problems: [`the file has more than ${POLICY_BYTES_MAX} bytes. Allowed: a JSON object up to this size.`] }
  const content = parseObject(text)
  if (typeof content === 'string') return { problems: [content] }
  const problems = [
    ...repeatedNames(text).map(
      (name) => `${shownName(name)} is given more than once. Allowed: one action for each name.`,
    ),
    ...Object.entries(content).flatMap(([name, action]) => problemOf(name, action) ?? []),
  ]
  if (problems.length > PROBLEMS_MAX)
    problems.splice(PROBLEMS_MAX, Infinity, `and ${problems.length - PROBLEMS_MAX} more.`)
  if (problems.length > 0) return { problems }
  const given = new Map(Object.entries(content as Record<string, Action>))
  const chosen = [...CATALOGUE.keys()].map((id) => [id, chooseAction(id, given)] as const)
  const actions = new Map(chosen.filter((entry): entry is [string, Action] => entry[1] !== undefined))
  const lowered = [...actions.keys()].filter(
    (id) => CATALOGUE.get(id)?.severity === 'malicious' && actions.get(id) !== 'block' && !UNREAD.test(id),
  )
  return { policy: { sha256: createHash('sha256').update(text).digest('hex'), actions, lowered } }
}

/** A string is the reason why not. */
function parseObject(text: string): Record<string, unknown> | string {
  const allowed = 'Allowed: a JSON object such as {"macros.auto": "block"}.'
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    return `the file is not a JSON object. ${allowed}`
  } catch (error) {
    const position = /line \d+ column \d+/.exec(String(error))?.[0]
    return `the file is not valid JSON${position ? ` (${position})` : ''}. ${allowed}`
  }
}

/** Names of valid JSON that occur again at the top. `JSON.parse` silently keeps the last action. */
function repeatedNames(text: string): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [token, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (name === undefined) depth += /[{[]/.test(token) ? 1 : -1
    else if (depth === 1 && colon !== undefined) {
      const decoded: string = JSON.parse(name)
      if (seen.has(decoded)) repeated.add(decoded)
      seen.add(decoded)
    }
  }
  return [...repeated]
}

const shownName = (name: string): string =>
  JSON.stringify(name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name)

function problemOf(name: string, action: unknown): string | null {
  const shown = shownName(name)
  if (name.startsWith('Operator.'))
    return `${shown} is a rule of your own. Allowed: findings of Docvet; set the meta field severity of the rule instead.`
  if (name.startsWith('Feed.'))
    return `${shown} is a list of your own. Allowed: findings of Docvet; set the action of the list instead.`
  const ids = isClass(name) ? [...CATALOGUE.keys()].filter((id) => contains(name, id)) : [name]
  if (!ids.every((id) => CATALOGUE.has(id)))
    return `${shown} is neither a finding nor a class. Allowed: ids such as Docvet.Vba.Present, ${Object.keys(CLASSES).join(', ')}.`
  if (!ACTIONS.some((each) => each === action))
    return `the value of ${shown} is not an action. Allowed: ${ACTIONS.join(', ')}.`
  if (action !== 'block' && ids.some((id) => NEVER_LOWERED.test(id)))
    return `${shown} cannot be lowered. Allowed: block.`
  if ((action === 'allow' || action === 'notice') && ids.some((id) => UNREAD.test(id)))
    return `${shown} cannot be allowed, because a document that was not read is never clean. Allowed: suspicious, block.`
  return null
}

const isClass = (name: string): name is keyof typeof CLASSES => Object.hasOwn(CLASSES, name)

/**
 * The id wins over classes, and a part of a class over the class. Of classes that only overlap, the strictest wins. `notice` and
 * `suspicious` for a class do not lower its malicious findings: an operator who makes macros suspicious wants to see more, not less.
 */
function chooseAction(id: string, given: ReadonlyMap<string, Action>): Action | undefined {
  const own = given.get(id)
  if (own !== undefined) return own
  const named = classesOf(id).filter((name) => given.has(name))
  const narrowest = named.filter((name) => !named.some((other) => other.startsWith(`${name}.`)))
  const strictest = Math.max(...narrowest.map((name) => ACTIONS.indexOf(given.get(name) as Action)))
  const action = ACTIONS[strictest]
  const isMalicious = CATALOGUE.get(id)?.severity === 'malicious' && !UNREAD.test(id)
  return isMalicious && (action === 'notice' || action === 'suspicious') ? undefined : action
}

/** The report as the policy sees it. Findings stay the worst first. */
export function applyPolicy(report: AnalyserReport, { actions }: Policy): AnalyserReport {
  // Each kind of finding is in the report, unless there are more kinds than it can have.
  const isTruncated = new Set(report.findings.map(({ id }) => id)).size >= FINDINGS_MAX
  const rated = report.findings.map((finding) => rate(finding, actions.get(finding.id), isTruncated))
  const findings = [...rated, ...unreadFinding(report, actions)]
  const worstFirst = findings.toSorted((a, b) => rank(a.severity) - rank(b.severity))
  const detail = 'The document has more kinds of findings than can be reported.'
  const missing = isTruncated && raises(actions) ? { reason: 'too_complex' as const, detail, path: [] } : null
  return { ...report, findings: worstFirst, obstacle: report.obstacle ?? missing }
}

const rank = (severity: Finding['severity']): number => SEVERITIES.indexOf(severity)

function raises(actions: Policy['actions']): boolean {
  return actions
    .entries()
    .some(([id, action]) => rank(SEVERITY_OF[action]) < rank(CATALOGUE.get(id)?.severity ?? 'malicious'))
}

function rate(finding: Finding, action: Action | undefined, isTruncated: boolean): Finding {
  if (action === undefined) return finding
  const severity = SEVERITY_OF[action]
  if (isTruncated && rank(severity) > rank(finding.severity)) return finding
  if (action !== 'allow') return { ...finding, severity }
  return { ...finding, severity, detail: [ALLOWED, finding.detail].filter(Boolean).join(': ') }
}

/** An obstacle that the policy counts as a threat. */
function unreadFinding({ obstacle }: AnalyserReport, actions: Policy['actions']): Finding[] {
  const id = obstacle && OBSTACLES[obstacle.reason]
  const action = id && actions.get(id)
  const definition = id && CATALOGUE.get(id)
  if (!obstacle || !action || !definition) return []
  const { article: _article, ...text } = definition
  return [{ ...text, severity: SEVERITY_OF[action], path: obstacle.path, detail: obstacle.detail }]
}
