/** Options that routes declare in `config`, beside their schema. */
import type { TSchema } from 'typebox'
import type { ErrorCode } from '#base/errors.ts'
import type { Principal, Role, Scope } from '#base/principal.ts'
import type { Trace } from '#base/trace.ts'
import type { Credential } from './identify.ts'
import type { OperationId } from './openapi/operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required: the server does not start with a route that lacks it. */
    credential?: Credential
    /** What a key needs: one of them. Required where a key is accepted: the server does not start without it. */
    scopes?: readonly Scope[]
    /**
     * What a person needs in the account that the session works in; `person` for the person's own, whatever that is. Required where a
     * session is accepted: the server does not start without it.
     */
    role?: Role | 'person'
    /** Asked regularly whether the service is well; logged at `debug` only. */
    probe?: boolean
    /** No rate limit. */
    unlimited?: boolean
    /** A rate of its own instead of the default for requests with or without a credential. */
    rate?: 'scan' | 'sign-in' | 'reset' | 'chat' | 'webhook' | 'resolve' | 'callback' | 'events'
    /** Without a credential, but only from this service's own pages if called by a browser. */
    ownSite?: boolean
    /** Without a credential, but only under the host of the public URL or loopback. */
    ownHost?: boolean
    /** Verifies the token in `Authorization` itself; rejected early without one. */
    ownToken?: boolean
    /** Without a credential, but never through a proxy. */
    direct?: boolean
    /** The response sets or clears the session cookie. Only for the OpenAPI document. */
    startsSession?: boolean
    endsSession?: boolean
    /** The schema of a body that the handler parses itself. Only for the OpenAPI document. */
    streamed?: TSchema
    /** The schema of headers that the handler validates itself. Only for the OpenAPI document. */
    describedHeaders?: TSchema
    bodyOptional?: boolean
    /** The media type of a success, if it is another one than JSON. Only for the OpenAPI document. */
    mediaType?: string
    /** A success is plain text unless JSON is asked for. Only for the OpenAPI document. */
    plainText?: boolean
    /** The body may be a list, and have a type of CloudEvents. */
    acceptsEvents?: boolean
    /** Named examples by status, where one example is not enough. Only for the OpenAPI document. */
    examples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    /** Body fields that the curl example takes from shell variables. */
    variables?: Readonly<Record<string, string>>
    /** The code for a JSON body that is not an object, instead of `invalid_request`. */
    invalidBody?: ErrorCode
    /** Fields of the route's log lines until the handler sets `request.logFields`. */
    logFields?: Readonly<Record<string, unknown>>
    /** Errors of this route beyond the common ones. Only for the OpenAPI document. */
    problems?: ErrorCode[]
  }
  interface FastifySchema {
    /** Includes the route in the OpenAPI document. */
    operationId?: OperationId
  }
  interface FastifyRequest {
    principal: Principal | null
    logFields: Readonly<Record<string, unknown>> | null
    trace: Trace | null
    problemCode: ErrorCode | null
  }
}
