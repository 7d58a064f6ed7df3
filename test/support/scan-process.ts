/** Reads descendants, memory and open files of a process from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

interface Status {
  pid: number
  parent: number
  /** `Z`: exited, but not reaped by its parent yet. */
  state: string
}

function statusOf(pid: number): Status | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain anything, so the fields begin after the last parenthesis.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, state, parent: Number(parent) }
  } catch {
    return null
  }
}

/** Children and their children, parents first. */
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

/** False if it has exited. */
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

/** How long it took; null when the time limit was reached first. */
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
