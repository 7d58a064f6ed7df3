/** Inspects a document and everything unpacked from it, within the limits. */

import './utf16.ts'
import type { Conclusion } from './conclusion.ts'
import { createFacts, type Facts } from './facts.ts'
import { RATIO_BOMB } from './findings.ts'
import type { Context, DataScope, Format, Item } from './format.ts'
import type { FormatTable } from './format-table.ts'
import { withinPart } from './indicators.ts'
import { keywordId } from './keywords.ts'
import type { Sniffed } from './kind.ts'
import { type Limits, OFFERED_PASSWORDS_MAX } from './limits.ts'
import type { LiteralScan } from './literal-scan.ts'
import { MACRO_SOURCE, NATIVE_STREAM, READING, safeName } from './names.ts'
import { exceedsBudget } from './obstacles.ts'
import { withoutReferences } from './references.ts'
import type { Texts } from './texts.ts'
import { BudgetExceeded, type Cost, charge, hold, returnKept, withinBudget } from './work.ts'

export interface Traversed {
  sniffed: Sniffed
  bytesInspected: number
  entries: number
  cost: Cost
}

interface Options {
  limits: Limits
  passwords?: readonly string[]
  /** Of the document. It may be of any shape and length. */
  name?: string | null | undefined
  /** Every format that applies to an item analyses it, in the order of the table. */
  formats: FormatTable
  sniff: (bytes: Uint8Array) => Sniffed
  scanLiterals: LiteralScan
  /** Hands bytes to the signatures and rules. */
  scan: (path: readonly string[], bytes: Uint8Array, scope: DataScope) => void
  /** Called after the last item, within the budget. */
  finish: () => void
  conclusion: Conclusion
  texts?: Texts | null
}

interface SearchedItem extends Item {
  /** The ids of the literals that it contains. */
  literals: () => ReadonlySet<number>
}

/** For every item: its formats are tried. */
const ITEM_WORK = 30_000
/** For every byte of an item: the rules and every format search it. */
const BYTE_WORK = 3

/** For every finding, of which a document may cause a million. It is charged last, so that the finding counts. */
const FINDING_WORK = 2_000

/** Memory for each fact, in each item that sees it. */
const FACT_BYTES = 200

const TOO_MUCH_WORK = 'Inspecting it takes more time or memory than an ordinary document needs.'

