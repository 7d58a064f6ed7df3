/** Start and stop: configuration, resources, application, listen; and on a signal all of it backwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStorageUnavailable } from '#base/errors.ts'
import { createLog, endLog, type Log } from '#base/log.ts'
import { type Config, ConfigError, loadConfig } from '#config/config.ts'
import { createClamdEngine } from '#engines/clamd/engine.ts'
import { createEmbeddedEngine } from '#engines/embedded/engine.ts'
import type { Engine } from '#engines/engine.ts'
import { type Database, openDatabase } from '#storage/database.ts'
import { isHopeless } from '#storage/postgres.ts'
import { openRedis } from '#storage/redis.ts'
import { buildApp } from './app.ts'
import { closeWithGrace } from './shutdown.ts'
import { explainStart, welcome } from './welcome.ts'

/** How long a database that is not up yet is waited for. */
const DATABASE_WAIT_MS = 60_000
const DATABASE_RETRY_MS = 1_000

async function openPatiently(config: Config, log: Log): Promise<Database> {
  const giveUpAt = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      return await openDatabase({ ...config, log })
    } catch (error) {
      const hopeless = error instanceof Error && isHopeless(error.cause)
      if (!isStorageUnavailable(error) || hopeless || Date.now() > giveUpAt) throw error
      log.warn({ err: error }, 'The database does not answer yet; trying again')
      await sleep(DATABASE_RETRY_MS)
    }
  }
}

function startEngines(config: Config, log: Log): Promise<Engine[]> {
  const start = {
    embedded: () =>
      createEmbeddedEngine({
        workers: config.embeddedWorkers,
        rulesDir: config.rulesDir,
        sensitivity: config.sensitivity,
        log,
      }),
    clamd: () =>
      createClamdEngine({ urls: config.clamdUrls, signaturesAgeMaxHours: config.clamdSignaturesAgeMaxHours, log }),
  }
  return Promise.all(config.engines.map((name) => start[name]()))
}

async function start(config: Config, log: Log): Promise<void> {
  for (const warning of config.warnings) log.warn(warning)
  const starting = startEngines(config, log)
  // Its failure is met where it is awaited.
  starting.catch(() => {})
  const database = await openPatiently(config, log)
  const redis = config.redisUrl ? await openRedis(config.redisUrl, log) : null
  const engines = await starting
  const app = await buildApp({ config, log, database, sharedBuckets: redis, engines })

  closeWithGrace(async () => {
    await app.close()
    await Promise.all(engines.map((engine) => engine.close()))
    redis?.close()
    await database.close()
  }, log)

  await app.server.listen({ host: config.host, port: config.port })
  log.info({ host: config.host, port: config.port, database: database.kind, shared: redis !== null }, 'Listening')
  // To standard error, so that standard output stays JSON lines.
  process.stderr.write(welcome(config))
}

function loadOrExplain(): Config {
  try {
    return loadConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

// What we write is for nobody else on this machine.
process.umask(0o077)
const config = loadOrExplain()
const log = createLog({ level: config.logLevel })
try {
  await start(config, log)
} catch (error) {
  log.fatal({ err: error }, 'The service could not start')
  process.stderr.write(explainStart(error, config))
  endLog(log, () => process.exit(1))
}
