/**
 * The Model Context Protocol, for the command and the service: revision 2026-07-28, in which every request says its
 * version, and those before it, which begin with `initialize`. https://modelcontextprotocol.io/specification
 */
import { messageOf } from './message-of.ts'

export const MODERN = '2026-07-28'
/** The newest first. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

export const ERRORS = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

const META = 'io.modelcontextprotocol/'
/** The tools change only with the version of the program. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' }

export type Fields = Readonly<Record<string, unknown>>

/** An argument of a tool. */
interface Argument {
  type: 'string' | 'integer'
  description: string
  enum?: readonly string[]
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface ToolResult {
  /** Of our own words alone: a model may take it for an instruction. */
  text: string
  /** Names and texts of documents belong here, by `asData`. */
  data?: Fields
  isError?: true
}

export interface Tool {
  name: string
  title: string
  description: string
  arguments: Readonly<Record<string, Argument>>
  required: readonly string[]
  call(args: Fields, signal: AbortSignal): Promise<ToolResult>
}

export interface McpServer {
  name: string
  title: string
  version: string
  instructions: string
  tools: readonly Tool[]
}

type Id = string | number | null

export interface Reply {
  jsonrpc: '2.0'
  id: Id
  result?: Fields
  error?: { code: number; message: string; data?: Fields }
}

export const failure = (id: Id, code: number, message: string, data?: Fields): Reply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The version that a request of the current revision says; undefined in older ones. */
export function versionOf({ params }: Fields): string | undefined {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
  const version = meta[`${META}protocolVersion`]
  return typeof version === 'string' ? version : undefined
}

const unsupported = (id: Id, requested: string): Reply =>
  failure(id, ERRORS.unsupportedVersion, 'Unsupported protocol version', { supported: [MODERN], requested })

/** Null for a malformed one. */
export const idOf = ({ id }: Fields): Id => (typeof id === 'string' || typeof id === 'number' ? id : null)

/** Why the arguments do not fit; null if they do. */
function argumentProblem({ arguments: known, required }: Tool, args: Fields): string | null {
  const missing = required.find((name) => args[name] === undefined)
  if (missing !== undefined) return `The argument ${missing} is missing.`
  for (const [name, value] of Object.entries(args)) {
    const argument = Object.hasOwn(known, name) ? known[name] : undefined
    if (argument === undefined) return `There are only the arguments ${Object.keys(known).join(', ')}.`
    if (value !== undefined && !fits(argument, value))
      return `The argument ${name} is not allowed. ${argument.description}`
  }
  return null
}

function fits({ type, enum: values, maxLength, minimum, maximum }: Argument, value: unknown): boolean {
  if (type === 'string')
    return typeof value === 'string' && (values?.includes(value) ?? true) && value.length <= (maxLength ?? 1_000)
  return Number.isInteger(value) && (value as number) >= (minimum ?? 0) && (value as number) <= (maximum ?? 1e9)
}

const shownTool = ({ name, title, description, arguments: properties, required }: Tool) => ({
  ...{ name, title, description },
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

/** Answers one message; null for those that have no answer. Never rejects. */
export function createMcp(server: McpServer) {
  const { name, title, version, instructions, tools } = server
  const info = { name, title, version }
  const capabilities = { tools: {} }

  async function callTool(params: Fields, signal: AbortSignal): Promise<Fields | null> {
    const tool = tools.find((each) => each.name === params.name)
    if (tool === undefined) return null
    const args = isObject(params.arguments) ? params.arguments : {}
    const problem = argumentProblem(tool, args)
    const { text, data, isError } =
      problem === null
        ? await tool
            .call(args, signal)
            .catch((error: unknown): ToolResult => ({ text: messageOf(error), isError: true }))
        : { text: problem, data: undefined, isError: true }
    return {
      content: [{ type: 'text', text }],
      ...(data && { structuredContent: data }),
      ...(isError && { isError }),
    }
  }

  const list = async () => ({ tools: tools.map(shownTool) })
  const discover = async () => ({ supportedVersions: [MODERN], capabilities, instructions, ...CACHE })
  async function initialize({ protocolVersion: asked }: Fields) {
    const protocolVersion = typeof asked === 'string' && LEGACY.includes(asked) ? asked : LEGACY[0]
    return { protocolVersion, capabilities, serverInfo: info, instructions }
  }

  type Method = (params: Fields, signal: AbortSignal) => Promise<Fields | null>
  const legacy: Record<string, Method> = {
    ...{ initialize, ping: async () => ({}) },
    ...{ 'tools/list': list, 'tools/call': callTool },
  }
  const modern: Record<string, Method> = {
    'server/discover': discover,
    'tools/list': async () => ({ ...(await list()), ...CACHE }),
    'tools/call': callTool,
  }

  async function answer(message: Fields & { method: string }, signal: AbortSignal): Promise<Reply> {
    const id = idOf(message)
    const asked = versionOf(message)
    if (asked !== undefined && asked !== MODERN) return unsupported(id, asked)
    const methods = asked === undefined ? legacy : modern
    const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined
    if (method === undefined) return failure(id, ERRORS.unknownMethod, 'Method not found')
    const result = await method(isObject(message.params) ? message.params : {}, signal)
    if (result === null) return failure(id, ERRORS.invalidParams, 'There is no such tool')
    const about = { resultType: 'complete', _meta: { [`${META}serverInfo`]: info } }
    return { jsonrpc: '2.0', id, result: { ...result, ...(asked !== undefined && about) } }
  }

  return async (message: unknown, signal: AbortSignal): Promise<Reply | null> => {
    if (isRequest(message) && !('id' in message)) return null
    if (isRequest(message) && idOf(message) !== null) return await answer(message, signal)
    const isReply = isObject(message) && ('result' in message || 'error' in message)
    return isReply ? null : failure(null, ERRORS.invalidRequest, 'Not a request of JSON-RPC 2.0')
  }
}

const isRequest = (message: unknown): message is Fields & { method: string } =>
  isObject(message) && message.jsonrpc === '2.0' && typeof message.method === 'string'
