/** `docvet scan` and clamscan on the same folder, and the analyser's CPU time by type. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeVba } from '#inspect/testing/vba-writer.ts'
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

const MACRO_BYTES = 10_000_000
/** The writer of tests makes compound files of up to 7 MB. */
const PROJECTS = 2
const MACRO_CPU_MS_MAX = 3_000

/** A workbook whose macros are as long as those of the largest add-ins, from its bytes to the findings. */
async function checkMacros(): Promise<void> {
  const procedure = (i: number): string =>
    `Public Function Row${i}(ByVal a As Long, b As Range) As Double\r\nDim c As Long\r\nFor c = 1 To a\r\nIf b.Cells(c, 1).Value > ${i} Then Row${i} = Row${i} + b.Cells(c, 2).Value * ${i % 97}\r\nNext c\r\nEnd Function\r\n`
  const project = (first: number): Buffer => {
    const modules: Record<string, string> = {}
    for (let i = first, bytes = 0; bytes < MACRO_BYTES / PROJECTS; bytes += modules[`M${i}`]?.length ?? 0, i++)
      modules[`M${i}`] =
        `Attribute VB_Name = "M${i}"\r\n${Array.from({ length: 1_000 }, (_, n) => procedure(i * 1_000 + n)).join('')}`
    return writeVba(modules)
  }
  const workbook = docx({
    'xl/workbook.xml': '<workbook/>',
    'xl/vbaProject.bin': project(0),
    'xl/vbaProject2.bin': project(1_000),
  })
  const inspector = await ourInspector()
  const before = process.threadCpuUsage()
  const { obstacle } = inspector.inspect(workbook)
  const { user, system } = process.threadCpuUsage(before)
  inspector.dispose()
  const ms = (user + system) / 1_000
  console.log(`A workbook with 10 MB of macros: ${figure(ms)} ms of CPU time, ${obstacle?.reason ?? 'complete'}\n`)
  if (ms > MACRO_CPU_MS_MAX) throw new Error(`It must take at most ${MACRO_CPU_MS_MAX} ms`)
}

export async function* measureCommand(): AsyncGenerator<Measurement> {
  await warnIfBusy()
  await checkMacros()
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
  // The hash of images takes much of its time, and finds nothing without signatures of images.
  const limits = ['--max-filesize=400M', '--max-scansize=400M', '--scan-image-fuzzy-hash=no']
  const theirArgs = ['-r', '-d', signatureFolder(), ...limits, folder]
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: run(process.execPath, [MAIN, 'scan', folder], files.length),
    base: run(clamscan, theirArgs, files.length),
  }))
  const ratio = (unit: string, amount: number, atLeast?: number): Measurement => ({
    what: 'docvet scan on all cores',
    unit,
    baseline: 'clamscan with the signatures of the tests and without the hash of images, on one core',
    rounds: rounds.map(({ ours, base }) => ({ ours: amount / ours, base: amount / base })),
    ...(atLeast !== undefined && { target: { atLeast } }),
  })
  yield ratio('files/s', files.length, FASTER_AT_LEAST)
  yield ratio('MB/s', megabytes)
}
