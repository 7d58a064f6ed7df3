/** Reads the OpenAPI document for the pages. */
import type { OpenApi } from '#http/openapi/document.ts'
import type { JsonSchema } from '#http/openapi/schemas.ts'

interface Media {
  schema: JsonSchema
  examples?: Record<string, { value: unknown }>
}

export interface Response {
  description: string
  content?: Record<string, Media>
}

export interface Parameter {
  name: string
  in: 'path' | 'header' | 'query'
  required: boolean
  description: string
  schema: JsonSchema
}

export interface SecurityScheme {
  type: string
  in: string
  name: string
  description: string
}

export interface Operation {
  id: string
  method: string
  path: string
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** Alternatives; none means no authentication. */
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Response & { required: boolean }
  responses: Record<string, Response>
  'x-codeSamples': { label: string; source: string }[]
}

export interface Tag {
  name: string
  id: string
  description: string
  operations: Operation[]
}

interface Document {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, SecurityScheme> }
}

export interface Reference {
  info: Document['info']
  tags: Tag[]
  schemes: Record<string, SecurityScheme>
  problemSchema: JsonSchema
}

/** A copy with every `$ref` replaced by its target. Our schemas are not recursive. */
function dereference(node: unknown, root: unknown = node): unknown {
  if (Array.isArray(node)) return node.map((item) => dereference(item, root))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) {
    const steps = String(node.$ref).split('/').slice(1)
    const target = steps.reduce<unknown>((from, step) => (from as Record<string, unknown>)[step], root)
    return dereference(target, root)
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, dereference(value, root)]))
}

export function readReference(openApi: OpenApi): Reference {
  const { info, tags, paths, components } = dereference(openApi) as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: `op-${operation.operationId}`,
      method,
      path,
    })),
  )
  const withOperations = tags.map(({ name, description }) => ({
    name,
    id: `tag-${name}`,
    description,
    operations: operations.filter((operation) => operation.tags.includes(name)),
  }))
  return {
    info,
    tags: withOperations.filter((tag) => tag.operations.length > 0),
    schemes: components.securitySchemes,
    problemSchema: components.schemas.Problem ?? {},
  }
}

export const operationsOf = ({ tags }: Reference): Operation[] => tags.flatMap(({ operations }) => operations)

/** Each response and body has at most one content type. */
export function contentOf({ content = {} }: Pick<Response, 'content'>): (Media & { type: string }) | undefined {
  const [entry] = Object.entries(content)
  return entry && { type: entry[0], ...entry[1] }
}

/** The problem codes of a response; empty for other responses. */
export const codesOf = ({ content = {} }: Response): string[] =>
  Object.keys(content['application/problem+json']?.examples ?? {})
