/** Commands for the installation: check, backup and restore. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '#base/message-of.ts'
import type { Config } from '#config/config.ts'
import type { Listener } from '#listeners/specification.ts'
import { type Admin, type Command, Refusal, type Result, UsageError } from './command.ts'
import type { Files } from './context.ts'

interface Check {
  part: string
  status: 'OK' | 'WARNING' | 'FAILED'
  detail: string
}

async function checkDatabase(admin: Admin): Promise<Check> {
  try {
    const { database } = await admin.open()
    const problem = await database.problem()
    const detail = problem ?? (database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL')
    return { part: 'database', status: problem === null ? 'OK' : 'FAILED', detail }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return { part: 'database', status: 'FAILED', detail: `${messageOf(error)}${cause}` }
  }
}

/** Nothing where it is the same, or where the database cannot be read, which another check says. */
async function checkSecretKey(admin: Admin): Promise<Check[]> {
  const context = await Promise.try(() => admin.open()).catch(() => null)
  const problem = await context?.secretKeys.problem().catch(messageOf)
  return problem ? [{ part: 'secret key', status: 'FAILED', detail: problem }] : []
}

async function checkEngines(admin: Admin, config: Config): Promise<Check[]> {
  try {
    const engines = await admin.startEngines(config, admin.log)
    const checks = engines.map((engine): Check => {
      const { name, status, version, detail, isDegraded } = engine.health()
      const upStatus = isDegraded ? 'WARNING' : 'OK'
      return {
        part: `engine ${name}`,
        status: status === 'UP' ? upStatus : 'FAILED',
        detail: detail ?? version ?? status,
      }
    })
    await Promise.all(engines.map((engine) => engine.close()))
    return checks
  } catch (error) {
    return [{ part: 'engines', status: 'FAILED', detail: messageOf(error) }]
  }
}

async function checkListener(admin: Admin, listener: Listener): Promise<Check> {
  const { protocol, url, keyId } = listener
  const part = `listener ${protocol}`
  const fail = (detail: string): Check => ({ part, status: 'FAILED', detail: `${url}: ${detail}` })
  try {
    const { keyStore, listenerFilesProblem } = await admin.open()
    const problem = listenerFilesProblem(listener)
    if (problem !== null) return fail(problem)
    const owner = await keyStore.findActiveById(keyId)
    if (!owner) return fail(`the key ${keyId} is unknown, revoked, or of a disabled account`)
    return { part, status: 'OK', detail: `${url}, key ${keyId} on the plan ${owner.plan}` }
  } catch (error) {
    return fail(messageOf(error))
  }
}

/** Its key, and whether its objects can be listed. */
async function checkSource(admin: Admin, source: Config['objectSources'][number]): Promise<Check> {
  const { name, keyId, endpoint, bucket } = source
  const part = `source ${name}`
  const where = `${bucket} at ${endpoint}`
  try {
    const { keyStore, objects } = await admin.open()
    if (!(await keyStore.findActiveById(keyId)))
      return {
        part,
        status: 'FAILED',
        detail: `${where}: the key ${keyId} is unknown, revoked, or of a disabled account`,
      }
    await objects.probe(source)
    return { part, status: 'OK', detail: `${where}, key ${keyId}` }
  } catch (error) {
    // The right to list is only needed for `docvet objects`.
    return { part, status: 'WARNING', detail: `${where}: objects cannot be listed: ${messageOf(error)}` }
  }
}

async function check(admin: Admin): Promise<Result> {
  let config: Config
  try {
    config = admin.config()
  } catch (error) {
    const { problems = [messageOf(error)] } = error as { problems?: string[] }
    const data = problems.map((detail): Check => ({ part: 'configuration', status: 'FAILED', detail }))
    return { data, isFailure: true }
  }
  const warnings = config.warnings.map((detail): Check => ({ part: 'configuration', status: 'WARNING', detail }))
  const checks: Check[] = [
    {
      part: 'configuration',
      status: 'OK',
      detail: `${config.publicUrl}, data in ${config.dataDir}, new accounts on the plan ${config.defaultPlan}`,
    },
    ...warnings,
    await checkDatabase(admin),
    ...(await checkSecretKey(admin)),
    ...(await checkEngines(admin, config)),
    ...(await Promise.all(config.listeners.map((listener) => checkListener(admin, listener)))),
    ...(await Promise.all(config.objectSources.map((source) => checkSource(admin, source)))),
  ]
  return { data: checks, isFailure: checks.some(({ status }) => status === 'FAILED') }
}

function sqliteOnly({ databaseUrl }: Config, instead: string): void {
  if (databaseUrl !== null) throw new Refusal(`The database is PostgreSQL. Use ${instead}.`)
}

/** From a file if it is the path of one, because command lines can be seen by other users. */
function urlOf({ parse, allowed }: Files['parseUrl'], given: string): string {
  const parsed = parse(existsSync(given) ? readFileSync(given, 'utf8').trim() : given)
  if ('wrong' in parsed)
    throw new UsageError(`--to: ${parsed.wrong}. Allowed: ${allowed}, or the path of a file with it.`)
  return parsed.value
}

export const systemCommands = (files: Files): Command[] => [
  {
    name: 'check',
    args: [],
    summary:
      'Check the configuration, the database, the engines, the listeners and the object stores. The exit code is 1 if one of them fails.',
    run: check,
  },
  {
    name: 'backup',
    args: ['FILE'],
    summary: 'Copy the SQLite database to a new file, also while the service runs.',
    async run(admin, [given = '']) {
      const config = admin.config()
      sqliteOnly(config, 'pg_dump')
      const file = resolve(given)
      await files.backUp(join(config.dataDir, files.name), file)
      return { data: { file }, message: `The backup is ${file}. It contains personal data.` }
    },
  },
  {
    name: 'restore',
    args: ['FILE'],
    summary: 'Replace the SQLite database by a backup. The service must be stopped; the replaced database is kept.',
    async run(admin, [given = '']) {
      const config = admin.config()
      sqliteOnly(config, 'pg_restore')
      const file = resolve(given)
      const kept = files.restore(join(config.dataDir, files.name), file)
      const { change, note } = await admin.open()
      await change(async (trx) => note(trx, { event: 'database.restored', accountId: null }))
      const before = kept === null ? '' : ` The replaced database is ${kept}.`
      return { data: { file, kept }, message: `The database is restored from ${file}.${before}` }
    },
  },
  {
    name: 'move',
    args: [],
    options: {
      to: 'URL of an empty PostgreSQL database, or better the path of a file that contains it: other users can see command lines.',
    },
    summary:
      'Copy the SQLite database to an empty PostgreSQL database, compare every table, and seal the old one, so that nothing opens it any more. The service must be stopped.',
    async run(admin, _args, { to }) {
      const config = admin.config()
      sqliteOnly(config, 'pg_dump and pg_restore')
      if (to === undefined) throw new UsageError('Add --to with the URL of an empty PostgreSQL database.')
      const databaseUrl = urlOf(files.parseUrl, to)
      const data = await files.moveToPostgres({ ...config, databaseUrl, operator: files.operator(), log: admin.log })
      const setting = existsSync(to) ? `DOCVET_DATABASE_URL_FILE=${resolve(to)}` : 'DOCVET_DATABASE_URL to that URL'
      return { data, note: `It is sealed now. Next: set ${setting}, and start the service.` }
    },
  },
]
