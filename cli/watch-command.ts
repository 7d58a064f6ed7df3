/** `docvet watch`: scans files as they come, and moves infected ones into a quarantine. */
import { lstat, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { WATCH } from './commands.ts'
import { NotDisplaced } from './displace.ts'
import { startEngine } from './engine.ts'
import { type Globs, identityOf, isSame } from './files.ts'
import { judgingOf } from './options.ts'
import { lineOf, print } from './output.ts'
import { type Held, openQuarantine, quarantine } from './quarantine.ts'
import type { Scanned } from './result.ts'
import { localScan, scanFiles } from './scan-files.ts'
import { onInterrupt } from './signals.ts'
import { helpOf, parse, UsageError } from './usage.ts'
import { openState, type WatchState } from './watch-state.ts'
import { createWatcher, nameOf } from './watcher.ts'

const STATE_NAME = '.docvet-watch'
const OBSTACLES = ['encrypted_document', 'document_too_complex', 'damaged_document']
/** A scan that failed is repeated when the file has settled again. */
const FAILED_AGAIN = 'it will be scanned again'

interface WatchOptions extends Globs {
  folders: readonly string[]
  quarantineDir: string | null
  stateFile: string | null
  movesUnscannable: boolean
  isJson: boolean
  onlyInfected: boolean
  judging: ReturnType<typeof judgingOf>
}

export async function runWatch(args: readonly string[]): Promise<number> {
  const given = parse(WATCH, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(WATCH))
    return 0
  }
  const quarantineDir = given.text('quarantine') ?? null
  const movesUnscannable = given.text('unscannable') === 'move'
  if (movesUnscannable && quarantineDir === null) throw new UsageError('Use --unscannable move with --quarantine.')
  const options: WatchOptions = {
    folders: await foldersOf(given.positionals),
    quarantineDir,
    stateFile: given.text('state') ?? (quarantineDir === null ? null : path.join(quarantineDir, STATE_NAME)),
    movesUnscannable,
    include: given.texts('include'),
    exclude: given.texts('exclude'),
    isJson: given.is('json'),
    onlyInfected: given.is('infected'),
    judging: judgingOf(given),
  }
  return await watchFolders(options)
}

async function foldersOf(paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) throw new UsageError('Name the folders to watch.')
  for (const each of paths) {
    const info = await stat(each).catch(() => null)
    if (!info?.isDirectory()) throw new UsageError(`${each} is not a folder.`)
  }
  return [...paths]
}

const log = (text: string): boolean => process.stderr.write(`${escapeControls(text)}\n`)

async function watchFolders(options: WatchOptions): Promise<number> {
  const { quarantineDir, stateFile, judging } = options
  if (quarantineDir !== null) await openQuarantine(quarantineDir)
  const stop = new AbortController()
  onInterrupt(() => stop.abort())
  const { signal } = stop
  const engine = await startEngine(judging, judging.workers)
  const { policyFile, sensitivity } = judging
  const state = openState(
    stateFile,
    JSON.stringify([engine.version(), engine.health().policy, policyFile, sensitivity]),
    (error) => log(`${stateFile}: ${messageOf(error)}`),
  )
  const busy = new Set<string>()
  const watcher = createWatcher({
    ...options,
    passOver: await absolute([quarantineDir, stateFile, stateFile && `${stateFile}.new`]),
    isKnown: state.isKnown,
    isBusy: (place) => busy.has(place),
    onProblem: (folder, error) => log(`${folder}: ${messageOf(error)}`),
    signal,
  })
  const files = watcher.files(() => log(`Watching ${options.folders.join(', ')}`))
  const onStart = (file: string) => busy.add(nameOf(file))
  try {
    const scan = localScan(engine, judging.password, signal)
    for await (const scanned of scanFiles(files, { scan, workers: judging.workers, signal, onStart })) {
      if (!(await conclude(scanned, options, state))) watcher.note(scanned.result.path, scanned.location)
      busy.delete(nameOf(scanned.result.path))
    }
  } finally {
    await engine.close()
    state.close()
  }
  return 0
}

/** Both as given and with links resolved, because folders may be given either way. */
async function absolute(names: readonly (string | null)[]): Promise<string[]> {
  const given = names.filter((name) => name !== null).map((name) => path.resolve(name))
  const real = await Promise.all(given.map((name) => realpath(name).catch(() => name)))
  return [...given, ...real]
}

/** False: it changed meanwhile, or could not be scanned now. */
async function conclude(scanned: Scanned, options: WatchOptions, state: WatchState): Promise<boolean> {
  const { result, identity, location, isFailure } = scanned
  const now = await lstat(location, { bigint: true }).catch(() => null)
  // Gone, which is no news.
  if (now === null) return true
  if (isFailure) {
    log(`${result.path}: ${result.error?.message}; ${FAILED_AGAIN}`)
    return false
  }
  if (identity !== null && !isSame(identityOf(now), identity)) return false
  const moved = shallMove(scanned, options) ? await take(scanned, options.quarantineDir as string) : null
  if (moved === 'changed') return false
  if (!options.onlyInfected || result.verdict === 'infected')
    await print(options.isJson ? `${JSON.stringify({ ...result, quarantined: moved?.id ?? null })}\n` : lineOf(result))
  // One that could not be moved is tried again after the next start.
  if (moved === null) state.add(nameOf(location), identity ?? identityOf(now), shallMove(scanned, options))
  else log(`${result.path}: moved to the quarantine as ${moved.id}`)
  return true
}

function shallMove({ result }: Scanned, { quarantineDir, movesUnscannable }: WatchOptions): boolean {
  if (quarantineDir === null) return false
  return result.verdict === 'infected' || (movesUnscannable && OBSTACLES.includes(result.error?.code ?? ''))
}

/** Null: it had to stay for another reason than a change. */
async function take({ result, location, identity }: Scanned, folder: string): Promise<Held | 'changed' | null> {
  const { path: file, threat, error, sha256 } = result
  try {
    return await quarantine(folder, { path: file, location, threat: threat ?? error?.code ?? '', sha256, identity })
  } catch (error) {
    if (error instanceof NotDisplaced) return 'changed'
    log(`${file}: not moved: ${messageOf(error)}`)
    return null
  }
}
