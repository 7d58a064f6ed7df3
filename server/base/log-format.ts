/** Turns a JSON log line into a readable line for a terminal. */
import { styleText } from 'node:util'
import { escapeControls } from './escape-controls.ts'

const COLORS = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green', debug: 'gray', trace: 'gray' } as const
const INDENT = '    '

/** Only text that cannot be mistaken for several fields goes without quotes. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value)

function paint(level: string): string {
  const label = level.toUpperCase().padEnd(5)
  // Respects NO_COLOR, and stays plain where standard output is not a terminal.
  return level in COLORS ? styleText(COLORS[level as keyof typeof COLORS], label, { stream: process.stdout }) : label
}

function stackOf(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { stack, message } = err as { stack?: unknown; message?: unknown }
  return String(stack ?? message ?? '').split('\n')
}

export function formatLine(json: string): string {
  const { level, time, msg, pid: _pid, err, ...fields } = JSON.parse(json)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`)
  const head = escapeControls([String(msg ?? ''), ...rest].filter((part) => part !== '').join(' '))
  const lines = [
    `${clock} ${paint(String(level))} ${head}`,
    ...stackOf(err).map((each) => INDENT + escapeControls(each)),
  ]
  return `${lines.join('\n')}\n`
}
