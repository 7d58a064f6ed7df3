/** Visits a document and everything in it, within the limits, and hands every piece of it to the rules. */

import type { Report } from './conclusion.ts'
import { RATIO_BOMB } from './findings.ts'
import type { Format, Item, Visit } from './format.ts'
import { idOf } from './keywords.ts'
import type { Sniffed } from './kind.ts'
import type { Limits } from './limits.ts'
import type { Sight } from './literal-scan.ts'

export interface Walked {
  sniffed: Sniffed
  bytesInspected: number
  entries: number
}

export type Show = (path: readonly string[], bytes: Uint8Array) => void

interface Means {
  /** All that apply to an item are asked, in this order. */
  formats: readonly Format[]
  sniff: (bytes: Uint8Array) => Sniffed
  report: Report
  show: Show
  sight: Sight
}

export function walk(document: Uint8Array, limits: Limits, { formats, sniff, report, show, sight }: Means): Walked {
  let unpacked = 0
  let fromArchives = 0
  let entries = 0
  let hashRounds = 0

  const visit: Visit = {
    limits,
    find: (item, seen) => report.add({ ...seen, path: seen.path ?? item.path }),
    hinder: (item, reason, detail, path = item.path) => report.hinder({ reason, detail, path }),
    enter(item) {
      if (entries >= limits.entriesMax) {
        visit.hinder(item, 'too_complex', `The document holds more than ${limits.entriesMax} entries.`)
        return false
      }
      entries += 1
      return true
    },
    toil(item, rounds) {
      hashRounds += rounds
      if (hashRounds <= limits.hashRoundsMax) return true
      visit.hinder(item, 'too_complex', 'The document holds too many documents under a password.')
      return false
    },
    room: () => Math.max(0, Math.min(limits.memberBytesMax, limits.unpackedBytesMax - unpacked)),
    spend(bytes, source) {
      unpacked += bytes
      if (source === 'archive') fromArchives += bytes
    },
    member(item, name, bytes, alone = false) {
      const path = [...item.path, name]
      if (path.length > limits.depthMax) {
        visit.hinder(item, 'too_complex', `It is nested more than ${limits.depthMax} levels deep.`)
        return
      }
      look(itemOf(bytes, path, item, alone && item.alone))
    },
    show: (item, name, bytes) => show([...item.path, name], bytes),
  }

  function look(item: Item): void {
    show(item.path, item.bytes)
    for (const format of formats) {
      try {
        if (format.applies(item)) format.analyse(item, visit)
      } catch (error) {
        // A fault of ours must not look like a clean document, and must not keep the other analysers from looking.
        visit.hinder(item, 'damaged', `It could not be analysed (${error instanceof Error ? error.message : error}).`)
      }
    }
  }

  function itemOf(bytes: Uint8Array, path: readonly string[], parent: Item | null, alone: boolean): Item {
    const mentions: Item['mentions'] = (mark) => sight(bytes).has(idOf(mark))
    return { bytes, path, sniffed: sniff(bytes), parent, alone, mentions }
  }

  const root = itemOf(document, [], null, true)
  if (document.length > limits.inputBytesMax) {
    visit.hinder(root, 'too_complex', `The document is larger than ${limits.inputBytesMax} bytes.`)
    return { sniffed: root.sniffed, bytesInspected: 0, entries }
  }
  look(root)
  if (fromArchives >= limits.bombBytesMin && fromArchives >= document.length * limits.bombRatioMin)
    visit.find(root, { ...RATIO_BOMB, detail: `${document.length} bytes packed, ${fromArchives} unpacked` })
  return { sniffed: root.sniffed, bytesInspected: document.length + unpacked, entries }
}
