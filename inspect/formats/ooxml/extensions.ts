/** Ribbons and add-ins that an Office document brings along. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { tagPattern, tagsOf, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { ADD_IN_LOCATION, judgeAddIn } from '#inspect/judge/add-ins.ts'
import { CALLBACKS } from '#inspect/judge/macros/callbacks.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'

const RIBBON = mark(['customUI'])
const ASSEMBLY = mark(['_AssemblyLocation'])

export const officeExtensions: Format = {
  among: { marks: [RIBBON, ASSEMBLY] },
  applies: (item) => item.has(RIBBON) || item.has(ASSEMBLY),
  analyse(item, context) {
    const text = withoutMarkup(decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'))
    if (item.has(RIBBON)) judgeRibbon(item, text, context)
    if (item.has(ASSEMBLY)) judgeAssembly(item, text, context)
  },
}

const CUSTOM_UI = /<(?:[^\s<>:"'=/]+:)?customUI(?=[\s/>])/
const CALLBACK_WORK = 2_000
const CALLBACK_BYTES = 200
const TAG = tagPattern(['\\w+'])

function judgeRibbon(item: Item, text: string, context: Context): void {
  if (!CUSTOM_UI.test(text)) return
  context.addFinding(item, OFFICE.ribbon)
  const callbacks: string[] = []
  for (const { attributes } of tagsOf(text, TAG))
    for (const [name, value] of attributes) {
      if (!/^(?:on|get|loadimage)/.test(name)) continue
      charge(CALLBACK_WORK)
      keep(CALLBACK_BYTES)
      if (!BY_CLICK.test(name)) callbacks.push(value)
      const found = callbackFinding(value)
      if (found !== null) context.addFinding(item, { ...found, detail: describeTarget(value) })
    }
  if (callbacks.length > 0) context.record(item, CALLBACKS, callbacks)
}

/** Other callbacks run when the ribbon is loaded or drawn. */
const BY_CLICK = /^(?:on(?!load$)|getcontent$|getitem)/

/** A macro of another file is written as `'path'!macro`. */
function callbackFinding(value: string): Definition | null {
  const target = classifyTarget(value.replace(/^['"]+/, ''))
  if (target.scheme === 'ms-msdt') return LINKS.troubleshooter
  const startsProgram = target.kind === 'script' || (target.kind === 'handler' && target.severity !== 'notice')
  return target.isRemote || startsProgram ? OFFICE.remoteRibbon : null
}

const PROPERTY = tagPattern(['property', 'lpwstr', 'lpstr', 'bstr'])

function judgeAssembly(item: Item, text: string, context: Context): void {
  let property = ''
  let location = ''
  for (const { name, attributes, text: value } of tagsOf(text, PROPERTY)) {
    if (name === 'property') property = attributes.get('name') ?? ''
    else if (ADD_IN_LOCATION.test(property)) location += value
  }
  judgeAddIn(item, location, context)
}
