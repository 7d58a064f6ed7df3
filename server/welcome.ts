/** What a newcomer sees first: where it listens, where the docs are, and something to try. */
import type { Config } from './config.ts'

export function welcome({
  publicUrl,
  databaseUrl,
  dataDir,
}: Pick<Config, 'publicUrl' | 'databaseUrl' | 'dataDir'>): string {
  return `
  Docvet listens at ${publicUrl}
  Reference and examples: ${publicUrl}/docs
  Data: ${databaseUrl ? 'PostgreSQL' : dataDir}

  Try it: create an account and get its first API key
    curl -X POST ${publicUrl}/api/v1/signup -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'

`
}
