/** Copies of bodies for clients that do not allow 204, and get the body back. */
import type { OutcomeName } from '#listeners/outcomes.ts'

/** Of one body: several documents in a form. */
export const ORIGINAL_BYTES_MAX = 104_857_600

/** A budget for all copies of the process. */
export function createOriginals(bytesMax: number) {
  let used = 0

  return {
    create() {
      let pieces: Buffer[] = []
      let bytes = 0
      let problem: OutcomeName | null = null

      function release(): void {
        for (const piece of pieces) piece.fill(0)
        used -= bytes
        bytes = 0
        pieces = []
      }

      function problemWith(length: number): OutcomeName | null {
        if (bytes + length > ORIGINAL_BYTES_MAX) return 'too_large'
        return used + length > bytesMax ? 'failed' : null
      }

      return {
        /** Why the body cannot be sent back; null if it can. */
        get problem() {
          return problem
        },
        get pieces(): readonly Buffer[] {
          return pieces
        },
        add(piece: Buffer): void {
          problem ??= problemWith(piece.length)
          if (problem !== null) {
            release()
            return
          }
          used += piece.length
          bytes += piece.length
          // Not from Node's pool, where bytes of a document would stay among others.
          const copy = Buffer.allocUnsafeSlow(piece.length)
          piece.copy(copy)
          pieces.push(copy)
        },
        /** Overwrites the copy. */
        release,
      }
    },
    used: () => used,
  }
}

export type Originals = ReturnType<typeof createOriginals>
export type Original = ReturnType<Originals['create']>
