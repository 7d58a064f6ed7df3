/** Results as a SARIF 2.1.0 log. Files inside others are artifacts with a parent. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { VERSION } from '#base/version.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import type { Finding } from '#inspect/inspect.ts'
import type { Result } from './result.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const LEVELS = { malicious: 'error', suspicious: 'warning', notice: 'note' } as const

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

/** A relative path stays relative, so that logs of a checkout can be compared. */
function uriOf(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href
  return encodePath(file.split(path.sep))
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
    ...(technique && { properties: { tags: [technique] } }),
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

export function createSarif() {
  const { artifacts, add, addInner } = createArtifacts()
  const rules = new Map<string, { index: number; rule: ReturnType<typeof ruleOf> }>()
  const results: object[] = []
  const notifications: object[] = []
  const locationsOf = (index: number) => [
    { physicalLocation: { artifactLocation: { uri: artifacts[index]?.location.uri, index } } },
  ]

  function addFinding(file: string, finding: Finding, root: number): void {
    const { id, severity, title, reason, detail } = finding
    const known = rules.get(id) ?? { index: rules.size, rule: ruleOf(finding) }
    rules.set(id, known)
    results.push({
      ruleId: id,
      ruleIndex: known.index,
      level: LEVELS[severity],
      message: { text: `${title}. ${reason}${detail === null ? '' : ` (${detail})`}` },
      locations: locationsOf(addInner(file, finding.path, root)),
    })
  }

  return {
    add(result: Result): void {
      const root = add(result)
      for (const finding of result.findings) addFinding(result.path, finding, root)
      if (result.error !== null)
        notifications.push({
          level: 'error',
          descriptor: { id: result.error.code },
          message: { text: result.error.message },
          locations: locationsOf(root),
        })
    },
    log: () => ({
      $schema: SCHEMA,
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Docvet', version: VERSION, rules: Array.from(rules.values(), ({ rule }) => rule) } },
          invocations: [{ executionSuccessful: notifications.length === 0, toolExecutionNotifications: notifications }],
          artifacts,
          results,
        },
      ],
    }),
  }
}
