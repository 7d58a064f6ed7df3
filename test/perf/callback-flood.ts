/** Accounts that flood, and the receivers of their callbacks, in a process of their own until it is killed; started by callbacks.ts. */
import { once } from 'node:events'
import { Agent, createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { documents, sendDocument } from './scan-load.ts'

export interface Flood {
  port: number
  keys: readonly string[]
}

/** Ports of receivers to allow. */
export interface Receivers {
  http: number
  tcp: number
}

/** Of one account at once. */
const AT_ONCE = 4
const SLOW_MS = 14_000
const DRIP_MS = 1_000
const PAUSE_MS = 50
const BYTES = 4_096
const JUNK = 'x'.repeat(65_536)

async function drip(response: ServerResponse, text: string, ms: number): Promise<void> {
  response.writeHead(200)
  while (!response.destroyed) {
    response.write(text)
    await sleep(ms)
  }
}

const ANSWERS: Record<string, (response: ServerResponse) => unknown> = {
  slow: (response) => setTimeout(() => response.end('ok'), SLOW_MS),
  silent: () => {},
  drip: (response) => drip(response, '.', DRIP_MS),
  endless: (response) => drip(response, JUNK, 1),
  dead: (response) => response.destroy(),
  failing: (response) => response.writeHead(500).end(),
  moved: (response) => response.writeHead(302, { location: '/slow' }).end(),
  later: (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
}

/** One of each, for every account. */
export const receiversOf = ({ http, tcp }: Receivers): string[] => [
  ...Object.keys(ANSWERS).map((name) => `http://127.0.0.1:${http}/${name}`),
  ...['a', 'b'].map((name) => `http://127.0.0.1:${tcp}/${name}`),
]

if (process.send && import.meta.main) {
  const receiver = createServer((incoming, response) => {
    incoming.resume()
    response.on('error', () => {})
    ANSWERS[incoming.url?.slice(1) ?? '']?.(response)
  }).listen(0, '127.0.0.1')
  // Accepts, and says what is no HTTP.
  const nonsense = createTcpServer((socket) => socket.on('error', () => {}).end('220 ready\r\n'.repeat(10)))
  nonsense.listen(0, '127.0.0.1')
  await Promise.all([once(receiver, 'listening'), once(nonsense, 'listening')])
  const [http, tcp] = [receiver, nonsense].map((server) => (server.address() as AddressInfo).port)
  process.send({ http, tcp })
  const [flood] = (await once(process, 'message')) as [Flood]
  const agent = new Agent({ keepAlive: true })
  const create = documents(BYTES)
  const counts = { accepted: 0, refused: 0 }
  process.on('message', () => process.send?.(counts))
  for (const key of flood.keys)
    for (let worker = 0; worker < AT_ONCE; worker++)
      void (async () => {
        const headers = { 'x-api-key': key, prefer: 'respond-async' }
        const target = { agent, port: flood.port, path: '/api/v1/scan', headers }
        for (;;) {
          const body = await sendDocument(target, create()).catch(() => '')
          const isAccepted = body.includes('"state":"queued"')
          counts[isAccepted ? 'accepted' : 'refused']++
          if (!isAccepted) await sleep(PAUSE_MS)
        }
      })()
}
