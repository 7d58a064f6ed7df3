import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage now. For the end of a start, which leaves a tenth of the memory of a process behind: V8 would keep it
 * until the heap has grown by as much again.
 */
export function collectGarbage(): void {
  // Only a context that is created while the flag is set has the function.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
