/** Proves a set of an update channel as a service does. */
import { createLog } from '#base/log.ts'
import { createStarter, findAnalyser } from '#engines/embedded/starter.ts'
import { DEFAULTS } from '#engines/embedded/tuning.ts'
import type { Contents } from '#engines/embedded/updates/contents.ts'
import { prove } from '#engines/embedded/updates/self-check.ts'

/** Rejects if it is not to be used. */
export async function proveContents({ setup, lists }: Contents): Promise<void> {
  const log = createLog({ level: 'fatal', stream: process.stderr })
  const { start } = await createStarter({ log }, DEFAULTS)
  const { signal } = new AbortController()
  await prove(await start({ ...setup, wasm: findAnalyser().wasm }, signal), lists, signal)
}
