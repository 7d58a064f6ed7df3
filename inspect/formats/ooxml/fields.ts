/** Fields of Word and links of Excel as the programs read them: put together, and without the ways to write them oddly. */

import { ascii, view } from '../../bytes.ts'
import type { Format } from '../../visit.ts'

// No part of it goes past a `<`, so a million of them are read once.
const ATTRIBUTES = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*`
const RUN = new RegExp(`<(?:[^\\s<>:/]+:)?(instrText|fldChar)(?=[\\s/>])${ATTRIBUTES}>([^<]*)`, 'gi')
const ATTRIBUTE = /\b(instr|ddeService|ddeTopic)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gi
/** What may stand in the middle of a word of XML. */
const NO_TEXT = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[|\]\]>/g
const CHARACTER = /&#(?:([0-9]+)|x([0-9a-f]+));/gi
const DDE = /^\s*(DDE(?:AUTO)?)\s/i

export const fields: Format = {
  applies: (item) => item.sniffed.kind === 'text' && item.mentions('field'),
  analyse(item, visit) {
    const source = view(item.bytes).toString('latin1')
    const text = source.replace(NO_TEXT, '')
    const plain = [...instructionsOf(text), ...attributesOf(text)].join('\n')
    if (plain === '') return
    if (plain.length > visit.room()) {
      visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
      return
    }
    visit.spend(plain.length, 'stream')
    visit.show(item, '(fields)', ascii(plain))
  },
}

/** What fields ask for, where it is DDE; in the words of the rules. A field may be spread over many runs. */
function* instructionsOf(text: string): Generator<string> {
  let instruction: string[] = []
  const end = (): string[] => {
    const whole = characters(instruction.join(''))
    instruction = []
    return DDE.test(whole) ? [`instrText>${whole.replace(DDE, '$1 ')}`] : []
  }
  for (const [, tag = '', content = ''] of text.matchAll(RUN)) {
    if (tag.toLowerCase() === 'instrtext') instruction.push(content)
    else yield* end()
  }
  yield* end()
}

function* attributesOf(text: string): Generator<string> {
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = characters(double ?? single ?? '').trim()
    if (name.toLowerCase() !== 'instr' || DDE.test(value)) yield `${name}="${value.replace(DDE, '$1 ')}"`
  }
}

function characters(text: string): string {
  return text.replace(CHARACTER, (_, decimal: string | undefined, hex: string | undefined) =>
    String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)),
  )
}
