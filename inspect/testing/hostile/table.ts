/** Documents that ask an analyser for as much as they can, in every language and format. */
import { DOCUMENTS } from './documents.ts'
import type { HostileRow } from './row.ts'
import { SCRIPTS } from './scripts.ts'
import { SQUARES } from './squares.ts'

export const HOSTILE: readonly HostileRow[] = [...SCRIPTS, ...DOCUMENTS, ...SQUARES]
