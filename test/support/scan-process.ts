/** What the kernel knows of a process: its children, its memory, its open files, and whether it is still there. */
import { readdirSync, readFileSync } from 'node:fs'

interface Status {
  pid: number
  parent: number
  /** `Z` has ended, and only its parent has not noticed yet. */
  state: string
}

function statusOf(pid: number): Status | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, so what counts begins after the last of them.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, state, parent: Number(parent) }
  } catch {
    return null
  }
}

/** Children and theirs, parents first. */
export function descendants(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const all = pids.flatMap((name) => statusOf(Number(name)) ?? [])
  const below = (parent: number): number[] =>
    all.filter((each) => each.parent === parent && each.state !== 'Z').flatMap((each) => [each.pid, ...below(each.pid)])
  return below(pid)
}

export function isAlive(pid: number): boolean {
  const status = statusOf(pid)
  return status !== null && status.state !== 'Z'
}

/** False if it has gone. */
export function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(line?.[1] ?? Number.NaN) * 1_024
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Null when it was not so within that time; else how long it took. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 100,
): Promise<number | null> {
  const started = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - started
    if (performance.now() - started > timeoutMs) return null
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
