/** Scripts of PowerShell that download each address of a list. */

import { charge, keep } from '#inspect/core/work.ts'
import { isInstallerOnly } from '../installers.ts'

/** `foreach ($p in $list) { iwr -Uri $p.Url }` */
const LISTED = /\s-uri\s{1,4}\$([a-z]\w{0,30})(?:\.(\w{1,30}))?(?=\s|$)/i
const LIST_MAX = 4_000
/** Texts, with names or without, which nothing computes. */
const TEXTS_ONLY = /^(?:[\s,;}]|@\{|[\w-]{1,40}\s{0,4}=|'[^'\r\n]{0,400}'|"[^"\r\n$\x60]{0,400}")*$/
/** Up to its end, which is that of its statement. */
const BLOCK = /^(?:[^()'"]|'[^'\r\n]*'|"[^"\r\n]*")*(?=\)[ \t]{0,9}(?:[\r\n;]|$))/
const SETS_VARIABLES = /\b(?:set|new)-variable\b|\bvariable:|(?<![\w$-])[sn]v\s/i
const CHARACTER_WORK = 20

/** Whether what a statement downloads comes from a list with only addresses of makers, which nothing changes. */
export function createLists(text: string): (statement: string) => boolean {
  const known = new Map<string, boolean>()
  return (statement) => {
    const [whole, item, key] = LISTED.exec(statement) ?? []
    if (whole === undefined || item === undefined) return false
    const before = known.get(whole)
    if (before !== undefined) return before
    charge(text.length * CHARACTER_WORK)
    keep(whole.length)
    const addresses = listed(text, item, key)
    const isKnown = addresses.length > 0 && addresses.every((each) => /^https:/i.test(each) && isInstallerOnly(each))
    known.set(whole, isKnown)
    return isKnown
  }
}

function listed(text: string, item: string, key: string | undefined): readonly string[] {
  const list = loopOf(item).exec(text)?.[1]
  if (list === undefined || SETS_VARIABLES.test(text) || changeOf(item).test(text)) return []
  // Where it is made, and in the loop.
  if (text.match(useOf(list))?.length !== 2) return []
  const made = startOf(list).exec(text)
  if (made === null) return []
  const from = made.index + made[0].length
  const block = BLOCK.exec(text.slice(from, from + LIST_MAX))?.[0] ?? ''
  if (!TEXTS_ONLY.test(block)) return []
  return Array.from(block.matchAll(quotedOf(key)), ([, single, double]) => single ?? double ?? '')
}

const loopOf = (item: string): RegExp =>
  new RegExp(String.raw`\bforeach\s{0,4}\(\s{0,4}\$${item}\s{1,4}in\s{1,4}\$([a-z]\w{0,30})\s{0,4}\)`, 'i')
const useOf = (list: string): RegExp => new RegExp(String.raw`\$\{?${list}\b`, 'gi')
const startOf = (list: string): RegExp => new RegExp(String.raw`\$${list}\s{0,4}=\s{0,4}@\(`, 'i')
const changeOf = (item: string): RegExp =>
  new RegExp(String.raw`\$\{?${item}\}?(?:\.\w{1,40}|\[[^\]\r\n]{0,40}\])?\s{0,4}(?:[+*/%-]?=|\(|\[)`, 'i')
const quotedOf = (key: string | undefined): RegExp =>
  new RegExp(`${key === undefined ? '' : String.raw`(?<![\w-])${key}\s{0,4}=\s*`}(?:'([^']*)'|"([^"]*)")`, 'gi')
