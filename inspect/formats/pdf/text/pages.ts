/** The pages of a PDF in their order, and the layers that are not shown. */

import { charge } from '#inspect/core/work.ts'
import type { PdfDocument } from '../active/document.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'
import { type Box, common, isEmpty } from './geometry.ts'
import { layersOff } from './layers.ts'

export interface PdfPage {
  dictionary: PdfDictionary
  /** Numbers of the streams with its content. */
  contents: number[]
  resources: readonly PdfValue[]
  /** The area that readers see. */
  box: Box
}

/** Pages that are read to judge a document, and to return its text. */
const PAGES_MAX = { judged: 200, returned: 3_000 }
const DEPTH_MAX = 40
const PAGE_WORK = 2_000
const A4: Box = { left: 0, bottom: 0, right: 612, top: 842 }

type Inherited = Pick<PdfPage, 'resources' | 'box'>

/** `pages`: null if there are more, or none are found. */
export function findPages(objects: PdfObjects, document: PdfDocument, isAsked: boolean) {
  const pages: PdfPage[] = []
  const seen = new Set<PdfDictionary>()
  const max = isAsked ? PAGES_MAX.returned : PAGES_MAX.judged
  let isCut = false

  function visit(node: PdfDictionary, inherited: Inherited, depth: number): void {
    charge(PAGE_WORK)
    if (seen.has(node) || depth > DEPTH_MAX) return
    seen.add(node)
    const { entries } = node
    const own: Inherited = {
      resources: entries.get('Resources') ?? inherited.resources,
      box: areaOf(entries, document) ?? inherited.box,
    }
    const [kids] = (entries.get('Kids') ?? []).flatMap(document.resolve).slice(-1)
    if (kids?.kind !== 'list')
      pages.push({ ...own, dictionary: node, contents: contentsOf(entries.get('Contents'), document) })
    else for (const kid of kids.items) visitKid(kid, own, depth + 1)
  }

  function visitKid(kid: PdfValue, inherited: Inherited, depth: number): void {
    isCut ||= pages.length >= max
    const child = isCut ? undefined : document.dictionaries([kid]).at(-1)
    if (child !== undefined) visit(child, inherited, depth)
  }

  const catalogue = document.dictionaries(referenced('/Root', objects)).at(-1)
  const tree = document.dictionaries(catalogue?.entries.get('Pages')).at(-1)
  if (tree !== undefined) visit(tree, { resources: [], box: A4 }, 0)
  return {
    pages: isCut && isAsked ? null : pages,
    layersOff: layersOff(catalogue, document),
    root: referenced('/Info', objects),
  }
}

/** The last reference under a key of the trailer. */
function referenced(key: string, { text }: PdfObjects): PdfValue[] {
  charge(text.length / 8)
  for (let at = text.lastIndexOf(key); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(key, at - 1)) {
    const found = /^[\0\s]{0,9}(\d{1,10})[\0\s]{1,9}\d{1,5}[\0\s]{1,9}R/.exec(
      text.slice(at + key.length, at + key.length + 50),
    )
    if (found !== null) return [{ kind: 'reference', object: Number(found[1]) }]
    charge(PAGE_WORK)
  }
  return []
}

function contentsOf(values: readonly PdfValue[] | undefined, document: PdfDocument): number[] {
  const last = (values ?? []).slice(-1)
  const [list] = last.flatMap(document.resolve).slice(-1)
  if (list?.kind === 'list') return list.items.flatMap((item) => document.numbers([item]).slice(0, 1))
  return document.numbers(last).slice(0, 1)
}

function areaOf(entries: PdfDictionary['entries'], document: PdfDocument): Box | null {
  const [media, crop] = ['MediaBox', 'CropBox'].map((key) => boxIn(entries.get(key), document))
  if (!media || !crop) return crop ?? media ?? null
  const both = common(media, crop)
  return isEmpty(both) ? media : both
}

export function boxIn(values: readonly PdfValue[] | undefined, document: PdfDocument): Box | null {
  const [list] = (values ?? []).slice(-1).flatMap(document.resolve)
  const numbers =
    list?.kind === 'list'
      ? list.items.flatMap(document.resolve).map((item) => (item.kind === 'other' ? Number(item.text) : Number.NaN))
      : []
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  const box = { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) }
  return numbers.length === 4 && !isEmpty(box) ? box : null
}
