/** A service with object sources, whose key is created before it starts. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withKey } from '#test/support/client.ts'
import { seedListenerKey } from '#test/support/listener-service.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { startScanService } from '#test/support/scanning.ts'
import { openDatabaseOf, type ServiceOptions, temporaryFolder } from '#test/support/service.ts'

type Env = NonNullable<Parameters<typeof startScanService>[0]>
export type ObjectService = Awaited<ReturnType<typeof startObjectService>>

interface ObjectReport {
  scanId: string
  state: string
  status: string | null
  obstacle: string | null
  fileName: string
  fileSize: number
  reference: string | null
  problem: { code: string; detail: string } | null
}

const ENDED_MS = 30_000

/** Waits until it holds. */
export async function eventually<T>(check: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  for (const giveUpAt = Date.now() + ENDED_MS; Date.now() < giveUpAt; await sleep(50)) {
    const found = await check()
    if (found) return found
  }
  throw new Error(`Not in time: ${what}`)
}

/** How long the job that failed so often has to wait; from now on it need not. Zero if there is none. */
export function makeDue(dataDir: string, attempts: number): number {
  const database = openDatabaseOf({ dataDir })
  try {
    const now = Date.now()
    const found = database
      .prepare('select id, due_at from jobs where attempts = ? and claimed_by is null and due_at > ?')
      .get(attempts, now) as { id: string; due_at: number } | undefined
    if (found === undefined) return 0
    database.prepare('update jobs set due_at = ? where id = ?').run(now, found.id)
    return found.due_at - now
  } finally {
    database.close()
  }
}

/** `sources` get the id of the key, and the files with secrets in `secrets` by name. */
export async function startObjectService(
  sources: readonly object[],
  secrets: Readonly<Record<string, string>>,
  env: Env = {},
  options: ServiceOptions = {},
) {
  const dataDir = options.dataDir ?? temporaryFolder('data')
  const seeded = await seedListenerKey(dataDir)
  const folder = temporaryFolder('sources')
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(path.join(folder, name), `${secret}\n`)
  const sourcesFile = path.join(folder, 'sources.json')
  writeFileSync(sourcesFile, JSON.stringify(sources.map((source) => ({ keyId: seeded.keyId, ...source }))))
  const settings = { DOCVET_SOURCES_FILE: sourcesFile, ...env }
  const service = await startScanService(settings, { ...options, dataDir })
  const { port } = service

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    request(port, 'POST', '/api/v1/events', {
      headers: { ...withKey(seeded.secret), 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const report = async (scanId: string): Promise<ObjectReport> =>
    (await request(port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(seeded.secret) })).json() as ObjectReport

  return Object.assign(service, {
    ...{ ...seeded, sourcesFile, settings, post, report },
    /** The report of the only scan that an event caused, when it has ended. */
    async ended(body: unknown): Promise<ObjectReport> {
      const answer = await post(body)
      const { scanIds } = answer.json() as { scanIds: string[] }
      const [scanId] = scanIds
      if (answer.status !== 202 || scanId === undefined || scanIds.length !== 1)
        throw new Error(`${answer.status} ${answer.body}`)
      return await eventually(async () => {
        const found = await report(scanId)
        return found.state !== 'queued' && found.state !== 'running' && found
      }, `the end of scan ${scanId}`)
    },
  })
}
