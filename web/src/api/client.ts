/** Calls the API, with the types of our own OpenAPI document. */
import { networkProblem, problemFrom } from './problem.ts'
import type { Operations } from './schema.ts'

type Name = keyof Operations
/** The path parameters, query and body of an operation. */
type Input<N extends Name> = Omit<Operations[N], 'response'>
type Output<N extends Name> = Operations[N]['response']
/** The second argument may be left out if nothing in it is required. */
type Arguments<N extends Name> = Record<string, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>]

interface AnyInput {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
}

/** `call('DELETE /api/v1/keys/{id}', { path: { id } })`. Throws an ApiProblem. */
export async function call<N extends Name>(name: N, ...[input]: Arguments<N>): Promise<Output<N>> {
  const [method = 'GET', template = ''] = name.split(' ')
  const { path, query, body } = (input ?? {}) as AnyInput
  return (await send(method, urlOf(template, path, query), body)) as Output<N>
}

/** Without types, for URLs outside the OpenAPI document. */
export async function send(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw networkProblem()
  })
  const answer = await readJson(response)
  if (!response.ok) throw problemFrom(response.status, answer, (name) => response.headers.get(name))
  return answer
}

function urlOf(template: string, path: AnyInput['path'] = {}, query: AnyInput['query'] = {}): string {
  const url = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? url : `${url}?${search}`
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw networkProblem()
  })
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
