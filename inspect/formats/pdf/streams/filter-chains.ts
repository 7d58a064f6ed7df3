/** The filter chains of a stream, for every way to read its dictionary. */

import { charge } from '#inspect/core/work.ts'
import { decodedName, readDictionary, skipSpace, valueEnd } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { Filter } from './filters.ts'

type Values = ReadonlyMap<string, readonly string[]>

/** Chains of one stream. There is one unless keys or objects are duplicated. */
export const CHAINS_MAX = 8

/** Work for each chain. */
const CHAIN_WORK = 25_000

/** `unreadable`: it names no filter, for any reader. `ambiguous`: readers find different filters, or too many. */
export type Chain = Filter[] | 'unreadable' | 'ambiguous'

/** Thousands of streams of a document have the same few chains. */
const remembered = new WeakMap<PdfObjects, Map<string, Chain[]>>()
const KEYS = ['Filter', 'F', 'DecodeParms', 'DP'] as const
/** Different chains that are remembered, and characters of one. */
export const REMEMBERED_MAX = 500
export const WRITTEN_MAX = 300
/** Work to look one up. */
const LOOKUP_WORK = 1_500

export function filterChains(values: Values, objects: PdfObjects): Chain[] {
  charge(LOOKUP_WORK)
  const written = KEYS.map((key) => values.get(key) ?? [])
  if (written.flat().reduce((sum, { length }) => sum + length, 0) > WRITTEN_MAX) return readChains(values, objects)
  const all = remembered.get(objects) ?? new Map<string, Chain[]>()
  remembered.set(objects, all)
  const key = JSON.stringify(written)
  const chains = all.get(key) ?? readChains(values, objects)
  if (all.size < REMEMBERED_MAX) all.set(key, chains)
  return chains
}

function readChains(values: Values, objects: PdfObjects): Chain[] {
  // Some readers take F as an abbreviation of Filter, others as an external file.
  const filters = [...(values.get('Filter') ?? ['[]']), ...(values.get('F') ?? [])]
  const lists = filters.flatMap((value) => orNull(objects.resolve(value)))
  const parameters = [...(values.get('DecodeParms') ?? []), ...(values.get('DP') ?? [])]
  if (parameters.length === 0) parameters.push('null')
  const chains = new Map<string, Chain>()
  for (const list of lists)
    for (const chain of parameters.flatMap((value) => chainsIn(list, value, objects))) {
      charge(CHAIN_WORK)
      chains.set(JSON.stringify(chain), chain)
      if (chains.size > CHAINS_MAX) return ['ambiguous']
    }
  return [...chains.values()]
}

function orNull<T>(found: T[]): (T | null)[] {
  return found.length === 0 ? [null] : found
}

function chainsIn(list: string | null, parameters: string, objects: PdfObjects): Chain[] {
  if (list === null) return ['unreadable']
  const listed = elements(list)
  const names = listed.map((name) => only(name, objects))
  if (listed.length > ELEMENTS_MAX || listed.some((name) => valuesOf(name, objects).size > 1)) return ['ambiguous']
  // Some readers skip what is not a name, and apply the other filters.
  if (!names.every((name) => name === 'null' || name?.startsWith('/')))
    return [listed.length === 1 ? 'unreadable' : 'ambiguous']
  const settings = only(parameters, objects)
  const each = settings === null ? null : elements(settings)
  const settingsAt = (i: number) => settingsOf(each === null ? null : only(each[i] ?? 'null', objects))
  const filters = names
    .map((name, index) => ({ name: /^\/([^\0\s/<>[\]()%]*)/.exec(name ?? '')?.[1], index }))
    .filter((filter): filter is { name: string; index: number } => filter.name !== undefined)
    .map(({ name, index }) => ({ name: decodedName(name), index }))
  // The settings of a null filter belong to it or to the next filter.
  return [
    filters.map(({ name, index }) => ({ name, ...settingsAt(index) })),
    filters.map(({ name }, i) => ({ name, ...settingsAt(i) })),
  ]
}

/** The resolved value. null: none or several. */
function only(value: string, objects: PdfObjects): string | null {
  const [found, ...others] = valuesOf(value, objects)
  return others.length === 0 ? (found ?? null) : null
}

function valuesOf(value: string, objects: PdfObjects): ReadonlySet<string> {
  return new Set(objects.resolve(value).map((text) => text.slice(0, valueEnd(text, 0))))
}

/** At most `ELEMENTS_MAX` + 1 elements. A single value is a list of one. */
function elements(value: string): string[] {
  if (!value.startsWith('[')) return [value]
  const found: string[] = []
  for (let at = skipSpace(value, 1); at < value.length && value[at] !== ']' && found.length <= ELEMENTS_MAX; ) {
    const end = valueEnd(value, at)
    found.push(value.slice(at, end))
    at = skipSpace(value, end)
  }
  return found
}

/** Higher than the filter limit, because null elements are skipped. */
export const ELEMENTS_MAX = 16

function settingsOf(text: string | null): Omit<Filter, 'name'> {
  if (text !== 'null' && !text?.startsWith('<<')) return { prediction: null, earlyChange: 1, cipher: '' }
  const values = readDictionary(text, 0)?.values
  const numberOf = (key: string, fallback: number): number => {
    const [value, ...others] = new Set(values?.get(key))
    if (value === undefined) return fallback
    // Readers use the first or the last of duplicate values.
    return others.length === 0 && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  }
  const prediction = {
    predictor: numberOf('Predictor', 1),
    colors: numberOf('Colors', 1),
    bits: numberOf('BitsPerComponent', 8),
    columns: numberOf('Columns', 1),
  }
  return {
    prediction: Object.values(prediction).some(Number.isNaN) ? null : prediction,
    earlyChange: numberOf('EarlyChange', 1),
    cipher: [...new Set(values?.get('Name') ?? ['/Identity'])].map(decodedName).join(' '),
  }
}
