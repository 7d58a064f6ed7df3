/** Describes a JSON Schema in words and by example. Unknown keywords are ignored. */

export type Loose = Readonly<Record<string, unknown>>

export const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const loose = (value: unknown): Loose => (isLoose(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export interface Field {
  name: string
  type: string
  required: boolean
  description: string
  limits: string[]
}

/** Bounds recursive schemas. */
const DEPTH_MAX = 6
const VALUES_SHOWN_MAX = 12

const EXAMPLES_BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-15T09:30:00.000Z',
  date: '2026-11-15',
  uuid: '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203',
  email: 'ada@example.com',
  uri: 'https://example.com/',
}

const choicesOf = (schema: Loose): readonly unknown[] => [...listOf(schema.anyOf), ...listOf(schema.oneOf)]

const isNull = (schema: unknown): boolean => loose(schema).type === 'null'

/** Merges the parts of `allOf`. */
function merged(schema: unknown): Loose {
  const own = loose(schema)
  const parts = listOf(own.allOf).map(merged)
  if (parts.length === 0) return own
  const all = [...parts, own]
  return {
    ...Object.assign({}, ...all),
    allOf: [],
    properties: Object.assign({}, ...all.map((part) => loose(part.properties))),
    required: all.flatMap((part) => listOf(part.required)),
  }
}

function typesOf(schema: Loose): unknown[] {
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.properties !== undefined) return ['object']
  return schema.items === undefined ? [] : ['array']
}

export function isFile(schema: unknown): boolean {
  const { format, contentMediaType, contentEncoding } = merged(schema)
  return format === 'binary' || (textOf(contentMediaType) !== '' && contentEncoding === undefined)
}

function words(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN_MAX).map((value) => JSON.stringify(value))
  return [...shown, ...(values.length > shown.length ? ['…'] : [])].join(' or ')
}

function namedType(name: unknown, schema: Loose): string {
  const format = textOf(schema.format)
  if (name === 'array') {
    const item = typeWords(schema.items)
    return `array of ${item.includes(' or ') ? `(${item})` : item}`
  }
  if (name === 'object' && isLoose(schema.additionalProperties)) {
    return `object with values of ${typeWords(schema.additionalProperties)}`
  }
  return format && name !== 'object' && name !== 'null' ? `${textOf(name)} (${format})` : textOf(name)
}

/** The type in a few words: `string (uuid) or null`, `array of object`. */
export function typeWords(schema: unknown): string {
  const own = merged(schema)
  if (isFile(own)) return 'file'
  if (own.const !== undefined) return words([own.const])
  if (Array.isArray(own.enum)) return words(own.enum)
  const types = typesOf(own).map((name) => namedType(name, own))
  const found = types.length > 0 ? types : choicesOf(own).map(typeWords)
  const unique = [...new Set(found.filter((type) => type !== ''))]
  unique.sort((a, b) => Number(a === 'null') - Number(b === 'null'))
  return unique.join(' or ') || 'anything'
}

function range(least: unknown, most: unknown, unit: string): string[] {
  const low = typeof least === 'number' ? least.toLocaleString('en-US') : undefined
  const high = typeof most === 'number' ? most.toLocaleString('en-US') : undefined
  if (low !== undefined && high !== undefined) return [`${low === high ? low : `${low} to ${high}`}${unit}`]
  if (low !== undefined) return [`at least ${low}${unit}`]
  return high === undefined ? [] : [`at most ${high}${unit}`]
}

export function limitsOf(schema: unknown): string[] {
  const own = merged(schema)
  return [
    ...range(own.minLength, own.maxLength, ' characters'),
    ...range(own.minimum, own.maximum, ''),
    ...(typeof own.exclusiveMinimum === 'number' ? [`more than ${own.exclusiveMinimum}`] : []),
    ...(typeof own.exclusiveMaximum === 'number' ? [`less than ${own.exclusiveMaximum}`] : []),
    ...range(own.minItems, own.maxItems, ' items'),
    ...(own.uniqueItems === true ? ['unique items'] : []),
    ...(textOf(own.pattern) ? [`matches \`${textOf(own.pattern)}\``] : []),
    ...(own.default === undefined ? [] : [`\`${JSON.stringify(own.default)}\` by default`]),
  ]
}

/** The fields of an object, nested ones under names like `engines[].name`. */
export function fieldsOf(schema: unknown, prefix = '', depth = 0): Field[] {
  if (depth > DEPTH_MAX) return []
  const own = merged(schema)
  const choices = choicesOf(own).filter((choice) => !isNull(choice))
  const required = listOf(own.required)
  const direct = Object.entries(loose(own.properties)).flatMap(([name, property]) => [
    {
      name: prefix + name,
      type: typeWords(property),
      required: required.includes(name),
      description: textOf(merged(property).description),
      limits: limitsOf(property),
    },
    ...fieldsOf(property, `${prefix}${name}.`, depth + 1),
  ])
  const ofItems = isLoose(own.items) ? fieldsOf(own.items, `${prefix.replace(/\.$/, '')}[].`, depth + 1) : []
  const ofChoices = choices.flatMap((choice) => fieldsOf(choice, prefix, depth + 1))
  // A field of one alternative may be missing.
  const chosen = choices.length > 1 ? ofChoices.map((field) => ({ ...field, required: false })) : ofChoices
  return [...direct, ...ofItems, ...chosen]
}

function exampleOfType(own: Loose, depth: number): unknown {
  const type = typesOf(own).find((name) => name !== 'null') ?? typesOf(own)[0]
  if (type === 'object') {
    const properties = Object.entries(loose(own.properties))
    return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property, depth + 1)]))
  }
  if (type === 'array') return own.items === undefined || depth > DEPTH_MAX ? [] : [exampleOf(own.items, depth + 1)]
  if (type === 'string') return EXAMPLES_BY_FORMAT[textOf(own.format)] ?? '…'
  if (type === 'integer' || type === 'number') return typeof own.minimum === 'number' ? own.minimum : 1
  if (type === 'boolean') return true
  return null
}

/** The example of the schema, or one made from its types. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  const own = merged(schema)
  for (const given of [listOf(own.examples)[0], own.example, own.const, listOf(own.enum)[0], own.default]) {
    if (given !== undefined) return given
  }
  if (depth > DEPTH_MAX) return null
  const choices = choicesOf(own)
  const choice = choices.find((one) => !isNull(one)) ?? choices[0]
  return choice === undefined || own.properties !== undefined ? exampleOfType(own, depth) : exampleOf(choice, depth + 1)
}
