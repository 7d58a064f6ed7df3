/** Reads a set from the folder in which its publisher keeps it: rules, tables, and lists with their side-cars. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { parseSettings, SIDE_CAR_BYTES_MAX } from '#engines/embedded/feeds/feed.ts'
import { listFeeds } from '#engines/embedded/feeds/feed-files.ts'
import { readList } from '#engines/embedded/feeds/lines.ts'
import { readRules, readText } from '#engines/embedded/rules/rule-files.ts'
import { INDICATORS_MAX, parseSet, SET_BYTES_MAX, type UpdateSet } from '#engines/embedded/updates/update-set.ts'
import { PublishRefused } from './repository.ts'

const TABLES = 'tables.json'
const LISTS = 'lists'

type Content = Omit<UpdateSet, 'version' | 'publishedAt'>

/** Rejects if anything of it cannot be published: nothing is left out. */
export async function readSetFolder(folder: string): Promise<Content> {
  const { files, rejected } = await readRules(folder)
  const [problem] = rejected
  if (problem !== undefined) throw new PublishRefused(`${problem.name} ${problem.reason}`)
  const tables = await readText(path.join(folder, TABLES), SET_BYTES_MAX, 'is too large')
  if (typeof tables === 'string' && tables !== 'cannot be read') throw new PublishRefused(`${TABLES} ${tables}`)
  const lists = await readLists(path.join(folder, LISTS))
  const content = {
    rules: files.map(({ name, text }) => ({ name, text })),
    ...(typeof tables === 'string' ? {} : { tables: parseTables(tables.text) }),
    ...(lists.length > 0 && { lists }),
  }
  const {
    version: _,
    publishedAt: __,
    ...set
  } = parseSet(JSON.stringify({ version: 1, publishedAt: '2026-01-01T00:00:00Z', ...content }))
  return set
}

function parseTables(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PublishRefused(`${TABLES} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

async function readLists(folder: string) {
  const entries = await listFeeds(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const lists: NonNullable<Content['lists']> = []
  for (const { file, name, reason } of entries) {
    const said = (text: string) => new PublishRefused(`${LISTS}/${file} ${text}`)
    if (reason !== null) throw said(reason)
    const sideCar = await readText(path.join(folder, `${name}.feed.json`), SIDE_CAR_BYTES_MAX, 'is too large')
    if (typeof sideCar === 'string') throw said(`has a side-car that ${sideCar}`)
    const settings = parseSettings(sideCar.text)
    if (typeof settings === 'string') throw said(settings)
    const { kind, action, source } = settings
    if (action === 'allow') throw said('allows documents, which a channel cannot do')
    const indicators: string[] = []
    await using handle = await open(path.join(folder, file), constants.O_RDONLY | constants.O_NONBLOCK)
    const problem = await readList(handle, file, settings.column, (indicator) => {
      indicators.push(indicator)
      return indicators.length <= INDICATORS_MAX
    })
    if (problem !== null) throw said(problem)
    lists.push({ name, kind, action, source, indicators })
  }
  return lists
}
