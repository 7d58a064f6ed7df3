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

const FORMATS: Record<string, string> = { uuid: 'a UUID', 'date-time': 'a date or date-time' }

/** The keyword that says in words what a pattern allows. */
export const FORM = 'x-form'

interface Schema {
  [FORM]?: string
  examples?: unknown[]
  properties?: Record<string, unknown>
}

function exampleOf({ examples }: Schema): string {
  const [example] = examples ?? []
  return typeof example === 'string' || typeof example === 'number' ? `, for example ${JSON.stringify(example)}` : ''
}

function allowedFields({ properties = {} }: Schema): string {
  const names = Object.keys(properties)
  return names.length === 0 ? '' : `; allowed: ${names.map((name) => `\`${name}\``).join(', ')}`
}

function choice(values: string[]): string {
  const last = values.at(-1) ?? ''
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`
}

/** By the keyword of the schema that the value violates. */
const MESSAGES: Record<string, (params: Params, schema: Schema) => string> = {
  required: () => 'is required',
  additionalProperties: (_, schema) => `is not a recognised field${allowedFields(schema)}`,
  type: (params, schema) => `must be ${article(text(params.type))}${exampleOf(schema)}`,
  minLength: counted('least', 'character'),
  maxLength: counted('most', 'character'),
  minItems: counted('least', 'item'),
  maxItems: counted('most', 'item'),
  minimum: (params) => `must be at least ${text(params.limit)}`,
  maximum: (params) => `must be at most ${text(params.limit)}`,
  pattern: (_, schema) => `must be ${schema[FORM] ?? 'of the right form'}${exampleOf(schema)}`,
  format: ({ format }, schema) => `must be ${FORMATS[text(format)] ?? `a valid ${text(format)}`}${exampleOf(schema)}`,
  enum: (params) => `must be ${choice([params.allowedValues].flat().map(quoted))}`,
}

/** The schema is present because the validator is verbose. */
type VerboseError = FastifySchemaValidationError & { parentSchema?: Schema }

const messageOf = ({ keyword, params, message, parentSchema = {} }: VerboseError): string =>
  MESSAGES[keyword]?.(params, parentSchema) ?? message ?? 'is invalid'

export function fieldErrors(found: readonly FastifySchemaValidationError[], context: string | undefined): FieldError[] {
  const whole = WHOLE[context ?? 'body'] ?? 'body'
  const errors = found
    .slice(0, FIELD_ERRORS_MAX)
    .map((error) => ({ field: fieldOf(error, whole), message: messageOf(error) }))
  // An id of a wrong form and length violates two keywords; one message says it.
  return errors.filter((error, at) => errors.findIndex(({ field }) => field === error.field) === at)
}

export const invalidFields = (errors: readonly FieldError[]): string =>
  errors.map(({ field, message }) => `\`${field}\` ${message}`).join('; ')
