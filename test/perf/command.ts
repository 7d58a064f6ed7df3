/** `docvet scan` and clamscan on the same folder, and the analyser's CPU time by type. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { hasCorpus, ROOT, unpackCorpus } from '#test/perf/corpus-files.ts'
import { warnIfBusy } from '#test/perf/process-tree.ts'
import { figure, type Measurement } from '#test/perf/report.ts'
import { documents, docxDocuments, pdfDocuments } from '#test/perf/scan-load.ts'
import { defaultSignatures } from '#test/support/clamd.ts'
import { atExit, findProgram, temporaryFolder } from '#test/support/service.ts'

const ROUNDS = 3
/** Of each kind, where there is no corpus. */
const GENERATED = 300
const GENERATED_TEXT_BYTES = 20_000
const OUTPUT_BYTES_MAX = 100_000_000
const MAIN = path.join(ROOT, 'server/main.ts')
/** Of one process of clamscan, which uses one core. */
const FASTER_AT_LEAST = 1.5

/** Harmless documents: those of the corpus, or generated ones. */
function folderToScan(): string {
  if (hasCorpus()) {
    const folder = unpackCorpus(['documents', 'large'])
    const benign = path.join(folder, 'benign')
    mkdirSync(benign)
    for (const set of ['documents', 'large']) renameSync(path.join(folder, set, 'benign'), path.join(benign, set))
    return benign
  }
  const folder = temporaryFolder('bench-command')
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  const kinds = { txt: documents(GENERATED_TEXT_BYTES), pdf: pdfDocuments(), docx: docxDocuments() }
  for (const [ending, next] of Object.entries(kinds))
    for (let i = 0; i < GENERATED; i++) writeFileSync(path.join(folder, `${i}.${ending}`), next())
  return folder
}

const RESULT = /: (?:OK|Empty file|.* (?:FOUND|ERROR))$/

/** Seconds of wall time. Throws unless the program printed a result for every file: one that ends early would seem fast. */
function run(program: string, args: readonly string[], files: number): number {
  const startedAt = performance.now()
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX })
  const seconds = (performance.now() - startedAt) / 1_000
  const results = stdout.split('\n').filter((line) => RESULT.test(line)).length
  if (results < files) throw new Error(`${program} printed ${results} results for ${files} files`)
  return seconds
}

function signatureFolder(): string {
  const folder = temporaryFolder('signatures')
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(defaultSignatures())) writeFileSync(path.join(folder, name), text)
  return folder
}

function filesIn(folder: string): { path: string; size: number }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ path: path.join(folder, name), size: statSync(path.join(folder, name)) }))
    .filter(({ size }) => size.isFile() && size.size > 0)
    .map((file) => ({ path: file.path, size: file.size.size }))
}

/** CPU time of one document, by its detected type, in a process that is warm. */
async function printTypes(files: readonly { path: string; size: number }[]): Promise<void> {
  const inspector = await ourInspector()
  for (const file of files.filter((_, i) => i % 10 === 0)) inspector.inspect(readFileSync(file.path))
  const byType = new Map<string, { ms: number[]; bytes: number }>()
  for (const { path: file, size } of files) {
    const bytes = readFileSync(file)
    const before = process.threadCpuUsage()
    const { type } = inspector.inspect(bytes)
    const { user, system } = process.threadCpuUsage(before)
    const group = byType.get(type) ?? { ms: [], bytes: 0 }
    byType.set(type, group)
    group.ms.push((user + system) / 1_000)
    group.bytes += size
  }
  inspector.dispose()
  console.log('CPU ms of one document in the analyser: documents, MB/s of CPU time, p50, p99')
  for (const [type, { ms, bytes }] of [...byType].sort(([, one], [, other]) => other.ms.length - one.ms.length)) {
    ms.sort((one, other) => one - other)
    const at = (share: number) => (ms[Math.floor((ms.length - 1) * share)] ?? 0).toFixed(1)
    const perSecond = bytes / 1_000 / ms.reduce((sum, each) => sum + each, 0)
    console.log(
      `${String(ms.length).padStart(6)} ${figure(perSecond).padStart(7)} ${at(0.5).padStart(7)} ${at(0.99).padStart(7)}  ${type}`,
    )
  }
  console.log()
}

export async function* measureCommand(): AsyncGenerator<Measurement> {
  await warnIfBusy()
  const folder = folderToScan()
  const files = filesIn(folder)
  const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1e6
  console.log(`${files.length} files, ${megabytes.toFixed(0)} MB\n`)
  await printTypes(files)
  const clamscan = findProgram(['clamscan'])
  if (clamscan === null) {
    console.log('Skipped docvet scan: clamscan is not installed (apt-get install clamav)\n')
    return
  }
  const theirArgs = ['-r', '-d', signatureFolder(), '--max-filesize=400M', '--max-scansize=400M', folder]
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: run(process.execPath, [MAIN, 'scan', folder], files.length),
    base: run(clamscan, theirArgs, files.length),
  }))
  const ratio = (unit: string, amount: number, atLeast?: number): Measurement => ({
    what: 'docvet scan on all cores',
    unit,
    baseline: 'clamscan with the signatures of the tests, on one core',
    rounds: rounds.map(({ ours, base }) => ({ ours: amount / ours, base: amount / base })),
    ...(atLeast !== undefined && { target: { atLeast } }),
  })
  yield ratio('files/s', files.length, FASTER_AT_LEAST)
  yield ratio('MB/s', megabytes)
}
