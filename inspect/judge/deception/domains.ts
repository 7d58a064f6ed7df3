/** The part of a host that its owner registered: `example.co.uk` of `www.example.co.uk`. */

import { charge } from '#inspect/core/work.ts'
import { SUFFIXES } from './tables.ts'
import { type Wider, wider } from './wider.ts'

interface Suffix {
  isSuffix: boolean
  inner: Map<string, Suffix>
}

const suffixOf = (isSuffix: boolean): Suffix => ({ isSuffix, inner: new Map() })

/** A label and what follows it: `(` or `[` opens what is below it, `)` or `]` ends that. */
const TOKEN = /([^,()[\]]*)([,()[\]]|$)/g

function unpacked(): Suffix {
  const open: Suffix[] = [suffixOf(false)]
  for (const [, label = '', sign = ''] of SUFFIXES.matchAll(TOKEN)) {
    const suffix = suffixOf(sign !== '[')
    if (label !== '') open.at(-1)?.inner.set(label, suffix)
    if (sign === '(' || sign === '[') open.push(suffix)
    if (sign === ')' || sign === ']') open.pop()
  }
  return open[0] as Suffix
}

/** Most documents have no links, so that the table is read for the first of them. */
let table: Suffix | undefined

/** Labels of the public suffix at the end of the host. A name that no rule knows is one. */
function suffixLabels(labels: readonly string[]): number {
  table ??= unpacked()
  let node = table
  let count = 1
  for (const [i, label] of labels.toReversed().entries()) {
    if (node.inner.has(`!${label}`)) return i
    const next = node.inner.get(label) ?? node.inner.get('*')
    if (next === undefined) break
    if (next.isSuffix) count = i + 1
    node = next
  }
  return addedLabels(labels, count)
}

/** Whether a registry gives names under the end of the host. */
export function hasKnownSuffix(host: string): boolean {
  table ??= unpacked()
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  return labels.length > 1 && (table.inner.has(top) || wider()?.suffixes.has(top) === true)
}

/** Labels of the longest suffix that the channel adds. */
const ADDED_LABELS_MAX = 10

function addedLabels(labels: readonly string[], count: number): number {
  const added = wider()?.suffixes
  if (added === undefined || added.size === 0) return count
  for (let length = Math.min(labels.length, ADDED_LABELS_MAX); length > count; length--)
    if (added.has(labels.slice(-length).join('.'))) return length
  return count
}

export interface Domain {
  /** The host itself if it is a public suffix. */
  registered: string
  /** Its first label, which the owner chose. */
  name: string
  /** What the registry gave: `co.uk`. */
  suffix: string
  /** Labels in front of it, from the left. */
  subdomains: readonly string[]
}

/** With what is asked of the parts. The same for a host that is kept: what a document costs depends on it alone. */
const NAME_WORK = 2_500

/** Many questions are asked of a few hosts before the next ones come. */
const KEPT_MAX = 32
const kept = new Map<string, Domain>()
let tables: Wider | null = null

/** Of a host in lower case, with international labels in their ASCII form. */
export function domainOf(host: string): Domain {
  charge(NAME_WORK)
  if (tables !== wider() || kept.size === KEPT_MAX) kept.clear()
  tables = wider()
  const known = kept.get(host)
  if (known !== undefined) return known
  const domain = parsed(host)
  kept.set(host, domain)
  return domain
}

function parsed(host: string): Domain {
  const labels = host.split('.')
  const at = Math.max(0, labels.length - suffixLabels(labels) - 1)
  const [name = '', ...suffix] = labels.slice(at)
  return {
    registered: labels.slice(at).join('.'),
    name,
    suffix: suffix.join('.'),
    subdomains: labels.slice(0, at),
  }
}
