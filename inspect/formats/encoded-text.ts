/** Converts UTF-16, UTF-32 and texts in encodings with states to UTF-8 for the rules and formats. */

import { isAscii } from 'node:buffer'
import { startsWith, view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { AS_UTF8 } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES, isOle2 } from '#inspect/detect/sniff.ts'
import { encodingOf } from '#inspect/detect/text.ts'

/** How an encoding is called, and its name where it is declared. */
interface Names {
  keyword: 'utf7' | 'hz'
  name: RegExp
  declaration: RegExp
}

type Decode = (bytes: Uint8Array) => Buffer

const LITTLE: Decode = (bytes) => Buffer.from(new TextDecoder('utf-16le').decode(bytes))
const BIG: Decode = (bytes) => Buffer.from(new TextDecoder('utf-16be').decode(bytes))
const WIDE_LITTLE: Decode = (bytes) => everyFourth(bytes, 0)
const WIDE_BIG: Decode = (bytes) => everyFourth(bytes, 3)

/** XML readers recognise the encoding by a byte order mark or by the first `<`, HTML readers by the mark. */
const STARTS: readonly (readonly [start: Uint8Array, decode: Decode])[] = [
  [Buffer.from([0xff, 0xfe, 0, 0]), WIDE_LITTLE],
  [Buffer.from([0, 0, 0xfe, 0xff]), WIDE_BIG],
  [Buffer.from([0x3c, 0, 0, 0]), WIDE_LITTLE],
  [Buffer.from([0, 0, 0, 0x3c]), WIDE_BIG],
  [Buffer.from([0xff, 0xfe]), LITTLE],
  [Buffer.from([0xfe, 0xff]), BIG],
  [Buffer.from([0x3c, 0]), LITTLE],
  [Buffer.from([0, 0x3c]), BIG],
]
/** Work for each byte. */
const DECODE_WORK = 4
/** The same to search for a declaration. */
const NAME_WORK = 2
/** `<?xm` */
const EBCDIC_XML = Buffer.from([0x4c, 0x6f, 0xa7, 0x94])
const UTF16_BIG = new TextDecoder('utf-16be')
/** Work for each sequence and for each of its digits. */
const SHIFT_WORK = 2_000
const SHIFT_BYTE_WORK = 20
const SHIFTED = /\+([A-Za-z0-9+/]*)-?/g

/** Mail programs still decode UTF-7 where a text declares it. */
const UTF7: Decode = (bytes) => {
  const text = view(bytes).toString('latin1')
  return Buffer.from(
    text.replace(SHIFTED, (_, digits: string) => {
      charge(SHIFT_WORK + digits.length * SHIFT_BYTE_WORK)
      return digits === '' ? '+' : UTF16_BIG.decode(Buffer.from(digits, 'base64'))
    }),
  )
}
/** ISO 2022 switches to ASCII or to a set that differs from it in two characters. Browsers recognise it by these. */
const TO_ASCII = ['\x1b(B', '\x1b(J']
const ISO_2022_MARK = mark(TO_ASCII)
/** Empty if there is nothing to remove. */
const without =
  (pattern: RegExp): Decode =>
  (bytes) => {
    const text = view(bytes).toString('latin1').replace(pattern, '')
    return text.length === bytes.length ? Buffer.alloc(0) : Buffer.from(text, 'latin1')
  }
/** Readers see nothing where these are, so that they can stand inside any word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters of ISO 2022
const ISO_2022 = without(/\x1b(?:[()][A-Z@]|\$[()]?[A-Z@])|[\x0e\x0f]/g)
/** Chinese characters, and line ends that mail programs remove. */
const HZ = without(/~\{[^~]*~\}|~\r?\n/g)
/** In mail, pages, XML and scripts: `charset=`, `encoding="`, `coding: `, and in a word of a mail header: `=?utf-7?Q?`. */
const namesOf = (keyword: Names['keyword'], name: string): Names => ({
  keyword,
  name: new RegExp(name, 'i'),
  // The name comes first, because it is rare.
  declaration: new RegExp(
    String.raw`${name}(?<=(?:(?:charset|coding)[^a-z,;<>(]*(?:\([^()]*\)[^a-z,;<>(]*)?|=\?)(?:unicode-1-1-|x-|cs)?${name})`,
    'i',
  ),
})
const UTF7_NAMES = namesOf('utf7', 'utf-7')
const HZ_NAMES = namesOf('hz', 'hz-gb')
const SPACES = new Set([0, 0x09, 0x0a, 0x0d, 0x20])
/** Zeros on one side of the pairs. Fewer occur in any binary data. */
const ZEROS_MIN = 16

