/** Texts of ActiveX controls in Office packages, by the names that macros have for them. */

import { addDocumentControl } from '#inspect/codecs/control-texts.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import { keep } from '#inspect/core/work.ts'

/** Parts that are needed: what contains controls is a part of its own, with relationships. */
export const CONTROL_PART = /(?:\/_rels\/[^/]+\.rels|\/activex\/activex\d+\.bin)$/i

/** Controls of one document. */
export const CONTROLS_MAX = 1_000
const CLASS_BYTES = 16
const TEXT_BYTES = 200
const CONTROL = tagPattern(['control'])
const RELATION = tagPattern(['Relationship'])

/** `parts` by their path in lower case. */
export function controlTexts(parts: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  const texts = new Map<string, string>()
  let count = 0
  for (const [path, bytes] of parts) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const relations = parts.get(`${folder}_rels/${path.slice(folder.length)}.rels`)
    if (relations === undefined) continue
    const root = path.slice(0, path.indexOf('/'))
    const targets = targetsOf(view(relations).toString('latin1'))
    for (const { attributes } of tagsOf(view(bytes).toString('utf8'), CONTROL)) {
      const number = targets.get(attributes.get('id') ?? '')
      const data = number === undefined ? undefined : parts.get(`${root}/activex/activex${number}.bin`)
      if (data === undefined || ++count > CONTROLS_MAX) continue
      const control = view(data)
      addDocumentControl(
        attributes.get('name') ?? '',
        control.toString('hex', 0, CLASS_BYTES),
        control.subarray(CLASS_BYTES),
        (key, text) => {
          if (text === undefined || text === '') return
          keep(TEXT_BYTES + text.length)
          texts.set(key, text)
        },
      )
    }
  }
  return texts
}

/** Numbers of the parts of controls, by the id of the relationship. */
function targetsOf(xml: string): Map<string, string> {
  const targets = new Map<string, string>()
  for (const { attributes } of tagsOf(xml, RELATION)) {
    const number = /activex\/activex(\d{1,6})\.xml$/i.exec(attributes.get('target') ?? '')?.[1]
    if (number === undefined) continue
    keep(TEXT_BYTES)
    targets.set(attributes.get('id') ?? '', number)
  }
  return targets
}
