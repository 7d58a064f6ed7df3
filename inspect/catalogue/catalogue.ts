/** Every finding that the analyser can add, by its id. */

import type { Definition } from './definition.ts'
import { PDF } from './pdf.ts'

const FAMILIES: readonly Readonly<Record<string, Definition>>[] = [PDF]

export const CATALOGUE: ReadonlyMap<string, Definition> = new Map(
  FAMILIES.flatMap((family) => Object.values(family).map((definition) => [definition.id, definition])),
)
