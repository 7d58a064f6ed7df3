/** A curl command per endpoint that works once its variables are set; `cookies.txt` holds a session. */
import type { RouteOptions } from 'fastify'
import { exampleOf } from '#http/docs/json-schema.ts'
import type { JsonSchema } from './schemas.ts'

/** Shells expand variables only in double quotes. */
function quoted(json: string): string {
  return json.includes('$') ? JSON.stringify(json) : `'${json}'`
}

/** A path parameter becomes a shell variable: `keys/:id` becomes `keys/$KEY_ID`, `:scanId` becomes `$SCAN_ID`. */
function variableOf(_all: string, noun: string | undefined, name: string | undefined): string {
  if (noun !== undefined) return `${noun}s/$${noun.toUpperCase()}_ID`
  return `$${name?.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

export function curlExample({ method, url, schema, config }: RouteOptions) {
  const path = url.replace(/(?<!\w)(\w+)s\/:id\b|:(\w+)/g, variableOf)
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} "$DOCVET_URL${path}"`]
  if (config?.credential === 'session') {
    parts.push('-b cookies.txt')
    // A session changes data only for requests from the service's own origin.
    if (method !== 'GET') parts.push('-H "Origin: $DOCVET_URL"')
  } else if (config?.credential !== 'none') parts.push('-H "X-API-Key: $DOCVET_KEY"')
  if (config?.startsSession) parts.push('-c cookies.txt')
  if (config?.streamed) parts.push('-F "file=@$DOCUMENT"')
  if (schema?.body) {
    parts.push("-H 'Content-Type: application/json'")
    const body = { ...(exampleOf(schema.body as JsonSchema) as object), ...config?.variables }
    parts.push(`-d ${quoted(JSON.stringify(body))}`)
  }
  return { lang: 'Shell', label: 'curl', source: parts.join(' \\\n  ') }
}
