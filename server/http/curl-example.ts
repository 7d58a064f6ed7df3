/** A command line for each endpoint that works as it stands, once `$DOCVET_URL` and `$DOCVET_KEY` are set; `cookies.txt` holds a session. */
import type { RouteOptions } from 'fastify'

interface Described {
  examples?: unknown[]
  properties?: Record<string, Described>
}

function exampleOf({ examples, properties }: Described): unknown {
  if (examples) return examples[0]
  if (!properties) return undefined
  return Object.fromEntries(Object.entries(properties).map(([name, described]) => [name, exampleOf(described)]))
}

/** A shell fills in variables only between double quotes. */
function quoted(json: string): string {
  return json.includes('$') ? JSON.stringify(json) : `'${json}'`
}

export interface CodeSample {
  lang: string
  label: string
  source: string
}

export function curlExample({ method, url, schema, config }: RouteOptions): CodeSample {
  // A path parameter becomes a shell variable of its name, in capitals: the id of a key is $KEY_ID.
  const path = url.replace(/:(\w+)/g, (_all, name: string) => `$KEY_${name.toUpperCase()}`)
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} "$DOCVET_URL${path}"`]
  if (config?.credential === 'session') {
    parts.push('-b cookies.txt')
    // As one of our own pages would: a session changes nothing on behalf of other sites.
    if (method !== 'GET') parts.push('-H "Origin: $DOCVET_URL"')
  } else if (config?.credential !== 'none') parts.push('-H "X-API-Key: $DOCVET_KEY"')
  if (config?.startsSession) parts.push('-c cookies.txt')
  if (config?.streamed) parts.push('-F "file=@$DOCUMENT"')
  if (schema?.body) {
    parts.push("-H 'Content-Type: application/json'")
    parts.push(`-d ${quoted(JSON.stringify(exampleOf(schema.body as Described)))}`)
  }
  return { lang: 'Shell', label: 'curl', source: parts.join(' \\\n  ') }
}
