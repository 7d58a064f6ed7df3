/** The API as a collection of requests, in the format 2.1 of Postman, which Bruno and others import. */
import { exampleOf, isFile } from './json-schema.ts'
import { jsonText } from './prose.ts'
import { contentOf, type Operation, type Parameter, type Reference } from './reference.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const KEY = { key: 'X-API-Key', value: '{{key}}', type: 'text' }

/** With the cookie of a session, a change has to come from the service's own pages. */
const ORIGIN = { key: 'Origin', value: '{{url}}', type: 'text' }

const exampleValue = ({ name, schema }: Parameter): string => String(exampleOf(schema ?? {}) ?? name)

function urlOf({ path, parameters = [] }: Operation) {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((each) => each.in === 'query')
  const inPath = parameters.filter((each) => each.in === 'path')
  return {
    raw: `{{url}}/${segments}`,
    host: ['{{url}}'],
    path: segments.split('/'),
    // Filters that are not asked for would hide results.
    query: query.map((each) => ({ key: each.name, value: exampleValue(each), disabled: each.required !== true })),
    variable: inPath.map((each) => ({ key: each.name, value: exampleValue(each) })),
  }
}

function bodyOf({ requestBody }: Operation) {
  const content = requestBody && contentOf(requestBody)
  if (content === undefined) return undefined
  const { properties = {}, required = [] } = content.schema
  if (content.type !== 'multipart/form-data')
    return { mode: 'raw', raw: jsonText(exampleOf(content.schema)), options: { raw: { language: 'json' } } }
  const formdata = Object.entries(properties).map(([key, schema]) =>
    isFile(schema)
      ? { key, type: 'file', src: [] }
      : { key, type: 'text', value: '', disabled: !required.includes(key) },
  )
  return { mode: 'formdata', formdata }
}

function itemOf(operation: Operation) {
  const { method, summary, description, security, requestBody, parameters = [] } = operation
  const body = bodyOf(operation)
  const isSession = (each: Operation['security'][number]) => Object.keys(each).some((name) => /session/i.test(name))
  const acceptsKey = security.some((each) => !isSession(each))
  const needsOrigin = method !== 'get' && !acceptsKey && security.some(isSession)
  const headers = parameters
    .filter((each) => each.in === 'header')
    .map((each) => ({ key: each.name, value: exampleValue(each), type: 'text', disabled: true }))
  return {
    name: summary,
    // The answer is the redirect, not the page behind it.
    ...(operation.responses[302] && { protocolProfileBehavior: { followRedirects: false } }),
    request: {
      method: method.toUpperCase(),
      // Sessions are cookies, which the program keeps itself.
      header: [
        ...(acceptsKey ? [KEY] : []),
        ...(needsOrigin ? [ORIGIN] : []),
        ...(body?.mode === 'raw'
          ? [{ key: 'Content-Type', value: contentOf(requestBody ?? {})?.type, type: 'text' }]
          : []),
        ...headers,
      ],
      url: urlOf(operation),
      ...(body && { body }),
      description,
    },
  }
}

export function renderCollection({ info, tags }: Reference, publicUrl: string): string {
  const collection = {
    info: { name: `${info.title} API`, description: info.description, version: info.version, schema: SCHEMA },
    item: tags.map(({ name, description, operations }) => ({ name, description, item: operations.map(itemOf) })),
    variable: [
      { key: 'url', value: publicUrl },
      { key: 'key', value: '', description: 'An API key; one for tests (dv_test_…) is not charged.' },
    ],
  }
  return `${jsonText(collection)}\n`
}
