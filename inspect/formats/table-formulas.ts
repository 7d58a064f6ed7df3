/** Formulas in CSV and TSV files that start programs or send cells to a server. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeDde } from '#inspect/judge/dde.ts'

/** Functions that fetch an address. A hyperlink is fetched by a click. */
const FUNCTIONS = [
  'HYPERLINK',
  'WEBSERVICE',
  'IMPORTXML',
  'IMPORTDATA',
  'IMPORTHTML',
  'IMPORTFEED',
  'IMPORTRANGE',
  'IMAGE',
]
/** The end of a conversation: `cmd|'topic'!item`. */
const ITEMS = ['!A0', '!A1', ...[..."ABCRXZ_xz019'"].map((first) => `'!${first}`)]
const FORMULA = mark([...FUNCTIONS.map((name) => `${name}(`), ...ITEMS], { ignoresCase: true })

/** The start of a cell with a formula, which has at most 8,192 characters in Excel: plain signs begin numbers and names in every tenth table. */
const CELL = /(?:^|[,;\t])[ \t]*"?[=+\-@]([^\r\n]{0,8192})/gm
const CONVERSATION = /([\w.\\/: -]{1,200})\|\s*'?"{0,2}([^'"!\r\n]{0,1000})'?"{0,2}!([^\s,;"]{0,100})/
const SENDING = new RegExp(
  String.raw`\b(?:${FUNCTIONS.join('|')})\s*\(\s*(?:CONCATENATE\s*\(\s*)?"{1,2}\s*https?:[^"]{0,500}"{1,2}\s*[&,]\s*(?:\w+\(|\$?[A-Z]{1,3}\$?\d)`,
  'i',
)
const CELL_WORK = 3_000
const CHARACTER_WORK = 100

export const tableFormulas: Format = {
  applies: (item) => item.sniffed.kind === 'text' && item.sniffed.type === 'text/plain' && item.has(FORMULA),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const name = item.path.at(-1) ?? ''
    if (OTHER_NAME.test(name)) return
    const command = isTable(name, text) ? EXCEL.ddeCommand : EXCEL.ddeText
    for (const [, cell = ''] of text.matchAll(CELL)) {
      charge(CELL_WORK + cell.length * CHARACTER_WORK)
      const [, service, topic, name] = CONVERSATION.exec(cell) ?? []
      // After an operator, the service is the last word: `=10+20+cmd|' /C calc'!A0`.
      const program = service?.split(/[-+*/=(&, ]/).at(-1) ?? ''
      if (service !== undefined && judgeDde(program, topic ?? '', name) === 'command') context.addFinding(item, command)
      if (SENDING.test(cell)) context.addFinding(item, EXCEL.remoteFormula)
    }
  },
}

const TABLE_NAME = /\.(?:csv|tsv|tab|slk|prn|xls)$/i
/** Texts that no program opens as a table. */
const OTHER_NAME = /\.(?:md|markdown|rst|adoc|tex|html?|ya?ml|json|log|py|js|php|c|h|cpp|java|cs|rb|go|rs|sh|ps1)$/i
const MARKDOWN = /^(?:#{1,6} \S|```|~~~)/
/** Five words up to the end of a sentence. */
const SENTENCE = /^[^\t;"|=]*?(?:[\w'`-]{1,40}[,:]? ){4}[^\t;]*[.:!?]$/
const LINES_MAX = 400
const LINE_MAX = 400
/** A text with more sentences than one in so many lines is an article or a mail. */
const SENTENCE_SHARE = { plain: 4, markdown: 10 }

/** Articles on formulas quote them. A text that begins with a formula is a table, whatever follows. */
function isTable(name: string, text: string): boolean {
  if (TABLE_NAME.test(name)) return true
  charge(Math.min(text.length, LINES_MAX * LINE_MAX))
  if (/^[\s"]{0,16}[=+@-]/.test(text)) return true
  const lines = text
    .split(/\r?\n|\r/, LINES_MAX)
    .map((line) => line.slice(0, LINE_MAX).trim())
    .filter((line) => line !== '')
  // A heading alone does not suffice: spreadsheet programs open a table below it as well.
  const share = SENTENCE_SHARE[lines.some((line) => MARKDOWN.test(line)) ? 'markdown' : 'plain']
  return lines.filter((line) => SENTENCE.test(line)).length * share <= lines.length
}
