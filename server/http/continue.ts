/** Sends `100 Continue` only once a handler reads the body; a refusal is the final status instead. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export function answerContinueLate(server: FastifyInstance): void {
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // After the response, Node itself resumes the stream to discard the rest of the body.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.server.emit('request', request, response)
  })
}
