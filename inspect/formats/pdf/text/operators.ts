/** Reads the content of a PDF page as operators with their operands. */

import { charge } from '#inspect/core/work.ts'
import { BACKSLASH, CLOSING, OPENING } from '../syntax/characters.ts'
import { readString } from '../syntax/values.ts'

/** A number, a name with its slash, bytes of a text, or a list of numbers and bytes. */
export type Operand = number | string | Buffer | readonly (number | Buffer)[]

/** false: nothing more is read. */
type Visit = (operator: string, operands: readonly Operand[]) => boolean

const CHARACTER_WORK = 6
const TOKEN_WORK = 40
const TEXT_WORK = 200
const OPERANDS_MAX = 64
/** Texts and gaps of a line. */
export const LIST_MAX = 50_000

/** Whether it was read to its end. */
export function readOperators(content: string, visit: Visit): boolean {
  charge(content.length * CHARACTER_WORK)
  let operands: Operand[] = []
  let list: (number | Buffer)[] | null = null
  let at = 0

  function add(operand: Operand): void {
    const isPart = typeof operand === 'number' || Buffer.isBuffer(operand)
    if (list === null && operands.length < OPERANDS_MAX) operands.push(operand)
    else if (isPart) list?.push(operand)
  }

  function endList(): void {
    const whole = list ?? []
    list = null
    add(whole)
  }

  /** false: nothing more is read. */
  function take(token: string): boolean {
    if (token === '[') list = []
    else if (token === ']') endList()
    if (!OPERATOR.test(token)) return true
    if (token === 'ID') at = endOfPicture(content, at)
    const given = operands
    operands = []
    list = null
    return visit(token, given)
  }

  while (at < content.length) {
    const first = content.charCodeAt(at)
    const start = at
    at = tokenEnd(content, start, first)
    if (first <= SPACE || first === PERCENT) continue
    const token = content.slice(start, at)
    charge(TOKEN_WORK)
    if (first === OPENING) at = stringEnd(content, start)
    const operand = operandOf(first === OPENING ? content.slice(start, at) : token, first)
    if (operand !== null) add(operand)
    else if (!take(token)) return false
    if (list !== null && (list as unknown[]).length > LIST_MAX) return false
  }
  return true
}

const OPERATOR = /^[A-Za-z'"*]/

function operandOf(token: string, first: number): Operand | null {
  if (first === OPENING || (first === LESS && token !== '<<')) {
    charge(TEXT_WORK)
    return readString(token) ?? Buffer.alloc(0)
  }
  if (first === SLASH) return token
  return NUMERIC.test(token) ? Number(token) : null
}

/** By their codes: what ends a number, a name or an operator. */
const ENDS = Uint8Array.from({ length: 256 }, (_, code) => Number(/[\s()<>[\]{}/%]/.test(String.fromCharCode(code))))
const LINE_END = /[\r\n]|$/g
const ANGLED = /<<|>>|<[0-9a-fA-F\s]*>|[<>]/y

/** Strings are read sign by sign, blanks one by one. */
function tokenEnd(content: string, at: number, first: number): number {
  if (first === LESS || first === MORE) return endOf(ANGLED, content, at)
  if (first === PERCENT) return endOf(LINE_END, content, at)
  let end = at + 1
  if (first !== SLASH && ENDS[first] === 1) return end
  while (end < content.length && ENDS[content.charCodeAt(end)] === 0) end++
  return end
}

function endOf(pattern: RegExp, content: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(content)
  return pattern.lastIndex
}

const [SPACE, PERCENT, LESS, MORE, SLASH] = [0x20, 0x25, 0x3c, 0x3e, 0x2f]
const NUMERIC = /^[-+.\d]/
/** After it; without an end, all that follows belongs to it. */
function stringEnd(content: string, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const code = content.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === OPENING) depth += 1
    else if (code === CLOSING && --depth === 0) return at + 1
  }
  return content.length
}

const PICTURE_END = /\sEI(?=[\s]|$)/g

/** After the data of a picture in the content. */
function endOfPicture(content: string, from: number): number {
  PICTURE_END.lastIndex = from
  const found = PICTURE_END.exec(content)
  return found === null ? content.length : found.index + 1
}
