/** RTF bodies of mail as compressed by Outlook ([MS-OXRTFCP]). */

import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'

const HEADER_BYTES = 16
const TYPE_AT = 8
const COMPRESSED = ascii('LZFu')
const UNCOMPRESSED = ascii('MELA')
const DICTIONARY_BYTES = 4096
/** Initial content of every dictionary. */
const PRESET = ascii(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
)
/** Two bytes and a flag bit expand to at most 17 bytes. */
const EXPANSION_MAX = 8

export const compressedRtf: Format = {
  applies: ({ bytes }) => startsWith(bytes, COMPRESSED, TYPE_AT) || startsWith(bytes, UNCOMPRESSED, TYPE_AT),
  analyse(item, context) {
    if (startsWith(item.bytes, UNCOMPRESSED, TYPE_AT)) {
      if (item.bytes.length > HEADER_BYTES) context.inspectMember(item, '(RTF)', item.bytes.subarray(HEADER_BYTES))
      return
    }
    const remaining = context.budget.remaining()
    const { bytes, outcome } = expand(item.bytes.subarray(HEADER_BYTES), remaining)
    context.budget.spend(bytes.length, 'archive')
    if (outcome === 'too_large') context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    // Some programs omit the end marker and only declare the size.
    if (
      outcome === 'truncated' &&
      (item.bytes.length < HEADER_BYTES || bytes.length < view(item.bytes).readUInt32LE(4))
    )
      context.addObstacle(item, 'damaged', 'The compressed text is truncated.')
    if (bytes.length > 0) context.inspectMember(item, '(RTF)', bytes)
  },
}

interface Expanded {
  bytes: Uint8Array
  outcome: 'whole' | 'truncated' | 'too_large'
}

function expand(packed: Uint8Array, remaining: number): Expanded {
  const out = new Uint8Array(Math.min(remaining, packed.length * EXPANSION_MAX))
  const dictionary = new Uint8Array(DICTIONARY_BYTES)
  dictionary.set(PRESET)
  let write = PRESET.length
  let length = 0
  const put = (byte: number): void => {
    out[length++] = byte
    dictionary[write] = byte
    write = (write + 1) % DICTIONARY_BYTES
  }
  const done = (outcome: Expanded['outcome']): Expanded => ({
    bytes: out.subarray(0, Math.min(length, remaining)),
    outcome: length > remaining ? 'too_large' : outcome,
  })
  for (let at = 0, flags = 1; at < packed.length && length <= remaining; flags >>= 1) {
    // Each bit of a control byte marks one of the next eight tokens as a literal or a dictionary reference.
    if (flags === 1) flags = 0x100 | (packed[at++] as number)
    if ((flags & 1) === 0) {
      if (at < packed.length) put(packed[at++] as number)
      continue
    }
    if (at + 2 > packed.length) return done('truncated')
    const reference = ((packed[at] as number) << 8) | (packed[at + 1] as number)
    at += 2
    if (reference >> 4 === write) return done('whole')
    for (let from = reference >> 4, left = (reference & 15) + 2; left > 0; left--, from++)
      put(dictionary[from % DICTIONARY_BYTES] as number)
  }
  return done('truncated')
}
