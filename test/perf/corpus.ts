/** `npm run corpus [kind …]`: what the analyser says about each document of the corpus, and where that is not expected. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Finding, Inspection } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const CORPUS = path.join(ROOT, '../shared/corpus')
const SETS = { documents: 'index.csv', large: 'large.csv' }
const CELL = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g

interface Row {
  set: string
  path: string
  kind: string
  label: string
  technique: string
  expected: string
}

interface Judged extends Row {
  outcome: string
  findings: readonly Finding[]
  detail: string
}

/** The worst first; an obstacle is refused with 422, an unknown type with 415. */
const SEVERITIES = ['malicious', 'suspicious', 'notice', 'clean']
const HARMLESS = new Set(['benign', 'benign-macro', 'benign-control', 'structural', 'malformed'])

const readJson = (name: string): unknown =>
  existsSync(path.join(ROOT, name)) ? JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) : null

/** Settled by us where the index is silent: the expected result, and the row of the table of techniques that decides it. */
const SETTLED = (readJson('inspect/corpus-expected.json') ?? {}) as Record<string, { expected: string; row: number }>
const KNOWN = (readJson('inspect/corpus-refusals.json') ?? []) as { path: string; outcome: string }[]

/** The words of the index in those of the analyser. */
function expectedOf(file: string, text: string): string {
  const settled = SETTLED[file]?.expected
  if (settled !== undefined) return settled
  if (/^(?:infected|bomb)/.test(text)) return 'malicious'
  return text === 'limit' ? 'too_complex' : text === 'finding' ? 'notice' : text
}

function readRows(set: keyof typeof SETS): Row[] {
  const [, ...lines] = readFileSync(path.join(CORPUS, SETS[set]), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = Array.from(line.matchAll(CELL), ([, quoted, plain]) => quoted ?? plain ?? '')
    const [file = '', , kind = '', , label = '', technique = '', expected = ''] = cells
    return { set, path: file, kind, label, technique, expected: expectedOf(file, expected) }
  })
}

function outcomeOf({ kind, findings, obstacle }: Inspection): string {
  const [worst] = findings
  if (worst?.severity === 'malicious') return 'malicious'
  if (kind === null) return 'refused'
  return obstacle?.reason ?? worst?.severity ?? 'clean'
}

/** Also met by something worse, and by a finding in a document that is refused. */
function isMet({ expected, outcome, findings }: Judged): boolean {
  if (expected === outcome) return true
  const wanted = SEVERITIES.indexOf(expected)
  if (wanted < 0 || expected === 'clean') return false
  return findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= wanted)
}

function count<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  const groups = Map.groupBy(items, keyOf)
  return [...groups]
    .map(([key, members]): [string, number] => [key, members.length])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

const table = (title: string, rows: readonly [string, number][]): string =>
  [`\n${title}`, ...rows.map(([key, number]) => `${String(number).padStart(6)}  ${key}`)].join('\n')

const idsOf = ({ findings }: Judged): string => [...new Set(findings.map(({ id }) => id))].join(' ') || '-'

const list = (title: string, rows: readonly Judged[]): string =>
  [
    `\n${title}: ${rows.length}`,
    ...rows.map((row) => `  [${row.expected || 'clean'}] ${row.outcome}  ${row.path}  ${row.technique}  ${idsOf(row)}`),
  ].join('\n')

function report(judged: readonly Judged[]): string {
  const techniques = judged.filter(({ label }) => label === 'technique')
  const settled = techniques.filter(({ expected }) => expected !== '')
  const missed = settled.filter((row) => !isMet(row))
  const harmless = judged.filter(({ label }) => HARMLESS.has(label))
  const isKnown = (row: Judged) => KNOWN.some((known) => known.path === row.path && known.outcome === row.outcome)
  const accused = harmless.filter(({ outcome }) => outcome === 'malicious')
  const suspected = harmless.filter(({ findings }) => findings.some(({ severity }) => severity === 'suspicious'))
  const met = settled.length - missed.length
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
  if (accused.some((row) => !isKnown(row))) process.exitCode = 1
  return [
    table(
      'By label, kind and outcome',
      count(judged, ({ label, kind, outcome }) => `${label} · ${kind} → ${outcome}`),
    ),
    table(
      'Techniques: expected → outcome',
      count(
        techniques,
        ({ technique, kind, expected, outcome }) => `${technique} · ${kind}: ${expected || '?'} → ${outcome}`,
      ),
    ),
    list('Techniques without their expected result', missed),
    list(
      'Techniques without a settled expectation',
      techniques.filter(({ expected }) => expected === ''),
    ),
    list('Harmless documents reported as malicious', accused),
    list('Harmless documents with a suspicious finding', suspected),
    list(
      'Analysers that failed',
      judged.filter(({ detail }) => detail.includes('could not be analysed')),
    ),
    '',
    `Techniques as expected: ${share(met, settled.length)}`,
    `Harmless documents with a suspicious finding: ${share(suspected.length, harmless.length)}`,
  ].join('\n')
}

async function main(kinds: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-corpus-'))
  try {
    const inspector = await ourInspector()
    const judged: Judged[] = []
    const { user: before } = process.cpuUsage()
    for (const set of ['documents', 'large'] as const) {
      mkdirSync(path.join(folder, set))
      execFileSync('tar', ['-xJf', path.join(CORPUS, `${set}.tar.xz`), '-C', path.join(folder, set)])
      for (const row of readRows(set).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))) {
        const inspection = inspector.inspect(readFileSync(path.join(folder, set, row.path)))
        const { findings, obstacle } = inspection
        judged.push({ ...row, outcome: outcomeOf(inspection), findings, detail: obstacle?.detail ?? '' })
      }
    }
    console.log(report(judged))
    console.log(`${judged.length} documents, ${((process.cpuUsage().user - before) / 1e6).toFixed(1)} s of CPU time`)
    inspector.dispose()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (existsSync(path.join(CORPUS, 'documents.tar.xz'))) await main(process.argv.slice(2))
else {
  console.error(`There is no corpus in ${CORPUS}.`)
  process.exitCode = 1
}
