/** `node scripts/link-tables.ts public_suffix_list.dat confusables.txt`: packs the tables by which links are judged. */

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { domainToASCII } from 'node:url'
import { readArguments, refuse } from './arguments.ts'

const TABLES = path.join(import.meta.dirname, '../inspect/judge/deception/tables.ts')

interface Node {
  isSuffix: boolean
  children: Map<string, Node>
}

const nodeOf = (): Node => ({ isSuffix: false, children: new Map() })

/** Suffixes of two labels or more, the last label first: `jp(co,kobe[!city,*])`. After `[` the name itself is none. */
function packSuffixes(list: string): string {
  const root = nodeOf()
  for (const line of list.split('\n')) {
    const rule = line.trim().split(/\s/, 1)[0] ?? ''
    if (rule.includes('.') && !rule.startsWith('//')) addRule(root, rule)
  }
  for (const top of root.children.values()) top.isSuffix = true
  return packed(root)
}

function addRule(root: Node, rule: string): void {
  const [first = '', ...rest] = rule.replace('!', '').split('.')
  const labels = [...rest.toReversed().map(ascii), rule.startsWith('!') ? `!${ascii(first)}` : ascii(first)]
  let node = root
  for (const label of labels) {
    const next = node.children.get(label) ?? nodeOf()
    node.children.set(label, next)
    node = next
  }
  node.isSuffix = true
}

const ascii = (label: string): string => (label === '*' ? label : domainToASCII(label))

function packed({ children }: Node): string {
  return [...children]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, node]) => {
      if (node.children.size === 0) return label
      return node.isSuffix ? `${label}(${packed(node)})` : `${label}[${packed(node)}]`
    })
    .join(',')
}

/** Letters that look like one to three of ASCII, each group after what it looks like. Only what a host can contain. */
function packLookalikes(list: string): string {
  const groups = new Map<string, string[]>()
  for (const line of list.split('\n')) {
    const [from = '', to = ''] = line.split(';', 2).map((codes) =>
      codes
        .trim()
        .split(' ')
        .map((code) => (code === '' ? '' : String.fromCodePoint(Number.parseInt(code, 16))))
        .join(''),
    )
    const shape = to.toLowerCase()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins there.
    if (!/^[a-z0-9]{1,3}$/.test(shape) || /[\u0000-\u007f]/.test(from) || from.normalize('NFKC') !== from) continue
    if (from.toLowerCase() !== from || domainToASCII(from) === '') continue
    groups.set(shape, [...(groups.get(shape) ?? []), from])
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([shape, letters]) => shape + letters.toSorted().join(''))
    .join(' ')
}

const LINE = /.{1,110}/gsu

function literal(text: string): string {
  const lines = text.match(LINE) ?? []
  return lines.map((line) => `  '${line}'`).join(' +\n')
}

const exported = (name: string): string => `export const ${name}`

const USAGE = 'node scripts/link-tables.ts public_suffix_list.dat confusables.txt'
const [suffixes = '', lookalikes = ''] = readArguments(USAGE, { max: 2 }).positionals
if (lookalikes === '') refuse('Name both files', USAGE)
writeFileSync(
  TABLES,
  `/** Written by \`scripts/link-tables.ts\`. */

/** From the Public Suffix List (publicsuffix.org), which is under the Mozilla Public License 2.0. */
${exported('SUFFIXES')} =
${literal(packSuffixes(readFileSync(suffixes, 'utf8')))}

/** From confusables.txt of Unicode (UTS 39), which is under the Unicode License 3.0. */
${exported('LOOKALIKES')} =
${literal(packLookalikes(readFileSync(lookalikes, 'utf8')))}
`,
)
