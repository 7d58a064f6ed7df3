/** Loaded into every test process: fails a file that does not exit after its last test. */

import { after } from 'node:test'

const GRACE_MS = 10_000

// Not `--test-force-exit`: it silently loses results (nodejs/node#64833).
// The runner loads this file too, but only test processes have a context.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    // Fires only if something else keeps the process alive.
    setTimeout(() => {
      console.error(`Open after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
      process.exit(1)
    }, GRACE_MS).unref()
  })
}
