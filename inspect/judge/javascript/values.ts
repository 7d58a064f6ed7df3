/** Values of scripts: constants, and what is known of everything else. */

import { charge, keep } from '#inspect/core/work.ts'
import type { FunctionNode } from './syntax.ts'
import type { Pattern } from './tokens.ts'

export type Value = string | number | boolean | null | undefined | Composite

type Composite =
  | ListValue
  | { kind: 'record'; entries: Map<string, Value> }
  | FunctionValue
  | { kind: 'method'; owner: Value; name: string }
  | { kind: 'pattern'; pattern: Pattern }
  | Unknown

export interface ListValue {
  kind: 'list'
  items: Value[]
  /** Of bytes. */
  isTyped: boolean
}

export interface FunctionValue {
  kind: 'function'
  node: FunctionNode
  scope: Scope
}

/** Not known. */
export interface Unknown {
  kind: 'unknown'
  /** By which the script refers to it, such as `app.launchURL` or `getField().value`; empty if it has none. */
  name: string
  /** What is known of a text, with `GAP` for the rest. */
  text?: string
}

export interface Scope {
  variables: Map<string, Value>
  outer: Scope | null
}

/** Replaces the unknown parts of a text. */
export const GAP = '\ufffd'
/** Characters kept of a text with unknown parts. */
const PARTIAL_MAX = 4096
/** Characters of one text. A longer one is unknown. */
export const TEXT_MAX = 16_777_216
/** Characters of the name of an unknown value. */
const NAME_MAX = 200

export const UNKNOWN: Unknown = { kind: 'unknown', name: '' }

export const named = (name: string): Unknown => ({ kind: 'unknown', name: name.slice(0, NAME_MAX) })

export function isComposite(value: Value): value is Composite {
  return typeof value === 'object' && value !== null
}

export function isUnknown(value: Value): value is Unknown {
  return isComposite(value) && value.kind === 'unknown'
}

/** Memory for each item of a list. */
const ITEM_BYTES = 16

export function listOf(items: Value[], isTyped = false): ListValue {
  keep(items.length * ITEM_BYTES)
  return { kind: 'list', items, isTyped }
}

/** null: not known. */
export function textOf(value: Value): string | null {
  if (typeof value === 'string') return value
  if (!isComposite(value)) return String(value)
  if (value.kind === 'list') return joined(value.items, ',')
  if (value.kind === 'record') return '[object Object]'
  if (value.kind === 'pattern') return `/${value.pattern.source}/${value.pattern.flags}`
  if (value.kind === 'method') return `function ${value.name}() { [native code] }`
  return null
}

const DEPTH_MAX = 20

export function joined(items: readonly Value[], separator: string, depth = 0): string | null {
  if (depth > DEPTH_MAX) return null
  let length = 0
  const texts: string[] = []
  for (const item of items) {
    charge(50)
    const isEmpty = item === null || item === undefined
    const isList = isComposite(item) && item.kind === 'list'
    const text = isEmpty ? '' : isList ? joined(item.items, ',', depth + 1) : textOf(item)
    if (text === null) return null
    length += text.length + separator.length
    if (length > TEXT_MAX) return null
    texts.push(text)
  }
  charge(length)
  return texts.join(separator)
}

/** NaN: no number or not known. */
export function numberOf(value: Value): number {
  if (!isComposite(value)) return Number(value)
  const text = value.kind === 'list' && value.items.length < 2 ? textOf(value) : null
  return text === null ? Number.NaN : Number(text)
}

/** null: not known. */
export function truthOf(value: Value): boolean | null {
  if (!isComposite(value)) return Boolean(value)
  return value.kind === 'unknown' ? null : true
}

/** What is known of a text. */
function partOf(value: Value): string {
  if (isUnknown(value)) return value.text ?? GAP
  return textOf(value) ?? GAP
}

export function concatenated(left: Value, right: Value): Value {
  const texts = [textOf(left), textOf(right)] as const
  if (texts[0] !== null && texts[1] !== null) {
    charge(50)
    return texts[0].length + texts[1].length > TEXT_MAX ? UNKNOWN : texts[0] + texts[1]
  }
  const text = (partOf(left).slice(0, PARTIAL_MAX) + partOf(right).slice(0, PARTIAL_MAX)).slice(0, PARTIAL_MAX)
  return { kind: 'unknown', name: '', text }
}
