/** The worker as a snapshot of a process that has loaded the analyser, which `scripts/compile.ts` makes. */
// First, because the analyser makes decoders while it loads.
import './late-decoder.ts'
import { startupSnapshot } from 'node:v8'
import * as analyser from '#inspect/inspect.ts'
import { runWorker } from './worker-loop.ts'

startupSnapshot.setDeserializeMainFunction(() => runWorker(async () => analyser))
