/** Attacks that differ in one choice, each with a harmless document that resembles it. */

export interface Pair {
  name: string
  attack: Uint8Array
  harmless: Uint8Array
}

export type Row = readonly [name: string, attack: Uint8Array, harmless: Uint8Array]

export const pairs = (rows: readonly Row[]): Pair[] =>
  rows.map(([name, attack, harmless]) => ({ name, attack, harmless }))
