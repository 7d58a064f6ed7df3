/** Baseline: a bare Fastify route that sends fixed bytes and headers. */
import { fastify } from 'fastify'

interface Options {
  port: number
  headers: Record<string, string>
  body: string
}

const { port, headers, body } = JSON.parse(process.argv[2] ?? '') as Options
const server = fastify()
server.get('/api/v1/usage', (_request, reply) => reply.headers(headers).send(body))
await server.listen({ host: '127.0.0.1', port })
process.send?.('ready')
