/** Puts named arguments in the order of the parameters. */

import type { Expression, Parameter } from './syntax.ts'

type Args = readonly (Expression | null)[]

/** Parameters of functions and methods that matter, with the names that several objects use. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    shell: 'pathname windowstyle',
    run: 'command|macro|macroname windowstyle|arg1 waitonreturn|arg2',
    exec: 'command',
    shellexecute: 'file vargs vdir voperation vshow',
    ontime: 'earliesttime|when procedure|name latesttime|tolerance schedule',
    createobject: 'class servername',
    getobject: 'pathname class',
    callbyname: 'object procname calltype args',
    followhyperlink: 'address subaddress newwindow',
    filecopy: 'source destination',
    saveas: 'filename',
    ddeinitiate: 'app topic',
    ddeexecute: 'channel command|string',
    replace: 'expression find replace start count compare',
    split: 'expression delimiter limit compare',
    join: 'sourcearray delimiter',
    mid: 'string start length',
    left: 'string length',
    right: 'string length',
    strconv: 'string conversion localeid',
  }).map(([name, parameters]) => [name, parameters.split(' ')]),
)

/** Arguments of unknown functions keep the order of the call. */
export function orderArguments(args: Args, callee: string, parameters: readonly Parameter[] | undefined): Args {
  const names = parameters?.map(({ name }) => name) ?? PARAMETERS.get(callee)
  if (names === undefined || !args.some((arg) => arg?.kind === 'named')) return args
  const ordered: (Expression | null)[] = args.filter((arg) => arg?.kind !== 'named')
  const others: Expression[] = []
  for (const arg of args) {
    if (arg?.kind !== 'named') continue
    const at = names.findIndex((name) => name.split('|').includes(arg.name))
    if (at === -1) others.push(arg.value)
    else {
      while (ordered.length < at) ordered.push(null)
      ordered[at] = arg.value
    }
  }
  return [...ordered, ...others]
}
