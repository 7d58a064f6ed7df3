/** Routes under /api/v1/chat. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { addressBlock } from '#http/address.ts'
import { whileConnected } from '#http/connections.ts'
import { fieldErrors, invalidFields } from '#http/field-errors.ts'
import type { Server } from '#http/server.ts'
import type { Chat } from './chat.ts'
import { readConversation } from './conversation.ts'
import { ChatHealth, ChatReply, ChatRequest, ChatSuggestion } from './schema.ts'

const QUESTION_LENGTH_MAX = 1_000

/** Errors inside the conversation have their own code; all others are `invalid_request`. */
function refuseInvalid({ validationError }: FastifyRequest): void {
  if (!validationError) return
  const { validation = [], validationContext } = validationError
  const isInside = ({ instancePath, keyword, params }: (typeof validation)[number]) =>
    instancePath.startsWith('/messages') ||
    params.missingProperty === 'messages' ||
    (instancePath === '' && keyword === 'type')
  if (validationContext !== 'body' || !validation.every(isInside)) throw validationError
  const errors = fieldErrors(validation, validationContext)
  throw new AppError('invalid_conversation', `Invalid conversation: ${invalidFields(errors)}.`, { errors })
}

/** Serialises the same list only once: it is the largest response of the public endpoints. */
function serializeOnce(): (list: unknown) => string {
  let cached: { list: unknown; text: string } | null = null
  return (list) => {
    if (cached === null || cached.list !== list) cached = { list, text: JSON.stringify(list) }
    return cached.text
  }
}

const LookUpQuery = Type.Object(
  { question: Type.String({ minLength: 1, maxLength: QUESTION_LENGTH_MAX }) },
  { additionalProperties: false },
)

export function chatRoutes(server: Server, chat: Chat): void {
  const serialize = serializeOnce()

  server.post(
    '/api/v1/chat',
    {
      config: {
        credential: 'none',
        rate: 'chat',
        invalidBody: 'invalid_conversation',
        problems: ['invalid_conversation', 'upstream_error', 'chat_unavailable'],
      },
      attachValidation: true,
      schema: { operationId: 'askAssistant', body: ChatRequest, response: { 200: ChatReply } },
    },
    async (request, reply) => {
      refuseInvalid(request)
      const { id: requestId, principal } = request
      const address = `address ${addressBlock(request.ip, request.socket.remoteAddress)}`
      const callers = principal === null ? [address] : [address, `account ${principal.accountId}`]
      return await chat.answer(readConversation(request.body.messages), {
        requestId,
        callers,
        gone: whileConnected(reply),
      })
    },
  )

  server.get(
    '/api/v1/chat/suggestions',
    {
      config: { credential: 'none' },
      schema: {
        operationId: 'listSuggestions',
        response: { 200: Type.Array(ChatSuggestion, { description: 'The suggestions, in display order.' }) },
      },
    },
    async (_request, reply) =>
      reply.type('application/json; charset=utf-8').serializer(serialize).send(chat.suggestions()),
  )

  // For the dashboard: the API answers 503 without a model.
  server.get(
    '/dashboard/answer',
    { config: { credential: 'none', ownSite: true }, schema: { querystring: LookUpQuery } },
    (request) => {
      const { question } = readConversation([{ role: 'user', content: request.query.question }])
      return { reply: chat.lookUp(question) }
    },
  )

  server.get(
    '/api/v1/chat/health',
    { config: { credential: 'none' }, schema: { operationId: 'getChatHealth', response: { 200: ChatHealth } } },
    async () => chat.health(),
  )
}
