/** The memory of a program, and how branches that may or may not be taken change it. */

import { charge, keep } from '#inspect/core/work.ts'
import { areSame, joinValues, type Value } from './values.ts'

type Container = Map<string, Value> | Value[]
type Key = string | number

/** Nothing was stored there. */
const ABSENT: unique symbol = Symbol('absent')
type Stored = Value | typeof ABSENT

/** Values by their places. */
type Places = Map<Container, Map<Key, Stored>>

/**
 * The state of the program where it differs from the current one. Before a place is written, its value is added to every record
 * that does not have it, so that a record stays true. If a record has a place, so have all records below it.
 */
export interface Pending {
  readonly places: Places
  /** Records are numbered as they are created. */
  readonly serial: number
  size: number
  /** Where the log ended when a state was added last; null: states are not added. */
  seen: number | null
}

export interface Memory {
  /** From the oldest to the newest. */
  readonly records: Pending[]
  /** Every place that was written while records exist: what changed since a state was added to another. */
  readonly log: [Container, Key][]
  /** States of which every later state is a part: those in which an error may happen. */
  readonly handlers: Pending[]
  /** While it is above zero, a value that is written may also stay as it was. */
  weak: number
  /** Of the last record. */
  serial: number
  /** Of the last record to which states are added. */
  pendingSerial: number
  /** The last record that is older than a container, which therefore needs no place in it. */
  readonly births: WeakMap<Container, number>
  /** How often a value was replaced by another one. */
  changes: number
  /** Places in all records, now and at most. */
  places: number
  placesMax: number
}

const PLACE_BYTES = 150
const PLACE_WORK = 200

export const createMemory = (): Memory => ({
  records: [],
  log: [],
  handlers: [],
  weak: 0,
  serial: 0,
  pendingSerial: 0,
  births: new WeakMap(),
  changes: 0,
  places: 0,
  placesMax: 0,
})

/** After an evaluation was ended, nothing waits for its states any more. */
export function forget(memory: Memory): void {
  memory.records.length = 0
  memory.handlers.length = 0
  memory.log.length = 0
  memory.weak = 0
  memory.places = 0
}

function get(container: Container, key: Key): Stored {
  if (Array.isArray(container)) {
    if (key === LENGTH) return container.length
    return Number(key) < container.length ? container[Number(key)] : ABSENT
  }
  return container.has(String(key)) ? container.get(String(key)) : ABSENT
}

/** The length of an array is a place as well. */
const LENGTH = 'length'

function put(container: Container, key: Key, value: Stored): void {
  if (Array.isArray(container)) {
    if (key === LENGTH) container.length = Number(value)
    else if (value !== ABSENT) container[Number(key)] = value
  } else if (value === ABSENT) container.delete(String(key))
  else container.set(String(key), value)
}

/** A variable that was not assigned is empty. */
const plain = (stored: Stored): Value => (stored === ABSENT ? null : stored)

function add(memory: Memory, pending: Pending, container: Container, key: Key, value: Stored): void {
  let keys = pending.places.get(container)
  if (keys === undefined) {
    keys = new Map()
    pending.places.set(container, keys)
  }
  if (!keys.has(key)) {
    pending.size++
    if (++memory.places > memory.placesMax) {
      memory.placesMax = memory.places
      keep(PLACE_BYTES)
    }
  }
  keys.set(key, value)
}

function createRecord(memory: Memory, takesStates: boolean): Pending {
  const serial = ++memory.serial
  if (takesStates) memory.pendingSerial = serial
  return { places: new Map(), serial, size: 0, seen: takesStates ? memory.log.length : null }
}

/** Variables of a procedure that begins. */
export function begin(memory: Memory, container: Container): void {
  memory.births.set(container, memory.serial)
}

const has = ({ places }: Pending, container: Container, key: Key): boolean => places.get(container)?.has(key) === true

/** Stores a value, and keeps what the states that wait had there. */
export function write(memory: Memory, container: Container, key: Key, value: Value): void {
  const { records, handlers } = memory
  if (records.length === 0 && handlers.length === 0 && memory.weak === 0) {
    put(container, key, value)
    return
  }
  const old = get(container, key)
  const next = memory.weak > 0 ? joinValues([plain(old), value]) : value
  if (!isSame(next, old)) memory.changes++
  if (old === ABSENT && Array.isArray(container)) note(memory, container, LENGTH, container.length)
  note(memory, container, key, old)
  charge(handlers.length * PLACE_WORK)
  const birth = memory.births.get(container) ?? 0
  for (const handler of handlers) {
    if (handler.serial <= birth) continue
    const known = plain(stateIn(handler.places, container, key, old))
    add(memory, handler, container, key, joinValues([known, next]))
  }
  put(container, key, next)
}

function note(memory: Memory, container: Container, key: Key, old: Stored): void {
  const { records } = memory
  const birth = memory.births.get(container) ?? 0
  mark(memory, container, key)
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at]
    if (record === undefined || record.serial <= birth || has(record, container, key)) return
    add(memory, record, container, key, old)
  }
}

function mark({ log, births, pendingSerial }: Memory, container: Container, key: Key): void {
  charge(PLACE_WORK)
  if (pendingSerial > (births.get(container) ?? 0)) log.push([container, key])
}

/** The value in that state; `current` if it does not differ. */
function stateIn(places: Places, container: Container, key: Key, current: Stored): Stored {
  const keys = places.get(container)
  return keys?.has(key) ? keys.get(key) : current
}

/** Values that one branch stored, and how it was left. */
interface Branch<T> {
  changes: Places
  result: T
}

