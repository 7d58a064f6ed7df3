/** Describes a JSON Schema in words and by example. Supports the keywords that our schemas use. */
import type { JsonSchema } from '#http/openapi/schemas.ts'

export interface Field {
  name: string
  type: string
  required: boolean
  description: string
  limits: string[]
}

const VALUES_SHOWN_MAX = 12

const EXAMPLES_BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-15T09:30:00.000Z',
  uuid: '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203',
}

const typesOf = ({ type }: JsonSchema): string[] => [type ?? []].flat()

const isNull = ({ type }: JsonSchema): boolean => type === 'null'

export const isFile = ({ format }: JsonSchema): boolean => format === 'binary'

function enumWords(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN_MAX).map((value) => JSON.stringify(value))
  return [...shown, ...(values.length > shown.length ? ['…'] : [])].join(' or ')
}

function namedType(name: string, { format, items = {} }: JsonSchema): string {
  if (name === 'array') return `array of ${typeWords(items)}`
  return format && name !== 'null' ? `${name} (${format})` : name
}

/** The type in a few words: `string (uuid) or null`, `array of object`. */
export function typeWords(schema: JsonSchema): string {
  if (isFile(schema)) return 'file'
  if (schema.enum) return enumWords(schema.enum)
  const types = schema.anyOf?.map(typeWords) ?? typesOf(schema).map((name) => namedType(name, schema))
  return types.sort((a, b) => Number(a === 'null') - Number(b === 'null')).join(' or ') || 'anything'
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const [low, high] = [least?.toLocaleString('en-US'), most?.toLocaleString('en-US')]
  if (low !== undefined && high !== undefined) return [`${low === high ? low : `${low} to ${high}`}${unit}`]
  if (low !== undefined) return [`at least ${low}${unit}`]
  return high === undefined ? [] : [`at most ${high}${unit}`]
}

export const limitsOf = ({ minLength, maxLength, minimum, maximum, minItems, maxItems, pattern }: JsonSchema) => [
  ...range(minLength, maxLength, ' characters'),
  ...range(minimum, maximum, ''),
  ...range(minItems, maxItems, ' items'),
  ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
]

/** The fields of an object, nested ones under names like `engines[].name`. */
export function fieldsOf({ properties = {}, required = [], items }: JsonSchema, prefix = ''): Field[] {
  const direct = Object.entries(properties).flatMap(([name, property]) => [
    {
      name: prefix + name,
      type: typeWords(property),
      required: required.includes(name),
      description: property.description ?? '',
      limits: limitsOf(property),
    },
    ...fieldsOf(property, `${prefix}${name}.`),
  ])
  return items ? [...direct, ...fieldsOf(items, `${prefix.replace(/\.$/, '')}[].`)] : direct
}

function exampleOfType(schema: JsonSchema): unknown {
  const { properties = {}, items, format = '', minimum = 1 } = schema
  switch (typesOf(schema).find((name) => name !== 'null')) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]))
    case 'array':
      return items ? [exampleOf(items)] : []
    case 'string':
      return EXAMPLES_BY_FORMAT[format] ?? '…'
    case 'integer':
      return minimum
    case 'boolean':
      return true
    default:
      return null
  }
}

/** The example of the schema, or one made from its types. */
export function exampleOf(schema: JsonSchema): unknown {
  const [given] = [...(schema.examples ?? []), ...(schema.enum ?? [])]
  if (given !== undefined) return given
  const choice = schema.anyOf?.find((one) => !isNull(one))
  return choice ? exampleOf(choice) : exampleOfType(schema)
}
