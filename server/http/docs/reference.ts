/** Reads an OpenAPI document for the pages: resolves references and ignores unknown parts. */
import { isLoose, type Loose, listOf, loose, textOf } from './json-schema.ts'

export interface Parameter {
  name: string
  /** `path`, `query` or `header`. */
  place: string
  required: boolean
  description: string
  schema: unknown
}

export interface Content {
  type: string
  schema: unknown
  /** By name; for problems, the codes. */
  examples: Loose
}

export interface Answer {
  status: string
  description: string
  content: Content | null
  /** Problem codes with this status; empty for other responses. */
  problems: string[]
}

export interface Scheme {
  label: string
  /** The header as it is sent. */
  usage: string
  description: string
}

export interface Operation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  deprecated: boolean
  /** Alternatives; none means no authentication. */
  credentials: Scheme[]
  parameters: Parameter[]
  body: (Content & { description: string; optional: boolean }) | null
  answers: Answer[]
  samples: { label: string; source: string }[]
}

export interface Tag {
  name: string
  id: string
  description: string
  operations: Operation[]
}

export interface Reference {
  title: string
  version: string
  description: string
  schemes: Scheme[]
  tags: Tag[]
  problemSchema: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']
const PROBLEM_TYPE = 'application/problem+json'

const slug = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')

function pointedAt(root: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (node, name) => (isLoose(node) && Object.hasOwn(node, name) ? node[name] : undefined),
    root,
  )
}

/** A copy without `$ref`. A recursive schema is resolved once. */
function resolved(node: unknown, root: unknown, open: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((item) => resolved(item, root, open))
  if (!isLoose(node)) return node
  const { $ref, ...rest } = node
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, resolved(value, root, open)]))
  if (typeof $ref !== 'string') return $ref === undefined ? own : { ...own, $ref }
  if (open.includes($ref)) return own
  return { ...loose(resolved(pointedAt(root, $ref), root, [...open, $ref])), ...own }
}

function readScheme(scheme: Loose): Scheme {
  const description = textOf(scheme.description)
  const name = textOf(scheme.name)
  if (scheme.type === 'http') {
    return {
      label: 'API key',
      usage: `Authorization: ${scheme.scheme === 'basic' ? 'Basic' : 'Bearer'} …`,
      description,
    }
  }
  if (scheme.in === 'cookie') return { label: 'Session', usage: `Cookie: ${name}=…`, description }
  return { label: 'API key', usage: `${name}: …`, description }
}

function readContent(content: unknown): Content | null {
  const [type, media] = Object.entries(loose(content))[0] ?? []
  return type === undefined ? null : { type, schema: loose(media).schema, examples: loose(loose(media).examples) }
}

function readAnswer([status, value]: [string, unknown]): Answer {
  const answer = loose(value)
  const description = textOf(answer.description)
  const content = readContent(answer.content)
  const problems = content?.type === PROBLEM_TYPE ? Object.keys(content.examples) : []
  return { status, description, content, problems }
}

function readBody(value: unknown): Operation['body'] {
  if (!isLoose(value)) return null
  const content = readContent(value.content)
  return content && { ...content, description: textOf(value.description), optional: value.required === false }
}

function readParameter(value: unknown): Parameter {
  const { name, in: place, required, description, schema } = loose(value)
  return {
    name: textOf(name),
    place: textOf(place),
    required: required === true,
    description: textOf(description),
    schema,
  }
}

function readCredentials(security: unknown, schemes: Loose): Scheme[] {
  const names = listOf(security).flatMap((alternative) => Object.keys(loose(alternative)))
  return [...new Set(names)].map((name) => readScheme(loose(schemes[name])))
}

function readOperations(document: Loose, schemes: Loose): Operation[] {
  return Object.entries(loose(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => isLoose(loose(item)[method])).map((method): Operation => {
      const operation = loose(loose(item)[method])
      const name = textOf(operation.operationId)
      return {
        id: `op-${slug(name || `${method}-${path}`)}`,
        method,
        path,
        tag: textOf(listOf(operation.tags)[0]) || 'Other',
        summary: textOf(operation.summary) || `${method.toUpperCase()} ${path}`,
        description: textOf(operation.description),
        deprecated: operation.deprecated === true,
        credentials: readCredentials(operation.security ?? document.security, schemes),
        parameters: [...listOf(loose(item).parameters), ...listOf(operation.parameters)].map(readParameter),
        body: readBody(operation.requestBody),
        answers: Object.entries(loose(operation.responses)).map(readAnswer),
        samples: listOf(operation['x-codeSamples']).map((sample) => ({
          label: textOf(loose(sample).label) || textOf(loose(sample).lang),
          source: textOf(loose(sample).source),
        })),
      }
    }),
  )
}

export function readReference(raw: unknown): Reference {
  const document = loose(resolved(raw, raw))
  const info = loose(document.info)
  const schemes = loose(loose(document.components).securitySchemes)
  const operations = readOperations(document, schemes)
  const declared = listOf(document.tags).map(loose)
  const names = [...declared.map((tag) => textOf(tag.name)), ...operations.map(({ tag }) => tag)]
  const problems = operations.flatMap(({ answers }) => answers.filter((answer) => answer.problems.length > 0))
  return {
    title: textOf(info.title) || 'API',
    version: textOf(info.version),
    description: textOf(info.description),
    schemes: Object.values(schemes).map((scheme) => readScheme(loose(scheme))),
    tags: [...new Set(names)]
      .map((name) => ({
        name,
        id: `tag-${slug(name)}`,
        description: textOf(declared.find((tag) => tag.name === name)?.description),
        operations: operations.filter(({ tag }) => tag === name),
      }))
      .filter((tag) => tag.operations.length > 0),
    problemSchema: problems[0]?.content?.schema,
  }
}

export const operationsOf = ({ tags }: Reference): Operation[] => tags.flatMap(({ operations }) => operations)
