/** Prints results as JSON, or as text for people. */
import { once } from 'node:events'
import { escapeControls } from '#base/escape-controls.ts'
import type { Result } from './command.ts'

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Times, which are fields that end in `At`, in ISO 8601. */
export function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes)
  if (!isRow(value)) return value
  const fields = Object.entries(value).map(([name, field]) =>
    /At$|_at$/.test(name) && typeof field === 'number'
      ? [name, new Date(field).toISOString()]
      : [name, withTimes(field)],
  )
  return Object.fromEntries(fields)
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return escapeControls(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `createdAt` becomes `CREATED AT`. */
const heading = (name: string): string => name.replace(/([A-Z])/g, ' $1').toUpperCase()

function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  const padded = lines.map((line) => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '))
  return padded.map((line) => `${line.trimEnd()}\n`).join('')
}

function asText(data: unknown): string {
  if (isRow(data)) return columns(Object.entries(data).map(([name, value]) => [`${name}:`, cell(value)]))
  if (!Array.isArray(data) || data.length === 0) return 'None.\n'
  const [first] = data
  const names = Object.keys(first as Row)
  return columns([names.map(heading), ...data.map((row: Row) => names.map((name) => cell(row[name])))])
}

/** Returns what there is no stream for. */
export async function printLines(lines: AsyncIterable<string>, stdout?: NodeJS.WritableStream): Promise<string> {
  const kept: string[] = []
  for await (const line of lines)
    if (stdout === undefined) kept.push(line)
    else if (!stdout.write(line)) await once(stdout, 'drain')
  return kept.join('')
}

export function render({ data, message, isAlwaysJson }: Result, isJson: boolean): string {
  const presented = withTimes(data)
  if (isJson || isAlwaysJson) return `${JSON.stringify(presented, null, 2)}\n`
  return message === undefined ? asText(presented) : `${escapeControls(message)}\n`
}
