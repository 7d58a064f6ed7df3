/** Preloaded into a measured service: SIGUSR2 collects all garbage and prints the bytes that are still in use. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Retained {
  heapUsed: number
  external: number
}

let count = 0

process.on('SIGUSR2', () => {
  count++
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Twice, because finalizers of the first collection release more.
  for (const _ of [1, 2]) collect()
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`retained ${count} ${JSON.stringify({ heapUsed, external } satisfies Retained)}\n`)
})
