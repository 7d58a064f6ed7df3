/** Turns the validator's findings into sentences about fields. */
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '#base/errors.ts'

/** A body can have thousands of wrong fields; nobody reads more than a few. */
const FIELD_ERRORS_MAX = 20
/** A field's name is the client's: shown, but not without bound. */
const FIELD_NAME_LENGTH_MAX = 64

const WHOLE: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

const text = (value: unknown): string => String(value).slice(0, FIELD_NAME_LENGTH_MAX)

function fieldOf(error: FastifySchemaValidationError, whole: string): string {
  const path = error.instancePath.split('/').slice(1)
  const inside = error.params.missingProperty ?? error.params.additionalProperty
  if (inside !== undefined) path.push(text(inside))
  return path.length > 0 ? path.map(text).join('.') : whole
}

const counted = (limit: unknown, what: string): string => `${text(limit)} ${what}${limit === 1 ? '' : 's'}`

function messageOf(error: FastifySchemaValidationError): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return `must be ${/^[aeiou]/.test(text(error.params.type)) ? 'an' : 'a'} ${text(error.params.type)}`
    case 'minLength':
      return `must have at least ${counted(error.params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(error.params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'element')}`
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'element')}`
    case 'format':
      return `must be a valid ${text(error.params.format)}`
    case 'enum':
      return `must be ${[error.params.allowedValues]
        .flat()
        .map((value) => `"${text(value)}"`)
        .join(' or ')}`
    default:
      return error.message ?? 'is not valid'
  }
}

export function fieldErrors(found: readonly FastifySchemaValidationError[], context: string | undefined): FieldError[] {
  const whole = WHOLE[context ?? 'body'] ?? 'body'
  return found.slice(0, FIELD_ERRORS_MAX).map((error) => ({ field: fieldOf(error, whole), message: messageOf(error) }))
}
