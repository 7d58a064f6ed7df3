/** Facts that analysers record about the parts of a document, so that others can combine them into findings. */

/** A kind of fact, and the type of its values. Created once per module, like a mark. */
export interface FactType<T> {
  readonly name: string
  /** Only for the type checker. */
  readonly value?: T
}

export const factType = <T>(name: string): FactType<T> => ({ name })

interface Recorded<T> {
  value: T
  /** Of the item that recorded it. */
  path: readonly string[]
}

export interface Facts {
  /** In the order in which they were recorded. */
  of<T>(type: FactType<T>): readonly Recorded<T>[]
}

/** The facts of one item and everything in it. */
export function createFacts() {
  /** Most items have none. */
  let byType: Map<FactType<unknown>, Recorded<unknown>[]> | undefined
  return {
    add<T>(type: FactType<T>, value: T, path: readonly string[]): void {
      byType ??= new Map()
      const known = byType.get(type)
      if (known === undefined) byType.set(type, [{ value, path }])
      else known.push({ value, path })
    },
    of: <T>(type: FactType<T>) => (byType?.get(type) ?? []) as Recorded<T>[],
  } satisfies Facts & { add: unknown }
}
