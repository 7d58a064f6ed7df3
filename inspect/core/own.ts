/** A row of a table by a key that a document gives, which may be what every object has, such as `constructor`. */
export function ownOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
