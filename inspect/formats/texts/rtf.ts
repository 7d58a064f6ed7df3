/** Text of RTF documents with what hides it: marks, colours, sizes. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { type Colour, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { isFile } from './readings.ts'

/** Without one of these it hides nothing. */
const SIGNS =
  /\\v(?:1|(?=[\\\s]))|\\fs[0-4](?!\d)|\\deleted|\\red2[345]\d|\\annotation|\\[a-z]{0,6}cbpat\d|\\highlight[1-9]|\{\\info|\\staticval|\\docvar|\\ffhelptext|\\ffstattext|\\charscalex[0-5](?!\d)|wzDescription|\\shpleft-\d{5}|COMMENTS "|\{\\\*\\[a-z]{1,32}-?\d{0,10} [^{}\\]{0,40}(?:[A-Za-z]{2,20} [A-Za-z]{2,20} [A-Za-z]|\\u-?\d{3,5})/
const SIGN_WORK = 2
const TOKEN_WORK = 60
const HALF_POINTS_MAX = 4
/** Per cent of the width of letters, and a place beside the page in twentieths of a point. */
const WIDTH_MAX = 5
const FAR = -12_000
const RTF_BYTES_MAX = 16_000_000
const DEPTH_MAX = 2_000

interface State {
  isHidden: boolean
  halfPoints: number
  colour: number
  behind: number
  /** Of the destination that it is in. */
  reason: Reason | null
  isSkipped: boolean
  /** In a destination that no reader knows. */
  isUnknown: boolean
  fallbacks: number
}

const START: State = {
  isHidden: false,
  halfPoints: 24,
  colour: 0,
  behind: 0,
  reason: null,
  isSkipped: false,
  isUnknown: false,
  fallbacks: 1,
}

/** Destinations without text of the document. */
const SKIPPED = new Set(
  'fonttbl colortbl stylesheet pict objdata datastore themedata listtable listoverridetable rsidtbl generator xmlnstbl latentstyles colorschememapping filetbl revtbl nonshppict bkmkstart bkmkend pgptbl mmathPr sn listtext pntext'.split(
    ' ',
  ),
)
const REASONS = new Map<string, Reason>(
  Object.entries({
    info: 'metadata',
    annotation: 'comment',
    atnid: 'comment',
    atnauthor: 'comment',
    deleted: 'comment',
  } as const),
)
const BREAKS = new Map(
  Object.entries({
    par: '\n',
    line: '\n',
    tab: '\t',
    cell: '\t',
    row: '\n',
    page: '\n',
    sect: '\n',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
  }),
)
/** Texts beside that of the document. */
const DOUBTED = new Set(words('fldinst sv propname staticval docvar ffhelptext ffstattext'))
/** Characters of groups, words, symbols and text. */
const TOKEN = /[{}]|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|[^\\{}\r\n]{1,4000}/gi
/** Shown when they are met, though they are marked as ignorable. */
const SHOWN = new Set(['annotation', 'shpinst', 'shptxt', 'fldrslt'])

export const rtfTexts: Format = {
  applies: (item) => item.sniffed.kind === 'rtf' && isFile(item),
  analyse(item, context) {
    if (item.bytes.length > RTF_BYTES_MAX) {
      context.texts?.addUnread(item)
      return
    }
    charge(item.bytes.length * SIGN_WORK)
    const source = view(item.bytes).toString('latin1')
    if (context.texts === null && !SIGNS.test(source)) return
    const judge = createTextJudge(item, context)
    readRtf(source, judge)
    judge.finish()
  },
}

const COLOURS = /\{\\colortbl([^{}]{0,20000})\}/

const PARTS = [/\\red(\d{1,3})/, /\\green(\d{1,3})/, /\\blue(\d{1,3})/]

function coloursOf(source: string): (Colour | null)[] {
  return (COLOURS.exec(source)?.[1] ?? '').split(';').map((entry) => {
    const [red, green, blue] = PARTS.map((part) => part.exec(entry)?.[1])
    const isSet = red !== undefined || green !== undefined || blue !== undefined
    return isSet ? [Number(red ?? 0), Number(green ?? 0), Number(blue ?? 0)] : null
  })
}

const WINDOWS = new TextDecoder('windows-1252')

function readRtf(source: string, judge: ReturnType<typeof createTextJudge>): void {
  const colours = coloursOf(source)
  const outer: State[] = []
  let state: State = { ...START }
  let isStarred = false
  let fallbacks = 0

  function whyHidden(): Reason[] {
    const found: Reason[] = state.reason === null ? [] : [state.reason]
    if (state.isHidden) found.push('vanish')
    if (state.halfPoints <= HALF_POINTS_MAX) found.push('size')
    const colour = colours[state.colour]
    const behind = state.behind === 0 ? WHITE : (colours[state.behind] ?? null)
    if (state.colour !== 0 && colour && behind && isLikeColour(colour, behind)) found.push('colour')
    return found
  }

  function put(text: string): void {
    if ((state.isSkipped && !state.isUnknown) || text === '') return
    const shown = fallbacks > 0 ? text.slice(fallbacks) : text
    fallbacks = Math.max(0, fallbacks - text.length)
    if (state.isUnknown) {
      if (!HEX.test(shown)) judge.doubt(shown, 'metadata', null, true)
      return
    }
    judge.add(shown, whyHidden())
  }

  function putUnicode(number: number | null): void {
    fallbacks = 0
    put(String.fromCharCode((number ?? 0) & 0xffff))
    fallbacks = state.fallbacks
  }

  const controls = new Map<string, (number: number | null) => void>([
    ['v', (number) => Object.assign(state, { isHidden: number !== 0 })],
    [
      'charscalex',
      (number) => {
        if ((number ?? 100) <= WIDTH_MAX) state.halfPoints = 1
      },
    ],
    [
      'shpleft',
      (number) => {
        if ((number ?? 0) <= FAR) state.reason = 'off-page'
      },
    ],
    ['fs', (number) => Object.assign(state, { halfPoints: number ?? START.halfPoints })],
    ['cf', (number) => Object.assign(state, { colour: number ?? 0 })],
    ...BEHIND.map((word) => [word, (number: number | null) => Object.assign(state, { behind: number ?? 0 })] as const),
    ['plain', () => Object.assign(state, { isHidden: false, halfPoints: START.halfPoints, colour: 0 })],
    ['pard', () => Object.assign(state, { behind: 0 })],
    ['uc', (number) => Object.assign(state, { fallbacks: Math.max(0, number ?? 1) })],
    ['u', putUnicode],
  ])

  function apply(word: string, number: number | null): void {
    const isKnown = SKIPPED.has(word) || DOUBTED.has(word)
    if (isKnown) state.isUnknown = DOUBTED.has(word)
    else if (isStarred && !SHOWN.has(word) && !state.isSkipped) state.isUnknown = true
    if (isKnown || (isStarred && !SHOWN.has(word))) state.isSkipped = true
    isStarred = false
    state.reason = REASONS.get(word) ?? state.reason
    controls.get(word)?.(number)
    put(BREAKS.get(word) ?? '')
  }

  function applySymbol(symbol: string): void {
    if (symbol === '*') isStarred = true
    else put(SYMBOLS.get(symbol) ?? '')
  }

  function openOrClose(token: string): void {
    fallbacks = 0
    if (token === '}') state = outer.pop() ?? state
    else if (outer.length < DEPTH_MAX) outer.push({ ...state })
  }

  for (const [token, word, number, hex, symbol] of source.matchAll(TOKEN)) {
    charge(TOKEN_WORK)
    if (token === '{' || token === '}') openOrClose(token)
    else if (word !== undefined) apply(word, number === undefined ? null : Number(number))
    else if (symbol !== undefined) applySymbol(symbol)
    else put(hex === undefined ? token : WINDOWS.decode(Buffer.from(hex, 'hex')))
  }
}

const HEX = /^[0-9a-f\s]{20,}$/i
const BEHIND = ['cb', 'highlight', 'chcbpat', 'cbpat', 'clcbpat']
const SYMBOLS = new Map([
  ['~', '\u00a0'],
  ['\n', '\n'],
  ['\r', '\n'],
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
])
