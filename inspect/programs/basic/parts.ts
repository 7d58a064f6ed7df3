/** Splits the source of a module into procedures and the text between them. */

import { charge, keep } from '#inspect/core/work.ts'

interface Part {
  /** null: outside procedures. */
  name: string | null
  text: string
}

const CHARACTER_WORK = 3
const EVENT_WORK = 150
const PROCEDURE_BYTES = 200

/** A directive of conditional compilation, or the header or the end of a procedure. */
const EVENT =
  /^[ \t]*#[ \t]*(if|elseif|else|end[ \t]*if)\b[^\r\n]*|(?:^|:)[ \t]*(?:(?:public|private|friend|static|global|default)[ \t]+)*(?:(end)[ \t]+)?(?:sub|function|property(?:[ \t]+(?:get|let|set))?)(?:[ \t]+(?!lib\b)([^\s(:'"=,.]+))?(?=[ \t(:'\r\n]|$)/gim

/** A procedure that has begun. */
interface Open {
  name: string
  /** The header and what belongs to it so far, apart from headers in other branches. */
  text: string
  /** Branches of conditional compilation around the header. */
  depth: number
  /** Some branch ends it. */
  mayHaveEnded: boolean
}

/**
 * All branches of `#If` are possible. Headers in two branches begin two procedures that have the rest in common, and an end in
 * a branch does not end a procedure that began outside of it.
 */
export function* partsOf(text: string): Generator<Part> {
  charge(text.length * CHARACTER_WORK)
  let from = 0
  let depth = 0
  let open: Open[] = []
  let isDirected = false
  /** Adds the text before the event to the open procedures. */
  const advance = ({ index, 0: whole }: RegExpExecArray): string => {
    const before = text.slice(from, index)
    for (const each of open) each.text += before
    from = index + whole.length
    return before
  }
  EVENT.lastIndex = 0
  for (let found = EVENT.exec(text); found !== null; found = EVENT.exec(text)) {
    charge(EVENT_WORK * (1 + open.length))
    const [whole, directive, end, name] = found
    if (directive !== undefined) {
      isDirected = true
      depth = Math.max(0, depth + change(directive))
    } else if (end !== undefined && open.length > 0) {
      advance(found)
      const [ended, others] = divide(open, (each) => each.depth >= depth)
      yield* ended
      open = others.map((each) => ({ ...each, mayHaveEnded: true }))
    } else if (end === undefined && name !== undefined) {
      const before = advance(found)
      if (open.length === 0) yield { name: null, text: before }
      const [ended, others] = divide(open, (each) => !isDirected || (each.mayHaveEnded && depth <= each.depth))
      yield* ended
      keep(PROCEDURE_BYTES)
      open = [...others, { name, text: whole, depth, mayHaveEnded: false }]
      isDirected = false
    }
  }
  const rest = text.slice(from)
  yield* open.length === 0 ? [{ name: null, text: rest }] : open.map((each) => ({ ...each, text: each.text + rest }))
}

function change(directive: string): number {
  return /^if/i.test(directive) ? 1 : /^end/i.test(directive) ? -1 : 0
}

function divide<T>(all: readonly T[], test: (each: T) => boolean): [yes: T[], no: T[]] {
  return [all.filter(test), all.filter((each) => !test(each))]
}
