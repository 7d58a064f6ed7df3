/** CPU time in tests. Unlike elapsed time, it does not depend on the load of the machine. */

import assert from 'node:assert/strict'

export function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

/** Quadratic work on megabytes takes minutes; a slow machine needs up to four times the seconds of a fast one. */
const CHEAP_S_MAX = 10

/** Fails where work on hostile input grows faster than the input. */
export function assertCheap(work: () => void, name = 'the work'): void {
  const seconds = cpuSeconds(work)
  assert.ok(seconds < CHEAP_S_MAX, `${name} took ${seconds} s of CPU time`)
}
