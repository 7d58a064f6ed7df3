/** Fields of Word and links of Excel as the programs read them: put together, and without the ways to write them oddly. */

import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'

// No part of it goes past a `<`, so a million of them are read once.
const ATTRIBUTES = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*`
/** Fields, and what is white space in the middle of one. */
const RUN = new RegExp(`<(?:[^\\s<>:/]+:)?(instrText|fldChar|p?tab|br|cr|p|sym)(?=[\\s/>])${ATTRIBUTES}>([^<]*)`, 'gi')
const ATTRIBUTE = /\b(instr|ddeService|ddeTopic)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gi
/** What may stand in the middle of a word of XML. In a section, signs mean nothing else than themselves. */
const NO_TEXT = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g
const SIGN = /[<>&"']/g
const CHARACTER = /&#(?:([0-9]+)|x([0-9a-f]+));/gi
/** White space of any kind may stand in front, and anything that is no letter behind. */
const DDE = /^[^\x21-\x7f]*(DDE(?:AUTO)?)(?![a-z0-9_])/i
const FOLDERS = /^.*[\\/](?=.)/s
const PROGRAM_ENDING = /\.exe$/i

export const fields: Format = {
  applies: (item) => item.sniffed.kind === 'text' && item.mentions('field'),
  analyse(item, context) {
    const source = view(item.bytes).toString('latin1')
    if (source.includes('<!ENTITY'))
      context.addObstacle(item, 'too_complex', 'Its XML declares entities, which may stand for anything.')
    const text = source.replace(NO_TEXT, (_, section: string | undefined) =>
      section === undefined ? '' : quoted(section),
    )
    const plain = [...instructionsOf(text), ...attributesOf(text)].join('\n')
    if (plain === '') return
    if (!context.chargeBytes(item, plain.length, 'stream')) return
    context.scan(item, '(fields)', ascii(plain))
  },
}

const quoted = (section: string): string => section.replace(SIGN, (sign) => `&#${sign.charCodeAt(0)};`)

/** What fields ask for, where it is DDE; in the words of the rules. A field may be spread over many runs. */
function* instructionsOf(text: string): Generator<string> {
  let instruction: string[] = []
  let spaced: string[] = []
  const end = (): string[] => {
    // Some white space stands outside of the text, such as in the formats of a paragraph.
    const whole = [instruction, spaced].map((runs) => characters(runs.join(''))).find((one) => DDE.test(one))
    instruction = []
    spaced = []
    return whole === undefined ? [] : [`instrText>${whole.replace(DDE, '$1 ')}`]
  }
  for (const [, tag = '', content = ''] of text.matchAll(RUN)) {
    const name = tag.toLowerCase()
    if (name === 'instrtext') {
      instruction.push(content)
      spaced.push(content)
    } else if (name === 'fldchar') yield* end()
    else if (spaced.at(-1) !== ' ') spaced.push(' ')
  }
  yield* end()
}

function* attributesOf(text: string): Generator<string> {
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
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
