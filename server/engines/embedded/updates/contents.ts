/** What a set is made of, as workers and the service use it. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { KEY_OF } from '#engines/embedded/feeds/feed.ts'
import type { Feed } from '#engines/embedded/feeds/feed-files.ts'
import { createKeyTable } from '#engines/embedded/feeds/key-table.ts'
import type { Setup } from '#engines/embedded/worker-loop.ts'
import type { UpdateSet } from './update-set.ts'

export interface Contents {
  /** For workers: rules, whose findings are not those of the operator, and tables. */
  setup: Pick<Setup, 'operatorRules' | 'tables' | 'hashed'>
  lists: readonly Feed[]
}

export const NO_CONTENTS: Contents = { setup: { operatorRules: [] }, lists: [] }

/** Between two turns of the event loop. */
const ROWS_AT_ONCE = 1_000

/** Rejects if a list has something that is no indicator of its kind. */
export async function contentsOf(set: Pick<UpdateSet, 'rules' | 'tables' | 'lists'>): Promise<Contents> {
  const { rules, tables, lists = [] } = set
  const hashed = Object.entries({ tables, lists: set.lists }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: `update/${name}.json`, sha256: hash('sha256', JSON.stringify(value)) }],
  )
  const feeds: Feed[] = []
  for (const list of lists) feeds.push(await feedOf(list))
  return {
    setup: { operatorRules: rules.map(({ name, text }) => ({ name: `update/${name}`, text })), tables, hashed },
    lists: feeds,
  }
}

async function feedOf({
  name,
  kind,
  action,
  source,
  indicators,
}: NonNullable<UpdateSet['lists']>[number]): Promise<Feed> {
  const keys = createKeyTable()
  for (const [index, indicator] of indicators.entries()) {
    const key = KEY_OF[kind](indicator)
    if (key === null) throw new Error(`row ${index + 1} of the list ${name} is no ${kind}`)
    keys.add(key)
    if (index % ROWS_AT_ONCE === 0) await setImmediate()
  }
  // Sets have no age of their own: that of the channel is in health.
  const age = { maxAgeHours: Number.MAX_SAFE_INTEGER, changedMs: 0 }
  return { name, kind, action, source, ...age, isOfChannel: true, keys: keys.build() }
}
