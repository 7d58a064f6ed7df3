/** Why rules or children cannot be used: all of it for the log, and in a few words with nothing internal for health. */

/** `message` is for the log and may quote anything. `shown` may be read by everybody. */
export class Complaint extends Error {
  readonly shown: string

  constructor(message: string, shown: string, cause?: unknown) {
    super(message, { cause })
    this.shown = shown
  }
}

export interface BadFile {
  /** Without its folder. */
  name: string
  /** What stands behind the name in a sentence. */
  reason: string
}

/** Rules that another child would not take either. */
export class RulesRefused extends Complaint {
  /** Those that are bad: at least one. */
  readonly files: readonly BadFile[]

  constructor(message: string, files: readonly BadFile[]) {
    super(message, sentenceOf(files))
    this.files = files
  }
}

/** A child gave a wrong answer, or none, about a document whose answer is known. */
export class ProofFailed extends Complaint {
  readonly canary: string

  constructor(canary: string, detail: string) {
    super(`A child failed its proof: ${canary}: ${detail}`, `a child failed its proof with ${canary}`)
    this.canary = canary
  }
}

export const FILES_SHOWN_MAX = 10

function sentenceOf(files: readonly BadFile[]): string {
  const first = files.slice(0, FILES_SHOWN_MAX).map(({ name, reason }) => `${name.replace(/\p{C}/gu, '?')} ${reason}`)
  const more = files.length - first.length
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

export function shownOf(error: unknown): string {
  return error instanceof Complaint ? error.shown : 'the log says why'
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
