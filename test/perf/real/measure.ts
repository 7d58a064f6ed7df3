/** CPU time of a row of documents in the analyser and in clamd, measured in turns. */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cpuMsOf } from '#test/perf/process-tree.ts'
import { askClamd } from '#test/perf/raw-clamd.ts'
import { median } from '#test/perf/report.ts'
import type { Given, Passes } from './probe.ts'
import { type Probe, startProbe } from './probe-process.ts'
import type { Row } from './selection.ts'

interface Effort {
  rounds: number
  /** With small documents of all rows, before the first: V8 compiles code again for thousands of documents. */
  mixedMs: number
  /** With the documents of the row. */
  warmUpMs: number
  oursMs: number
  clamdMs: number
  /** Processes that inspect one document and end. */
  coldStarts: number
}

export const FULL: Effort = { rounds: 2, mixedMs: 20_000, warmUpMs: 1_500, oursMs: 600, clamdMs: 300, coldStarts: 2 }
/** For those who change the analyser and want to see at once what it gained. */
export const QUICK: Effort = { rounds: 1, mixedMs: 0, warmUpMs: 2_500, oursMs: 400, clamdMs: 150, coldStarts: 0 }

const PASSES_MAX = 30
const SLOWEST_COUNT = 3
/** The kind that is parsed as JavaScript. */
const PARSED = 'javascript'
const MIXED_PASSES_MAX = 1_000
/** Of a row in the mix, and the size of one of them. */
const MIXED_COUNT = 4
const MIXED_BYTES_MAX = 200_000

/** A clamd of the run; its name is the head of its column. */
export interface Clamd {
  pid: number
  url: string
}

export interface Contenders {
  analyser: string
  probe: Probe
  /** Null where clamd is not installed. */
  withImageHash: Clamd | null
  withoutImageHash: Clamd | null
}

/** Of a row; times are CPU ms. */
export interface Measured extends Pick<Row, 'how' | 'bytes' | 'fingerprint'> {
  kind: string
  size: string
  files: number
  /** Of all documents of the row, warm and with ten times the limit of work. */
  oursMs: number
  /** Some were not inspected to their end even so: they take longer. */
  isCut: boolean
  medianMs: number
  clamdMs: number | null
  clamdPlainMs: number | null
  /** The document in the middle as the first of a new process, and warm; null if not measured. */
  cold: { firstMs: number; warmMs: number } | null
  /** Units of the limit of work. */
  workMean: number
  workMax: number
  /** How many documents were refused or accused, by reason. */
  refused: Record<string, number>
  /** Of the parser alone; null for other languages. */
  parserMs: number | null
}

/** For those who look into it. */
export interface Named {
  slowest: { label: string; ms: number }[]
  refusals: { label: string; why: string }[]
}

/** A folder for each row, with the files as they are named in it. */
function writeDocuments(row: Row, folder: string): Given[] {
  return row.documents.map(({ fileName, content }, i) => {
    const place = path.join(folder, `${row.kind.name}-${row.size.name}-${i}`)
    mkdirSync(place, { recursive: true })
    const file = path.join(place, 'document')
    writeFileSync(file, content)
    return { file, fileName }
  })
}

/** CPU time of one pass over the documents. */
async function passOfClamd({ pid, url }: Clamd, row: Row, cpuMsMin: number): Promise<number> {
  const before = cpuMsOf(pid)
  let passes = 0
  let spent = 0
  do {
    for (const { content } of row.documents) await askClamd(url, content)
    passes++
    spent = cpuMsOf(pid) - before
  } while (spent < cpuMsMin && passes < PASSES_MAX * 10)
  return spent / passes
}

async function coldMsOf(analyser: string, document: Given | undefined, starts: number): Promise<number | null> {
  if (document === undefined) return null
  const found: number[] = []
  for (let i = 0; i < starts; i++) {
    using probe = await startProbe(analyser)
    const [judged] = await probe.ask({ ask: 'judge', documents: [document] })
    if (judged) found.push(judged.cpuMs)
  }
  return orNull(found)
}

