/** The command for objects that are in a store already: `docvet objects`. */
import { type Admin, type Command, Refusal, UsageError } from './command.ts'

const RATE_MAX = 100_000
const BAR_LENGTH = 20
/** Between two lines where there is no terminal. */
const LINE_EVERY_MS = 10_000
/** Without an object scanned for so long, nobody may be working. */
const STALLED_MS = 60_000
const PERCENT = 100

interface Progress {
  listed: number
  queued: number
  done: number
  isListed: boolean
  counts: ReadonlyMap<string, number>
}

function sinceOf(text: string | undefined): number {
  if (text === undefined) return 0
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new UsageError('--since must be a date like 2026-11-18 or a time like 2026-11-18T02:00Z.')
  return at
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (rate > 0 && rate <= RATE_MAX) return rate
  throw new UsageError(`--rate must be a number of objects per second, at most ${RATE_MAX}.`)
}

/** One line, written again and again on a terminal. */
function progressText({ listed, queued, done, isListed, counts }: Progress, perSecond: number): string {
  const share = queued === 0 ? (isListed ? 1 : 0) : done / queued
  const filled = Math.round(share * BAR_LENGTH)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_LENGTH - filled)}]`
  const percent = isListed ? `${Math.floor(share * PERCENT)} %` : 'listing'
  const number = (count: number) => count.toLocaleString('en-US')
  const words = ['infected', 'failed', 'unmarked'].flatMap((word) => {
    const count = counts.get(word) ?? 0
    return count > 0 ? [`${number(count)} ${word}`] : []
  })
  const speed = perSecond > 0 ? `, ${perSecond.toFixed(1)}/s` : ''
  const more = words.length > 0 ? ` (${words.join(', ')})` : ''
  return `${bar} ${percent}: ${number(done)} of ${number(queued)} scanned${more}, ${number(listed)} listed${speed}`
}

/** Standard output is for the summary. */
function createBar({ stderr }: Admin) {
  const startedMs = performance.now()
  let first: number | undefined
  let last = { done: -1, atMs: startedMs }
  let writtenMs = Number.NEGATIVE_INFINITY

  function textOf(progress: Progress, isOver: boolean, now: number): string {
    first ??= progress.done
    if (progress.done !== last.done) last = { done: progress.done, atMs: now }
    const isStalled = !isOver && now - last.atMs > STALLED_MS
    const hint = isStalled ? ' Is a process of the service running, with this source?' : ''
    return `${progressText(progress, (progress.done - first) / ((now - startedMs) / 1_000))}.${hint}`
  }

  return (progress: Progress): void => {
    const now = performance.now()
    const isOver = progress.isListed && progress.done >= progress.queued
    const text = textOf(progress, isOver, now)
    if (stderr?.isTTY) stderr.write(`\r${text}\u001b[K${isOver ? '\n' : ''}`)
    else if (isOver || now - writtenMs >= LINE_EVERY_MS) {
      stderr?.write(`${text}\n`)
      writtenMs = now
    }
  }
}

export const OBJECT_COMMANDS: Command[] = [
  {
    name: 'objects',
    args: ['SOURCE'],
    options: {
      prefix: 'Only objects whose keys begin with this.',
      since: 'Only objects that changed since this date or time.',
      rate: 'At most so many objects per second.',
    },
    summary:
      'List the objects of a source in DOCVET_SOURCES_FILE, have the running service scan and tag them, and print a summary. Continues where it was interrupted.',
    async run(admin, [name = ''], options) {
      const [since, rate] = [sinceOf(options.since), rateOf(options.rate)]
      const { objects, secretKeys } = await admin.open()
      const source = objects.sources.find((each) => each.name === name)
      if (source === undefined) {
        const names = objects.sources.map((each) => each.name).join(', ') || 'none'
        throw new Refusal(`DOCVET_SOURCES_FILE has no source "${name}". It has: ${names}.`)
      }
      const conflict = await secretKeys.conflict()
      if (conflict !== null) throw new Refusal(`The service could not read what is queued here. ${conflict}`)
      const run = await objects.backlog(source, { since, rate, onProgress: createBar(admin) })
      if (run === null) throw new Refusal(`The key ${source.keyId} is unknown, revoked, or of a disabled account.`)
      const given = options.prefix
      const prefixes = given === undefined && source.prefixes.length > 0 ? source.prefixes : [given ?? '']
      const data = []
      for (const prefix of prefixes) {
        const { listed, queued, counts } = await run(prefix)
        data.push({ source: name, prefix, listed, queued, ...Object.fromEntries(counts) })
      }
      return { data: data.length === 1 ? data[0] : data }
    },
  },
]
