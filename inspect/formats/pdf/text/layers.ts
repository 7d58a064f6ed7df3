/** The layers of a PDF (optional content) that readers do not see on the screen. */

import type { PdfDocument } from '../active/document.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'

/** Layers of one document whose own settings are read. */
const LAYERS_MAX = 1_000

/** Numbers of the layers that are off, or are only printed. */
export function layersOff(catalogue: PdfDictionary | undefined, document: PdfDocument): ReadonlySet<number> {
  const [properties] = document.dictionaries(catalogue?.entries.get('OCProperties'))
  const [setting] = document.dictionaries(properties?.entries.get('D'))
  const all = listed(properties?.entries.get('OCGs'), document)
  const off = [...listed(setting?.entries.get('OFF'), document), ...all.filter((each) => isOnlyPrinted(each, document))]
  if (!document.names(setting?.entries.get('BaseState')).includes('OFF')) return new Set(off)
  const on = new Set(listed(setting?.entries.get('ON'), document))
  return new Set([...off, ...all.filter((number) => !on.has(number))])
}

function listed(values: readonly PdfValue[] | undefined, document: PdfDocument): number[] {
  return (values ?? [])
    .flatMap(document.resolve)
    .flatMap((list) => (list.kind === 'list' ? document.numbers(list.items.slice(0, LAYERS_MAX)) : []))
}

function isOnlyPrinted(object: number, document: PdfDocument): boolean {
  const [layer] = document.dictionaries([{ kind: 'reference', object }])
  const [usage] = document.dictionaries(layer?.entries.get('Usage'))
  const [view] = document.dictionaries(usage?.entries.get('View'))
  return document.names(view?.entries.get('ViewState')).includes('OFF')
}

/** Of several layers, which of them must be seen so that the content is. */
const POLICIES: ReadonlyMap<string, (isOff: readonly boolean[]) => boolean> = new Map([
  ['AllOn', (isOff) => isOff.includes(true)],
  ['AnyOff', (isOff) => !isOff.includes(true)],
  ['AllOff', (isOff) => isOff.includes(false)],
])

/** `values`: a layer, or a membership of several. */
export function isHiddenLayer(values: readonly PdfValue[], off: ReadonlySet<number>, document: PdfDocument): boolean {
  if (document.numbers(values).some((number) => off.has(number))) return true
  return document.dictionaries(values).some(({ entries }) => {
    const [rule] = (entries.get('VE') ?? []).flatMap(document.resolve)
    if (rule?.kind === 'list') return !isSeen(rule, off, document, 0)
    const given = entries.get('OCGs') ?? []
    const isOff = [...document.numbers(given.filter(({ kind }) => kind === 'reference')), ...listed(given, document)]
      .filter((number, at, all) => all.indexOf(number) === at)
      .map((number) => off.has(number))
    const [policy = 'AnyOn'] = document.names(entries.get('P'))
    const isHidden = POLICIES.get(policy) ?? ((each: readonly boolean[]) => !each.includes(false))
    return isOff.length > 0 && isHidden(isOff)
  })
}

const DEPTH_MAX = 20

/** A layer, or a rule about others. */
function isSeen(value: PdfValue, off: ReadonlySet<number>, document: PdfDocument, depth: number): boolean {
  const [rule] = document.resolve(value)
  if (rule?.kind !== 'list' || depth > DEPTH_MAX) return !document.numbers([value]).some((number) => off.has(number))
  const [name, ...items] = rule.items.slice(0, LAYERS_MAX)
  const seen = items.map((item) => isSeen(item, off, document, depth + 1))
  if (name?.kind === 'name' && name.name === 'Not') return !seen[0]
  return name?.kind === 'name' && name.name === 'Or' ? seen.includes(true) : !seen.includes(false)
}
