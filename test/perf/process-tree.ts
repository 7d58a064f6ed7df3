/** CPU time and memory of a process with all its descendants, from /proc. */

import { readdirSync, readFileSync } from 'node:fs'

const MS_PER_TICK = 10

/** Fields of /proc/PID/stat after the name, which may contain spaces. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statOf(Number(name))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

export interface ProcessUsage {
  pid: number
  parent: number
  /** Of its program, such as `node`. */
  name: string
  cpuMs: number
  rssMb: number
  /** Pages that several processes share are divided among them. */
  pssMb: number
  /** Without mapped files, which the kernel loads and drops as it likes. */
  anonymousMb: number
  descriptors: number
}

const cpuMsIn = (stat: string[] | null): number => (Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0)) * MS_PER_TICK

/** Of the process with all its threads, in steps of a tick. */
export const cpuMsOf = (pid: number): number => cpuMsIn(statOf(pid))

/** The process and its descendants that still run, parents first. */
export function processesOf(root: number): ProcessUsage[] {
  return treeOf(root).map((pid) => {
    const stat = statOf(pid)
    const own = {
      pid,
      parent: Number(stat?.[1]),
      name: nameOf(pid),
      cpuMs: cpuMsIn(stat),
      descriptors: descriptorsOf(pid),
    }
    const [rssMb = 0, pssMb = 0, anonymousMb = 0] = rollupMb(pid, ['Rss', 'Pss', 'Anonymous'])
    return { ...own, rssMb, pssMb, anonymousMb }
  })
}

interface TreeUsage extends Pick<ProcessUsage, 'rssMb' | 'pssMb'> {
  /** Of the process itself. */
  ownCpuMs: number
  /** Of its descendants that still run. */
  childrenCpuMs: number
}

export function usageOf(root: number): TreeUsage {
  const usage: TreeUsage = { ownCpuMs: 0, childrenCpuMs: 0, rssMb: 0, pssMb: 0 }
  for (const { pid, cpuMs, rssMb, pssMb } of processesOf(root)) {
    usage[pid === root ? 'ownCpuMs' : 'childrenCpuMs'] += cpuMs
    usage.rssMb += rssMb
    usage.pssMb += pssMb
  }
  return usage
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function rollupMb(pid: number, fields: readonly string[]): number[] {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return fields.map((field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0) / 1024)
  } catch {
    // The process has exited, or belongs to another user.
    return []
  }
}

/** The share of all CPU time that was used in the given time. */
async function busyShare(ms: number): Promise<number> {
  const read = () => {
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0] = (
      readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
    )
      .split(/\s+/)
      .slice(1)
      .map(Number)
    return { used: user + nice + system, all: user + nice + system + idle + wait }
  }
  const before = read()
  await new Promise((resolve) => setTimeout(resolve, ms))
  const after = read()
  return (after.used - before.used) / (after.all - before.all)
}

const BUSY_SHARE = 0.1

/** Returns the share of the CPU time that other programs used. */
export async function warnIfBusy(): Promise<number> {
  const share = await busyShare(2_000)
  const text = `${(share * 100).toFixed(0)} % of the CPU time was in use before the benchmark`
  console.log(share > BUSY_SHARE ? `THE MACHINE IS BUSY: ${text}. The figures are not valid.\n` : `${text}.\n`)
  return share
}
