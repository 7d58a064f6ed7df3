/** Loaded into every test process: a file that does not end after its last test has left something open, and fails. */

import { after } from 'node:test'

const GRACE_MS = 10_000

// Not `--test-force-exit`: it loses results of tests that ran, without a word (nodejs/node#64833).
// The runner itself loads this file too, but only the processes of test files have a context.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    // Fires only if something else keeps the process alive.
    setTimeout(() => {
      console.error(`left open after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
      process.exit(1)
    }, GRACE_MS).unref()
  })
}
