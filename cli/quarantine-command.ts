/** `docvet quarantine`: lists, restores and deletes what was moved away. */
import { escapeControls } from '#base/escape-controls.ts'
import { QUARANTINE, QUARANTINE_ACTIONS } from './commands.ts'
import { type Held, listQuarantine, QuarantineError, remove } from './quarantine.ts'
import { restore } from './restore.ts'
import { helpOf, parse, UsageError } from './usage.ts'

const ID_SHOWN = 12

type Action = (typeof QUARANTINE_ACTIONS)[number]

const isAction = (text: string | undefined): text is Action => QUARANTINE_ACTIONS.some((each) => each === text)

export async function runQuarantine(args: readonly string[]): Promise<number> {
  const given = parse(QUARANTINE, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(QUARANTINE))
    return 0
  }
  const [action, folder, ...ids] = given.positionals
  if (!isAction(action) || folder === undefined) throw new UsageError('Name what to do, and the folder.')
  const all = await listQuarantine(folder)
  if (action === 'list') return list(all, given.is('json'))
  if (given.is('all') !== (ids.length === 0)) throw new UsageError('Name the files by their ids, or --all.')
  const chosen = given.is('all') ? all : ids.map((id) => find(all, id))
  const act = { restore, delete: remove }[action]
  for (const held of chosen) {
    await act(folder, held)
    const done = action === 'restore' ? 'restored' : 'deleted'
    process.stdout.write(given.is('json') ? `${JSON.stringify(held)}\n` : `${escapeControls(held.path)}: ${done}\n`)
  }
  return 0
}

function list(all: readonly Held[], isJson: boolean): number {
  if (isJson) process.stdout.write(`${JSON.stringify(all)}\n`)
  else
    for (const { id, quarantinedAt, threat, path } of all)
      process.stdout.write(
        `${shortened(id, all)}  ${quarantinedAt.slice(0, 19)}Z  ${escapeControls(threat)}  ${escapeControls(path)}\n`,
      )
  return 0
}

/** As much of an id as tells it from the others. */
function shortened(id: string, all: readonly Held[]): string {
  const short = id.slice(0, ID_SHOWN)
  return all.filter((other) => other.id.startsWith(short)).length === 1 ? short : id
}

function find(all: readonly Held[], id: string): Held {
  const exact = all.find((held) => held.id === id)
  const like = all.filter((held) => held.id.startsWith(id))
  const found = exact ?? (like.length === 1 ? like[0] : undefined)
  if (found !== undefined) return found
  throw new QuarantineError(like.length === 0 ? `No file has the id ${id}.` : `Several files have an id like ${id}.`)
}
