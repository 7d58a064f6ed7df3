/** Runs test files in one process, each as a suite of its own: a process for each would load the same modules again. */

import { before, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Loads one after the other, so that what a file declares belongs to its suite, and runs no test until all are loaded. */
export async function runTogether(files: readonly string[]): Promise<void> {
  const all = Promise.withResolvers<void>()
  before(() => all.promise)
  for (const file of files) {
    const loaded = Promise.withResolvers<void>()
    describe(file, async () => {
      try {
        await import(pathToFileURL(file).href)
      } finally {
        loaded.resolve()
      }
    })
    await loaded.promise
  }
  all.resolve()
}
