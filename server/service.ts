/** Starts the service: configuration, resources, application, listen. Stops it in reverse order on a signal. */
import cluster from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runAdmin } from '#admin/admin.ts'
import { collectGarbage } from '#base/collect-garbage.ts'
import { isStorageUnavailable } from '#base/errors.ts'
import { closeInherited } from '#base/inherited.ts'
import type { Peer } from '#base/ipc.ts'
import { createLog, endLog, type Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { redactSecrets } from '#base/redact.ts'
import { ADMIN_FROM_FOLDER, VERSION } from '#base/version.ts'
import { type Config, ConfigError, loadConfig } from '#config/config.ts'
import { helpText } from '#config/help.ts'
import { createClamdEngine } from '#engines/clamd/engine.ts'
import { createEmbeddedEngine } from '#engines/embedded/engine.ts'
import type { Engine } from '#engines/engine.ts'
import { listen } from '#http/listen.ts'
import { listenForMetrics } from '#http/metrics-server.ts'
import { removeStaleSockets } from '#listeners/socket-file.ts'
import { DATA_FOLDER } from '#storage/data-folder.ts'
import { type Database, describeDatabase, openDatabase } from '#storage/database.ts'
import { isPermanent } from '#storage/postgres.ts'
import { openRedis } from '#storage/redis.ts'
import { FREE_PLAN, planOf } from '#usage/plan.ts'
import { buildApp } from './app.ts'
import { connectToSupervisor, shareOf } from './processes.ts'
import { closeOnSignal } from './shutdown.ts'
import { EXPLAINED, SLOT_VARIABLE, startProcesses } from './supervisor.ts'

const DATABASE_WAIT_MS = 60_000
const DATABASE_RETRY_MS = 1_000
const EXIT_USAGE = 2
/** Connections that wait to be accepted. Beyond Node's default of 511, clients would wait seconds for a second try. */
const BACKLOG = 4_096
/** After the start, when the first requests have been answered. */
const COLLECT_MS = 1_000

/** Prints to the right stream and exits, unless the arguments ask for a normal start. */
function handleArguments(args: string[]): void {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const
  try {
    const { values } = parseArgs({ args, options })
    if (!values.help && !values.version) return
    process.stdout.write(values.help ? helpText() : `${VERSION}\n`)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nRun with --help to see the options.\n`)
    process.exit(EXIT_USAGE)
  }
  process.exit(0)
}

function loadConfigOrExit(env: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** Waits for a database that is still starting, as in a deployment that starts everything at once. */
async function waitForDatabase(config: Config, log: Log): Promise<Database> {
  const giveUpAt = Date.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      return await openDatabase({ ...config, log })
    } catch (error) {
      const permanent = error instanceof Error && isPermanent(error.cause)
      if (!isStorageUnavailable(error) || permanent || Date.now() > giveUpAt) throw error
      log.warn({ err: error }, 'Database is not available yet; retrying')
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
        scores: config.ruleScores,
        feedsDir: config.feedsDir,
        updates: {
          ...{ folder: join(config.dataDir, 'updates'), url: config.updatesUrl, rootFile: config.updatesRoot },
          proxy: config.updatesProxy,
          intervalMs: config.updatesIntervalMs,
        },
        sensitivity: config.sensitivity,
        policy: config.policy,
        policyFile: config.policyFile,
        documentBytesMax: config.fetchBytesMax,
        log,
      }),
    clamd: () =>
      createClamdEngine({ urls: config.clamdUrls, signaturesAgeMaxHours: config.clamdSignaturesAgeMaxHours, log }),
  }
  return Promise.all(config.engines.map((name) => start[name]()))
}

function planLine({ plans, defaultPlan }: Config): string {
  const { scansPerMonth } = planOf(plans, defaultPlan)
  const change = defaultPlan === FREE_PLAN ? ' (DOCVET_DEFAULT_PLAN)' : ''
  return `Plan of new accounts: ${defaultPlan}, ${scansPerMonth.toLocaleString('en-US')} scans a month and key${change}`
}

function startupBanner(config: Config): string {
  const { listenUrl, publicUrl, databaseUrl, dataDir, signup, smtpUrl } = config
  const lines = [
    `Docvet is listening on ${listenUrl}`,
    ...(publicUrl === listenUrl ? [] : [`Public URL: ${publicUrl}`]),
    `Dashboard: ${publicUrl}/`,
    `Documentation: ${publicUrl}/docs`,
    `Data: ${databaseUrl ? describeDatabase({ databaseUrl, dataDir }) : dataDir}`,
    ...(smtpUrl === null ? [`Mail: ${join(dataDir, 'outbox')}, because DOCVET_SMTP_URL is not set`] : []),
    planLine(config),
    '',
    'Create an account and get its first API key:',
    signup === 'open'
      ? `  curl -X POST ${publicUrl}/api/v1/signup -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'`
      : `  ${ADMIN_FROM_FOLDER} accounts create you@example.com`,
  ]
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : 'no response'
}

/** Mistakes of which the reason says all. */
const MISTAKES = ['EADDRINUSE', 'EADDRNOTAVAIL', DATA_FOLDER]

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Explains common mistakes; the log has the error itself. */
function startupFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const reason =
    {
      EADDRINUSE: `port ${port} on ${host} is already in use. Set DOCVET_PORT to a free port.`,
      EACCES: `permission denied for port ${port} on ${host}. Set DOCVET_PORT.`,
      EADDRNOTAVAIL: `${host} is not an IP address of this machine. Set DOCVET_HOST.`,
      storage_unavailable: `the database is not available (${causeOf(error)}). Check DOCVET_DATABASE_URL or the data folder.`,
    }[codeOf(error)] ?? messageOf(error)
  return `Docvet failed to start: ${redactSecrets(reason)}\n`
}

