/** Servers that suites need, and suites that run on both databases. */

import { existsSync, globSync, rmSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import type { Database } from '#storage/database.ts'
import { findChromium } from '#test/support/chromium.ts'
import { clamdAvailable } from '#test/support/clamd.ts'
import {
  databasesOf,
  type PostgresDatabases,
  type PostgresServer,
  postgresAvailable,
  startPostgres,
} from '#test/support/postgres.ts'
import { redisAvailable } from '#test/support/redis.ts'
import { findProgram, temporaryFolder } from '#test/support/service.ts'
import { findSquid } from '#test/support/squid.ts'

/** Installed by the package `clamav-testfiles`. */
export const CLAMAV_TEST_FILES = '/usr/share/clamav-testfiles'

/** Debian's own, which sees the modules of its packages. */
export const PYTHON = '/usr/bin/python3'
const PYTHON_MODULES = ['aiohttp', 'django', 'fastapi', 'httpx', 'multipart', 'werkzeug']

const SBIN = ['/usr/sbin']
export const findHaproxy = () => findProgram(['haproxy'], SBIN)
export const findNginx = () => findProgram(['nginx'], ['/usr/sbin'])
export const findCaddy = () => findProgram(['caddy'])

/** `test/run.ts` installs what is missing. */
export const SERVERS = {
  postgres: { title: 'PostgreSQL', aptPackage: 'postgresql', available: postgresAvailable },
  redis: { title: 'Redis', aptPackage: 'redis-server', available: redisAvailable },
  clamd: { title: 'clamd', aptPackage: 'clamav-daemon', available: clamdAvailable },
  clamdscan: { title: 'clamdscan', aptPackage: 'clamdscan', available: () => findProgram(['clamdscan']) !== null },
  pyclamd: {
    title: 'pyclamd',
    aptPackage: 'python3-pyclamd',
    available: () => existsSync('/usr/lib/python3/dist-packages/pyclamd'),
  },
  postfix: {
    title: 'Postfix with clamav-milter',
    aptPackage: 'postfix clamav-milter',
    available: () => findProgram(['postfix'], SBIN) !== null && findProgram(['clamav-milter'], SBIN) !== null,
  },
  rspamd: { title: 'rspamd', aptPackage: 'rspamd', available: () => findProgram(['rspamd']) !== null },
  cIcap: {
    title: 'c-icap-client',
    aptPackage: 'c-icap',
    available: () => findProgram(['c-icap-client']) !== null,
  },
  squid: { title: 'Squid', aptPackage: 'squid', available: () => findSquid() !== null },
  testFiles: {
    title: "ClamAV's collection of test files",
    aptPackage: 'clamav-testfiles',
    available: () => existsSync(CLAMAV_TEST_FILES),
  },
  chromium: { title: 'Chromium', aptPackage: 'chromium', available: () => findChromium() !== null },
  haproxy: { title: 'HAProxy', aptPackage: 'haproxy', available: () => findHaproxy() !== null },
  nginx: { title: 'nginx', aptPackage: 'nginx-light', available: () => findNginx() !== null },
  caddy: { title: 'Caddy', aptPackage: 'caddy', available: () => findCaddy() !== null },
  bwrap: { title: 'bubblewrap', aptPackage: 'bubblewrap', available: () => findProgram(['bwrap']) !== null },
  go: { title: 'Go', aptPackage: 'golang-go', available: () => findProgram(['go']) !== null },
  php: {
    title: 'PHP with curl',
    aptPackage: 'php-cli php-curl',
    available: () => findProgram(['php']) !== null && globSync('/usr/lib/php/*/curl.so').length > 0,
  },
  ruby: { title: 'Ruby', aptPackage: 'ruby', available: () => findProgram(['ruby']) !== null },
  java: { title: 'Java', aptPackage: 'default-jdk-headless', available: () => findProgram(['javac']) !== null },
  python: {
    title: "Python's form parsers",
    aptPackage: 'python3-aiohttp python3-django python3-fastapi python3-httpx python3-multipart python3-werkzeug',
    available: () => PYTHON_MODULES.every((name) => existsSync(`/usr/lib/python3/dist-packages/${name}`)),
  },
} as const satisfies Record<string, { title: string; aptPackage: string; available: () => boolean }>

export type ServerName = keyof typeof SERVERS

/** In CI a missing server is a failure, because nobody would notice a skipped suite. */
export const IN_CI = process.env.CI === 'true'

/** Options for `describe` or `test`. */
export function needs(...names: ServerName[]): { skip?: string } {
  const missing = names.map((name) => SERVERS[name]).filter((server) => !server.available())
  if (missing.length === 0) return {}
  const titles = missing.map((server) => server.title).join(' and ')
  const packages = missing.map((server) => server.aptPackage).join(' ')
  const message = `${titles} ${missing.length > 1 ? 'are' : 'is'} not installed: apt-get install ${packages}`
  if (IN_CI) throw new Error(message)
  return { skip: message }
}

export interface DatabasePlace {
  /** Null for SQLite: the file is in `dataDir`. */
  url: string | null
  dataDir: string
  /** Call it after closing all connections. */
  release(): Promise<void>
}

/** Declares the suite twice. Each call of `openUrl` gives an empty database. */
export function forEachDatabase(name: string, declare: (openUrl: () => Promise<DatabasePlace>) => void): void {
  describe(`${name} on SQLite`, () => declare(sqlitePlace))

  describe(`${name} on PostgreSQL`, needs('postgres'), () => {
    users++
    declare(async () => {
      const databases = await sharedDatabases()
      const url = await databases.createDatabase()
      const place = await sqlitePlace()
      return {
        ...place,
        url,
        async release() {
          await place.release()
          await databases.dropDatabase(url)
        },
      }
    })
    // Hooks run in order of declaration: the suite releases its databases before the server stops.
    after(leaveServer)
  })
}

/** Opens an empty database before the tests of a suite and removes it after them. */
export function useDatabase(
  openUrl: () => Promise<DatabasePlace>,
  use: (database: Database, place: DatabasePlace) => void,
): void {
  let place: DatabasePlace
  let database: Database
  before(async () => {
    place = await openUrl()
    // Loaded here, because most files need no database of their own.
    const { openPlace } = await import('#test/support/seed.ts')
    database = await openPlace(place)
    use(database, place)
  })
  after(async () => {
    await database.close()
    await place.release()
  })
}

/** An empty SQLite database. */
export async function sqlitePlace(): Promise<DatabasePlace> {
  const dataDir = temporaryFolder('data')
  return { url: null, dataDir, release: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** Set by `test/run.ts`: the server that all files share. */
export const SHARED_POSTGRES = 'DOCVET_TEST_POSTGRES'

// A file that runs alone starts its own server, and its last suite closes it.
let users = 0
let own: Promise<PostgresServer> | null = null

async function sharedDatabases(): Promise<PostgresDatabases> {
  const url = process.env[SHARED_POSTGRES]
  if (url) return databasesOf(url)
  own ??= startPostgres()
  return own
}

async function leaveServer(): Promise<void> {
  users--
  if (users > 0 || !own) return
  const server = await own
  own = null
  await server.close()
}
