/** Looks up what a document contains in the lists of the operator, and adds what they name to its report. */
import { type AnalyserReport, FINDINGS_MAX, SEVERITIES } from '#engines/embedded/protocol.ts'
import { KEY_BYTES } from '#inspect/codecs/indicator-keys.ts'
import type { Finding, IndicatorPart } from '#inspect/inspect.ts'
import type { Feed } from './feed-files.ts'

/** Findings of one list. */
const PLACES_MAX = 10

/** No list makes a document harmless that has one of them. */
const NEVER_ALLOWED = /^Docvet\.(?:Test|Bomb)\./

type Path = readonly string[]

export function applyFeeds({ indicators = [], ...report }: AnalyserReport, feeds: readonly Feed[]): AnalyserReport {
  if (feeds.length === 0 || indicators.length === 0) return report
  const allowing = feeds.filter(({ action }) => action === 'allow')
  const others = feeds.filter(({ action }) => action !== 'allow')
  const trusted = indicators.flatMap((part) => {
    const [feed] = namedBy(allowing, part.hash)
    return feed === undefined ? [] : [{ feed, path: part.path }]
  })
  const trustedPaths = new Set(trusted.map(({ path }) => JSON.stringify(path)))
  const isTrusted = (path: Path): boolean =>
    trustedPaths.size > 0 &&
    [path, ...path.keys().map((length) => path.slice(0, length))].some((each) => trustedPaths.has(JSON.stringify(each)))
  const hits = indicators.filter(({ path }) => !isTrusted(path)).flatMap((part) => hitsIn(part, others, allowing))
  const own = report.findings.map((finding) => (isTrusted(finding.path) ? lowered(finding) : finding))
  const findings = [...own, ...firstOf(hits), ...firstOf(trusted.map(({ feed, path }) => trustedFinding(feed, path)))]
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)
  return { ...report, findings: findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, FINDINGS_MAX) }
}

/** The lists that have one of the keys. */
function namedBy(feeds: readonly Feed[], coded: string): Feed[] {
  if (feeds.length === 0 || coded === '') return []
  const keys = Buffer.from(coded, 'base64')
  return feeds.filter(({ keys: table }) => {
    for (let at = 0; at + KEY_BYTES <= keys.length; at += KEY_BYTES) if (table.has(keys, at)) return true
    return false
  })
}

function hitsIn(part: IndicatorPart, feeds: readonly Feed[], allowing: readonly Feed[]): Finding[] {
  const files = namedBy(feeds, part.hash).map((feed) => fileFinding(feed, part.path))
  const addresses = part.addresses.flatMap((keys, index) => {
    const named = namedBy(feeds, keys)
    if (named.length === 0 || namedBy(allowing, keys).length > 0) return []
    return named.map((feed) => addressFinding(feed, part.path, part.shown[index] ?? null))
  })
  return [...files, ...addresses]
}

function lowered(finding: Finding): Finding {
  if (NEVER_ALLOWED.test(finding.id) || finding.severity === 'notice') return finding
  return { ...finding, severity: 'notice', detail: ['allowed by a list', finding.detail].filter(Boolean).join(': ') }
}

function findingOf(feed: Feed, path: Path, about: Pick<Finding, 'title' | 'reason' | 'detail'>): Finding {
  const severity = feed.action === 'allow' ? 'notice' : feed.action
  const id = feed.isOfChannel ? `Docvet.List.${feed.name}` : `Feed.${feed.name}`
  return { id, severity, technique: null, path, ...about }
}

const ownerOf = ({ isOfChannel }: Feed): string => (isOfChannel ? 'the update channel' : 'the operator')

const fileFinding = (feed: Feed, path: Path): Finding =>
  findingOf(feed, path, {
    title: `File on a list of ${ownerOf(feed)}`,
    reason: `The list ${feed.name} (${feed.source}) names exactly this file.`,
    detail: null,
  })

const addressFinding = (feed: Feed, path: Path, detail: string | null): Finding =>
  findingOf(feed, path, {
    title: `Address on a list of ${ownerOf(feed)}`,
    reason: `The list ${feed.name} (${feed.source}) names ${feed.kind === 'host' ? 'the server of an address' : 'an address'} in it.`,
    detail,
  })

const trustedFinding = (feed: Feed, path: Path): Finding =>
  findingOf(feed, path, {
    title: 'File that the operator trusts',
    reason: `The list ${feed.name} (${feed.source}) names exactly this file as harmless.`,
    detail: null,
  })

/** One of each list and place. */
function firstOf(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  return findings.filter(({ id, path }) => {
    const key = JSON.stringify([id, path])
    const count = counts.get(id) ?? 0
    if (seen.has(key) || count >= PLACES_MAX) return false
    seen.add(key)
    counts.set(id, count + 1)
    return true
  })
}
