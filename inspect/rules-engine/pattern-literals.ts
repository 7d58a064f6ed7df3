/** Byte strings of which every match of a pattern contains at least one. */

import { type Node, parseHex, parseRegex } from './pattern-syntax.ts'
import { Unsupported } from './rule-tokens.ts'

export interface PatternFacts {
  /** As Latin-1 text, compared without ASCII case. Null: nothing is known. */
  literals: readonly string[] | null
  /** Every match begins with one of them. Null: nothing is known. */
  prefixes: readonly string[] | null
  /** Whether matches depend on the beginning or end of the data. */
  isAnchored: boolean
}

/** The finder compares four bytes at a time. */
export const LITERAL_BYTES_MIN = 4
const LITERAL_BYTES_MAX = 32
const LITERALS_MAX = 1_024
const REPEATS_MAX = 16
/** Nested repetitions multiply. */
const NODES_MAX = 10_000

const UNKNOWN_PATTERN: PatternFacts = { literals: null, prefixes: null, isAnchored: true }

/** Modifiers map to their arguments, which are empty if there are none. */
export function factsOf(value: string, modifiers: ReadonlyMap<string, string>): PatternFacts {
  try {
    return value.startsWith('"') ? textFacts(value, modifiers) : treeFacts(value, modifiers)
  } catch (error) {
    if (error instanceof Unsupported) return UNKNOWN_PATTERN
    throw error
  }
}

function treeFacts(value: string, modifiers: ReadonlyMap<string, string>): PatternFacts {
  const isRegex = value.startsWith('/')
  const source = isRegex ? value.slice(1, value.lastIndexOf('/')) : value
  const tree = isRegex ? parseRegex(source) : parseHex(source)
  const encode = (texts: readonly string[]): string[] =>
    encodings(modifiers).flatMap((isWide) => texts.map((text) => (isWide ? widen(text).slice(0, -1) : text)))
  const found = requiredOf(tree)
  return {
    literals: usable(found === null ? null : encode(found)),
    prefixes: nonEmpty(encode([leadOf(tree)])),
    isAnchored: isRegex && /[\^$]|\\[AzZ]/.test(source),
  }
}

function textFacts(value: string, modifiers: ReadonlyMap<string, string>): PatternFacts {
  const text = unescaped(value.slice(1, -1))
  const plain = encodings(modifiers).map((isWide) => (isWide ? widen(text) : text))
  const base64 = [...modifiers.keys()].filter((name) => name.startsWith('base64'))
  if (base64.some((name) => modifiers.get(name) !== '')) throw new Unsupported('alphabet')
  // The bytes of other characters depend on the encoding.
  if (/[^\0-\x7f]/.test(value)) {
    if (modifiers.has('xor') || base64.length > 0) throw new Unsupported('encoding')
    const runs = plain.map((each) => each.split(/[^\0-\x7f]\0?/).toSorted((a, b) => b.length - a.length)[0] ?? '')
    return { literals: usable(runs), prefixes: null, isAnchored: false }
  }
  const all = base64.length > 0 ? base64.flatMap((name) => plain.flatMap((each) => inBase64(each, name))) : plain
  const keyed = modifiers.has('xor') ? all.flatMap((each) => xored(each, modifiers.get('xor') ?? '')) : all
  return { literals: usable(keyed), prefixes: nonEmpty(keyed.map((each) => each.slice(0, 8))), isAnchored: false }
}

/** Whether each encoding is UTF-16. */
function encodings(modifiers: ReadonlyMap<string, string>): boolean[] {
  if (!modifiers.has('wide')) return [false]
  return modifiers.has('ascii') ? [false, true] : [true]
}

const widen = (text: string): string => text.replace(/[\s\S]/g, '$&\0')

function inBase64(text: string, modifier: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + text, 'latin1')
      .toString('base64')
      .replace(/(?<!=)=+$/, '')
    const isWhole = (text.length + shift) % 3 === 0
    // Characters that also encode neighbouring bytes are unknown.
    const sure = encoded.slice(shift === 0 ? 0 : shift + 1, isWhole ? undefined : -1)
    return modifier === 'base64wide' ? widen(sure) : sure
  })
}

function xored(text: string, range: string): string[] {
  const [low = 0, high = range === '' ? 255 : low] = (range.match(/0x[0-9A-Fa-f]+|\d+/g) ?? []).map(Number)
  const short = text.slice(0, 12)
  return Array.from({ length: high - low + 1 }, (_, i) =>
    short.replace(/[\s\S]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ (low + i))),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (_, escaped: string) => {
    const letter = escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : ESCAPES[escaped]
    if (letter === undefined) throw new Unsupported('escape')
    return letter
  })
}

function usable(literals: readonly string[] | null): string[] | null {
  if (literals === null || literals.length === 0 || literals.length > LITERALS_MAX) return null
  if (literals.some(({ length }) => length < LITERAL_BYTES_MIN)) return null
  return [...new Set(literals.map((literal) => literal.slice(0, LITERAL_BYTES_MAX)))]
}

function nonEmpty(prefixes: readonly string[]): readonly string[] | null {
  return prefixes.length === 0 || prefixes.includes('') ? null : prefixes
}

/** The best set of strings of which every match contains one, or null. */
function requiredOf(tree: Node, budget = { nodes: NODES_MAX }): string[] | null {
  let best: string[] | null = null
  let run = ''
  const offer = (found: string[]): void => {
    if (found.length > 0 && found.length <= LITERALS_MAX && score(found) > score(best)) best = found
  }
  const endRun = (): void => {
    if (run !== '') offer([run])
    run = ''
  }
  const choose = (nodes: readonly Node[]): void => {
    const branches = nodes.map((node) => requiredOf(node, budget))
    if (!branches.includes(null)) offer(branches.flatMap((branch) => branch ?? []))
  }
  const visitAll = (nodes: readonly Node[]): void => {
    for (const node of nodes) visit(node)
  }
  const visit = (node: Node): void => {
    if (--budget.nodes < 0) throw new Unsupported('size')
    if (node.kind === 'byte') run += String.fromCharCode(node.byte)
    else if (node.kind === 'sequence') visitAll(node.nodes)
    else {
      if (node.kind === 'repeat') visitAll(Array(Math.min(node.min, REPEATS_MAX)).fill(node.node))
      endRun()
      if (node.kind === 'choice') choose(node.nodes)
    }
  }
  visit(tree)
  endRun()
  return best
}

/** Long strings first, then few of them. */
function score(found: readonly string[] | null): number {
  if (found === null) return -1
  return Math.min(16, ...found.map(({ length }) => length)) - found.length / LITERALS_MAX
}

/** The bytes with which every match begins; empty if that is unknown. */
function leadOf(tree: Node): string {
  let lead = ''
  const visit = (node: Node): boolean => {
    if (node.kind === 'sequence') return node.nodes.every(visit)
    if (node.kind !== 'byte' || lead.length >= 8) return false
    lead += String.fromCharCode(node.byte)
    return true
  }
  visit(tree)
  return lead
}
