/** Errors of workers and rules: the full message for the log, a short one without internals for health. */

export class EmbeddedError extends Error {
  readonly publicMessage: string

  constructor(message: string, publicMessage: string) {
    super(message)
    this.publicMessage = publicMessage
  }
}

export interface RejectedFile {
  /** Without its folder. */
  name: string
  /** Follows the name in a sentence. */
  reason: string
}

/** Rules that every other worker would reject too. */
export class RulesRejected extends EmbeddedError {
  /** At least one. */
  readonly files: readonly RejectedFile[]

  constructor(message: string, files: readonly RejectedFile[]) {
    super(message, listOf(files))
    this.files = files
  }
}

export class SelfTestFailed extends EmbeddedError {
  readonly canary: string

  constructor(canary: string, detail: string) {
    super(`Worker failed its self-test: ${canary}: ${detail}`, `a worker failed its self-test with ${canary}`)
    this.canary = canary
  }
}

export const FILES_LISTED_MAX = 10

function listOf(files: readonly RejectedFile[]): string {
  const first = files.slice(0, FILES_LISTED_MAX).map(({ name, reason }) => `${name.replace(/\p{C}/gu, '?')} ${reason}`)
  const more = files.length - first.length
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

export function publicMessageOf(error: unknown): string {
  return error instanceof EmbeddedError ? error.publicMessage : 'see the log'
}
