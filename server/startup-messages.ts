/** The text printed after a start, and after a start that failed. */
import { messageOf } from '#base/message-of.ts'
import { redactSecrets } from '#base/redact.ts'
import type { Config } from '#config/config.ts'

export function startupBanner({ listenUrl, publicUrl, databaseUrl, dataDir }: Config): string {
  const lines = [
    `Docvet is listening on ${listenUrl}`,
    ...(publicUrl === listenUrl ? [] : [`Public URL: ${publicUrl}`]),
    `Documentation: ${publicUrl}/docs`,
    `Data: ${databaseUrl ? 'PostgreSQL' : dataDir}`,
    '',
    'Create an account and get its first API key:',
    `  curl -X POST ${publicUrl}/api/v1/signup -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'`,
  ]
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : 'no response'
}

/** Explains common mistakes; the log has the error itself. */
export function startupFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason =
    {
      EADDRINUSE: `port ${port} on ${host} is already in use. Set DOCVET_PORT to a free port.`,
      EACCES: `permission denied for port ${port} on ${host} or for the data folder. Set DOCVET_PORT or DOCVET_DATA_DIR.`,
      EADDRNOTAVAIL: `${host} is not an IP address of this machine. Set DOCVET_HOST.`,
      storage_unavailable: `the database is not available (${causeOf(error)}). Check DOCVET_DATABASE_URL or the data folder.`,
    }[String(code)] ?? messageOf(error)
  return `Docvet failed to start: ${redactSecrets(reason)}\n`
}
