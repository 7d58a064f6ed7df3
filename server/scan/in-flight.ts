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
export interface InFlightLease extends Disposable {
  /** Takes more when that many bytes have arrived. Throws `busy`, and then takes nothing. */
  growTo(needed: number): void
  /** Returns what is not needed. Never takes more. */
  shrinkTo(needed: number): void
}

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
export const ACCOUNT_AT_LIMIT = busy('This account has reached its limit of concurrent scans')
const ADDRESS_AT_LIMIT = busy('Your address has reached its limit of concurrent scans')

interface InFlightOptions {
  bytesMax: number
  /** Of documents larger than uploads, whose bytes are counted for themselves: none of them stops an upload. */
  largeBytesMax?: number
  scansMax?: number
}

export function createInFlightBudget(max: InFlightOptions) {
  const { bytesMax, largeBytesMax = 0, scansMax = SCANS_IN_FLIGHT_MAX } = max
  let largeBytes = 0
  if (!(bytesMax >= DOCUMENT_BYTES_MAX)) throw new RangeError(`bytesMax must be at least ${DOCUMENT_BYTES_MAX}`)
  if (!(scansMax >= 1)) throw new RangeError('scansMax must be at least 1')
  const total = nothing()
  const callers = new Map<string, Held>()
  const held = new WeakMap<object, InFlightLease>()

  function isWithin(shareMax: number, mine: Held, more: Held): boolean {
    // A single document is not subject to the share, or the largest could be refused on an idle service.
    if (mine.scans + more.scans === 1) return true
    const share = (max: number, others: number) => shareMax * (max - others)
    return (
      mine.scans + more.scans <= share(scansMax, total.scans - mine.scans) &&
      mine.bytes + more.bytes <= share(bytesMax, total.bytes - mine.bytes)
    )
  }

  const isFull = (more: Held) => total.scans + more.scans > scansMax || total.bytes + more.bytes > bytesMax

  function refusalOf(account: Held, address: Held, more: Held): AppError | null {
    if (isFull(more)) return AT_CAPACITY
    if (!isWithin(ACCOUNT_SHARE_MAX, account, more)) return ACCOUNT_AT_LIMIT
    if (!isWithin(ADDRESS_SHARE_MAX, address, more)) return ADDRESS_AT_LIMIT
    return null
  }

  const namesOf = (caller: Caller) => [`account ${caller.accountId}`, `address ${caller.address}`] as const
  const heldBy = (name: string) => callers.get(name) ?? nothing()

  /** Returns the error if there is no room, and then takes nothing. */
  function take(caller: Caller, declaredBytes: number | null): InFlightLease | AppError {
    const first = { bytes: initialBytes(declaredBytes), scans: 1 }
    const names = namesOf(caller)
    const [account, origin] = [heldBy(names[0]), heldBy(names[1])]
    const refusal = refusalOf(account, origin, first)
    if (refusal) return refusal
    let mine = 0
    /** Instead, once it is larger than an upload. */
    let large = 0
    let released = false

    function add(bytes: number, scans: number): void {
      mine += bytes
      for (const each of [account, origin, total]) {
        each.bytes += bytes
        each.scans += scans
      }
    }

    function growLarge(needed: number): void {
      if (largeBytes - large + needed > largeBytesMax) throw AT_CAPACITY
      largeBytes += needed - large
      large = needed
      add(-mine, 0)
    }

    add(first.bytes, 1)
    callers.set(names[0], account)
    callers.set(names[1], origin)
    return {
      growTo(needed: number): void {
        if (released || needed <= Math.max(mine, large)) return
        if (needed > DOCUMENT_BYTES_MAX) {
          growLarge(needed)
          return
        }
        const bytes = Math.max(needed - mine, Math.min(GROWTH_BYTES, DOCUMENT_BYTES_MAX - mine))
        const refusal = refusalOf(account, origin, { bytes, scans: 0 })
        if (refusal) throw refusal
        add(bytes, 0)
      },
      shrinkTo(needed: number): void {
        const kept = Math.min(large, Math.max(0, needed))
        largeBytes -= large - kept
        large = kept
        if (needed < mine) add(Math.max(0, needed) - mine, 0)
      },
      [Symbol.dispose](): void {
        if (released) return
        released = true
        largeBytes -= large
        large = 0
        add(-mine, -1)
        for (const name of names) if (callers.get(name)?.scans === 0) callers.delete(name)
      },
    }
  }

  return {
    /** The error if there is no room for one more scan; takes nothing. */
    refusal(caller: Caller, declaredBytes: number | null): AppError | null {
      const first = { bytes: initialBytes(declaredBytes), scans: 1 }
      // Before the callers are looked up, because under overload most requests end here.
      if (isFull(first)) return AT_CAPACITY
      const [account, address] = namesOf(caller)
      return refusalOf(heldBy(account), heldBy(address), first)
    },

    /**
     * Takes the place of a request before its other checks, so that of many requests at once only as many pass as can
     * enter. Returns the error if there is no room. `leave` must be called when the request has ended.
     */
    hold(request: object, caller: Caller, declaredBytes: number | null): AppError | null {
      const taken = take(caller, declaredBytes)
      if (taken instanceof AppError) return taken
      held.set(request, taken)
      return null
    },

    /** Gives back a place that was held and not entered. */
    leave(request: object): void {
      held.get(request)?.[Symbol.dispose]()
      held.delete(request)
    },

    /** `declaredBytes` is the length of the body, null when unknown. Throws `busy`, and then takes nothing. */
    enter(caller: Caller, declaredBytes: number | null, request?: object): InFlightLease {
      const taken = (request && held.get(request)) ?? take(caller, declaredBytes)
      if (taken instanceof AppError) throw taken
      if (request) held.delete(request)
      return taken
    },

    inFlight: (): Held => ({ ...total, bytes: total.bytes + largeBytes }),
  }
}
