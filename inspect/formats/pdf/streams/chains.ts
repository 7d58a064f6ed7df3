/** Which filters a stream has, in every way that its dictionary can be read. */

import { decodedName, readDictionary, skipSpace, valueEnd } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { Filter } from './filters.ts'

type Values = ReadonlyMap<string, readonly string[]>

/** Ways to read one list of filters. There is one, unless keys or objects stand there twice. */
export const CHAINS_MAX = 8

/** null among them, or in place of them: a list that cannot be read. */
export function chainsOf(values: Values, objects: PdfObjects): (Filter[] | null)[] {
  // To some readers F is short for Filter; to others it names a file that has the data.
  const filters = [...(values.get('Filter') ?? ['[]']), ...(values.get('F') ?? [])]
  const lists = filters.flatMap((value) => orNull(objects.resolve(value)))
  const parameters = [...(values.get('DecodeParms') ?? []), ...(values.get('DP') ?? [])]
  if (parameters.length === 0) parameters.push('null')
  const chains = new Map<string, Filter[] | null>()
  for (const list of lists)
    for (const chain of parameters.flatMap((value) => chainsIn(list, value, objects))) {
      chains.set(JSON.stringify(chain), chain)
      if (chains.size > CHAINS_MAX) return [null]
    }
  return [...chains.values()]
}

function orNull<T>(found: T[]): (T | null)[] {
  return found.length === 0 ? [null] : found
}

function chainsIn(list: string | null, parameters: string, objects: PdfObjects): (Filter[] | null)[] {
  if (list === null) return [null]
  const listed = elements(list)
  const names = listed.map((name) => only(name, objects))
  if (listed.length > ELEMENTS_MAX || !names.every((name) => name === 'null' || name?.startsWith('/'))) return [null]
  const settings = only(parameters, objects)
  const each = settings === null ? null : elements(settings)
  const settingsAt = (i: number) => settingsOf(each === null ? null : only(each[i] ?? 'null', objects))
  const filters = names
    .map((name, place) => ({ name: /^\/([^\0\s/<>[\]()%]*)/.exec(name ?? '')?.[1], place }))
    .filter((filter): filter is { name: string; place: number } => filter.name !== undefined)
    .map(({ name, place }) => ({ name: decodedName(name), place }))
  // Where a filter is null, its settings belong to it, or to the next one.
  return [
    filters.map(({ name, place }) => ({ name, ...settingsAt(place) })),
    filters.map(({ name }, i) => ({ name, ...settingsAt(i) })),
  ]
}

/** What a value means, or null if that is nothing or several things. */
function only(value: string, objects: PdfObjects): string | null {
  const found = new Set(objects.resolve(value).map((text) => text.slice(0, valueEnd(text, 0))))
  return found.size === 1 ? ([...found][0] ?? null) : null
}

/** The elements of a list, or one more than we look at; a value alone is a list of one. */
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

/** More than any list of filters that is undone. What is null is passed over, so a longer list may hold anything. */
export const ELEMENTS_MAX = 16

function settingsOf(text: string | null): Omit<Filter, 'name'> {
  if (text !== 'null' && !text?.startsWith('<<')) return { prediction: null, earlyChange: 1, cipher: '' }
  const values = readDictionary(text, 0)?.values
  const numberOf = (key: string, usual: number): number => {
    const [value, ...others] = new Set(values?.get(key))
    if (value === undefined) return usual
    // Of two values readers take the first or the last.
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
