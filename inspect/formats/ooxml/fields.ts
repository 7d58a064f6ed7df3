/** Extracts Word fields and Excel links as the programs read them, joined and without obfuscation. */

import { mayBecomeDde, UNKNOWN_NAME } from '#inspect/codecs/field-names.ts'
import { withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'

// No match extends past a `<`, so a million of them are read only once.
const ATTRIBUTES = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*`
/** Field text, and elements that count as white space inside a field. */
const RUN = new RegExp(
  `<(?:[^\\s<>:/]+:)?(instrText|fldChar|fldSimple|p?tab|br|cr|p|sym)(?=[\\s/>])(${ATTRIBUTES})>([^<]*)`,
  'gi',
)
const TYPE = /fldCharType\s*=\s*["']\s*(\w+)/i
const ATTRIBUTE = /\b(instr|ddeService|ddeTopic)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gi
const CHARACTER = /&#(?:([0-9]+)|x([0-9a-f]+));/gi
/** Any white space may precede it, and any non-letter may follow. */
const DDE = /^[^\x21-\x7f]*(DDE(?:AUTO)?)(?![a-z0-9_])/i
const FOLDERS = /^.*[\\/](?=.)/s
const PROGRAM_ENDING = /\.exe$/i

/** Work for each byte of the text, and for each field. */
const BYTE_WORK = 12
const RUN_WORK = 800
/** Memory for each part of a field. */
const RUN_BYTES = 100

export const fields: Format = {
  applies: (item) => item.mentions('field'),
  analyse(item, context) {
    charge(item.bytes.length * BYTE_WORK)
    const source = view(item.bytes).toString('latin1')
    if (source.includes('<!ENTITY'))
      context.addObstacle(item, 'too_complex', 'Its XML declares entities, so its fields cannot be determined.')
    const text = withoutMarkup(source)
    const onUnknownName = (): void => context.addObstacle(item, 'too_complex', UNKNOWN_NAME)
    const plain = [...instructionsOf(text, onUnknownName), ...attributesOf(text)].join('\n')
    if (plain === '') return
    if (!context.chargeBytes(item, plain.length, 'stream')) return
    context.scan(item, '(fields)', ascii(plain))
  },
}

/** DDE instructions in the notation that the rules match. A field may be split over many runs. */
function* instructionsOf(text: string, onUnknownName: () => void): Generator<string> {
  const nesting = createNesting(onUnknownName)
  let instruction: string[] = []
  let spaced: string[] = []
  const end = (): string[] => {
    // Some white space is outside the text, such as in paragraph properties.
    const whole = [instruction, spaced].map((runs) => characters(runs.join(''))).find((one) => DDE.test(one))
    instruction = []
    spaced = []
    return whole === undefined ? [] : [`instrText>${whole.replace(DDE, '$1 ')}`]
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
        characters(instruction.join('')),
      )
      yield* end()
    } else if (spaced.at(-1) !== ' ') spaced.push(' ')
  }
  yield* end()
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

function* attributesOf(text: string): Generator<string> {
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    charge(RUN_WORK)
    keep(RUN_BYTES + (double ?? single ?? '').length)
    const value = characters(double ?? single ?? '').trim()
    if (name.toLowerCase() !== 'instr') yield `${name}="${value}"`
    else if (DDE.test(value)) yield `${name}="${value.replace(DDE, '$1 ')}"`
    if (name.toLowerCase() === 'ddeservice') yield `${name}="${value.replace(FOLDERS, '').replace(PROGRAM_ENDING, '')}"`
  }
}

function characters(text: string): string {
  return text.replace(CHARACTER, (_, decimal: string | undefined, hex: string | undefined) =>
    String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)),
  )
}
