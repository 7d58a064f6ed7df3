/** Methods of lists and dictionaries. */

import { spend } from '../javascript/budget.ts'
import type { Machine } from './machine.ts'
import { change, keyOf } from './members.ts'
import {
  CUT_OFF,
  contentsOf,
  type EntriesValue,
  type Holder,
  type ItemsValue,
  join,
  known,
  NONE,
  UNKNOWN,
  type Value,
} from './values.ts'

const ITEM_WORK = 10
const ITEMS_MAX = 50_000

type Change = (content: ItemsValue, given: readonly Value[]) => readonly Value[]

const items = (all: readonly Value[]): Value[] => [all.length > ITEMS_MAX ? CUT_OFF : { kind: 'items', items: all }]

const LISTS: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['append', ({ items: all }, [value = UNKNOWN]) => items([...all, value])],
  ['add', ({ items: all }, [value = UNKNOWN]) => items([...all, value])],
  [
    'extend',
    ({ items: all }, [value = UNKNOWN]) =>
      contentsOf(value).flatMap((each) => (each.kind === 'items' ? items([...all, ...each.items]) : [UNKNOWN])),
  ],
  [
    'insert',
    ({ items: all }, [at = UNKNOWN, value = UNKNOWN]) =>
      items(at.kind === 'number' ? all.toSpliced(at.number, 0, value) : all.map((each) => join(each, value))),
  ],
  [
    'pop',
    ({ items: all }, [at]) =>
      items(at === undefined ? all.slice(0, -1) : at.kind === 'number' ? all.toSpliced(at.number, 1) : all),
  ],
  ['reverse', ({ items: all }) => items([...all].reverse())],
  ['clear', () => items([])],
])

/** The result of a method that changes a list or dictionary, or reads all of it; null: it is not one of these. */
export function foldContainer(machine: Machine, self: Value, method: string, given: readonly Value[]): Value | null {
  for (const each of contentsOf(self)) {
    if (each.kind === 'entries') spend(each.entries.size * ITEM_WORK)
    if (each.kind === 'items') spend(each.items.length * ITEM_WORK)
  }
  if (self.kind === 'list') return foldList(machine, self.holder, method, given)
  if (self.kind === 'dict' && (method === 'update' || method === 'setdefault')) {
    const compute = (content: Value): readonly Value[] =>
      content.kind === 'entries' ? updated(content, method, given) : [content]
    change(machine, self.holder, false, compute)
    return method === 'update' ? NONE : null
  }
  if (!/^(?:keys|values|items)$/.test(method)) return null
  return join(...contentsOf(self).map((each) => (each.kind === 'entries' ? listed(each, method) : UNKNOWN)))
}

function foldList(machine: Machine, holder: Holder, method: string, given: readonly Value[]): Value | null {
  const before = contentsOf({ kind: 'list', holder })
  const compute = LISTS.get(method)
  if (compute === undefined) return method === 'copy' ? join(...before) : null
  change(machine, holder, false, (content) => (content.kind === 'items' ? compute(content, given) : [content]))
  return method === 'pop' ? popped(before, given) : NONE
}

function popped(before: readonly Value[], [at]: readonly Value[]): Value {
  const place = at === undefined ? -1 : at.kind === 'number' ? at.number : null
  return join(
    ...before.map((each) => {
      if (each.kind !== 'items') return UNKNOWN
      return place === null ? join(...each.items) : (each.items.at(place) ?? UNKNOWN)
    }),
  )
}

function updated(
  { entries }: EntriesValue,
  method: string,
  [first = UNKNOWN, second = UNKNOWN]: readonly Value[],
): Value[] {
  if (entries.size > ITEMS_MAX) return [CUT_OFF]
  if (method === 'setdefault') {
    const key = keyOf(first)
    return [
      entries.has(key)
        ? { kind: 'entries', entries }
        : { kind: 'entries', entries: new Map([...entries, [key, second]]) },
    ]
  }
  return contentsOf(first).map((each) =>
    each.kind === 'entries' ? { kind: 'entries', entries: new Map([...entries, ...each.entries]) } : UNKNOWN,
  )
}

function listed({ entries }: EntriesValue, method: string): Value {
  const all = [...entries].map(([key, value]): Value => {
    if (method === 'values') return value
    return method === 'keys' ? known(key) : { kind: 'items', items: [known(key), value] }
  })
  return { kind: 'items', items: all }
}
