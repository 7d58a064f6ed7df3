/** The scripts of pages, which more than one format asks about. */

import type { Item } from '#inspect/core/format.ts'
import { readScript, type Script } from './javascript.ts'

const scripts = new WeakMap<Item, Script>()

/** What all scripts of a page do, as one script. */
export function readPageScript(item: Item, source: string, values: ReadonlyMap<string, string>): Script {
  const script = readScript(source, values)
  scripts.set(item, script)
  return script
}

export function knownPageScript(item: Item): Script | undefined {
  return scripts.get(item)
}
