/** Results as a SARIF 2.1.0 log that code hosts accept: every finding is at a file of the tree. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { VERSION } from '#base/version.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import type { Finding } from '#inspect/inspect.ts'
import type { Result } from './result.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const LEVELS = { malicious: 'error', suspicious: 'warning', notice: 'note' } as const
/** By which code hosts sort: critical, medium, low. */
const SECURITY_SEVERITIES = { malicious: '9.0', suspicious: '6.0', notice: '3.0' } as const
const WORST_FIRST = ['malicious', 'suspicious', 'notice']
/** As many as code hosts show. */
export const RESULTS_MAX = 5_000
const FINGERPRINT_DIGITS = 32
const SLASH = ' › '

interface Artifact {
  location: { uri: string; index: number }
  parentIndex?: number
  length?: number
  mimeType?: string
  hashes?: { 'sha-256': string }
}

/** Names in archives may be no valid Unicode. */
const encodePath = (names: readonly string[]): string =>
  names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')

/** Relative to the current folder where it is below, because code hosts look for the file in their checkout. */
function uriOf(file: string): string {
  const relative = path.relative('', file)
  const isBelow = relative !== '' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
  if (isBelow) return encodePath(relative.split(path.sep))
  return path.isAbsolute(file) ? pathToFileURL(file).href : encodePath(file.split(path.sep))
}

/** Begins with a slash: the path inside the parent. */
const innerUriOf = (name: string): string => `/${encodePath(name.replace(/^\/+/, '').split('/'))}`

function ruleOf({ id, severity, title, reason, technique }: Finding) {
  const article = CATALOGUE.get(id)?.article
  const help = article && [article.danger, article.cause, article.advice].filter((text) => text !== null).join(' ')
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: reason },
    ...(help && { help: { text: help } }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: ['security', ...(technique ? [technique] : [])],
      'security-severity': SECURITY_SEVERITIES[severity],
    },
  }
}

function createArtifacts() {
  const artifacts: Artifact[] = []
  const indexes = new Map<string, number>()

  function add(key: string, uri: string, more: Omit<Artifact, 'location'>): number {
    const index = indexes.get(key) ?? artifacts.push({ location: { uri, index: artifacts.length }, ...more }) - 1
    indexes.set(key, index)
    return index
  }

  return {
    artifacts,
    add({ path: file, size, sha256, detectedType }: Result): number {
      return add(JSON.stringify([file]), uriOf(file), {
        ...(size !== null && { length: size }),
        ...(detectedType !== null && { mimeType: detectedType }),
        ...(sha256 !== null && { hashes: { 'sha-256': sha256 } }),
      })
    },
    /** The innermost file of a finding. */
    addInner(file: string, inner: readonly string[], root: number): number {
      return inner.reduce(
        (parentIndex, name, depth) =>
          add(JSON.stringify([file, ...inner.slice(0, depth + 1)]), innerUriOf(name), { parentIndex }),
        root,
      )
    },
  }
}

/** Equal for the same finding of another run, whatever else the run found. */
function fingerprintOf(uri: string, { id, path: inner }: Finding): string {
  const text = JSON.stringify([id, uri, ...inner.map((name) => name.toWellFormed())])
  return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_DIGITS)
}

function messageOf({ title, reason, detail, path: inner }: Finding): string {
  const place = inner.length === 0 ? '' : ` In ${inner.join(SLASH).toWellFormed()}.`
  return `${title}. ${reason}${detail === null ? '' : ` (${detail})`}${place}`
}

interface Found {
  file: string
  finding: Finding
}

/** The worst first where not all have room, otherwise by the name of the file: results arrive in any order. */
function chosen(found: readonly Found[]): readonly Found[] {
  const byFile = (one: Found, other: Found) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0)
  const rank = ({ finding }: Found) => WORST_FIRST.indexOf(finding.severity)
  if (found.length <= RESULTS_MAX) return found.toSorted(byFile)
  return found
    .toSorted((one, other) => rank(one) - rank(other) || byFile(one, other))
    .slice(0, RESULTS_MAX)
    .sort(byFile)
}

/** `notices`: findings that are no reason for concern as well. */
export function createSarif({ notices }: { notices: boolean }) {
  const scanned: Result[] = []

  function log() {
    const { artifacts, add, addInner } = createArtifacts()
    const rules = new Map<string, { index: number; rule: ReturnType<typeof ruleOf> }>()
    const files = scanned.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    const roots = new Map(files.map((result) => [result.path, add(result)]))
    const at = (index: number) => ({ artifactLocation: { uri: artifacts[index]?.location.uri ?? '', index } })
    const line = (index: number) => ({ physicalLocation: { ...at(index), region: { startLine: 1 } } })
    const found = files.flatMap((result) =>
      result.findings
        .filter(({ severity }) => notices || severity !== 'notice')
        .map((finding) => ({ file: result.path, finding })),
    )

    const results = chosen(found).map(({ file, finding }) => {
      const root = roots.get(file) ?? 0
      const known = rules.get(finding.id) ?? { index: rules.size, rule: ruleOf(finding) }
      rules.set(finding.id, known)
      const inner = addInner(file, finding.path, root)
      return {
        ruleId: finding.id,
        ruleIndex: known.index,
        level: LEVELS[finding.severity],
        message: { text: messageOf(finding) },
        locations: [line(root)],
        ...(inner !== root && { relatedLocations: [{ physicalLocation: at(inner) }] }),
        partialFingerprints: { 'docvet/v1': fingerprintOf(artifacts[root]?.location.uri ?? '', finding) },
      }
    })
    const cut = found.length - results.length
    const executionSuccessful = files.every(({ error }) => error?.code !== 'engine_unavailable')
    const notifications = [
      ...files.flatMap(({ path: file, error }) =>
        error === null
          ? []
          : [
              {
                level: 'warning',
                descriptor: { id: error.code },
                message: { text: `Not scanned: ${error.message}` },
                locations: [{ physicalLocation: at(roots.get(file) ?? 0) }],
              },
            ],
      ),
      ...(cut > 0 ? [{ level: 'warning', message: { text: `${cut} more findings are left out of this log.` } }] : []),
    ]
    return {
      $schema: SCHEMA,
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'Docvet',
              version: VERSION,
              semanticVersion: VERSION,
              rules: Array.from(rules.values(), ({ rule }) => rule),
            },
          },
          automationDetails: { id: 'docvet/' },
          invocations: [{ executionSuccessful, toolExecutionNotifications: notifications }],
          artifacts,
          results,
        },
      ],
    }
  }

  return {
    add(result: Result): void {
      scanned.push(result)
    },
    log,
  }
}
