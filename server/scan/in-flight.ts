/** Bounds the scans and document bytes that are in flight at once, in total, per account and per client address. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'

export const SCANS_IN_FLIGHT_MAX = 64
/** Taken by an upload of unknown length at the start, and again each time it has used up what it holds. */
export const GROWTH_BYTES = 1_048_576
/** Of what other accounts leave, so that a single account can use most of it and the next one still gets in. */
export const ACCOUNT_SHARE_MAX = 0.75
/** The same for addresses, because one client can sign up for many accounts. Larger, so that several accounts fit. */
export const ADDRESS_SHARE_MAX = 0.9
const RETRY_SECONDS = 1

export type InFlightBudget = ReturnType<typeof createInFlightBudget>
/** Held by one scan from before its first byte until its bytes are released. */
export type InFlightLease = ReturnType<InFlightBudget['enter']>

interface Held {
  bytes: number
  scans: number
}

const nothing = (): Held => ({ bytes: 0, scans: 0 })

interface Caller {
  accountId: string
  /** An IPv4 address or IPv6 /64 network. */
  address: string
}

/**
 * A declared length is taken whole, so that an accepted upload can finish. Without one it is taken as bytes arrive:
 * otherwise a few requests that send nothing could hold the whole budget.
 */
function initialBytes(declared: number | null): number {
  if (declared === null) return GROWTH_BYTES
  if (!Number.isSafeInteger(declared) || declared < 0) return DOCUMENT_BYTES_MAX
  return Math.min(declared, DOCUMENT_BYTES_MAX)
}

// Created once, because under overload most requests end here.
const busy = (what: string) =>
  new AppError('busy', `${what}. Retry after the interval in \`Retry-After\`.`, { retryAfterSeconds: RETRY_SECONDS })
const AT_CAPACITY = busy('The service is at capacity')
// Not 429: that is about a rate, and this passes as soon as another scan of the account ends.
const ACCOUNT_AT_LIMIT = busy('This account has reached its limit of concurrent scans')
const ADDRESS_AT_LIMIT = busy('Your address has reached its limit of concurrent scans')

export function createInFlightBudget(max: { bytesMax: number; scansMax?: number }) {
  const { bytesMax, scansMax = SCANS_IN_FLIGHT_MAX } = max
  if (!(bytesMax >= DOCUMENT_BYTES_MAX)) throw new RangeError(`bytesMax must be at least ${DOCUMENT_BYTES_MAX}`)
  if (!(scansMax >= 1)) throw new RangeError('scansMax must be at least 1')
  const total = nothing()
  const callers = new Map<string, Held>()

  function isWithin(shareMax: number, mine: Held, more: Held): boolean {
    // A single document is not subject to the share, or the largest could be refused on an idle service.
    if (mine.scans + more.scans === 1) return true
    const share = (max: number, others: number) => shareMax * (max - others)
    return (
      mine.scans + more.scans <= share(scansMax, total.scans - mine.scans) &&
      mine.bytes + more.bytes <= share(bytesMax, total.bytes - mine.bytes)
    )
  }

  function refusalOf(account: Held, address: Held, more: Held): AppError | null {
    if (total.scans + more.scans > scansMax || total.bytes + more.bytes > bytesMax) return AT_CAPACITY
    if (!isWithin(ACCOUNT_SHARE_MAX, account, more)) return ACCOUNT_AT_LIMIT
    if (!isWithin(ADDRESS_SHARE_MAX, address, more)) return ADDRESS_AT_LIMIT
    return null
  }

  const namesOf = ({ accountId, address }: Caller) => [`account ${accountId}`, `address ${address}`] as const

  return {
    /** The error with which `enter` would refuse; null if it would not. */
    refusal(caller: Caller, declaredBytes: number | null): AppError | null {
      const [account, origin] = namesOf(caller).map((name) => callers.get(name) ?? nothing()) as [Held, Held]
      return refusalOf(account, origin, { bytes: initialBytes(declaredBytes), scans: 1 })
    },

    /** `declaredBytes` is the length of the body, null when unknown. Throws `busy`, and then takes nothing. */
    enter(caller: Caller, declaredBytes: number | null) {
      const names = namesOf(caller)
      const [account, origin] = [callers.get(names[0]) ?? nothing(), callers.get(names[1]) ?? nothing()]
      let held = 0
      let released = false

      function add(bytes: number, scans: number): void {
        held += bytes
        for (const each of [account, origin, total]) {
          each.bytes += bytes
          each.scans += scans
        }
      }
      function take(bytes: number, scans: number): void {
        const refusal = refusalOf(account, origin, { bytes, scans })
        if (refusal !== null) throw refusal
        add(bytes, scans)
      }

      take(initialBytes(declaredBytes), 1)
      callers.set(names[0], account)
      callers.set(names[1], origin)
      return {
        /** Takes more when that many bytes have arrived. Throws `busy`, and then takes nothing. */
        growTo(needed: number): void {
          if (released || needed <= held) return
          take(Math.max(needed - held, Math.min(GROWTH_BYTES, DOCUMENT_BYTES_MAX - held)), 0)
        },
        /** Returns what is not needed. Never takes more. */
        shrinkTo(needed: number): void {
          if (needed < held) add(Math.max(0, needed) - held, 0)
        },
        [Symbol.dispose](): void {
          if (released) return
          released = true
          add(-held, -1)
          for (const name of names) if (callers.get(name)?.scans === 0) callers.delete(name)
        },
      }
    },

    inFlight: (): Held => ({ ...total }),
  }
}
