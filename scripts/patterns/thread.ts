/** A thread that measures patterns, so that one that does not end can be stopped. */

import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { type Growth, growthOf, type Pattern } from './growth.ts'

export interface Measured {
  index: number
  growth: Growth | null
}

const { patterns, from, progress, length } = workerData as {
  patterns: Pattern[]
  from: number
  progress: Int32Array
  length?: number
}

// The first use of a pattern then takes as long as the others.
setFlagsFromString('--no-regexp-tier-up')
for (const [offset, pattern] of patterns.slice(from).entries()) {
  progress[0] = from + offset
  const growth = growthOf(pattern, () => Atomics.add(progress, 1, 1), length)
  parentPort?.postMessage({ index: from + offset, growth } satisfies Measured)
}
parentPort?.postMessage(null)
