/** What a newcomer sees first: where it listens, where the docs are, and something to try; or why it did not start. */
import { messageOf } from '#base/message-of.ts'
import { redactSecrets } from '#base/redact.ts'
import type { Config } from '#config/config.ts'

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

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : 'it does not answer'
}

/** The mistakes that everybody makes once, in words; the log has the error itself. */
export function explainStart(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason =
    {
      EADDRINUSE: `port ${port} on ${host} is taken by another process. Set DOCVET_PORT to a free one.`,
      EACCES: `port ${port} on ${host}, or the data folder, is not ours to use. Set DOCVET_PORT or DOCVET_DATA_DIR.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Set DOCVET_HOST.`,
      storage_unavailable: `the database cannot be used (${causeOf(error)}). Check DOCVET_DATABASE_URL, or the data folder.`,
    }[String(code)] ?? messageOf(error)
  return `Docvet did not start: ${redactSecrets(reason)}\n`
}
