/** The filters of the history, as they are in the URL. */
import { useSearchParams } from 'wouter'
import type { ScanFilters } from '../../api/queries.ts'

const STATUSES = ['clean', 'infected', 'refused'] as const
const DATE = /^20\d{2}-\d{2}-\d{2}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface HistoryFilters {
  status: string
  keyId: string
  /** The first and the last day, such as `2026-11-14`. */
  from: string
  to: string
  /** Part of the file name. */
  name: string
}

type Name = keyof HistoryFilters
const NAMES: readonly Name[] = ['status', 'keyId', 'from', 'to', 'name']
const NAME_LENGTH_MAX = 200

/** Also rejects February 31, which `Date` takes for a day in March. */
function isDate(text: string): boolean {
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN
  return at > 0 && new Date(at).toISOString().startsWith(text)
}

const IS_VALID: Readonly<Record<Name, (text: string) => boolean>> = {
  status: (text) => STATUSES.some((status) => status === text),
  keyId: (text) => UUID.test(text),
  from: isDate,
  to: isDate,
  name: (text) => text.length <= NAME_LENGTH_MAX,
}

/** The filters of the URL. A value that makes no sense is left out, as if nothing was chosen. */
function read(search: URLSearchParams): HistoryFilters {
  const chosen = (name: Name): string => {
    const text = search.get(name) ?? ''
    return IS_VALID[name](text) ? text : ''
  }
  return {
    status: chosen('status'),
    keyId: chosen('keyId'),
    from: chosen('from'),
    to: chosen('to'),
    name: chosen('name'),
  }
}

export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const filters = read(search)
  return {
    filters,
    isFiltered: NAMES.some((name) => filters[name] !== ''),
    set(name: Name, value: string): void {
      const entries = Object.entries({ ...filters, [name]: value }).filter(([, text]) => text !== '')
      // Back undoes a choice. What is typed changes with every key, which is not worth a step.
      setSearch(new URLSearchParams(entries), { replace: name === 'from' || name === 'to' || name === 'name' })
    },
    clear: () => setSearch(new URLSearchParams()),
  }
}

/** Midnight where the reader lives. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** As the API expects them; the last day is included. */
export function toQuery({ status, keyId, from, to, name }: HistoryFilters): ScanFilters {
  const known = STATUSES.find((each) => each === status)
  return {
    ...(known && { status: known }),
    ...(keyId !== '' && { keyId }),
    ...(from !== '' && { from: startOf(from) }),
    ...(to !== '' && { to: startOf(to, 1) }),
    ...(name !== '' && { name }),
  }
}
