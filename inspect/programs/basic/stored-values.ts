/** Values that a document stores where its macros read them: cells, controls of forms, variables and properties. */

export interface StoredCells {
  /** Names in lower case, in the order of the sheets. */
  sheets: readonly string[]
  /** Rows and columns count from zero. undefined: empty. */
  at(place: CellPlace): string | number | undefined
  /** Names that stand for one cell, in lower case. */
  names: ReadonlyMap<string, CellPlace>
}

interface CellPlace {
  sheet: string
  row: number
  column: number
}

export interface StoredValues {
  cells?: StoredCells
  /** By form, control and property, such as `userform1.label1.caption`. Without a property, the default one. */
  controls?: ReadonlyMap<string, string>
  /** By kind and name, such as `variables(name)`. */
  texts?: ReadonlyMap<string, string>
}
