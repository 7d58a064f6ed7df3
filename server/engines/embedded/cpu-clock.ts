/**
 * The CPU time of a worker, as the operating system counts it: a worker that is stuck cannot tell. Only main threads count.
 * V8 compiles and collects on another one, for a new worker as long as the document takes: a document must not be refused
 * because its worker is new.
 */
import { readFileSync } from 'node:fs'

/** The unit of `/proc`, on every architecture that Node runs on. */
const MS_PER_TICK = 10
/** A sandbox wraps a worker in two processes. More than these are not followed. */
const PROCESSES_MAX = 16

/** Reads the time of the process and of those that it has started, in milliseconds. Null where the system does not tell. */
export function createCpuClock(pid: number): () => number | null {
  const family = familyOf(pid)
  return () => {
    if (family === null) return null
    const times = family.map(cpuMsOf)
    return times.every((ms) => ms === null) ? null : times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  }
}

function familyOf(pid: number): number[] | null {
  const family = [pid]
  try {
    // Grows while it is read: the sandbox starts the worker as its grandchild.
    for (const each of family) {
      if (family.length > PROCESSES_MAX) return null
      const children = readFileSync(`/proc/${each}/task/${each}/children`, 'latin1')
      family.push(...children.split(' ').filter(Boolean).map(Number))
    }
    return family
  } catch {
    return null
  }
}

function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1')
    // The name of the program precedes, in brackets, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : null
  } catch {
    return null
  }
}
