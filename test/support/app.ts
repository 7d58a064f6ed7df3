/** The application inside the test process, for tests that need internals or low limits. */

import { rmSync } from 'node:fs'
import { type App, buildApp, type Resources } from '#app.ts'
import { createLog } from '#base/log.ts'
import { loadConfig } from '#config/config.ts'
import { SERVER_LIMITS } from '#http/server.ts'
import { openDatabase } from '#storage/database.ts'
import { freePort, temporaryFolder } from '#test/support/service.ts'

interface RunningApp extends AsyncDisposable {
  port: number
  dataDir: string
  routes: App['routes']
  schemas: App['schemas']
  close(): Promise<void>
}

export async function startApp(
  limits: Partial<typeof SERVER_LIMITS> = {},
  env: Record<string, string | undefined> = {},
  resources: Partial<Resources> = {},
): Promise<RunningApp> {
  const port = await freePort()
  const dataDir = temporaryFolder('data')
  const config = loadConfig({
    DOCVET_PORT: String(port),
    DOCVET_DATA_DIR: dataDir,
    DOCVET_ADDRESS_RATE_PER_MINUTE: '100000',
    ...env,
  })
  const log = createLog({ level: 'silent' })
  const database = await openDatabase({ ...config, log })
  const app = await buildApp({
    config,
    log,
    database,
    sharedBuckets: null,
    engines: [],
    limits: { ...SERVER_LIMITS, ...limits },
    ...resources,
  })
  await app.server.listen({ host: config.host, port })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= app.close()
    return closed
  }
  return {
    port,
    dataDir,
    routes: app.routes,
    schemas: app.schemas,
    close,
    async [Symbol.asyncDispose]() {
      await close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
