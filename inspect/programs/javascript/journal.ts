/** Remembers what is overwritten, so that branches that may not run can be undone and joined. */

import { spend, store } from './budget.ts'
import {
  CUT,
  CUT_NUMBER,
  type Holder,
  join,
  joinValues,
  type ListValue,
  nextAge,
  UNKNOWN,
  type Value,
} from './values.ts'

/** A value, or none. */
type Held = { value: Value } | null
type ListState = Pick<ListValue, 'items' | 'any'>

/** What was written since some point: with the values before, or those after. */
interface Changes {
  cells: ReadonlyMap<Holder, Map<string, Held>>
  lists: ReadonlyMap<ListValue, ListState>
}

const CELL_WORK = 300
const CELL_BYTES = 50
const ITEM_WORK = 10
const ITEM_BYTES = 16
/** Items of lists that are joined. Those of longer lists are unknown. */
const JOINED_MAX = 20_000
/** The same where all calls are joined: functions run again and again, and each run would copy the list. */
export const SETTLED_ITEMS_MAX = 1_000

const NO_CELLS: Changes['cells'] = new Map()
const NO_LISTS: Changes['lists'] = new Map()
const NO_CHANGES: Changes = { cells: NO_CELLS, lists: NO_LISTS }

export const noChanges = (): Changes => NO_CHANGES

/** Most branches write nothing, or only variables. */
function ownCells(changes: Changes): Map<Holder, Map<string, Held>> {
  if (changes.cells === NO_CELLS) changes.cells = new Map()
  return changes.cells as Map<Holder, Map<string, Held>>
}

function ownLists(changes: Changes): Map<ListValue, ListState> {
  if (changes.lists === NO_LISTS) changes.lists = new Map()
  return changes.lists as Map<ListValue, ListState>
}

const held = ({ cells }: Holder, key: string): Held => (cells.has(key) ? { value: cells.get(key) } : null)

function put({ cells }: Holder, key: string, value: Held): void {
  if (value === null) cells.delete(key)
  else cells.set(key, value.value)
}

function copyOf(list: ListValue): ListState {
  spend(list.items.length * ITEM_WORK)
  store(list.items.length * ITEM_BYTES)
  return { items: [...list.items], any: list.any }
}

export type Journal = ReturnType<typeof createJournal>
export type { Changes }

