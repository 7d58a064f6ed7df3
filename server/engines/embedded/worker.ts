/** The worker as a program that loads the analyser: its parent names the module, so that tests can use one of their own. */
import { runWorker } from './worker-loop.ts'

await runWorker(() => import(process.argv[2] ?? ''))
