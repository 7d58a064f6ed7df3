/** Finds the libraries of a program, so that its sandbox needs no others. */
import { spawnSync } from 'node:child_process'

const TRACE_MS_MAX = 5_000
/** A line such as `libm.so.6 => /lib/libm.so.6 (0x0000ffff)`; the linker itself has only the path. */
const LOADED = /^\s*(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/
const NOT_A_FILE = /^\s*linux-(?:vdso|gate)\.so\.\d+ \(0x[0-9a-f]+\)$/

const known = new Map<string, readonly string[] | null>()

/** As the dynamic linker lists them. Null if it does not, as for a static program or another C library than glibc. */
function trace(program: string): readonly string[] | null {
  // Asked by a variable instead of arguments. A program that does not know it has no input and runs in vain.
  const env = { LD_TRACE_LOADED_OBJECTS: '1' }
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  const { status, stdout } = spawnSync(program, [], { env, stdio: [...stdio], encoding: 'utf8', timeout: TRACE_MS_MAX })
  if (status !== 0) return null
  const lines = stdout.split('\n').filter((line) => line.trim() !== '' && !NOT_A_FILE.test(line))
  const files = lines.map((line) => LOADED.exec(line)?.[1])
  return files.length > 0 && files.every((file) => file !== undefined) ? files : null
}

/** The files that all these programs together load at their start; null if one of them does not tell. */
export function librariesOf(programs: readonly string[]): string[] | null {
  const all = new Set<string>()
  for (const program of programs) {
    const found = known.has(program) ? known.get(program) : trace(program)
    known.set(program, found ?? null)
    if (!found) return null
    for (const file of found) all.add(file)
  }
  return [...all]
}
