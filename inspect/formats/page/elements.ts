/** Texts in elements of a page, by the expressions that scripts read them with. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { Tag } from './markup.ts'

/** Shorter texts are labels. */
const TEXT_MIN = 64
const ELEMENT =
  /<[a-z][\w:]{0,40}\s(?:[^<>]{0,300}\s)?id\s{0,4}=\s{0,4}["']?([\w.:-]{1,100})["']?(?:\s[^<>]{0,300})?>([^<]{64,})/gi
const SEARCH_WORK = 6
const ELEMENT_BYTES = 2_000

const MEMBERS = ['textContent', 'innerText', 'innerHTML', 'text', 'firstChild.data', 'firstChild.nodeValue', 'value']
const READS = /getElement|querySelector/

/** Scripts decode such texts into files and pages. */
export function elementValues(page: string, tags: readonly Tag[], source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  if (!READS.test(source)) return values
  addAttributes(tags, values)
  addLists(page, source, values)
  charge(page.length * SEARCH_WORK)
  for (const [, id = '', content = ''] of page.matchAll(ELEMENT)) {
    if (content.trim().length < TEXT_MIN) continue
    keep(content.length + ELEMENT_BYTES)
    for (const element of namesOf(id))
      for (const member of MEMBERS) values.set(`${element}.${member}`, unreferenced(content))
  }
  return values
}

function namesOf(id: string): string[] {
  return [`document.getElementById("${id}")`, `document.querySelector("#${id}")`]
}

const DATA = /^(?:data-.+|value|title|alt|content)$/

/** Keys and pieces of data are kept in attributes for scripts. */
function addAttributes(tags: readonly Tag[], values: Map<string, string>): void {
  const found = tags.flatMap(({ attributes }) =>
    attributes.has('id')
      ? [...attributes].filter(([key]) => DATA.test(key)).map((entry) => ({ attributes, entry }))
      : [],
  )
  for (const { attributes, entry } of found) {
    const [key, value] = entry
    charge(value.length)
    keep(value.length + ELEMENT_BYTES)
    for (const element of namesOf(attributes.get('id') ?? '')) addAttribute(element, key, value, values)
  }
}

function addAttribute(element: string, key: string, value: string, values: Map<string, string>): void {
  const member = key.replace(/^data-/, 'dataset.').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  values.set(`${element}.${member}`, value)
  values.set(`${element}.getAttribute("${key}")`, value)
}

/** Calls that return all elements of a kind, of a class or with an attribute. */
const LISTS =
  /\bdocument\.(querySelectorAll|getElementsBy(?:ClassName|TagName))\(\s{0,4}["'\x60]([\w.[\]-]{1,60})["'\x60]\s{0,4}\)/g
const SELECTOR = /^([\w-]{0,40})(?:\.([\w-]{1,60}))?(?:\[([\w-]{1,60})\])?$/
const LISTS_MAX = 4
const ELEMENTS_MAX = 5_000
const LISTED = /<([a-z][\w-]{0,40})\s([^<>]*)>([^<]*)/gi
const ATTRIBUTE = /([a-z][\w-]{0,60})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi
/** Data in pieces: short ones, of which few are a file, and text of a reader are not coded. */
const PIECE = /^\s{0,9}[\w+/=-]{16,}\s{0,9}$/
const PIECES_MIN = 512

interface Listed {
  attributes: ReadonlyMap<string, string>
  content: string
}

/** Pieces of data in elements that a script reads one after the other. */
function addLists(page: string, source: string, values: Map<string, string>): void {
  charge(source.length * SEARCH_WORK)
  const calls = new Map(
    [...source.matchAll(LISTS)].map(([, method = '', name = '']) => [`${method}("${name}")`, method]),
  )
  for (const [call, method] of [...calls].slice(0, LISTS_MAX)) {
    const elements = listedIn(page, selectorOf(method, call.slice(method.length + 2, -2)))
    const data = elements.flatMap(({ attributes, content }) => [...attributes.values(), content])
    const coded = data.filter((text) => PIECE.test(text)).reduce((sum, { length }) => sum + length, 0)
    if (coded < PIECES_MIN) continue
    values.set(`document.${call}.length`, String(elements.length))
    for (const [i, each] of elements.entries()) addElement(`document.${call}.${i}`, each, values)
  }
}

function selectorOf(method: string, name: string): RegExpExecArray | null {
  return SELECTOR.exec(method === 'getElementsByClassName' ? `.${name}` : name)
}

function listedIn(page: string, selector: RegExpExecArray | null): Listed[] {
  if (selector === null) return []
  const [, tag = '', className = '', key = ''] = selector
  const isMeant = (attributes: Listed['attributes']): boolean =>
    (className === '' || (attributes.get('class') ?? '').split(/\s+/).includes(className)) &&
    (key === '' || attributes.has(key))
  charge(page.length * SEARCH_WORK)
  const found: Listed[] = []
  for (const [, name = '', inner = '', content = ''] of page.matchAll(LISTED)) {
    const isOther = tag !== '' && name.toLowerCase() !== tag.toLowerCase()
    if (isOther || !inner.includes(className) || !inner.includes(key)) continue
    const attributes = attributesIn(inner)
    if (isMeant(attributes)) found.push({ attributes, content: unreferenced(content) })
    if (found.length === ELEMENTS_MAX) break
  }
  return found
}

function attributesIn(inner: string): Map<string, string> {
  charge(inner.length * SEARCH_WORK)
  return new Map(
    Array.from(inner.matchAll(ATTRIBUTE), ([, at = '', ...given]) => [
      at.toLowerCase(),
      unreferenced(given.find((value) => value !== undefined) ?? ''),
    ]),
  )
}

function addElement(element: string, { attributes, content }: Listed, values: Map<string, string>): void {
  keep(content.length + ELEMENT_BYTES)
  for (const member of MEMBERS.slice(0, 3)) values.set(`${element}.${member}`, content)
  for (const [key, value] of attributes) {
    charge(value.length)
    keep(value.length + ELEMENT_BYTES)
    addAttribute(element, key, value, values)
  }
}
