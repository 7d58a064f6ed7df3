/** A curl command per endpoint that works once its variables are set; `cookies.txt` holds a session. */
import type { RouteOptions } from 'fastify'
import { exampleOf } from '#http/docs/json-schema.ts'
import type { JsonSchema } from './schemas.ts'

/** Shells expand variables only in double quotes. */
function quoted(json: string): string {
  return json.includes('$') ? JSON.stringify(json) : `'${json}'`
}

export function curlExample({ method, url, schema, config }: RouteOptions) {
  // A path parameter becomes a shell variable: `:id` of a key becomes $KEY_ID.
  const path = url.replace(/:(\w+)/g, (_all, name: string) => `$KEY_${name.toUpperCase()}`)
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
