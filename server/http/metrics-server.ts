/** GET /metrics on an address of its own, because metrics are for operators only. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '#base/message-of.ts'
import type { Metrics } from '#base/metrics.ts'

const REQUEST_MS_MAX = 10_000
const CONNECTIONS_MAX = 50

interface MetricsServer {
  port: number
  close(): Promise<void>
}

export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  metrics: Pick<Metrics, 'render'>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX })
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', async ({ method, url }, response) => {
    const known = url?.split('?', 1)[0] === '/metrics'
    if (!known || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(known ? 405 : 404, known ? { allow: 'GET, HEAD' } : {}).end()
      return
    }
    const text = await metrics.render()
    response.writeHead(200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
  await new Promise<void>((resolve, reject) => {
    // A new error, because its code would be taken for a problem with the service's own port.
    server.once('error', (error) => reject(new Error(`DOCVET_METRICS_ADDRESS cannot be used: ${messageOf(error)}`)))
    server.listen({ host, port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
