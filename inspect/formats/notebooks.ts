/** Notebooks of Jupyter: code in cells, which are run one after the other, and pages among what they have put out. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { SCRIPT_LANGUAGES } from '#inspect/windows/extensions.ts'

const CELL = mark(['"cell_type"'])
const NAME = /\.ipynb[.\s]*$/i
const BYTE_WORK = 20
/** Work and memory for each value. */
const VALUE_WORK = 200
const VALUE_BYTES = 60

export const notebooks: Format = {
  among: { marks: [CELL], names: NAME },
  applies: (item) => item.sniffed.kind === 'text' && (item.has(CELL) || NAME.test(item.name ?? '')),
  analyse(item, context) {
    const { length } = item.bytes
    charge(length * BYTE_WORK)
    keep(length * 2)
    const read = parsed(view(item.bytes).toString())
    const cells = listOf(read, 'cells').concat(...listOf(read, 'worksheets').map((sheet) => listOf(sheet, 'cells')))
    if (cells.length === 0) return
    for (const [name, source] of sourcesOf(cells, extensionOf(read))) inspectCode(item, name, source, context)
  },
}

function inspectCode(item: Item, name: string, source: string, context: Context): void {
  if (source.trim() === '' || !context.countEntry(item) || !context.chargeBytes(item, source.length, 'stream')) return
  context.inspectMember(item, name, Buffer.from(source))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return null
  }
}

const valueIn = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

function listOf(value: unknown, key: string): unknown[] {
  const list = valueIn(value, key)
  return Array.isArray(list) ? list : []
}

/** A text, or a list of its lines. */
function textOf(value: unknown): string {
  const lines = Array.isArray(value) ? value : [value]
  charge(lines.length * VALUE_WORK)
  keep(lines.length * VALUE_BYTES)
  return lines.filter((line) => typeof line === 'string').join('')
}

/** Of scripts, by the languages of kernels. Others are not inspected. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...SCRIPT_LANGUAGES.map(([language, [extension = '']]) => [language, extension] as const),
  ['ipython', 'py'],
  ['bash', 'sh'],
  ['node', 'js'],
])

function extensionOf(notebook: unknown): string {
  const metadata = valueIn(notebook, 'metadata')
  const language =
    valueIn(valueIn(metadata, 'language_info'), 'name') ?? valueIn(valueIn(metadata, 'kernelspec'), 'language')
  return EXTENSIONS.get(String(language ?? 'python').toLowerCase()) ?? 'txt'
}

/** Scripts and pages, by the names under which they are inspected. */
type Sources = [name: string, source: string][]

/** What `%%` before a cell makes of it. */
const MAGIC = /^\s{0,20}%%(\w{1,20})[^\n]{0,500}\n?/
const SHELL_CELLS = new Set(['bash', 'sh', 'script', 'system', 'sx'])
const PAGE_CELLS = new Set(['html', 'svg'])
const SCRIPT_CELLS = new Set(['javascript', 'js'])
/** A line for the shell, also with its output in a variable. */
const SHELL_LINE = /^[^\S\n]{0,40}(?:[\w, ]{1,60}=[^\S\n]{0,9})?(?:!{1,2}|%(?:system|sx)\b)([^\n]{0,10000})/gm
const MAGIC_LINE = /^[^\S\n]{0,40}[%?][^\n]{0,10000}/gm

/** Cells of one language are one script, because they share their variables. */
function sourcesOf(cells: readonly unknown[], extension: string): Sources {
  const run = cells.filter((cell) => valueIn(cell, 'cell_type') === 'code').map(readCell)
  const joined = (key: 'code' | 'commands'): string => run.map((cell) => cell[key]).join('\n')
  return [
    [`(cells).${extension}`, joined('code')],
    ['(commands).sh', joined('commands')],
    ...run.flatMap(({ pages }) => pages.map((page): Sources[number] => ['(output).html', page])),
  ]
}

function readCell(cell: unknown) {
  const text = textOf(valueIn(cell, 'source') ?? valueIn(cell, 'input'))
  charge(text.length * BYTE_WORK)
  const magic = MAGIC.exec(text)?.[1]?.toLowerCase() ?? ''
  const body = text.replace(MAGIC, '')
  const pages = listOf(cell, 'outputs').map((output) => textOf(valueIn(valueIn(output, 'data'), 'text/html')))
  if (SHELL_CELLS.has(magic)) return { code: '', commands: body, pages }
  if (PAGE_CELLS.has(magic)) return { code: '', commands: '', pages: [...pages, body] }
  if (SCRIPT_CELLS.has(magic)) return { code: '', commands: '', pages: [...pages, `<script>${body}</script>`] }
  const commands = Array.from(body.matchAll(SHELL_LINE), ([, command = '']) => command.trim()).join('\n')
  return { code: body.replace(SHELL_LINE, '').replace(MAGIC_LINE, ''), commands, pages }
}
