/** The baseline: a bare Fastify route that sends the bytes it is given, headers included, and does nothing else. */
import { fastify } from 'fastify'

interface Given {
  port: number
  headers: Record<string, string>
  body: string
}

const { port, headers, body } = JSON.parse(process.argv[2] ?? '') as Given
const server = fastify()
server.get('/api/v1/usage', (_request, reply) => reply.headers(headers).send(body))
await server.listen({ host: '127.0.0.1', port })
process.send?.('ready')
