/** What an inspection can say: findings, and obstacles that kept it from looking. */

export type Severity = 'malicious' | 'suspicious' | 'notice'

export interface Finding {
  /** Stable name, such as `Docvet.Test.Eicar`. */
  id: string
  severity: Severity
  title: string
  reason: string
  /** MITRE ATT&CK technique, where one fits. */
  technique: string | null
  /** Members from the outermost to where it was seen; empty for the document itself. */
  path: readonly string[]
  detail: string | null
}

/** Shared by every format that unpacks: a member or the whole document expands past the ratio of `Limits`. */
export const RATIO_BOMB: Omit<Finding, 'path' | 'detail'> = {
  id: 'Docvet.Bomb.Ratio',
  severity: 'malicious',
  title: 'Decompression bomb',
  reason: 'A small amount of data unpacks to an amount that no real document reaches.',
  technique: 'T1499.004',
}

export interface Obstacle {
  reason: 'encrypted' | 'too_complex' | 'damaged'
  detail: string
  path: readonly string[]
}