export const encodedText: Format = {
  applies: () => true,
  analyse(item, context) {
    if (startsWith(item.bytes, EBCDIC_XML))
      context.addObstacle(item, 'too_complex', 'Its text is in EBCDIC, which is not decoded.')
    for (const decode of decodersOf(item)) {
      charge(item.bytes.length * DECODE_WORK)
      const text = decode(item.bytes)
      if (text.length === 0) continue
      if (!context.chargeBytes(item, text.length, 'stream')) return
      context.inspectMember(item, AS_UTF8, text, true)
    }
  },
}

function decodersOf(item: Item): Decode[] {
  const { bytes } = item
  // Compound files hand their streams to the traversal themselves.
  if (isOle2(bytes)) return []
  const stated = STARTS.find(([start]) => startsWith(bytes, start))?.[1]
  if (stated !== undefined) return [stated]
  const head = bytes.subarray(0, HEAD_BYTES)
  // Without zeros and a mark it is not UTF-16.
  const encoding = head.includes(0) ? encodingOf(head) : null
  const spaces = spacesBefore(bytes)
  if (encoding === 'utf-16le' || (spaces > 0 && startsWith(bytes, [0x3c, 0], spaces & ~1))) return [LITTLE]
  if (encoding === 'utf-16be' || (spaces > 0 && startsWith(bytes, [0, 0x3c], spaces & ~1))) return [BIG]
  // No reader decodes a text twice, and its declaration is still there.
  if (item.path.at(-1) === AS_UTF8) return []
  return [
    ...(isDeclared(item, UTF7_NAMES) ? [UTF7] : []),
    ...(isDeclared(item, HZ_NAMES) ? [HZ] : []),
    ...(isIso2022(item) ? [ISO_2022] : []),
    ...(item.mentions('wide') ? byZeros(bytes) : []),
  ]
}

/**
 * Whether a reader that looks for a declaration may find this one. Lists of encodings in programs and articles name it as
 * well. A name that is not in the bytes was found behind character references.
 */
function isDeclared({ bytes, mentions }: Item, { keyword, name, declaration }: Names): boolean {
  if (!mentions(keyword)) return false
  charge(bytes.length * NAME_WORK)
  const text = view(bytes).toString('latin1')
  return declaration.test(text) || !name.test(text)
}

/** Undeclared, browsers recognise it only in a text of seven bits. */
const isIso2022 = (item: Item): boolean =>
  item.has(ISO_2022_MARK) &&
  (item.mentions('iso2022') || isAscii(item.bytes)) &&
  TO_ASCII.some((sequence) => view(item.bytes).includes(sequence, 0, 'latin1'))

function spacesBefore(bytes: Uint8Array): number {
  let at = 0
  while (at < HEAD_BYTES && SPACES.has(bytes[at] ?? 1)) at += 1
  return at
}

/** Both byte orders may occur: a reader decodes all of it in one of them. */
function byZeros(bytes: Uint8Array): Decode[] {
  const zeros = [0, 0]
  const source = view(bytes)
  for (let at = source.indexOf(0); at !== -1; at = source.indexOf(0, at + 1)) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  return [...(odd >= ZEROS_MIN ? [LITTLE] : []), ...(even >= ZEROS_MIN ? [BIG] : [])]
}

/** Only Latin-1 matters to the formats. */
function everyFourth(bytes: Uint8Array, from: number): Buffer {
  const out = Buffer.allocUnsafe(Math.ceil(Math.max(0, bytes.length - from) / 4))
  for (let i = 0; i < out.length; i++) out[i] = bytes[from + i * 4] as number
  return out
}
