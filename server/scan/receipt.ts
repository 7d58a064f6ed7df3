/** What a receipt of a scan is made of, and its stored form. */
import type { NewScan, SignedReceipt } from './store.ts'

export interface ScanFacts {
  row: NewScan
  /** The allow list made it clean. */
  isAllowed: boolean
  /** Clean although an engine could not look into all of it, because the operator wants it so. */
  isIncomplete: boolean
}

/** Null if receipts are off. */
export type SignReceipt = (facts: ScanFacts) => SignedReceipt | null
