/** POST /api/v1/signup */
import type { Server } from '#http/server.ts'
import { SignupRequest, SignupResponse } from './schema.ts'
import type { SignUp } from './signup.ts'

export function accountRoutes(server: Server, signUp: SignUp): void {
  server.post(
    '/api/v1/signup',
    {
      config: { credential: 'none', problems: ['email_taken'] },
      schema: {
        tags: ['Accounts'],
        operationId: 'signUp',
        summary: 'Create an account',
        description: 'Creates an account and its first API key. The key is shown only in this response, so store it.',
        body: SignupRequest,
        response: { 201: SignupResponse },
      },
    },
    async (request, reply) => {
      const account = await signUp(request.body.email)
      reply.code(201)
      return account
    },
  )
}
