/** Actions of slides and drawings: programs they start, and addresses that open without a click. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { judgeHover } from '#inspect/judge/links.ts'
import { CALLBACKS } from '#inspect/judge/macros/callbacks.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

/** Targets of hyperlinks by the id of their relationship. */
const LINK_TARGETS = factType<ReadonlyMap<string, string>>('link targets')
/** Ids of relationships that the mouse opens without a click. */
const HOVERED = factType<readonly string[]>('hovered links')

/** Memory for each link. */
const TARGET_BYTES = 300

/** Collects the targets of one part for `slideActions`. */
export function createTargetRecord(item: Item, context: Context) {
  const targets = new Map<string, string>()
  return {
    add(id: string, target: string): void {
      keep(TARGET_BYTES)
      targets.set(id, target)
    },
    finish(): void {
      if (targets.size > 0) context.record(item, LINK_TARGETS, targets)
    },
  }
}

/** Those of the links in a part. */
export function targetsOf(part: string, facts: Facts): ReadonlyMap<string, string> | undefined {
  const relationships = part.replace(/(?<![^/])([^/]*)$/, '_rels/$1.rels').toLowerCase()
  return facts.of(LINK_TARGETS).find((fact) => fact.path.at(-1)?.toLowerCase() === relationships)?.value
}

const ACTION = mark(['hlinkMouseOver', 'hlinkHover', 'hlinkClick'])
const LINK = tagPattern(['hlinkMouseOver', 'hlinkHover', 'hlinkClick'])

const MACRO = /^ppaction:\/\/macro\?name=([^&]*)/i

export const slideActions: Format = {
  among: { marks: [ACTION], binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || item.has(ACTION),
  analyse(item, context) {
    if (!item.has(ACTION)) return
    const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    const hovered = new Set<string>()
    const macros: string[] = []
    for (const { name, attributes } of tagsOf(text, LINK)) {
      const action = attributes.get('action') ?? ''
      if (/^ppaction:\/\/program/i.test(action))
        context.addFinding(item, { ...OFFICE.programAction, detail: describeTarget(action) })
      if (name === 'hlinkclick') continue
      hovered.add(attributes.get('id') ?? '')
      const macro = MACRO.exec(action)?.[1]
      if (macro === undefined) continue
      keep(TARGET_BYTES)
      macros.push(macro)
    }
    if (macros.length > 0) context.record(item, CALLBACKS, macros)
    hovered.delete('')
    if (hovered.size > 0) context.record(item, HOVERED, [...hovered])
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind === 'ooxml') judgeHovered(item, facts, context)
  },
}

function judgeHovered(item: Item, facts: Facts, context: Context): void {
  for (const { value: ids, path } of facts.of(HOVERED)) {
    const part = path[item.path.length] ?? ''
    if (path.length !== item.path.length + 1) continue
    const targets = targetsOf(part, facts)
    for (const id of ids) {
      const target = targets?.get(id)
      if (target === undefined) continue
      const found = judgeHover(target)
      if (found !== null) context.addFinding(item, { ...found, path, detail: describeTarget(target) })
    }
  }
}
