/** The definition of a finding, before any document shows it. */

import type { Finding } from '#inspect/core/findings.ts'

/** An analyser adds it as it is; only the article goes no further. */
export interface Definition extends Omit<Finding, 'path' | 'detail'> {
  /** For the owner of the document. */
  article: {
    /** The gain of an attacker. */
    danger: string
    /** Why an honest document may have it. null: none is known. */
    cause: string | null
    /** Advice for the owner of the document. */
    advice: string
  }
}
