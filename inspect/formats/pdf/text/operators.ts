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
/** Strings are read sign by sign. */
const TOKEN =
  /[^\S]+|%[^\r\n]*|\(|<<|>>|<[0-9a-fA-F\s]*>|[[\]{}]|\/[^\s()<>[\]{}/%]*|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?=[\s()<>[\]{}/%]|$)|[^\s()<>[\]{}/%]+|[\s\S]/gy

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

/** Most tokens are a single blank. */
const BLANKS = new Set([0x20, 0x0a, 0x0d, 0x09])

function tokenEnd(content: string, at: number, first: number): number {
  if (BLANKS.has(first)) return at + 1
  TOKEN.lastIndex = at
  return TOKEN.test(content) ? TOKEN.lastIndex : at + 1
}

const [SPACE, PERCENT, LESS, SLASH] = [0x20, 0x25, 0x3c, 0x2f]
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
