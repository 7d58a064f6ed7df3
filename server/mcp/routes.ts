/** POST /mcp: the Model Context Protocol over HTTP. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import {
  createMcp,
  ERRORS,
  type Fields,
  failure,
  idOf,
  isObject,
  LEGACY,
  MODERN,
  type Reply,
  versionOf,
} from '#base/mcp.ts'
import { addressBlock } from '#http/address.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { type ServiceTools, serviceTools } from './tools.ts'

const PATH = '/mcp'
/** Requests that name what they ask for, and the parameter that the header repeats. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

const mismatch = (id: Reply['id'], what: string): Reply =>
  failure(id, ERRORS.headerMismatch, `The headers and the body of the request disagree on ${what}`)

/** In the current revision, headers repeat what proxies need to know of the body. */
function headerProblem({ headers }: FastifyRequest, message: Fields): Reply | null {
  const version = headers['mcp-protocol-version']
  const asked = versionOf(message)
  const id = idOf(message)
  if (asked === undefined) {
    if (version === MODERN) return mismatch(id, 'the version of the protocol')
    if (version === undefined || LEGACY.includes(String(version))) return null
    return failure(id, ERRORS.unsupportedVersion, 'Unsupported protocol version', { supported: [MODERN, ...LEGACY] })
  }
  if (version !== asked) return mismatch(id, 'the version of the protocol')
  if (asked !== MODERN) return null
  const { method, params } = message
  if (headers['mcp-method'] !== method) return mismatch(id, 'the method')
  const field = NAMED[String(method)]
  const name = field !== undefined && isObject(params) ? params[field] : undefined
  if (field !== undefined && headers['mcp-name'] !== name) return mismatch(id, 'the name')
  return null
}

const STATUS: Readonly<Record<number, number>> = {
  [ERRORS.unknownMethod]: 404,
  [ERRORS.headerMismatch]: 400,
  [ERRORS.unsupportedVersion]: 400,
  [ERRORS.invalidRequest]: 400,
}

interface McpRouteOptions {
  version: string
  tools: ServiceTools
  publicUrl: string
}

export function mcpRoutes(server: Server, { version, tools, publicUrl }: McpRouteOptions): void {
  server.post(
    PATH,
    { config: { credential: 'key', scopes: ['scan', 'read'] }, schema: {} },
    async (request: FastifyRequest, reply: FastifyReply) => {
      // A page of another site has no business here, even if it was given a key.
      const { origin } = request.headers
      if (origin !== undefined && origin !== publicUrl)
        throw new AppError('cross_site', 'Pages of other sites may not use this endpoint.')
      const message = isObject(request.body) ? request.body : {}
      const problem = headerProblem(request, message)
      const answer = problem ?? (await answerOf(request, reply, message))
      if (answer === null) return reply.code(202).send()
      const status = 'id' in message && versionOf(message) === undefined && problem === null ? 200 : statusOf(answer)
      return reply.code(status).type('application/json').send(answer)
    },
  )

  async function answerOf(request: FastifyRequest, reply: FastifyReply, message: Fields): Promise<Reply | null> {
    const principal = principalOf(request)
    if (principal.kind !== 'key') throw new Error('This route takes keys only')
    const address = addressBlock(request.ip, request.socket.remoteAddress)
    const caller = { principal, address, requestId: request.id }
    const about = { name: 'docvet', title: 'Docvet', version }
    return await createMcp({ ...about, ...serviceTools(tools, caller) })(message, whileConnected(reply))
  }
}

const statusOf = ({ error }: Reply): number => (error === undefined ? 200 : (STATUS[error.code] ?? 200))
