/** `Expect: 100-continue` gets its 100 only when the body is wanted; a refusal is the final status instead. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export function answerContinueLate(server: FastifyInstance): void {
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Somebody begins to read the body. After an answer that is only Node, throwing away what still comes.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.server.emit('request', request, response)
  })
}
