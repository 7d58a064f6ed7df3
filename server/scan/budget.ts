/** What may be in flight at once: bytes of documents in memory, and scans. Whoever comes past it is told to come again. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'

export const BYTES_IN_FLIGHT_MAX = 536_870_912
export const SCANS_IN_FLIGHT_MAX = 64
/** What an upload of unknown length is given at once, and then each time that it has used up what it was given. */
export const GROWTH_BYTES = 1_048_576
/** Of what the others leave, so that whoever is alone has most of it, and whoever comes next still finds room. */
export const ACCOUNT_SHARE_MAX = 0.75
const RETRY_SECONDS = 1

export interface BudgetOptions {
  bytesMax: number
  scansMax: number
}

/** The place of one scan, from before its first byte until the last reference to its bytes is gone. */
export interface Lease extends Disposable {
  /** Takes more when that many bytes have come. Throws `busy`, and then takes nothing. */
  growTo(bytes: number): void
  /** Gives back what turned out not to be needed. Never takes more. */
  shrinkTo(bytes: number): void
  /** As often as one likes. */
  release(): void
}

export interface Budget {
  /** `declaredBytes` is the length of the body, `null` when it is not known. Throws `busy`, and then takes nothing. */
  enter(accountId: string, declaredBytes: number | null): Lease
  inFlight(): { bytes: number; scans: number }
}

interface Held {
  bytes: number
  scans: number
}

/**
 * A length that was told is taken whole, so that who is in can finish. Who does not tell it has to take what is left as
 * the bytes come: taken whole, a few requests without a single byte would hold everything.
 */
function bytesFor(declared: number | null): number {
  if (declared === null) return GROWTH_BYTES
  if (!Number.isSafeInteger(declared) || declared < 0) return DOCUMENT_BYTES_MAX
  return Math.min(declared, DOCUMENT_BYTES_MAX)
}

const busy = (detail: string) => new AppError('busy', detail, { retryAfterSeconds: RETRY_SECONDS })
const ALL_TAKEN = 'The service has as many documents in hand as it can carry. Try again shortly.'
// Not 429, which speaks of a rate: the same request may pass at once when another one of the account is done.
const SHARE_TAKEN =
  'This account has as many documents under way as one may have at once. Try again when some of them are done.'

const DEFAULTS: BudgetOptions = { bytesMax: BYTES_IN_FLIGHT_MAX, scansMax: SCANS_IN_FLIGHT_MAX }

export function createBudget({ bytesMax, scansMax }: BudgetOptions = DEFAULTS): Budget {
  if (!(bytesMax >= DOCUMENT_BYTES_MAX)) throw new RangeError(`bytesMax must be at least ${DOCUMENT_BYTES_MAX}`)
  if (!(scansMax >= 1)) throw new RangeError('scansMax must be at least 1')
  const all: Held = { bytes: 0, scans: 0 }
  const accounts = new Map<string, Held>()

  function refuse(mine: Held, more: Held): void {
    if (all.scans + more.scans > scansMax || all.bytes + more.bytes > bytesMax) throw busy(ALL_TAKEN)
    // The only document of an account needs no share: where there is room for it, it is taken.
    if (mine.scans + more.scans === 1) return
    const share = (max: number, others: number) => ACCOUNT_SHARE_MAX * (max - others)
    const isWithin =
      mine.scans + more.scans <= share(scansMax, all.scans - mine.scans) &&
      mine.bytes + more.bytes <= share(bytesMax, all.bytes - mine.bytes)
    if (!isWithin) throw busy(SHARE_TAKEN)
  }

  function enter(accountId: string, declaredBytes: number | null): Lease {
    const mine = accounts.get(accountId) ?? { bytes: 0, scans: 0 }
    let held = 0
    let released = false

    function add(bytes: number, scans: number): void {
      held += bytes
      for (const each of [mine, all]) {
        each.bytes += bytes
        each.scans += scans
      }
    }
    function take(bytes: number, scans: number): void {
      refuse(mine, { bytes, scans })
      add(bytes, scans)
    }
    function growTo(needed: number): void {
      if (released || needed <= held) return
      take(Math.max(needed - held, Math.min(GROWTH_BYTES, DOCUMENT_BYTES_MAX - held)), 0)
    }
    function shrinkTo(needed: number): void {
      if (needed < held) add(Math.max(0, needed) - held, 0)
    }
    function release(): void {
      if (released) return
      released = true
      add(-held, -1)
      if (mine.scans === 0) accounts.delete(accountId)
    }

    take(bytesFor(declaredBytes), 1)
    accounts.set(accountId, mine)
    return { growTo, shrinkTo, release, [Symbol.dispose]: release }
  }

  return { enter, inFlight: () => ({ ...all }) }
}
