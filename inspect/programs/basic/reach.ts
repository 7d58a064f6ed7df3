/** Finds the procedures that other procedures run, also where VBA calls them without their name. */

import { charge, keep } from '#inspect/core/work.ts'
import type { Program, Source } from './program.ts'
import { isObjectEvent } from './triggers.ts'

const NAME_WORK = 100
const NAME_BYTES = 100

/** Procedures that the given ones mention, directly or not. A form or class that is created runs its own events. */
export function reachable(program: Program, starts: readonly string[]): Set<string> {
  const reached = new Set(starts)
  const open = [...starts]
  const index = indexOf(program)
  for (let name = open.pop(); name !== undefined; name = open.pop())
    for (const source of program.procedures.get(name) ?? [])
      for (const called of calledBy(source, index)) {
        charge(NAME_WORK)
        if (reached.has(called) || !program.procedures.has(called)) continue
        keep(NAME_BYTES)
        reached.add(called)
        open.push(called)
      }
  return reached
}

interface Index {
  /** Events of a class or form by the name of its module. */
  events: ReadonlyMap<string, readonly string[]>
  /** Classes of variables of the program: `Dim a As New B` creates the object when it is used. */
  classes: ReadonlyMap<string, string>
  /** Procedures by what follows the last underscore of their names. */
  handlers: ReadonlyMap<string, readonly string[]>
}

function indexOf({ procedures, outside }: Program): Index {
  const events = new Map<string, string[]>()
  const handlers = new Map<string, string[]>()
  for (const [name, sources] of procedures) {
    charge(NAME_WORK)
    if (!name.includes('_')) continue
    add(handlers, name.slice(name.lastIndexOf('_') + 1), name)
    if (isObjectEvent(name)) for (const { module } of sources) add(events, module, name)
  }
  const classes = new Map<string, string>()
  for (const each of outside)
    if (each.kind === 'assign' && each.target.kind === 'name' && each.value.kind === 'new')
      classes.set(each.target.name, each.value.name)
  return { events, classes, handlers }
}

function add(map: Map<string, string[]>, key: string, name: string): void {
  keep(NAME_BYTES)
  const known = map.get(key)
  if (known === undefined) map.set(key, [name])
  else known.push(name)
}

const FORM_EVENTS = ['userform_initialize', 'userform_activate', 'userform_layout']

/** The names in a procedure, and what they run. */
function* calledBy(source: Source, { events, classes, handlers }: Index): Generator<string> {
  const { mentions } = source.parse()
  const raises = mentions.has('raiseevent')
  // `Button1.Value = True` clicks a button.
  const clicks = mentions.has('value')
  if (mentions.has('show') || mentions.has('load')) yield* FORM_EVENTS
  for (const name of mentions) {
    yield name
    yield* events.get(classes.get(name) ?? name) ?? []
    // `RaiseEvent Done` calls `worker_Done`.
    if (raises) yield* handlers.get(name) ?? []
    if (clicks) yield `${name}_click`
  }
}
