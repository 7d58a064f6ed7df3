/** Formulas in CSV and TSV files that start programs or send cells to a server. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { FETCHING, startsProgram } from '#inspect/judge/formulas.ts'
import { SOURCE_FILES } from '#inspect/windows/extensions.ts'
import { CALCULATORS, RUNNERS } from '#inspect/windows/programs.ts'

/** The end of a conversation: `cmd|'topic'!item`. */
const ITEMS = ['!A0', '!A1', "' !", "'\t!", '  !', ...[..."ABCRXZ_xz019'"].map((first) => `'!${first}`)]
/** Programs before the bar, for items with other names. */
const SERVICES = [...RUNNERS, ...CALCULATORS, 'cmd.exe'].map((name) => `${name}|`)
/** The function, also before a space. */
const DDE = [...'=+-@ "'].map((sign) => `${sign}DDE`)
const FORMULA = mark([...FETCHING.map((name) => `${name}(`), ...ITEMS, ...SERVICES, ...DDE], { ignoresCase: true })

/** The start of a cell with a formula, which has at most 8,192 characters in Excel: plain signs begin numbers and names in every tenth table. */
const CELL = /(?:^|[,;\t]) *(?:"[ \t]*)?[=+\-@]([^\r\n]{0,8192})/gm
const SYLK_CELL = /;E([^\r\n]{0,8192})/g
const SENDING = new RegExp(
  String.raw`\b(?:${FETCHING.join('|')})\s*\(\s*(?:CONCAT(?:ENATE)?\s*\(\s*)?"{1,2}\s*https?:[^"]{0,500}"{1,2}\s*[&,]\s*(?:\w+\(|\$?[A-Z]{1,3}\$?\d)`,
  'i',
)
/** For each character of the text, for each cell, and for each character of a cell. */
const SEARCH_WORK = 4
const CELL_WORK = 3_000
const CHARACTER_WORK = 50

export const tableFormulas: Format = {
  among: { marks: [FORMULA] },
  applies: (item) => item.sniffed.kind === 'text' && item.sniffed.type === 'text/plain' && item.has(FORMULA),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const name = item.path.at(-1) ?? ''
    if (OTHER_NAME.test(name)) return
    charge(text.length * SEARCH_WORK)
    const command = isTable(name, text) ? EXCEL.ddeCommand : EXCEL.ddeText
    for (const [, cell = ''] of text.matchAll(text.startsWith('ID;P') ? SYLK_CELL : CELL)) {
      charge(CELL_WORK + cell.length * CHARACTER_WORK)
      // Spaces and control characters inside names do not stop Excel.
      if (startsProgram(cell) || startsProgram(cell.replace(BLANKS, ''))) context.addFinding(item, command)
      if (SENDING.test(cell)) context.addFinding(item, EXCEL.remoteFormula)
    }
  },
}

const SHEET_FORMULA = mark(['Formula="=', "Formula='="])
const ATTRIBUTE = /\bFormula\s{0,4}=\s{0,4}(?:"([=&][^"]{0,8192})"|'([=&][^']{0,8192})')/g

/** The same in workbooks that are XML texts, where references hide the quotes. */
export const sheetFormulas: Format = {
  among: { marks: [SHEET_FORMULA] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(SHEET_FORMULA),
  analyse(item, context) {
    charge(item.bytes.length)
    for (const [, double, single] of view(item.bytes).toString('latin1').matchAll(ATTRIBUTE))
      if (startsProgram(unreferenced(double ?? single ?? '').replace(/^=/, '')))
        context.addFinding(item, EXCEL.ddeCommand)
  },
}

const CELL_TAG = mark(['<td'], { ignoresCase: true })
/** A cell of a page with its attributes and its text up to the next tag. */
const PAGE_CELL = /<td\b([^>]*)(?:>([^<]{0,8192})|$)/gi
const STORED_FORMULA = /\bfmla\s{0,4}=\s{0,4}(?:"([^"]{0,8000})"|'([^']{0,8000})')/i
/** Pages that Excel wrote, or that are written for it. */
const FOR_EXCEL = /office:excel|excel\.sheet|application\/(?:vnd\.)?ms-?excel|<x:\w|mso-number-format/i
/** Words of articles about such formulas, which show them in tables. */
const EXPLAINS =
  /injection|payload|vulnerab|attack|exploit|formula|\bDDE\b|malicious|sanitiz|escap(?:e|ing)|prompts?\b/i

/** The same in pages, which Excel opens under the name of a workbook. */
export const pageFormulas: Format = {
  among: { marks: [CELL_TAG] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(CELL_TAG) && item.has(FORMULA),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    charge(text.length)
    const others: string[] = []
    let end = 0
    for (const { 0: cell, 1: attributes = '', 2: content = '', index } of text.matchAll(PAGE_CELL)) {
      charge(CELL_WORK + cell.length)
      const [, double, single] = STORED_FORMULA.exec(attributes) ?? []
      const formula = unreferenced(double ?? single ?? content).trim()
      if (!/^[=+@-]/.test(formula) || !startsProgram(formula.slice(1))) continue
      others.push(text.slice(end, index))
      end = index + cell.length
    }
    if (end === 0) return
    const isShown =
      !TABLE_NAME.test(item.path.at(-1) ?? '') &&
      !FOR_EXCEL.test(text) &&
      EXPLAINS.test(`${others.join(' ')} ${text.slice(end)}`)
    if (!isShown) context.addFinding(item, EXCEL.ddeCommand)
  },
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const BLANKS = /[\u0000-\u0020\u007f\u00a0]/g
const TABLE_NAME = /\.(?:csv|tsv|tab|slk|prn|xls)$/i
/** Texts that no program opens as a table. */
const OTHER_NAME = anyCase`\.(?:${SOURCE_FILES}|md|markdown|rst|adoc|html?|log|json)$`
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
