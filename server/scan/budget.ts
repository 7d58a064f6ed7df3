/** What may be in flight at once: bytes of documents in memory, and scans. Whoever comes past it is told to come again. */
import { AppError } from '#base/errors.ts'

export const BYTES_IN_FLIGHT_MAX = 536_870_912
export const SCANS_IN_FLIGHT_MAX = 64
/** The largest document. What frames it is not kept, so no scan needs more. */
export const RESERVED_BYTES_MAX = 26_214_400
const RETRY_SECONDS = 1

export interface BudgetOptions {
  bytesMax: number
  scansMax: number
}

/** The place of one scan, from before its first byte until the last reference to its bytes is gone. */
export interface Lease extends Disposable {
  /** Gives back what turned out not to be needed. Never takes more. */
  shrinkTo(bytes: number): void
  /** As often as one likes. */
  release(): void
}

export interface Budget {
  /** `declaredBytes` is the length of the body, `null` when it is not known. Throws `busy`, and then takes nothing. */
  enter(declaredBytes: number | null): Lease
  inFlight(): { bytes: number; scans: number }
}

/**
 * An unknown length takes the largest document at once. Growing with the bytes would let more in, but then uploads that
 * were let in could block each other, each waiting for or refused its last bytes; so, who is in can finish.
 */
function bytesFor(declared: number | null): number {
  if (declared === null || !Number.isSafeInteger(declared) || declared < 0) return RESERVED_BYTES_MAX
  return Math.min(declared, RESERVED_BYTES_MAX)
}

const DEFAULTS: BudgetOptions = { bytesMax: BYTES_IN_FLIGHT_MAX, scansMax: SCANS_IN_FLIGHT_MAX }

export function createBudget({ bytesMax, scansMax }: BudgetOptions = DEFAULTS): Budget {
  if (!(bytesMax >= RESERVED_BYTES_MAX)) throw new RangeError(`bytesMax must be at least ${RESERVED_BYTES_MAX}`)
  if (!(scansMax >= 1)) throw new RangeError('scansMax must be at least 1')
  let bytes = 0
  let scans = 0

  function enter(declaredBytes: number | null): Lease {
    let held = bytesFor(declaredBytes)
    if (scans + 1 > scansMax || bytes + held > bytesMax) {
      throw new AppError('busy', 'The service has as many documents in hand as it can carry. Try again shortly.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
    bytes += held
    scans += 1
    let released = false

    function shrinkTo(needed: number): void {
      const kept = Math.min(held, Math.max(0, needed))
      bytes -= held - kept
      held = kept
    }
    function release(): void {
      if (released) return
      released = true
      shrinkTo(0)
      scans -= 1
    }
    return { shrinkTo, release, [Symbol.dispose]: release }
  }

  return { enter, inFlight: () => ({ bytes, scans }) }
}
