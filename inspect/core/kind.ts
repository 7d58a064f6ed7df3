/** The result of type detection. */

export type Kind = 'pdf' | 'ole2' | 'ooxml' | 'odf' | 'rtf' | 'onenote' | 'text' | 'zip'

export interface Sniffed {
  /** null: none of the accepted kinds. */
  kind: Kind | null
  /** Media type, also of what is not accepted. */
  type: string
}
