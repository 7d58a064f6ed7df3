/** Which documents are accepted: judged by the type that was declared, and then, which counts more, by the bytes. */
import { AppError } from '#base/errors.ts'

export interface DocumentType {
  kind: string | null
  type: string
}

/** `whole` tells apart what looks the same at its beginning, such as a ZIP and a Word document. */
export type Sniff = (head: Uint8Array, whole?: Uint8Array) => DocumentType

const HEAD_BYTES = 4_096
const GENERIC = 'application/octet-stream'
const ACCEPTED = 'PDF, Office documents, text and ZIP'

/** Only what cannot mislead a reader of the answer is repeated in it. */
const PLAIN_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/

const refuse = (detail: string) => new AppError('unsupported_content_type', detail)

/** Up to so many bytes in one piece, which is overwritten afterwards if it is a copy. */
function inOnePiece<T>(chunks: readonly Buffer[], bytesMax: number, look: (bytes: Buffer) => T): T {
  const [first] = chunks
  if (first && (first.length >= bytesMax || chunks.length === 1)) return look(first.subarray(0, bytesMax))
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const copy = Buffer.concat(chunks, Math.min(size, bytesMax))
  try {
    return look(copy)
  } finally {
    copy.fill(0)
  }
}

export type TypeCheck = ReturnType<typeof createTypeCheck>

export function createTypeCheck(accepted: ReadonlySet<string>, sniff: Sniff) {
  return {
    declared(type: string | null): void {
      const essence = type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
      if (essence === '' || essence === GENERIC || accepted.has(essence)) return
      const named = PLAIN_TYPE.test(essence) ? `${essence}, which` : 'a type that'
      throw refuse(`The document was declared as ${named} is not accepted. Accepted are ${ACCEPTED}.`)
    },

    content(chunks: readonly Buffer[]): DocumentType {
      const first = inOnePiece(chunks, HEAD_BYTES, (head) => sniff(head))
      // A ZIP is told apart by more than its beginning, and one behind a stub shows only at its end.
      const isOpen = first.kind === 'zip' || first.kind === null
      const whole = (bytes: Buffer) => sniff(bytes.subarray(0, HEAD_BYTES), bytes)
      const found = isOpen ? inOnePiece(chunks, Number.POSITIVE_INFINITY, whole) : first
      if (found.kind === null) {
        throw refuse(`The document looks like ${found.type}, which is not accepted. Accepted are ${ACCEPTED}.`)
      }
      return found
    },
  }
}
