/** /api/v1/operator */
import type { FastifyRequest } from 'fastify'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Operator } from './operator.ts'
import { CommandResult, OperatorCommands, RunCommandRequest } from './schema.ts'

function sessionOf(request: FastifyRequest) {
  const principal = principalOf(request)
  if (principal.kind !== 'session') throw new Error('This route requires a session')
  return principal
}

export function operatorRoutes(server: Server, operator: Operator): void {
  const config = { credential: 'session', role: 'person' } as const

  server.get(
    '/api/v1/operator/commands',
    {
      config: { ...config, problems: ['not_found', 'invalid_credentials'] },
      schema: { operationId: 'listOperatorCommands', response: { 200: OperatorCommands } },
    },
    async (request) => ({ items: await operator.commands(sessionOf(request)) }),
  )

  server.post(
    '/api/v1/operator/commands',
    {
      config: { ...config, problems: ['not_found', 'invalid_credentials', 'subscription_conflict'] },
      schema: { operationId: 'runOperatorCommand', body: RunCommandRequest, response: { 200: CommandResult } },
    },
    (request) => {
      const { command, args = [], options = {} } = request.body
      return operator.run(sessionOf(request), { command, args, options })
    },
  )
}
