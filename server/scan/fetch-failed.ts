/** A document that could not be fetched. */
import { AppError } from '#base/errors.ts'

/** `why` is a word of ours, never the text of the server. Nobody waits for a queued scan, so that a temporary failure is repeated there. */
export class FetchFailed extends AppError {
  readonly isTemporary: boolean

  constructor(why: string, isTemporary: boolean) {
    super('fetch_failed', `The document could not be fetched: ${why}.`)
    this.isTemporary = isTemporary
  }
}

/** Why. */
export const OTHER_LENGTH = 'the document has another length than its server says'

/** Null for any other error. */
export const isTemporaryFetch = (error: unknown): boolean | null =>
  error instanceof FetchFailed ? error.isTemporary : null
