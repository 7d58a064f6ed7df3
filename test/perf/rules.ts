/** Documents with and without thousands of operator rules. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { DEFAULTS } from '#engines/embedded/tuning.ts'
import { createInspector, type Inspector, type RuleSource } from '#inspect/inspect.ts'
import { readWasm } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import type { Measurement } from '#test/perf/report.ts'
import { generateRules } from '#test/perf/rules-generator.ts'

const RULES = 3_500
const ROUNDS = 3
const DOCUMENTS_MAX = 120
const TARGETS = { PDF: 5, OOXML: 10 } as const
type Kind = keyof typeof TARGETS

const corpus = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url))

/** Benign documents of the corpus, evenly chosen, or null without a corpus. */
function readCorpus(): Record<Kind, Buffer[]> | null {
  if (!existsSync(join(corpus, 'documents.tar.xz'))) return null
  const folder = mkdtempSync(join(tmpdir(), 'docvet-bench-'))
  try {
    execFileSync('tar', ['-xJf', join(corpus, 'documents.tar.xz'), '-C', folder])
    const rows = readFileSync(join(corpus, 'index.csv'), 'utf8').trim().split('\n').slice(1)
    const pathsOf = (kind: string): string[] =>
      rows
        .map((row) => row.split(','))
        .flatMap((cells) => (cells[2] === kind && cells[4] === 'benign' ? [cells[0] ?? ''] : []))
    const some = (kind: string): Buffer[] => {
      const paths = pathsOf(kind).filter((path) => existsSync(join(folder, path)))
      const step = Math.max(1, Math.floor(paths.length / DOCUMENTS_MAX))
      return paths.filter((_, index) => index % step === 0).map((path) => readFileSync(join(folder, path)))
    }
    return { PDF: some('pdf'), OOXML: some('ooxml') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const prose = (words: number, seed: number): string =>
  Array.from({ length: words }, (_, i) => `w${((i * 2_654_435_761 + seed * 97) >>> 7).toString(36)}`).join(' ')

function madePdf(seed: number): Buffer {
  const pages = Array.from({ length: 12 }, (_, i) => deflateSync(`BT /F1 12 Tf (${prose(900, seed + i)}) Tj ET`))
  const objects = pages.flatMap((data, i) => [
    Buffer.from(`${i + 1} 0 obj\n<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ])
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...objects, Buffer.from('trailer << /Size 13 >>\n%%EOF\n')])
}

function madeDocx(seed: number): Buffer {
  const parts = Array.from({ length: 14 }, (_, i) => [`word/part${i}.xml`, `<w:t>${prose(700, seed + i)}</w:t>`])
  return docx(Object.fromEntries(parts))
}

function madeDocuments(): Record<Kind, Buffer[]> {
  const make = (one: (seed: number) => Buffer): Buffer[] => Array.from({ length: 20 }, (_, i) => one(i))
  return { PDF: make(madePdf), OOXML: make(madeDocx) }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Of CPU time, which other processes on the machine affect little. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function timesOf(inspector: Inspector, documents: readonly Buffer[]): number[] {
  return documents.map((document) => {
    const startedAt = cpuMs()
    inspector.inspect(document)
    return cpuMs() - startedAt
  })
}

const open = (operatorRules: readonly RuleSource[]): Promise<Inspector> =>
  createInspector({ wasm: readWasm, operatorRules })

export async function* measureRules(): AsyncGenerator<Measurement> {
  const documents = readCorpus() ?? madeDocuments()
  const without = await open([])
  const startedAt = cpuMs()
  const withRules = await open(generateRules(RULES))
  const startMs = cpuMs() - startedAt
  const rss = (): number => Math.round(process.memoryUsage.rss() / 1e6)
  console.log(
    `${RULES} rules: start ${Math.round(startMs)} ms of CPU time (limit ${DEFAULTS.startMsMax} ms), ${rss()} MB resident\n`,
  )
  for (const kind of ['PDF', 'OOXML'] as const) {
    const rounds: Measurement['rounds'] = []
    let slowest = 0
    for (let i = 0; i < ROUNDS; i++) {
      const base = timesOf(without, documents[kind])
      const ours = timesOf(withRules, documents[kind])
      slowest = Math.max(slowest, ...ours)
      rounds.push({ ours: median(ours), base: median(base) })
    }
    const limit = `slowest ${Math.round(slowest)} ms, limit ${DEFAULTS.scanMsMax} ms`
    yield {
      what: `Median of ${documents[kind].length} ${kind} documents with ${RULES} operator rules (${limit})`,
      unit: 'ms of CPU time',
      baseline: 'without operator rules',
      rounds,
      target: { atMost: TARGETS[kind] },
    }
  }
  console.log(`${rss()} MB resident afterwards (workers are recycled at ${DEFAULTS.rssBytesMax / 1e6} MB)\n`)
  without.dispose()
  withRules.dispose()
}
