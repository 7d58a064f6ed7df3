/** The OpenAPI document of an application with default settings, as committed in `openapi.json`. */
import { rmSync } from 'node:fs'
import { buildApp } from '#app.ts'
import { createLog } from '#base/log.ts'
import { loadConfig } from '#config/config.ts'
import { openDatabase } from '#storage/database.ts'
import { temporaryFolder } from './service.ts'

export async function renderOpenApi(env: Record<string, string> = {}): Promise<string> {
  const dataDir = temporaryFolder('openapi')
  const config = loadConfig({ DOCVET_DATA_DIR: dataDir, ...env })
  const log = createLog({ level: 'silent' })
  const database = await openDatabase({ ...config, log })
  const app = await buildApp({ config, log, database, sharedBuckets: null, engines: [] })
  try {
    const { body } = await app.server.inject('/openapi.json')
    return `${JSON.stringify(JSON.parse(body), null, 2)}\n`
  } finally {
    await app.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
