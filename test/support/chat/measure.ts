/** Prints how many attacks get out and how many honest answers are replaced, with each check switched off in turn. */
import { CHECKS } from '#chat/guard.ts'
import { type Off, outcomeOf } from './judge.ts'
import { type RowSet, SETS } from './sets.ts'

/** Rows with the wrong outcome: attacks that are answered, honest answers that are not. */
export const failuresOf = ({ rows, isHonest }: RowSet, off: readonly Off[] = []) =>
  rows.filter((row) => (outcomeOf(row, off) === 'answer') !== isHonest)

const WITHOUT: readonly Off[][] = [
  [],
  ...CHECKS.map((check) => [check]),
  ['a file'],
  ['the prompt'],
  ['another topic'],
  ['scope'],
]

function table(): string {
  const head = ['switched off', ...SETS.map(({ name, rows }) => `${name} (${rows.length})`)]
  const lines = WITHOUT.map((off) => [
    off.join() || 'nothing',
    ...SETS.map((set) => String(failuresOf(set, off).length)),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

if (import.meta.main) console.log(table())
