/** Texts in elements of a page, by the expressions that scripts read them with. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Shorter texts are labels. */
const TEXT_MIN = 64
const ELEMENT =
  /<[a-z][\w:]{0,40}\s(?:[^<>]{0,300}\s)?id\s{0,4}=\s{0,4}["']?([\w.:-]{1,100})["']?(?:\s[^<>]{0,300})?>([^<]{64,})/gi
const SEARCH_WORK = 20
const ELEMENT_BYTES = 2_000

const MEMBERS = ['textContent', 'innerText', 'innerHTML', 'text', 'firstChild.data', 'firstChild.nodeValue', 'value']
const READS = /getElementById|querySelector/

/** Scripts decode such texts into files and pages. */
export function elementValues(page: string, source: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  if (!READS.test(source)) return values
  charge(page.length * SEARCH_WORK)
  for (const [, id = '', content = ''] of page.matchAll(ELEMENT)) {
    if (content.trim().length < TEXT_MIN) continue
    keep(content.length + ELEMENT_BYTES)
    for (const element of [`document.getElementById("${id}")`, `document.querySelector("#${id}")`])
      for (const member of MEMBERS) values.set(`${element}.${member}`, unreferenced(content))
  }
  return values
}
