/** Word fields and Excel links in XML, joined and without obfuscation, as the programs read them. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { mayBecomeDde, UNKNOWN_NAME } from '#inspect/codecs/field-names.ts'
import { declaresEntities } from '#inspect/codecs/xml-entities.ts'
import { decodeEntities, tagPattern, tagsOf, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { judgeDde } from '#inspect/judge/dde.ts'
import { judgeField } from '#inspect/judge/fields.ts'
import { createLinkJudge } from '#inspect/judge/links.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

// No match extends past a `<`, so a million of them are read only once.
const ATTRIBUTES = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*`
/** Field text, and elements that count as white space inside a field. */
const RUN = new RegExp(
  `<(?:[^\\s<>:/]+:)?(instrText|fldChar|fldSimple|p?tab|br|cr|p|sym)(?=[\\s/>])(${ATTRIBUTES})>([^<]*)`,
  'gi',
)
const TYPE = /fldCharType\s*=\s*["']\s*(\w+)/i
const INSTRUCTION = /\binstr\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gi
const DDE_LINK = tagPattern(['ddeLink', 'ddeItem'])

/** Work for each byte of the text, and for each field. */
const BYTE_WORK = 12
const RUN_WORK = 800
const FIELD_WORK = 3_000
/** Memory for each part of a field. */
const RUN_BYTES = 100

export const fields: Format = {
  among: { keywords: ['field'] },
  applies: (item) => item.mentions('field'),
  analyse(item, context) {
    charge(item.bytes.length * BYTE_WORK)
    const source = view(item.bytes).toString('latin1')
    if (declaresEntities(source))
      context.addObstacle(item, 'too_complex', 'Its XML declares entities, so its fields cannot be determined.')
    const text = withoutMarkup(source)
    const links = createLinkJudge(item, context)
    const judge = (instruction: string): void => {
      charge(FIELD_WORK)
      const found = judgeField(instruction, OFFICE.ddeField, links.add)
      if (found !== null) context.addFinding(item, { ...found.definition, detail: found.detail })
    }
    readInstructions(text, judge, () => context.addObstacle(item, 'too_complex', UNKNOWN_NAME))
    for (const [, double, single] of text.matchAll(INSTRUCTION)) judge(decodeEntities(double ?? single ?? ''))
    links.finish()
    findConversations(item, text, context)
  },
}

/** A field may be split over many runs. */
function readInstructions(text: string, judge: (instruction: string) => void, onUnknownName: () => void): void {
  const nesting = createNesting(onUnknownName)
  let instruction: string[] = []
  let spaced: string[] = []
  const end = (): void => {
    // Some white space is outside the text, such as in paragraph properties.
    const readings = new Set([instruction, spaced].map((runs) => decodeEntities(runs.join(''))))
    instruction = []
    spaced = []
    for (const reading of readings) if (reading.trim() !== '') judge(reading)
  }
  for (const [, tag = '', attributes = '', content = ''] of text.matchAll(RUN)) {
    charge(RUN_WORK)
    const name = tag.toLowerCase()
    if (name === 'instrtext') {
      keep(RUN_BYTES + content.length)
      instruction.push(content)
      spaced.push(content)
    } else if (name === 'fldchar' || name === 'fldsimple') {
      nesting.add(
        name === 'fldsimple' ? 'simple' : (TYPE.exec(attributes)?.[1] ?? ''),
        decodeEntities(instruction.join('')),
      )
      end()
    } else if (spaced.at(-1) !== ' ') spaced.push(' ')
  }
  end()
}

/** Recognises a field whose name is the result of a field in it. */
function createNesting(onUnknownName: () => void) {
  /** Whether the name of each open field may still follow. */
  const open: boolean[] = []
  return {
    /** `before`: the text since the last character of a field. */
    add(type: string, before: string): void {
      const isUnnamed = open.at(-1) === true && mayBecomeDde(before)
      if (isUnnamed && (type === 'begin' || type === 'simple')) onUnknownName()
      if (open.length > 0) open[open.length - 1] = false
      if (type === 'begin') open.push(true)
      if (type === 'end') open.pop()
    },
  }
}

/** Links of a workbook to a DDE server. */
function findConversations(item: Item, text: string, context: Context): void {
  let service = ''
  let topic = ''
  for (const { name, attributes } of tagsOf(text, DDE_LINK)) {
    if (name === 'ddelink') {
      service = attributes.get('ddeservice') ?? ''
      topic = attributes.get('ddetopic') ?? ''
    }
    const kind = judgeDde(service, topic, name === 'ddeitem' ? attributes.get('name') : '')
    const detail = describeTarget(`${service} ${topic}`)
    context.addFinding(item, { ...(kind === 'command' ? EXCEL.ddeCommand : EXCEL.ddeFeed), detail })
  }
}
