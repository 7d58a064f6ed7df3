/** What a document contains that lists may name: addresses, and files by their hash. Collected only on request. */

/** Base64 of keys of 16 bytes each (`codecs/indicator-keys.ts`). */
type Keys = string

/** The indicators of one part of a document. */
export interface IndicatorPart {
  path: readonly string[]
  /** Of its bytes; empty if hashes were not asked for. */
  hash: Keys
  /** The keys of each address: of itself, of those in it, and of their hosts. */
  addresses: readonly Keys[]
  /** The addresses as they are shown, in the same order; those of a long list are left out. */
  shown: readonly string[]
}

interface Collector {
  /** An address in the part that is being inspected. */
  note(text: string): void
  /** Inspects a part; what is noted meanwhile belongs to it. */
  within(path: readonly string[], run: () => void): void
}

// An inspection is synchronous, so that one collector serves the process, as in `work.ts`.
let collector: Collector | null = null

/** Called with every target that a format found. Anything else than an address is ignored. */
export function noteAddress(text: string): void {
  collector?.note(text)
}

export function withinPart(path: readonly string[], run: () => void): void {
  if (collector === null) run()
  else collector.within(path, run)
}

export function collectingTo<T>(given: Collector | null, run: () => T): T {
  collector = given
  try {
    return run()
  } finally {
    collector = null
  }
}
