/** The clients of all sources, with credentials that can be replaced while the service runs. */
import type { Log } from '#base/log.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import { createStoreClient, type StoreClient } from './client.ts'
import type { ObjectSource } from './sources.ts'

/** The files of the sources are read again at most this often. */
const REREAD_MS = 1_000
/** Stores take minutes to know new credentials everywhere. */
export const FORMER_MS = 60 * 60 * 1_000
/** Of an access key, which is a name and a file with its secret: one file may be read before the other is replaced. */
const FORMER_MAX = 2
const CREDENTIALS = ['accessKeyId', 'secretAccessKey', 'sessionToken', 'sas'] as const

interface ClientsOptions {
  sources: readonly ObjectSource[]
  /** Reads their file, and those with secrets. */
  reread: () => { sources: readonly ObjectSource[] } | { problems: readonly string[] }
  http: Pick<ReturnType<typeof createOutboundHttp>, 'open' | 'send'>
  log: Log
  /** Of `performance.now()`. */
  now?: () => number
}

interface SourceClient {
  source: ObjectSource
  client: StoreClient
  /** The latest first. */
  former: readonly { source: ObjectSource; untilMs: number }[]
}

const isSame = (one: ObjectSource, other: ObjectSource): boolean =>
  CREDENTIALS.every((name) => one[name] === other[name])

export function createClients({ sources, reread, http, log, now = () => performance.now() }: ClientsOptions) {
  function clientFor(source: ObjectSource, former: SourceClient['former']): SourceClient {
    const formerOf = () => former.filter(({ untilMs }) => now() < untilMs).map((each) => each.source)
    return { source, client: createStoreClient(source, http, formerOf), former }
  }
  const clients = new Map(sources.map((source) => [source.name, clientFor(source, [])]))
  let readAtMs = now()
  let reported = ''

  function replace({ name, accessKeyId, secretAccessKey, sessionToken, sas }: ObjectSource): void {
    const found = clients.get(name)
    if (found === undefined) return
    const source = { ...found.source, accessKeyId, secretAccessKey, sessionToken, sas }
    if (isSame(source, found.source)) return
    const former = [{ source: found.source, untilMs: now() + FORMER_MS }, ...found.former].slice(0, FORMER_MAX)
    clients.set(name, clientFor(source, former))
    log.info({ source: name }, 'Credentials of an object source replaced')
  }

  function refresh(): void {
    if (now() - readAtMs < REREAD_MS) return
    readAtMs = now()
    const read = reread()
    const problems = 'problems' in read ? read.problems.join(' ') : ''
    // The old ones may be valid still.
    if (problems !== '' && problems !== reported)
      log.warn({ problems }, 'Failed to read the object sources again; keeping their credentials')
    reported = problems
    if ('sources' in read) read.sources.forEach(replace)
  }

  /** Undefined if the source was not in the file at the start. */
  return (name: string): SourceClient | undefined => {
    refresh()
    return clients.get(name)
  }
}
