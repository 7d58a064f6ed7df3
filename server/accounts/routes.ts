/** POST /api/v1/signup */
import type { Server } from '#http/server.ts'
import { SignupRequest, SignupResponse } from './schema.ts'
import type { SignUp } from './signup.ts'

export function accountRoutes(server: Server, signUp: SignUp): void {
  server.post(
    '/api/v1/signup',
    {
      config: { credential: 'none', problems: ['email_taken', 'signup_closed', 'invite_required'] },
      schema: { operationId: 'signUp', body: SignupRequest, response: { 201: SignupResponse } },
    },
    async (request, reply) => {
      const account = await signUp(request.body)
      reply.code(201)
      return account
    },
  )
}
