/**
 * `npm run corpus [--clamd] [kind …]`: what the analyser says about each document of the corpus, and where that is not
 * expected. With `--clamd`, beside a clamd with the signatures of the tests.
 */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readReply } from '#engines/clamd/reply.ts'
import type { Finding, Inspection } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { CORPUS, hasCorpus, ROOT, type Row, readRows, unpackCorpus } from '#test/perf/corpus-files.ts'
import { askClamd } from '#test/perf/raw-clamd.ts'
import { startClamd } from '#test/support/clamd.ts'
import { readArguments } from '../../scripts/arguments.ts'

interface Judged extends Row {
  outcome: string
  findings: readonly Finding[]
  detail: string
  /** The finding of clamd, if it was asked. */
  threat: string | null
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

/** Findings of each of the two engines in documents that are not harmless, and whom they accuse. */
function compare(judged: readonly Judged[]): string {
  const isOurs = ({ outcome }: Judged) => outcome === 'malicious'
  const isAttack = ({ label, expected }: Judged) =>
    label === 'passed-over' || (label === 'technique' && expected === 'malicious')
  const attacks = judged.filter(isAttack)
  const foundBy = (row: Judged) =>
    [isOurs(row) ? 'Docvet' : '', row.threat === null ? '' : 'clamd'].filter((name) => name !== '').join(' and ') ||
    'neither'
  const line = (row: Judged) => `${row.technique} · ${row.kind} (${isOurs(row) ? idsOf(row) : row.threat})`
  const only = (engine: string) => judged.filter((row) => !HARMLESS.has(row.label) && foundBy(row) === engine)
  const harmless = judged.filter(({ label }) => HARMLESS.has(label))
  return [
    table(`Attacks found by, of ${attacks.length}`, count(attacks, foundBy)),
    table(
      'Found only by Docvet, by technique',
      count(only('Docvet'), ({ technique, kind }) => `${technique} · ${kind}`),
    ),
    table('Found only by clamd', count(only('clamd'), line)),
    table(
      'Found by neither, and what Docvet answers',
      count(
        attacks.filter((row) => foundBy(row) === 'neither'),
        ({ technique, kind, outcome }) => `${technique} · ${kind} → ${outcome}`,
      ),
    ),
    table(
      'Harmless documents that one of them reports',
      count(
        harmless.filter((row) => foundBy(row) !== 'neither'),
        (row) => `${row.path} (${isOurs(row) ? idsOf(row) : row.threat})`,
      ),
    ),
  ].join('\n')
}

async function judge(sets: readonly Row['set'][], kinds: readonly string[], clamdUrl?: string): Promise<Judged[]> {
  const folder = unpackCorpus(sets)
  const rows = sets.flatMap(readRows).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
  const inspector = await ourInspector()
  const judged: Judged[] = []
  for (const row of rows) {
    const bytes = readFileSync(path.join(folder, row.set, row.path))
    const inspection = inspector.inspect(bytes)
    const { findings, obstacle } = inspection
    const reply = clamdUrl === undefined ? null : readReply(await askClamd(clamdUrl, bytes))
    if (reply?.kind === 'failed') throw new Error(`${row.path}: ${reply.detail}`)
    judged.push({
      ...row,
      expected: expectedOf(row.path, row.expected),
      outcome: outcomeOf(inspection),
      findings,
      detail: obstacle?.detail ?? '',
      threat: reply?.kind === 'detected' ? reply.threat : null,
    })
  }
  inspector.dispose()
  return judged
}

async function main(): Promise<void> {
  const { values, positionals: kinds } = readArguments('npm run corpus [-- [--clamd] [KIND …]]', {
    options: { clamd: { type: 'boolean', default: false } },
    max: Number.POSITIVE_INFINITY,
  })
  const { user: before } = process.cpuUsage()
  if (values.clamd) {
    await using clamd = await startClamd()
    console.log(compare(await judge(['documents', 'large', 'passed-over'], kinds, clamd.tcpUrl)))
  } else {
    const judged = await judge(['documents', 'large'], kinds)
    console.log(report(judged))
    console.log(`${judged.length} documents, ${((process.cpuUsage().user - before) / 1e6).toFixed(1)} s of CPU time`)
  }
}

if (hasCorpus()) await main()
else {
  console.error(`There is no corpus in ${CORPUS}.`)
  process.exitCode = 1
}
