/** The results of an inspection. */

export type Severity = 'malicious' | 'suspicious' | 'notice'

export interface Finding {
  /** Stable name, such as `Docvet.Test.Eicar`. */
  id: string
  severity: Severity
  title: string
  reason: string
  /** MITRE ATT&CK technique, where one applies. */
  technique: string | null
  /** Member names from the outermost to the one with the finding; empty for the document itself. */
  path: readonly string[]
  detail: string | null
}

/** Why a document could not be inspected completely. */
export interface Obstacle {
  reason: 'encrypted' | 'too_complex' | 'damaged'
  detail: string
  path: readonly string[]
  /** Encrypted in a way that a password opens here; those that were given do not. */
  isLocked?: true
}

/** Reported by every format that unpacks, and by the traversal for the document as a whole. */
export const RATIO_BOMB: Omit<Finding, 'path' | 'detail'> = {
  id: 'Docvet.Bomb.Ratio',
  severity: 'malicious',
  title: 'Decompression bomb',
  reason: 'A small amount of data unpacks to more than any real document contains.',
  technique: 'T1499.004',
}
