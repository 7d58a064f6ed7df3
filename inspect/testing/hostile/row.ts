/** One document of the hostile table. */
export interface HostileRow {
  name: string
  /** As it is uploaded. */
  fileName: string
  create(): Buffer
}