/** A worker that has served for a while has seen documents of all kinds. */
export async function warmUp(rows: readonly Row[], { probe }: Contenders, { mixedMs }: Effort, folder: string) {
  if (mixedMs === 0) return
  const documents = rows.flatMap((row) =>
    writeDocuments(row, folder)
      .filter((_, i) => (row.documents[i]?.content.length ?? 0) <= MIXED_BYTES_MAX)
      .slice(0, MIXED_COUNT),
  )
  await probe.ask({ ask: 'measure', documents, cpuMsMin: mixedMs, passesMax: MIXED_PASSES_MAX })
}

const least = (values: readonly number[]): number => Math.min(...values)

interface Times {
  ours: Passes
  clamdMs: number | null
  clamdPlainMs: number | null
  parserMs: number | null
}

const orNull = (values: readonly number[]): number | null => (values.length > 0 ? least(values) : null)

/** The analyser, both forms of clamd and the parser in turns: the least of each. */
async function takeTurns(row: Row, documents: Given[], contenders: Contenders, effort: Effort): Promise<Times> {
  const { probe, withImageHash, withoutImageHash } = contenders
  const times = { documents, cpuMsMin: effort.oursMs, passesMax: PASSES_MAX }
  const [ours, clamd, plain, parser]: [Passes[], number[], number[], number[]] = [[], [], [], []]
  for (let i = 0; i < effort.rounds; i++) {
    ours.push(await probe.ask({ ask: 'measure', ...times }))
    if (withImageHash) clamd.push(await passOfClamd(withImageHash, row, effort.clamdMs))
    if (withoutImageHash) plain.push(await passOfClamd(withoutImageHash, row, effort.clamdMs))
    if (row.kind.name === PARSED) parser.push(...(await probe.ask({ ask: 'parse', ...times })).passesMs)
  }
  return {
    ours: {
      passesMs: ours.flatMap(({ passesMs }) => passesMs),
      isCut: ours.some(({ isCut }) => isCut),
      documentsMs: documents.map((_, at) => least(ours.map(({ documentsMs }) => documentsMs[at] ?? 0))),
    },
    clamdMs: orNull(clamd),
    clamdPlainMs: orNull(plain),
    parserMs: orNull(parser),
  }
}

export async function measureRow(
  row: Row,
  contenders: Contenders,
  effort: Effort,
  folder: string,
): Promise<Measured & Named> {
  const { probe, analyser } = contenders
  const documents = writeDocuments(row, folder)
  const judged = await probe.ask({ ask: 'judge', documents })
  // Documents that take so long have warmed it up.
  if (judged.reduce((sum, { cpuMs }) => sum + cpuMs, 0) < effort.warmUpMs)
    await probe.ask({ ask: 'measure', documents, cpuMsMin: effort.warmUpMs, passesMax: PASSES_MAX })
  if (row.kind.name === PARSED)
    await probe.ask({ ask: 'parse', documents, cpuMsMin: effort.warmUpMs, passesMax: PASSES_MAX })
  const { ours, ...others } = await takeTurns(row, documents, contenders, effort)
  const bySpeed = row.documents.map(({ label }, i) => ({ label, i, ms: ours.documentsMs[i] ?? 0 }))
  bySpeed.sort((a, b) => b.ms - a.ms)
  const middle = bySpeed[Math.floor(bySpeed.length / 2)]
  const firstMs = await coldMsOf(analyser, documents[middle?.i ?? 0], effort.coldStarts)
  const works = judged.map(({ work }) => work)
  const refusals = judged.flatMap(({ refusal }, i) =>
    refusal === null ? [] : [{ label: row.documents[i]?.label ?? '', why: refusal }],
  )
  return {
    ...{ kind: row.kind.name, size: row.size.name, how: row.how, files: documents.length, bytes: row.bytes },
    fingerprint: row.fingerprint,
    oursMs: least(ours.passesMs),
    isCut: ours.isCut,
    medianMs: median(ours.documentsMs),
    ...others,
    cold: firstMs === null || middle === undefined ? null : { firstMs, warmMs: middle.ms },
    workMean: works.reduce((sum, each) => sum + each, 0) / Math.max(1, works.length),
    workMax: Math.max(...works),
    refused: Object.fromEntries([...Map.groupBy(refusals, ({ why }) => why)].map(([why, all]) => [why, all.length])),
    slowest: bySpeed.slice(0, SLOWEST_COUNT).map(({ label, ms }) => ({ label, ms })),
    refusals,
  }
}