/** Runs something and takes back what it stored. */
export function branch<T>(memory: Memory, run: () => T): Branch<T> {
  const { records } = memory
  const record = createRecord(memory, false)
  records.push(record)
  const result = run()
  const at = records.indexOf(record)
  const changes: Places = new Map()
  eachPlace(record.places, (container, key) => {
    const value = get(container, key)
    setIn(changes, container, key, value)
    // States inside the branch were relative to what it stored.
    for (let i = at + 1; i < records.length; i++) {
      const later = records[i]
      if (later !== undefined && !has(later, container, key)) add(memory, later, container, key, value)
    }
  })
  discard(memory, record)
  eachPlace(record.places, (container, key, old) => {
    mark(memory, container, key)
    if (key !== LENGTH) put(container, key, old)
  })
  eachPlace(record.places, (container, key, old) => {
    if (key === LENGTH) put(container, key, old)
  })
  return { changes, result }
}

function setIn(places: Places, container: Container, key: Key, value: Stored): void {
  const keys = places.get(container)
  if (keys === undefined) places.set(container, new Map([[key, value]]))
  else keys.set(key, value)
}

/** Calls instead of a generator, which makes four objects for each place. */
function eachPlace(places: Places, visit: (container: Container, key: Key, value: Stored) => void): void {
  places.forEach((keys, container) => {
    keys.forEach((value, key) => {
      charge(PLACE_WORK)
      visit(container, key, value)
    })
  })
}

function discard(memory: Memory, record: Pending): void {
  for (const list of [memory.records, memory.handlers]) {
    const at = list.indexOf(record)
    if (at !== -1) list.splice(at, 1)
  }
  memory.places -= record.size
  if (memory.records.length === 0) memory.log.length = 0
}

/** Continues with what each of the branches stored. `orNone`: perhaps none was taken. false: nothing has changed. */
export function join(memory: Memory, branches: readonly Places[], orNone: boolean): boolean {
  const all: Places = new Map()
  for (const places of branches) eachPlace(places, (container, key) => setIn(all, container, key, null))
  let isChanged = false
  eachPlace(all, (container, key) => {
    if (key === LENGTH) return
    const old = get(container, key)
    const values = orNone ? [plain(old)] : []
    for (const places of branches) values.push(plain(stateIn(places, container, key, old)))
    const joined = joinValues(values)
    if (isSame(joined, old)) return
    isChanged = true
    write(memory, container, key, joined)
  })
  return isChanged
}

function isSame(value: Value, old: Stored): boolean {
  return old === ABSENT ? value === null : areSame(value, old)
}

function eachSince({ seen }: Pending, { log }: Memory, visit: (container: Container, key: Key) => void): void {
  for (let at = seen ?? 0; at < log.length; at++) {
    charge(PLACE_WORK)
    const place = log[at]
    if (place !== undefined) visit(place[0], place[1])
  }
}

/** Lets a state wait until the program comes to where it continues: after a loop, at a label, at the end of a procedure. */
export function postpone(memory: Memory, pending: Pending | null, changes: Places): Pending {
  if (pending === null) {
    const created = createRecord(memory, true)
    memory.records.push(created)
    eachPlace(changes, (container, key, value) => add(memory, created, container, key, value))
    return created
  }
  const changed: Places = new Map()
  eachPlace(changes, (container, key) => {
    setIn(changed, container, key, null)
    if (!has(pending, container, key)) add(memory, pending, container, key, get(container, key))
  })
  // Places that were not written since have been added before.
  const note = (container: Container, key: Key): void => {
    if (has(pending, container, key)) setIn(changed, container, key, null)
  }
  if (pending.size < memory.log.length - (pending.seen ?? 0)) eachPlace(pending.places, note)
  else eachSince(pending, memory, note)
  pending.seen = memory.log.length
  eachPlace(changed, (container, key) => {
    if (key === LENGTH) return
    const current = get(container, key)
    const one = plain(stateIn(pending.places, container, key, current))
    const other = plain(stateIn(changes, container, key, current))
    add(memory, pending, container, key, joinValues([one, other]))
  })
  return pending
}

/** From now on, everything that is stored belongs to the state in which an error is handled. */
export function handle(memory: Memory): Pending {
  const handler = createRecord(memory, false)
  memory.handlers.push(handler)
  return handler
}

/** The state no longer waits. */
export function drop(memory: Memory, pending: Pending): void {
  discard(memory, pending)
}

/** The state goes on here, in place of the current one. */
export function switchTo(memory: Memory, pending: Pending): void {
  discard(memory, pending)
  eachPlace(pending.places, (container, key, value) => {
    if (key !== LENGTH) write(memory, container, key, plain(value))
  })
}

/** The state goes on here, together with the current one. */
export function resolve(memory: Memory, pending: Pending): void {
  discard(memory, pending)
  join(memory, [pending.places], true)
}

/** Places that change between the two are unknown: a loop that is not followed to its end may store anything there. */
export function widen(memory: Memory, changed: Pick<Pending, 'places'>, unknownOf: (value: Value) => Value): void {
  // What is written may be added to them.
  const all: [Container, Key][] = []
  eachPlace(changed.places, (container, key) => all.push([container, key]))
  for (const [container, key] of all)
    if (key !== LENGTH) write(memory, container, key, unknownOf(plain(get(container, key))))
}

/** A record of what is stored from now on. */
export function watch(memory: Memory): Pending {
  const record = createRecord(memory, false)
  memory.records.push(record)
  return record
}
