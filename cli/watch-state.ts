/** Remembers which files were scanned, also after a crash: one line is appended for each. */
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Identity } from './files.ts'

const PRIVATE_FILE = 0o600

/** A file is known as long as nothing of it changes, its name included. */
export const keyOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Identity): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':')

export type WatchState = ReturnType<typeof openState>

/**
 * `judge` names everything that verdicts depend on, such as rules: what another one has passed is scanned again. Without a
 * file, the state is that of the process.
 */
export function openState(file: string | null, judge: string, onProblem: (error: unknown) => void) {
  const known = file === null ? new Map<string, string>() : read(file, judge)
  if (file !== null) unlessFull(() => rewrite(file, judge, known), onProblem)
  const passing = new Set<string>()
  const descriptor = file === null ? null : openSync(file, 'a', PRIVATE_FILE)
  return {
    isKnown: (place: string, identity: Identity): boolean => known.get(place) === keyOf(identity),
    /** `isPassing`: only until the process ends. */
    add(place: string, identity: Identity, isPassing = false): void {
      known.set(place, keyOf(identity))
      if (isPassing) passing.add(place)
      else if (descriptor !== null)
        unlessFull(() => appendFileSync(descriptor, line(place, keyOf(identity))), onProblem)
    },
    /** For files that are gone. Their lines go with the next start. */
    forget: (place: string): boolean => known.delete(place),
    places: () => known.keys(),
    close(): void {
      if (file === null || descriptor === null) return
      closeSync(descriptor)
      for (const place of passing) known.delete(place)
      unlessFull(() => rewrite(file, judge, known), onProblem)
    },
  }
}

/** What is not remembered is scanned again, which is better than to end. A line that is cut is passed over when it is read. */
function unlessFull(write: () => void, onProblem: (error: unknown) => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code)))) throw error
    onProblem(error)
  }
}

const line = (place: string, key: string): string => `${JSON.stringify([place, key])}\n`

function rewrite(file: string, judge: string, known: ReadonlyMap<string, string>): void {
  const next = `${file}.new`
  const lines = Array.from(known, ([place, key]) => line(place, key))
  writeFileSync(next, `${JSON.stringify({ version: 1, judge })}\n${lines.join('')}`, {
    mode: PRIVATE_FILE,
    flush: true,
  })
  renameSync(next, file)
}

function read(file: string, judge: string): Map<string, string> {
  const known = new Map<string, string>()
  const [head = '', ...lines] = textOf(file).split('\n')
  const about = parsed(head) as { version?: unknown; judge?: unknown } | null
  if (about?.version !== 1 || about.judge !== judge) return known
  for (const each of lines) {
    // The last line may be cut by a crash: its file is scanned again.
    const entry = parsed(each)
    if (Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string')
      known.set(entry[0], entry[1])
  }
  return known
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
