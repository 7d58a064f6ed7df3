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
const READS = /getElementById|querySelector/

/** Scripts decode such texts into files and pages. */
export function elementValues(page: string, tags: readonly Tag[], source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  if (!READS.test(source)) return values
  addAttributes(tags, values)
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
    const member = key.replace(/^data-/, 'dataset.').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    for (const element of namesOf(attributes.get('id') ?? '')) {
      values.set(`${element}.${member}`, value)
      values.set(`${element}.getAttribute("${key}")`, value)
    }
  }
}
