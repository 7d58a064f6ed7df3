/** Turns validation errors into sentences about fields. */
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '#base/errors.ts'

/** Bounds the response: a body can have thousands of invalid fields. */
const FIELD_ERRORS_MAX = 20
/** Field names come from the client. */
const FIELD_NAME_LENGTH_MAX = 64

const WHOLE: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

const text = (value: unknown): string => String(value).slice(0, FIELD_NAME_LENGTH_MAX)

function fieldOf(error: FastifySchemaValidationError, whole: string): string {
  const path = error.instancePath.split('/').slice(1)
  const inside = error.params.missingProperty ?? error.params.additionalProperty
  if (inside !== undefined) path.push(text(inside))
  return path.length > 0 ? path.map(text).join('.') : whole
}

const counted = (limit: unknown, unit: string): string => `${text(limit)} ${unit}${limit === 1 ? '' : 's'}`
const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

function messageOf({ keyword, params, message }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a recognised field'
    case 'type':
      return `must be ${article(text(params.type))}`
    case 'minLength':
      return `must have at least ${counted(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'item')}`
    case 'format':
      return `must be a valid ${text(params.format)}`
    case 'enum':
      return `must be ${[params.allowedValues]
        .flat()
        .map((value) => `"${text(value)}"`)
        .join(' or ')}`
    default:
      return message ?? 'is invalid'
  }
}

export function fieldErrors(found: readonly FastifySchemaValidationError[], context: string | undefined): FieldError[] {
  const whole = WHOLE[context ?? 'body'] ?? 'body'
  return found.slice(0, FIELD_ERRORS_MAX).map((error) => ({ field: fieldOf(error, whole), message: messageOf(error) }))
}

export const invalidFields = (errors: readonly FieldError[]): string =>
  errors.map(({ field, message }) => `\`${field}\` ${message}`).join('; ')