export function createJournal(isSettled: boolean) {
  /** The values before, for each branch that is open. */
  const levels: (Changes & { since: number })[] = []
  /** Every value that was written, for each `try`. */
  const histories: Map<Holder, Map<string, Value>>[] = []

  function remember(level: (typeof levels)[number], cells: Holder, key: string, before: Held): void {
    if (cells.born >= level.since) return
    const known = level.cells.get(cells) ?? new Map<string, Held>()
    if (known.has(key)) return
    ownCells(level).set(cells, known)
    spend(CELL_WORK)
    store(CELL_BYTES)
    known.set(key, before)
  }

  function set(cells: Holder, key: string, value: Value): void {
    const level = levels.at(-1)
    if (level !== undefined) remember(level, cells, key, held(cells, key))
    for (const history of histories) {
      spend(CELL_WORK)
      const known = history.get(cells) ?? new Map<string, Value>()
      history.set(cells, known)
      known.set(key, known.has(key) ? join(known.get(key), value) : join(valueIn(held(cells, key)), value))
    }
    if (!cells.cells.has(key)) store(CELL_BYTES)
    cells.cells.set(key, value)
  }

  /** Must be called before a list is changed. */
  function touch(list: ListValue): void {
    const level = levels.at(-1)
    if (level === undefined || list.born >= level.since || level.lists.has(list)) return
    if (isSettled && list.items.length > SETTLED_ITEMS_MAX) {
      blur(list)
      return
    }
    ownLists(level).set(list, copyOf(list))
  }

  function begin(): void {
    levels.push({ cells: NO_CELLS, lists: NO_LISTS, since: nextAge() })
  }

  /** Undoes what was written since `begin`, and returns it. */
  function undo(): Changes {
    const before = levels.pop() ?? NO_CHANGES
    if (!hasChanges(before)) return NO_CHANGES
    const after: Changes = { cells: NO_CELLS, lists: NO_LISTS }
    for (const [holder, known] of before.cells) {
      const values = new Map<string, Held>()
      for (const [key, old] of known) {
        spend(CELL_WORK)
        values.set(key, held(holder, key))
        put(holder, key, old)
      }
      ownCells(after).set(holder, values)
    }
    for (const [list, old] of before.lists) {
      ownLists(after).set(list, { items: list.items, any: list.any })
      list.items = old.items
      list.any = old.any
    }
    return after
  }

  /** Keeps what was written since `begin`, as a part of the branch around it. Returns the values before. */
  function commit(): Changes {
    const before = levels.pop() ?? NO_CHANGES
    const outer = levels.at(-1)
    if (outer === undefined) return before
    for (const [holder, known] of before.cells) for (const [key, old] of known) remember(outer, holder, key, old)
    for (const [list, old] of before.lists)
      if (list.born < outer.since && !outer.lists.has(list)) ownLists(outer).set(list, old)
    return before
  }

  /** The state after one of the branches, each of which began at the state as it is. */
  function merge(branches: readonly Changes[]): void {
    branches.forEach(({ cells, lists }, i) => {
      if (cells.size > 0) for (const [holder, known] of cells) mergeCells(branches, i, holder, known)
      if (lists.size > 0) for (const [list, state] of lists) mergeList(list, state, branches.length > 1)
    })
  }

  /** Of one of the branches, what those before it have not written. */
  function mergeCells(
    branches: readonly Changes[],
    at: number,
    holder: Holder,
    known: ReadonlyMap<string, Held>,
  ): void {
    for (const key of known.keys())
      if (!isWritten(branches, at, holder, key)) set(holder, key, joinValues(valuesAfter(branches, holder, key)))
  }

  function mergeList(list: ListValue, state: ListState, isDoubtful: boolean): void {
    touch(list)
    if (isDoubtful) joinLists(list, state)
    else Object.assign(list, { items: state.items, any: state.any })
  }

  return {
    set,
    touch,
    begin,
    undo,
    commit,
    merge,
    depth: () => levels.length,
    /** What was written since a depth. */
    since(depth: number): Changes {
      const cells = new Map<Holder, Map<string, Held>>()
      const lists = new Map<ListValue, ListState>()
      for (const level of levels.slice(depth)) {
        for (const [holder, known] of level.cells) {
          spend(known.size * CELL_WORK)
          addAll(cells, holder, known)
        }
        for (const [list, state] of level.lists) lists.set(list, state)
      }
      return { cells, lists }
    },
    /** Undoes branches that were given up. */
    unwind(depth: number, tries: number): void {
      while (levels.length > depth) undo()
      histories.length = tries
    },
    beginHistory: () => void histories.push(new Map()),
    endHistory: () => histories.pop() ?? new Map<Holder, Map<string, Value>>(),
  }
}

function addAll(cells: Map<Holder, Map<string, Held>>, holder: Holder, known: ReadonlyMap<string, Held>): void {
  const all = cells.get(holder)
  if (all === undefined) cells.set(holder, new Map(known))
  else for (const [key, old] of known) all.set(key, old)
}

/** Whether one of the first branches wrote it. */
function isWritten(branches: readonly Changes[], count: number, holder: Holder, key: string): boolean {
  for (let i = 0; i < count; i++) if (branches[i]?.cells.get(holder)?.has(key)) return true
  return false
}

function valuesAfter(branches: readonly Changes[], holder: Holder, key: string): Value[] {
  spend(branches.length * CELL_WORK)
  const before = held(holder, key)
  return branches.map(({ cells }) => {
    const found = cells.get(holder)?.get(key)
    return valueIn(found === undefined ? before : found)
  })
}

const valueIn = (value: Held): Value => (value === null ? UNKNOWN : value.value)

/** Its items are no longer known. */
function blur(list: ListValue): void {
  list.any = list.isTyped ? CUT_NUMBER : CUT
}

/** The list has the items of both, each at its place. */
function joinLists(list: ListValue, { items, any }: ListState): void {
  const length = Math.max(list.items.length, items.length)
  if (length > JOINED_MAX) {
    blur(list)
    return
  }
  spend(length * ITEM_WORK)
  store(length * ITEM_BYTES)
  list.items = Array.from({ length }, (_, i) => {
    const [left, right] = [list.items[i], items[i]]
    return typeof left !== 'string' && left === right ? left : join(left, right)
  })
  if (any !== undefined) list.any = list.any === undefined ? any : join(list.any, any)
}

/** Whether a branch wrote something. */
export function hasChanges({ cells, lists }: Changes): boolean {
  return cells.size > 0 || lists.size > 0
}

/** How much was written. */
export function sizeOf({ cells, lists }: Changes): number {
  let size = lists.size
  for (const keys of cells.values()) size += keys.size
  return size
}
