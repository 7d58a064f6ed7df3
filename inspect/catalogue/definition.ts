/** What is known about a finding before any document shows it. */

import type { Finding } from '#inspect/core/findings.ts'

/** An analyser adds it as it is; only the article goes no further. */
export interface Definition extends Omit<Finding, 'path' | 'detail'> {
  /** For the owner of the document. */
  article: {
    /** What an attacker gains by it. */
    danger: string
    /** Why an honest document may have it. null: none is known. */
    cause: string | null
    /** What to do with the document. */
    advice: string
  }
}