/** `slot` is the number of this process if a supervisor has started it. */
async function start(config: Config, log: Log, slot: number | null): Promise<void> {
  const isFirst = cluster.isPrimary || cluster.worker?.id === 1
  if (isFirst) for (const warning of config.warnings) log.warn(warning)
  const supervisor = slot === null ? null : connectToSupervisor(process as Peer)
  closeInherited()
  const starting = startEngines(config, log)
  // Handled where it is awaited; until then a rejection must not count as unhandled.
  starting.catch(() => {})
  const database = await waitForDatabase(config, log)
  const redis = config.redisUrl ? await openRedis(config.redisUrl, log) : null
  const engines = await starting
  const app = await buildApp({
    ...{ config, log, database, engines, sharedBuckets: redis ?? supervisor?.buckets ?? null },
    ...(supervisor && { siblings: supervisor.siblings }),
  })

  supervisor?.answer({ metrics: app.metrics.render, state: app.state })
  const { metricsAddress } = config
  const metrics = metricsAddress && !supervisor ? await listenForMetrics(metricsAddress, app.metrics) : null

  let stopListening = () => {}
  closeOnSignal(async () => {
    stopListening()
    await app.close()
    await metrics?.close()
    await Promise.all(engines.map((engine) => engine.close()))
    redis?.close()
    await database.close()
  }, log)

  // First, so that a service that is ready has all its ports.
  await app.listeners.start({ isShared: slot !== null, backlog: BACKLOG, isFirst })
  stopListening = await listen(app.server, { host: config.host, port: config.port, backlog: BACKLOG })
  await supervisor?.serving()
  log.info({ host: config.host, port: config.port, database: database.kind, shared: redis !== null }, 'Listening')
  // On standard error, because standard output is for log lines only.
  if (isFirst) process.stderr.write(startupBanner(config))
  setTimeout(collectGarbage, COLLECT_MS).unref()
}

async function supervise({ processes, metricsAddress, listeners }: Config, log: Log): Promise<void> {
  await removeStaleSockets(listeners)
  const supervisor = await startProcesses(processes, log)
  const metrics = metricsAddress && (await listenForMetrics(metricsAddress, supervisor))
  closeOnSignal(async () => {
    await metrics?.close()
    await supervisor.close()
  }, log)
  process.on('SIGHUP', supervisor.reload)
  log.info({ processes }, 'All processes are listening')
}

/** Its log goes to standard error, because standard output is for the result. */
async function administrate(args: string[]): Promise<never> {
  const log = createLog({ level: 'warn', stream: process.stderr })
  const { exitCode, stdout, stderr } = await runAdmin(args, {
    config: (file) => loadConfig({ ...process.env, ...file }),
    startEngines,
    log,
    stdout: process.stdout,
    stderr: process.stderr,
  })
  process.stderr.write(stderr)
  return await new Promise(() => process.stdout.write(stdout, () => process.exit(exitCode)))
}

// Files are readable by the service's own user only.
process.umask(0o077)
const [command, ...rest] = process.argv.slice(2)
if (command === 'admin') await administrate(rest)
if (command === 'objects') await administrate(['objects', ...rest])
handleArguments(process.argv.slice(2))
const { [SLOT_VARIABLE]: given, ...env } = process.env
const config = loadConfigOrExit(env)
const slot = cluster.isWorker && given !== undefined ? Number(given) : null
const log = createLog({ level: config.logLevel })
try {
  if (slot !== null) await start(shareOf(config, slot), log, slot)
  else if (config.processes > 1) await supervise(config, log)
  else await start(config, log, null)
} catch (error) {
  if (!MISTAKES.includes(codeOf(error)) && codeOf(error) !== EXPLAINED) log.fatal({ err: error }, 'Failed to start')
  if (codeOf(error) !== EXPLAINED) process.stderr.write(startupFailure(error, config))
  endLog(log, () => process.exit(1))
}
