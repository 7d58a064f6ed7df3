/** Every server that the service uses, each behind a proxy that can fail. */
import { chownSync } from 'node:fs'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { startClamd } from '#test/support/clamd.ts'
import { startMarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { serverUser, startPostgres } from '#test/support/postgres.ts'
import { startRedis } from '#test/support/redis.ts'
import { freePort } from '#test/support/service.ts'
import { type SmallDisk, smallDisk } from '#test/support/small-disk.ts'
import { startMailServer } from '#test/support/smtp.ts'
import { startLink } from './fault-link.ts'
import type { Dice } from './scan-documents.ts'
import { startProxy } from './scan-proxy.ts'

/** Room for the rows of tens of thousands of scans. */
const DISK_MEGABYTES = 160

export type FaultServers = Awaited<ReturnType<typeof startFaultServers>>

/** On the small disk where the system permits that. */
async function createDatabase(postgres: Awaited<ReturnType<typeof startPostgres>>, disk: SmallDisk): Promise<string> {
  if (!disk.isMounted) return postgres.createDatabase('fault')
  const { uid = 0, gid = 0 } = serverUser() ?? {}
  chownSync(disk.folder, uid, gid)
  await postgres.administer(`create tablespace small location '${disk.folder}'`)
  await postgres.administer('create database fault tablespace small template template0')
  return postgres.url.replace(/docvet$/, 'fault')
}

/** Its process is replaced when it is killed. */
async function startAssistant() {
  const port = await freePort()
  let server: ChatServer = await startChatServer(port)
  return {
    port,
    server: () => server,
    async kill() {
      await server[Symbol.asyncDispose]()
    },
    async start() {
      server = await startChatServer(port)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const spoiling: Dice = {
  next: Math.random,
  whole: (from, to) => from + Math.floor(Math.random() * (to - from + 1)),
  pick: (items) => items[Math.floor(Math.random() * items.length)]!,
}

export async function startFaultServers() {
  await using stack = new AsyncDisposableStack()
  const disk = smallDisk(DISK_MEGABYTES)
  stack.defer(disk.remove)
  const [postgres, redis, clamd] = await Promise.all([startPostgres(), startRedis(), startClamd()])
  for (const each of [postgres, redis, clamd]) stack.use(each)
  const mail = stack.use(await startMailServer())
  const assistant = stack.use(await startAssistant())
  const marketplace = stack.use(await startMarketplacePeer())
  const databaseUrl = await createDatabase(postgres, disk)
  const portOf = (url: string) => Number(new URL(url).port)
  const links = {
    PostgreSQL: stack.use(await startLink(portOf(postgres.url))),
    Redis: stack.use(await startLink(portOf(redis.url))),
    SMTP: stack.use(await startLink(mail.port)),
    assistant: stack.use(await startLink(assistant.port)),
    marketplace: stack.use(await startLink(marketplace.port)),
  }
  const proxies = [
    stack.use(await startProxy(clamd.tcpUrl, spoiling)),
    stack.use(await startProxy(clamd.tcpUrl, spoiling)),
  ]
  const through = (url: string, link: { port: number }) => url.replace(/:\d+(?=\/|$)/, `:${link.port}`)
  const { DOCVET_MICROSOFT_API_URL: apiUrl, DOCVET_MICROSOFT_AUTHORITY_URL: authorityUrl } = marketplace.env
  const kept = stack.move()
  return {
    ...{ postgres, redis, clamd, mail, assistant, marketplace, links, proxies, disk },
    /** Directly, not through the proxy. */
    databaseUrl,
    env: {
      DOCVET_DATABASE_URL: through(databaseUrl, links.PostgreSQL),
      DOCVET_REDIS_URL: through(redis.url, links.Redis),
      DOCVET_SMTP_URL: `smtp://127.0.0.1:${links.SMTP.port}`,
      DOCVET_ENGINES: 'embedded,clamd',
      DOCVET_CLAMD_URL: proxies.map(({ url }) => url).join(','),
      ...chatSettings({ url: `http://127.0.0.1:${links.assistant.port}/v1` }),
      ...marketplace.env,
      DOCVET_MICROSOFT_API_URL: through(apiUrl, links.marketplace),
      DOCVET_MICROSOFT_AUTHORITY_URL: through(authorityUrl, links.marketplace),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
