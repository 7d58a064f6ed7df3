/** Turns validation errors into sentences about fields. */
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '#base/errors.ts'

/** Bounds the response: a body can have thousands of invalid fields. */
const FIELD_ERRORS_MAX = 20
/** Field names come from the client. */
const FIELD_NAME_LENGTH_MAX = 64

const WHOLE: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

type Params = FastifySchemaValidationError['params']

const text = (value: unknown): string => String(value).slice(0, FIELD_NAME_LENGTH_MAX)
const quoted = (value: unknown): string => `"${text(value)}"`

function fieldOf(error: FastifySchemaValidationError, whole: string): string {
  const path = error.instancePath.split('/').slice(1)
  const inside = error.params.missingProperty ?? error.params.additionalProperty
  if (inside !== undefined) path.push(text(inside))
  return path.length > 0 ? path.map(text).join('.') : whole
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
const counted = (bound: string, unit: string) => (params: Params) =>
  `must have at ${bound} ${text(params.limit)} ${unit}${params.limit === 1 ? '' : 's'}`

/** By the keyword of the schema that the value violates. */
const MESSAGES: Record<string, (params: Params) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a recognised field',
  type: (params) => `must be ${article(text(params.type))}`,
  minLength: counted('least', 'character'),
  maxLength: counted('most', 'character'),
  minItems: counted('least', 'item'),
  maxItems: counted('most', 'item'),
  format: (params) => `must be a valid ${text(params.format)}`,
  enum: (params) => `must be ${[params.allowedValues].flat().map(quoted).join(' or ')}`,
}

const messageOf = ({ keyword, params, message }: FastifySchemaValidationError): string =>
  MESSAGES[keyword]?.(params) ?? message ?? 'is invalid'

export function fieldErrors(found: readonly FastifySchemaValidationError[], context: string | undefined): FieldError[] {
  const whole = WHOLE[context ?? 'body'] ?? 'body'
  return found.slice(0, FIELD_ERRORS_MAX).map((error) => ({ field: fieldOf(error, whole), message: messageOf(error) }))
}

export const invalidFields = (errors: readonly FieldError[]): string =>
  errors.map(({ field, message }) => `\`${field}\` ${message}`).join('; ')
