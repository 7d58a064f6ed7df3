/** How the scripts of a page read what is entered, and where they send it. */

import { indexOf } from '#inspect/core/search.ts'
import { charge } from '#inspect/core/work.ts'
import type { Behaviour } from './behaviour.ts'
import type { Tag } from './markup.ts'

/** How a script gets at fields without their names: through the form, by their kind or place, or by the keys that are pressed. */
const FIELDS = new RegExp(
  [
    String.raw`FormData|serialize(?:Array)?\b|\.elements\b|\bforms\b|\.target\s{0,4}\[|\.key\b|\bkeyCode\b|\.which\b`,
    String.raw`(?:querySelector(?:All)?|getElementsByTagName|\$)\(\s{0,4}["'\x60](?:form|input|:|\[)|getElementsBy(?:Class)?Name\(`,
    String.raw`type\s{0,4}[=:]\s{0,4}\\?["']?password`,
    String.raw`(?:children|childNodes|Sibling|Child|parentNode|parentElement)\b[^;\n]{0,80}\.value\b`,
  ].join('|'),
)

/** Names that programs made, and names as codes of characters: what such a script reads is only known from what it does. */
const OBFUSCATED = /\b_0x[0-9a-f]{2,6}\b|(?:\\x[0-9a-f]{2}){5}/i
/** What finds fields without their names. */
const SELECTOR = /^(?:form|input|:|\[)|type\s{0,4}=\s{0,4}["']?password/

const FIELDS_WORK = 10

/** Whether the scripts of a page may read its password. Most only count readers and show advertisements. */
export function readsFields(source: string, passwords: readonly Tag[], behaviour: Behaviour | null): boolean {
  charge(source.length * FIELDS_WORK)
  if (FIELDS.test(source) || behaviour?.runsBuiltText || behaviour?.isCut) return true
  // Of a card or of words, every field is of interest.
  const isObfuscated = OBFUSCATED.test(source)
  if (passwords.length === 0) return isObfuscated || READ.test(source)
  const texts = isObfuscated ? (behaviour?.texts ?? []) : []
  const isBound = passwords.some(({ attributes }) =>
    attributes.keys().some((key) => key.startsWith('on') || key.startsWith('data-')),
  )
  const names = passwords.flatMap(({ attributes }) => ['id', 'name', 'class'].map((key) => attributes.get(key) ?? ''))
  const isFound = (name: string): boolean =>
    indexOf(source, name) !== -1 || texts.some((text) => text.replace(/^[#.]/, '') === name)
  return (
    isBound ||
    texts.some((text) => SELECTOR.test(text)) ||
    new Set(names).values().some((name) => name !== '' && isFound(name))
  )
}

/** What is entered: the value of a field, or text that can be edited. */
const READ = /\.value\b|\.val\(|\bFormData\s?\(|\b(?:innerText|textContent)\b/
/** A name, and what it is set to. */
const SET = /(?<![\w$.])([\w$]{1,40})(?:\s{0,4}\+?=(?![=>])|\.push\s{0,4}\()(?=([^;]{0,300}))/g
/** Gives back what is entered. */
const RETURNS = /\breturn\b[^;]{0,200}(?:\.value\b|\.val\()/
/** A function, and what it does first. */
const DEFINED = /\bfunction\s{1,4}([\w$]{1,40})\s{0,4}\([^()]{0,200}\)\s{0,4}\{(?=([^{}]{0,300}))/g
/** Names of more than this are those of libraries, where one means several things. */
export const READ_SOURCE_MAX = 20_000
const SOURCE_WORK = 300
const PASSES = [1, 2]

/** Ways to send that have no answer: the address of a picture, a beacon, and a request that cannot be read. */
const ONE_WAY =
  /(?:(?<pixel>\.src\s{0,4}=(?!=)|\[["'s+rc]{3,12}\]\s{0,4}=(?!=)|["']src["']\s{0,4},|setAttributeNS\s{0,4}\([^(),]{0,60},\s{0,4}["'](?:xlink:)?href["']\s{0,4},)|sendBeacon["'\]\s]{0,4}\(|fetch\s{0,4}\((?=[^;]{0,400}no-cors))(?=([^;]{0,400}))/g

/** Goes on in the same way, whether what was entered was accepted or not. */
const UNHEARD =
  /\.onerror\s{0,4}=\s{0,4}[\w$]{1,40}\.onload\b|\.onload\s{0,4}=\s{0,4}[\w$]{1,40}\.onerror\b|\.finally\s{0,4}\((?=[^;]{0,120}\blocation(?:\.href\s{0,4}=|\s{0,4}=|\.(?:assign|replace)\())/

interface Entries {
  posts: readonly string[]
  /** Nothing waits for an answer, as a site must that lets somebody in. */
  isOneWay: boolean
}

/** Where the scripts of a page send what is entered. */
export function entriesSentTo(source: string, behaviour: Behaviour | null): Entries {
  if (behaviour === null) return { posts: [], isOneWay: false }
  const { posts, pixels } = behaviour
  const sinks = [...oneWaySinks(source)]
  return {
    posts: [...posts, ...(sinks.includes('pixel') ? pixels : [])],
    isOneWay: sinks.length > 0 || isUnheard(source),
  }
}

function isUnheard(source: string): boolean {
  if (source.length > READ_SOURCE_MAX) return false
  charge(source.length * FIELDS_WORK)
  return UNHEARD.test(source)
}

function* oneWaySinks(source: string): Generator<'pixel' | 'request'> {
  if (source.length > READ_SOURCE_MAX) return
  charge(source.length * SOURCE_WORK)
  const names = enteredNames(source)
  for (const { groups, 2: sent = '' } of source.matchAll(ONE_WAY))
    if (isEntered(sent, names)) yield groups?.pixel === undefined ? 'request' : 'pixel'
}

const isEntered = (text: string, names: ReadonlySet<string>): boolean =>
  READ.test(text) || text.match(/(?<![\w$.])[\w$]{1,40}/g)?.some((name) => names.has(name)) === true

/** Functions and variables that have what is entered. What one reads may be written below it. */
function enteredNames(source: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = '', body = ''] of source.matchAll(DEFINED)) if (RETURNS.test(body)) names.add(name)
  for (const _ of PASSES)
    for (const [, name = '', value = ''] of source.matchAll(SET)) if (isEntered(value, names)) names.add(name)
  return names
}
