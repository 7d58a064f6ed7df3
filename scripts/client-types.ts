/** Renders the types of the dashboard's API client from the OpenAPI document. */

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

interface Media {
  content?: Readonly<Record<string, { schema?: Schema }>>
}

interface Operation {
  parameters?: readonly { name?: string; in?: string; required?: boolean; schema?: Schema }[]
  requestBody?: Media & { required?: boolean }
  responses: Readonly<Record<string, Media>>
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const HEAD = `/** Types of the API. Generated from openapi.json by \`npm run generate\`; manual changes are overwritten. */
`

export function renderClientTypes(openApi: string): string {
  const { paths, components } = JSON.parse(openApi) as Document
  const schemas = Object.entries(components.schemas).map(([name, schema]) => renderSchema(name, schema))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(`${method.toUpperCase()} ${path}`, operation)),
  )
  return [HEAD, ...schemas, `export interface Operations {\n${operations.join('')}}\n`].join('\n')
}

function renderSchema(name: string, schema: Schema): string {
  return schema.properties
    ? `export interface ${name} ${typeOf(schema)}\n`
    : `export type ${name} = ${typeOf(schema)}\n`
}

function renderOperation(name: string, { parameters = [], requestBody, responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const fields = [
    ...(['path', 'query'] as const).flatMap((place) => renderParameters(place, parameters)),
    ...renderBody(requestBody),
    `response: ${jsonOf(success) ?? 'undefined'}`,
  ]
  return `  '${name}': {\n${fields.map((field) => `    ${field}\n`).join('')}  }\n`
}

function renderParameters(place: string, parameters: NonNullable<Operation['parameters']>): string[] {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema = {} }) => `${quoted(name ?? '')}${required ? '' : '?'}: ${typeOf(schema)}`)
  const isOptional = place === 'query'
  return fields.length === 0 ? [] : [`${place}${isOptional ? '?' : ''}: { ${fields.join('; ')} }`]
}

function renderBody(requestBody: Operation['requestBody']): string[] {
  const type = jsonOf(requestBody)
  return type === null ? [] : [`body${requestBody?.required === false ? '?' : ''}: ${type}`]
}

function jsonOf(media: Media | undefined): string | null {
  const schema = media?.content?.['application/json']?.schema
  return schema === undefined ? null : typeOf(schema)
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return parts.map(typeOf).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ')
  if (schema.properties !== undefined) return objectOf(schema.properties, schema.required ?? [])
  if (schema.items !== undefined) return `readonly (${typeOf(schema.items)})[]`
  return [schema.type ?? []].flat().map(scalarOf).join(' | ') || 'unknown'
}

function scalarOf(type: string): string {
  return SCALARS[type] ?? 'Readonly<Record<string, unknown>>'
}

function objectOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) => `  ${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}\n`,
  )
  return `{\n${lines.join('')}}`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

/** The operations and problem codes, for the published client. */
export function renderClientApi(openApi: string, codes: readonly string[]): string {
  const { paths } = JSON.parse(openApi) as { paths: Record<string, Record<string, { operationId?: string }>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [`  ${operationId}: '${method.toUpperCase()} ${path}'`],
    ),
  )
  return [
    '/** Operations and problem codes of the API. Generated by `npm run generate`; manual changes are overwritten. */',
    '',
    '/** Method and path by the id of the operation. */',
    'export interface Operations {',
    ...operations.sort(),
    '}',
    '',
    'export type ProblemCode =',
    codes
      .toSorted()
      .map((code) => `  | '${code}'`)
      .join('\n'),
    '',
  ].join('\n')
}
