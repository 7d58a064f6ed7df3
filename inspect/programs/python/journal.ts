/** Remembers what is overwritten, so that branches that may not run can be undone and joined. */

import { spend, store } from '../javascript/budget.ts'
import { CUT, type Holder, isSame, join, originOf, UNKNOWN, unknown, type Value } from './values.ts'

/** Values by place; undefined: none was stored. */
export type Changes = Map<Holder, Map<string, Value | undefined>>

const PLACE_WORK = 150
const PLACE_BYTES = 80

export const NO_CHANGES: Changes = new Map()

function setIn(changes: Changes, holder: Holder, key: string, value: Value | undefined): void {
  const known = changes.get(holder)
  spend(PLACE_WORK)
  store(PLACE_BYTES)
  if (known === undefined) changes.set(holder, new Map([[key, value]]))
  else known.set(key, value)
}

/** Calls instead of a generator, which makes four objects for each place. */
function eachPlace(changes: Changes, visit: (holder: Holder, key: string, value: Value | undefined) => void): void {
  changes.forEach((known, holder) => {
    known.forEach((value, key) => {
      spend(PLACE_WORK)
      visit(holder, key, value)
    })
  })
}

const put = ({ cells }: Holder, key: string, value: Value | undefined): void => {
  if (value === undefined) cells.delete(key)
  else cells.set(key, value)
}

export class Journal {
  /** The values before, for each branch that is open. */
  readonly #levels: Changes[] = []
  /** Every value that was written, for each `try`. */
  readonly #histories: Changes[] = []
  /** How often a value was replaced by another one. */
  writes = 0

  get depth(): number {
    return this.#levels.length
  }

  set(holder: Holder, key: string, value: Value): void {
    const old = holder.cells.get(key)
    spend(PLACE_WORK)
    if (old !== undefined && isSame(old, value)) return
    this.writes++
    const level = this.#levels.at(-1)
    if (level !== undefined && !level.get(holder)?.has(key)) setIn(level, holder, key, old)
    for (const history of this.#histories) {
      const known = history.get(holder)?.get(key)
      setIn(history, holder, key, join(known ?? old ?? UNKNOWN, value))
    }
    if (old === undefined) store(PLACE_BYTES)
    holder.cells.set(key, value)
  }

  begin(): void {
    this.#levels.push(new Map())
  }

  /** Undoes what was written since `begin`, and returns it. */
  undo(): Changes {
    const after: Changes = new Map()
    eachPlace(this.#levels.pop() ?? NO_CHANGES, (holder, key, old) => {
      setIn(after, holder, key, holder.cells.get(key))
      put(holder, key, old)
    })
    return after
  }

  /** Keeps what was written since `begin`, as a part of the branch around it. */
  commit(): void {
    const before = this.#levels.pop() ?? NO_CHANGES
    const outer = this.#levels.at(-1)
    if (outer === undefined) return
    eachPlace(before, (holder, key, old) => {
      if (!outer.get(holder)?.has(key)) setIn(outer, holder, key, old)
    })
  }

  /** The state as it is, compared with that when the level began. */
  capture(level: number): Changes {
    const state: Changes = new Map()
    for (const changes of this.#levels.slice(level))
      eachPlace(changes, (holder, key) => setIn(state, holder, key, holder.cells.get(key)))
    return state
  }

  /** Goes on with the state after one of the branches, each of which began at the state as it is. */
  merge(branches: readonly Changes[]): void {
    const done: Changes = new Map()
    for (const branch of branches)
      eachPlace(branch, (holder, key) => {
        if (done.get(holder)?.has(key)) return
        setIn(done, holder, key, undefined)
        const before = holder.cells.get(key)
        const values: Value[] = []
        for (const each of branches) {
          const known = each.get(holder)
          const value = known?.has(key) ? known.get(key) : before
          if (value !== undefined) values.push(value)
        }
        spend(branches.length * PLACE_WORK)
        this.set(holder, key, join(...values))
      })
  }

  /** The written value may also be unknown. */
  widen(changes: Changes, isCut: boolean): void {
    // What is written may be added to them.
    const all: [Holder, string][] = []
    eachPlace(changes, (holder, key) => all.push([holder, key]))
    for (const [holder, key] of all) {
      const value = holder.cells.get(key) ?? UNKNOWN
      this.set(holder, key, join(value, unknown(originOf(value) | (isCut ? CUT : 0))))
    }
  }

  /** Nothing that was begun is ended any more. */
  end(): void {
    this.#levels.length = 0
    this.#histories.length = 0
  }

  beginHistory(): void {
    this.#histories.push(new Map())
  }

  endHistory(): Changes {
    return this.#histories.pop() ?? NO_CHANGES
  }
}
