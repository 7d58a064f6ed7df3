/** Closes files that this process inherited, so that none of its children inherits them. */
import { closeSync, readdirSync, readFileSync } from 'node:fs'

const FDINFO = '/proc/self/fdinfo'
const CLOSE_ON_EXEC = 0o2000000
/** The first after standard input, output and error. */
const FIRST = 3

/** Children do not inherit what Node opened itself: all of it closes when another program starts. */
function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${FDINFO}/${fd}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    return false
  }
}

function inheritable(): number[] {
  try {
    return readdirSync(FDINFO)
      .map(Number)
      .filter((fd) => fd >= FIRST && isInheritable(fd))
  } catch {
    // Not Linux.
    return []
  }
}

/** Call it after the settings were read: their files may be among these. */
export function closeInherited(): void {
  for (const fd of inheritable()) closeSync(fd)
}