export function traverse(document: Uint8Array, options: Options): Traversed {
  const {
    limits,
    passwords = [],
    name = null,
    formats,
    sniff,
    scanLiterals,
    scan,
    finish,
    conclusion,
    texts = null,
  } = options
  let unpacked = 0
  let fromArchives = 0
  let entries = 0
  let hashRounds = 0
  /** Within each other, that are inspected now. */
  let fragments = 0
  const offered = new WeakMap<Item, () => readonly string[]>()
  const factsOf = new Map<Item, ReturnType<typeof createFacts>>()
  /** Items whose memory is part of a fact that items around them know. */
  const needing = new WeakSet<Item>()

  const budget: Context['budget'] = {
    remaining: () => Math.max(0, Math.min(limits.memberBytesMax, limits.unpackedBytesMax - unpacked)),
    has: (bytes) => bytes <= budget.remaining(),
    spend(bytes, source) {
      unpacked += bytes
      if (source === 'archive') fromArchives += bytes
    },
  }

  const context: Context = {
    limits,
    budget,
    texts,
    passwordsFor(item) {
      const found = new Set(passwords)
      for (let around: Item | null = item; around !== null; around = around.parent)
        for (const word of offered.get(around)?.() ?? [])
          if (found.size < passwords.length + OFFERED_PASSWORDS_MAX) found.add(word)
      return [...found]
    },
    offerPasswords(item, words) {
      let read: readonly string[] | undefined
      offered.set(item, () => {
        read ??= words()
        return read
      })
    },
    addFinding(item, { id, severity, title, reason, technique, detail = null, path = item.path }) {
      conclusion.addFinding({ id, severity, title, reason, technique, detail, path })
      charge(FINDING_WORK)
    },
    addObstacle(item, reason, detail, path = item.path) {
      if (reason === 'damaged' && fragments > 0) return
      conclusion.addObstacle(
        reason === 'locked' ? { reason: 'encrypted', detail, path, isLocked: true } : { reason, detail, path },
      )
    },
    overrule: (item, ids) => conclusion.overrule(item.path, ids),
    record(item, type, value) {
      const needed = isSmall(value) ? null : needing
      for (let around: Item | null = item; around !== null; around = around.parent) {
        hold(FACT_BYTES)
        needed?.add(around)
        factsOf.get(around)?.add(type, value, item.path)
      }
    },
    countEntry(item) {
      if (entries >= limits.entriesMax) {
        context.addObstacle(item, 'too_complex', `The document contains more than ${limits.entriesMax} entries.`)
        return false
      }
      entries += 1
      return true
    },
    chargeBytes(item, bytes, source) {
      if (!budget.has(bytes)) {
        context.addObstacle(item, 'too_complex', exceedsBudget(budget.remaining()))
        return false
      }
      budget.spend(bytes, source)
      return true
    },
    chargeReading(item, bytes) {
      if (unpacked + bytes > limits.unpackedBytesMax) {
        context.addObstacle(item, 'too_complex', exceedsBudget(budget.remaining()))
        return false
      }
      budget.spend(bytes, 'stream')
      return true
    },
    chargeHashRounds(item, rounds) {
      hashRounds += rounds
      if (hashRounds <= limits.hashRoundsMax) return true
      context.addObstacle(item, 'too_complex', 'The document contains too many password-protected documents.')
      return false
    },
    inspectMember(item, name, bytes, alone = false) {
      const path = [...item.path, name]
      if (path.length > limits.depthMax) {
        context.addObstacle(item, 'too_complex', `Nested more than ${limits.depthMax} levels deep.`)
        return
      }
      inspectItem(
        itemOf(bytes, path, item, { alone: alone && item.alone, name: READING.test(name) ? item.name : name }),
      )
    },
    inspectFragment(item, name, bytes) {
      fragments += 1
      context.inspectMember(item, name, bytes)
      fragments -= 1
    },
    scan: (item, name, bytes) => scan([...item.path, name], bytes, 'file'),
  }

  function inspectItem(item: SearchedItem): void {
    returnKept(
      () => withinPart(item.path, () => inspectWhole(item)),
      () => needing.has(item),
    )
  }

  function inspectWhole(item: SearchedItem): void {
    charge(ITEM_WORK + item.bytes.length * BYTE_WORK)
    scan(item.path, item.bytes, scopeOf(item))
    const facts = createFacts()
    factsOf.set(item, facts)
    const asked = askedFor(item)
    for (const format of asked) apply(format, item, null)
    for (const format of asked) if (format.conclude !== undefined) apply(format, item, facts)
    factsOf.delete(item)
  }

  function askedFor(item: SearchedItem): readonly Format[] {
    try {
      return formats(item, item.literals())
    } catch {
      // The first format that needs the literals meets the same error. Those before it still count.
      return formats(item, null)
    }
  }

  /** With the facts it concludes, without it analyses. */
  function apply(format: Format, item: Item, facts: Facts | null): void {
    try {
      if (!format.applies(item)) return
      if (facts === null) format.analyse(item, context)
      else format.conclude?.(item, facts, context)
    } catch (error) {
      if (error instanceof BudgetExceeded) throw error
      // A bug in one analyser must not look like a clean document, and must not stop the other analysers.
      const message = error instanceof Error ? error.message : error
      context.addObstacle(item, 'damaged', `It could not be analysed (${message}).`)
    }
  }

  function itemOf(
    bytes: Uint8Array,
    path: readonly string[],
    parent: Item | null,
    known: Pick<Item, 'alone' | 'name'>,
  ): SearchedItem {
    let ids: ReadonlySet<number> | undefined
    const literals = (): ReadonlySet<number> => {
      ids ??= literalsIn(bytes)
      return ids
    }
    const mentions: Item['mentions'] = (keyword) => literals().has(keywordId(keyword))
    const has: Item['has'] = ({ id }) => literals().has(id)
    return { bytes, path, sniffed: sniff(bytes), parent, ...known, literals, mentions, has }
  }

  /** Also those that character references of XML conceal. Rules see only the bytes. */
  function literalsIn(bytes: Uint8Array): ReadonlySet<number> {
    const plain = scanLiterals(bytes)
    const resolved = withoutReferences(bytes, plain)
    if (resolved === null) return plain
    charge(resolved.length * BYTE_WORK)
    return plain.union(scanLiterals(resolved))
  }

  const root = itemOf(document, [], null, { alone: true, name: name && safeName(name) })
  if (document.length > limits.inputBytesMax) {
    context.addObstacle(root, 'too_complex', `The document is larger than ${limits.inputBytesMax} bytes.`)
    return { sniffed: root.sniffed, bytesInspected: 0, entries, cost: { work: 0, keptBytes: 0 } }
  }
  const { exceeded, work, keptBytes } = withinBudget(limits, () => {
    inspectItem(root)
    finish()
  })
  if (exceeded) context.addObstacle(root, 'too_complex', TOO_MUCH_WORK)
  if (fromArchives >= limits.bombBytesMin && fromArchives >= document.length * limits.bombRatioMin)
    context.addFinding(root, { ...RATIO_BOMB, detail: `${document.length} bytes packed, ${fromArchives} unpacked` })
  return { sniffed: root.sniffed, bytesInspected: document.length + unpacked, entries, cost: { work, keptBytes } }
}

/** Characters of a text, and texts of a list. Larger values are made of what the item kept. */
const SMALL_MAX = 200
const FEW_MAX = 5

/** Whether the value of a fact has no more than the memory that is charged for each fact. */
function isSmall(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= SMALL_MAX
  if (Array.isArray(value))
    return value.length <= FEW_MAX && value.every((each) => typeof each !== 'object' && isSmall(each))
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every((each) => (typeof each !== 'object' || Array.isArray(each)) && isSmall(each))
}

/** Native data contains files, and so does a stream of a known type. Macros are judged by what they do. */
function scopeOf({ sniffed, parent, path }: Item): DataScope {
  if (sniffed.kind === 'ole2') return 'internal'
  if (parent?.sniffed.kind !== 'ole2') return 'file'
  const name = path.at(-1) ?? ''
  const isStream = sniffed.kind === null && !NATIVE_STREAM.test(name)
  return isStream || name.endsWith(MACRO_SOURCE) ? 'internal' : 'file'
}
