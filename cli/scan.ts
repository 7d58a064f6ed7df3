/** `docvet scan`: scans files and folders, without a server or through one. */
import { escapeControls } from '#base/escape-controls.ts'
import type { Engine } from '#engines/engine.ts'
import { SCAN } from './commands.ts'
import { copyInto, makePrivateFolder, moveInto, NotDisplaced, removeFile } from './displace.ts'
import { startEngine } from './engine.ts'
import { type Found, findFiles, findListed, IMPLIED, useNamed } from './files.ts'
import { type Action, type Options, parseOptions } from './options.ts'
import { createWriter, summaryText } from './output.ts'
import { createProgress } from './progress.ts'
import { OF_MANY_FILES, remoteScan } from './remote.ts'
import { exitCodeOf, type Scanned, type Summary } from './result.ts'
import { localScan, type Scan, scanFiles } from './scan-files.ts'
import { onInterrupt } from './signals.ts'
import { helpOf } from './usage.ts'

const COUNTED = { clean: 'clean', infected: 'infected', empty: 'empty', error: 'errors' } as const

interface Context {
  /** The variable DOCVET_KEY. */
  key: string | undefined
}

export async function runScan(args: readonly string[], context: Context): Promise<number> {
  const options = parseOptions(args, process.stdin.isTTY === true)
  if (options !== null) return await scan(options, context)
  process.stdout.write(helpOf(SCAN))
  return 0
}

async function scan(options: Options, context: Context): Promise<number> {
  const startedMs = performance.now()
  const { action } = options
  if (action !== null && action.kind !== 'remove') await useNamed(action.kind, action.folder, makePrivateFolder)
  const stop = new AbortController()
  const interruption = onInterrupt(() => stop.abort())
  const { scan: judge, engine, workers } = await startScanner(options, context, stop.signal)
  const writer = createWriter(options)
  const summary: Summary = { files: 0, clean: 0, infected: 0, empty: 0, errors: 0, durationMs: 0 }
  let failures = 0
  const { progress, onStart } = showProgress(options, summary, startedMs, stop.signal)
  const report = (line: string): void => {
    progress.clear()
    process.stderr.write(line)
  }
  try {
    for await (const scanned of scanFiles(filesOf(options), { scan: judge, workers, signal: stop.signal, onStart })) {
      const { result, isFailure } = scanned
      summary.files++
      summary[COUNTED[result.verdict]]++
      if (isFailure) failures++
      await progress.around(() => writer.add(result, isFailure))
      if (action !== null && result.verdict === 'infected') await act(action, scanned, report)
    }
  } finally {
    progress.close()
    await engine?.close()
  }
  summary.durationMs = Math.round(performance.now() - startedMs)
  if (interruption.signal !== null) summary.interrupted = true
  await writer.end(summary)
  if (options.summary || summary.interrupted) process.stderr.write(summaryText(summary))
  // A list that does not end would keep the process alive.
  if (interruption.signal !== null) process.stdin.destroy()
  return interruption.exitCode() ?? exitCodeOf(summary, failures, options.failOn)
}

function showProgress(options: Options, summary: Summary, startedMs: number, signal: AbortSignal) {
  let current = ''
  const total = process.stderr.isTTY ? countFiles(options, signal) : () => null
  const isShared = options.format === 'text' && (process.stdout.isTTY === true || options.onlyInfected)
  const read = () => ({ ...summary, total: total(), elapsedMs: performance.now() - startedMs, current })
  return {
    progress: createProgress(process.stderr, isShared, read),
    onStart: (path: string): void => {
      current = path
    },
  }
}

async function* filesOf({ fileList, paths, ...globs }: Options): AsyncGenerator<Found> {
  if (fileList !== null) yield* findListed(fileList, globs)
  else if (paths.length === 0) yield IMPLIED
  yield* findFiles(paths, globs)
}

interface Scanner {
  scan: Scan
  engine: Engine | null
  workers: number
}

async function startScanner(options: Options, { key }: Context, signal: AbortSignal): Promise<Scanner> {
  const { server, password } = options
  if (server !== null) {
    const scan = await remoteScan(server, { password, signal, keyOfEnvironment: key, patience: OF_MANY_FILES })
    return { scan, engine: null, workers: options.workers }
  }
  const workers = options.fileList === null ? await workersFor(options) : options.workers
  const engine = await startEngine(options, workers)
  return { scan: localScan(engine, password, signal), engine, workers }
}

/** No more than there are files: each takes half a second of CPU time to start. */
async function workersFor({ paths, workers, ...globs }: Options): Promise<number> {
  let files = 0
  for await (const _ of findFiles(paths, globs)) if (++files === workers) break
  return Math.max(files, 1)
}

/** Counts in the background; null until it is done. */
function countFiles(options: Options, signal: AbortSignal): () => number | null {
  // A list that grows has no total.
  if (options.fileList !== null) return () => null
  let total: number | null = null
  const count = async () => {
    let files = 0
    for await (const _ of filesOf(options)) {
      files++
      if (signal.aborted) return
    }
    total = files
  }
  count().catch(() => {})
  return () => total
}

const DONE = { move: 'moved', copy: 'copied', remove: 'removed' }

async function act(
  action: Action,
  { result, location, identity }: Scanned,
  report: (line: string) => void,
): Promise<void> {
  try {
    if (action.kind === 'move') await moveInto(action.folder, location, identity)
    else if (action.kind === 'copy') await copyInto(action.folder, location, identity)
    else await removeFile(location, identity)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    const why = error instanceof NotDisplaced ? error.message : `because of an error (${code})`
    report(`${escapeControls(`${result.path}: not ${DONE[action.kind]}, ${why}`)}\n`)
  }
}
