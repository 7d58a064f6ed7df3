/** Which functions of a program matter: those that may act, and those from which these take something. */

import { charge } from '#inspect/core/work.ts'
import type { Definition, Expression, Statement } from './syntax.ts'

/** Names by which programs are started and text is run, and by which other names are computed. */
const ACTS =
  /^(?:system|popen\w*|exec\w{0,4}|eval|compile|spawn\w*|posix_spawnp?|startfile|run|call|check_\w+|getoutput|getstatusoutput|Popen|create_subprocess_\w+|CreateProcess|ShellExecute\w*|WinExec|Run|Exec|Open|execute|dup2|connect|recv|urlopen|urlretrieve|getattr|__import__|import_module|__dict__|vars|globals|locals|__builtins__|createInstance\w*|createUnoService|windll|cdll)$/
const NAME_WORK = 60
const NODE_WORK = 60
const ROUNDS_MAX = 20

interface Uses {
  names: Set<string>
  /** Variables of others and attributes that it sets. */
  sets: Set<string>
  /** Values that variables are given: `run = os.system`. */
  aliases: { name: string; from: Set<string> }[]
}

/** `created`: functions of the program. */
export function relevantIn(program: readonly Statement[], created: Iterable<Definition>): ReadonlySet<Definition> {
  const uses = new Map([...created].map((each) => [each, usesOf(each.body)]))
  const outside = usesOf(program)
  const acting = actingIn([outside, ...uses.values()])
  const wanted = new Set(outside.names)
  const found = new Set<Definition>()
  const isActing = (name: string): boolean => ACTS.test(name) || acting.has(name)
  const isRelevant = (definition: Definition, { names, sets }: Uses, round: number): boolean => {
    charge((1 + sets.size + names.size) * NAME_WORK)
    if (round === 0 && [...names].some(isActing)) return true
    return wanted.has(definition.name) || [...sets].some((name) => wanted.has(name))
  }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = found.size
    for (const [definition, each] of uses) {
      if (found.has(definition) || !isRelevant(definition, each, round)) continue
      found.add(definition)
      for (const name of each.names) wanted.add(name)
    }
    if (found.size === before) break
  }
  return found
}

/** Other names for functions that act. */
function actingIn(all: readonly Uses[]): ReadonlySet<string> {
  const aliases = all.flatMap((each) => each.aliases)
  const found = new Set<string>()
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = found.size
    for (const { name, from } of aliases) {
      charge((1 + from.size) * NAME_WORK)
      if ([...from].some((each) => ACTS.test(each) || found.has(each))) found.add(name)
    }
    if (found.size === before) break
  }
  return found
}

/** Everything below, but not inside of functions within it. */
function usesOf(body: readonly Statement[]): Uses {
  const uses: Uses = { names: new Set(), sets: new Set(), aliases: [] }
  collect(body, uses)
  return uses
}

function collect(value: unknown, uses: Uses): void {
  if (typeof value !== 'object' || value === null) return
  charge(NODE_WORK)
  const node = value as Statement | Expression
  if (node.kind === 'function' || node.kind === 'lambda') return
  note(node, uses)
  for (const each of Array.isArray(value) ? value : Object.values(node)) collect(each, uses)
}

function note(node: Statement | Expression, { names, sets, aliases }: Uses): void {
  if (node.kind === 'name' || node.kind === 'member') names.add(node.name)
  if (node.kind === 'outer') for (const name of node.names) sets.add(name)
  if (node.kind === 'from') aliases.push({ name: node.alias, from: new Set([node.name]) })
  if (node.kind !== 'assignment') return
  const from = namesIn(node.value)
  for (const target of node.targets) {
    if (target.kind === 'member') sets.add(target.name)
    if (target.kind === 'member' || target.kind === 'name') aliases.push({ name: target.name, from })
  }
}

function namesIn(value: Expression): Set<string> {
  const uses: Uses = { names: new Set(), sets: new Set(), aliases: [] }
  collect(value, uses)
  return uses.names
}
