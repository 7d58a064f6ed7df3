/** `Expect: 100-continue` gets its 100 only when the body is wanted; a refusal is the final status instead. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export function answerContinueLate(server: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>()
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    server.server.emit('request', request, response)
  })
  // The last moment before the body is read: everything that refuses by the headers has had its say.
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (waiting.has(request.raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}
