/** Reads the indicators of a list: lines of text, a column of a table, or JSON. Bounded, whatever the file contains. */
import type { FileHandle } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** A longer line names nothing; its rest is not kept. */
export const LINE_MAX = 8_192
/** JSON is read as a whole. */
export const JSON_BYTES_MAX = 32 * 1024 * 1024
const JSON_DEPTH_MAX = 6

/** Time for which other work waits. */
const SLICE_MS = 5
const SLICE_LINES = 200

/** False: there are too many. */
type Take = (indicator: string) => boolean
type Column = string | number | undefined

/** Returns the reason why the list cannot be used, or null. */
export async function readList(handle: FileHandle, name: string, column: Column, take: Take): Promise<string | null> {
  if (name.endsWith('.json')) return await readJson(handle, column, take)
  const table = name.endsWith('.csv') ? createTableReader(column, take) : null
  const read = table?.read ?? ((line: string) => readLine(line, take))
  const isInTurn = createTurns()
  for await (const lines of linesOf(handle))
    for (const line of lines) {
      if (!read(line)) return TOO_MANY
      if (!isInTurn()) await setImmediate()
    }
  return table?.isMissing() ? 'has no such column' : null
}

async function* linesOf(handle: FileHandle): AsyncGenerator<string[]> {
  let rest = ''
  let isStarted = false
  for await (const chunk of handle.createReadStream({ autoClose: false, encoding: 'utf8', highWaterMark: 262_144 })) {
    const text: string = isStarted ? chunk : String(chunk).replace(/^\uFEFF/, '')
    isStarted = true
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, LINE_MAX + 1)
    yield lines
  }
  yield [rest]
}

/** Answers no when other work has waited long enough. */
function createTurns(): () => boolean {
  let endsAt = performance.now() + SLICE_MS
  let count = 0
  return () => {
    if (++count % SLICE_LINES !== 0 || performance.now() < endsAt) return true
    endsAt = performance.now() + SLICE_MS
    return false
  }
}

const TOO_MANY = 'exceeds the limit of indicators for all lists'

function readLine(line: string, take: Take): boolean {
  const text = line.length > LINE_MAX ? '-' : line.trim()
  if (text === '' || /^[#;!]/.test(text) || text.startsWith('//')) return true
  const [first = '', second] = text.split(/\s+/, 2)
  // As in the file `hosts`.
  const isPrefix = second !== undefined && !second.startsWith('#') && isIP(first) !== 0
  return take(isPrefix ? second : first)
}

function createTableReader(column: Column, take: Take) {
  let index = typeof column === 'number' ? column - 1 : column === undefined ? 0 : -1
  const isHeader = (fields: readonly string[]): boolean => {
    if (typeof column !== 'string') return false
    const at = fields.indexOf(column)
    if (at >= 0) index = at
    return at >= 0
  }
  function read(line: string): boolean {
    const text = line.length > LINE_MAX ? '-' : line.trim()
    if (text === '') return true
    // Some lists have their header in a comment.
    if (text.startsWith('#')) {
      if (index < 0) isHeader(fieldsOf(text.replace(/^#+\s*/, '')))
      return true
    }
    const fields = fieldsOf(text)
    if (index < 0) return isHeader(fields) || true
    return take(fields[index] ?? '')
  }
  return { read, isMissing: () => index < 0 }
}

const FIELD = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/y

function fieldsOf(line: string): string[] {
  const fields: string[] = []
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < line.length) {
    const found = FIELD.exec(line)
    if (found === null) break
    fields.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim())
  }
  return fields
}

async function readJson(handle: FileHandle, column: Column, take: Take): Promise<string | null> {
  const { size } = await handle.stat()
  if (size > JSON_BYTES_MAX) return `has more than ${JSON_BYTES_MAX} bytes of JSON`
  let value: unknown
  try {
    value = JSON.parse((await handle.readFile('utf8')).replace(/^\uFEFF/, ''))
  } catch {
    return 'is not JSON'
  }
  const texts: string[] = []
  collect(value, column, 0, texts)
  for (const text of texts) if (!take(text.trim())) return TOO_MANY
  return null
}

/** Texts of lists, and those under the name of the column. Of an object without it, the lists and objects in it; of a warning list, its `list`. */
function collect(value: unknown, column: Column, depth: number, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
  if (typeof value !== 'object' || value === null || depth > JSON_DEPTH_MAX) return
  for (const each of Array.isArray(value) ? value : partsOf(value, column)) collect(each, column, depth + 1, texts)
}

function partsOf(value: object, column: Column): unknown[] {
  const entries = Object.entries(value)
  const wanted = entries.find(([name]) => name === String(column)) ?? entries.find(([name]) => name === 'list')
  if (wanted !== undefined) return [wanted[1]]
  return entries.map(([, each]) => each).filter((each) => typeof each === 'object')
}
