/** Random changes of documents. */

import type { Part } from './parts.ts'
import type { Random } from './random.ts'

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x50, 0x4b]

const WAYS: readonly ((bytes: Buffer, at: number, random: Random) => Buffer)[] = [
  (bytes, at, random) => change(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << random(8))])),
  (bytes, at, random) => change(bytes, at, Buffer.from([INTERESTING[random(INTERESTING.length)] ?? 0])),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(8))]),
  (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + random(8), random(256)), bytes.subarray(at)]),
  (bytes, at) => Buffer.from(bytes.subarray(0, Math.max(1, at))),
  (bytes, at, random) => change(bytes, at, bytes.subarray(random(bytes.length), random(bytes.length))),
  (bytes, at, random) => change(bytes, at, Buffer.alloc(1 + random(4), 0xff)),
]

function change(bytes: Buffer, at: number, by: Uint8Array): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(by.subarray(0, changed.length - at), at)
  return changed
}

/** Up to four changes. Never empty. */
export function mutate(source: Buffer, random: Random): Buffer {
  let bytes = source
  for (let i = random(4); i >= 0; i--) bytes = WAYS[random(WAYS.length)]?.(bytes, random(bytes.length), random) ?? bytes
  return bytes.length === 0 ? Buffer.from('x') : bytes
}

/** Numbers at the limits of their types. */
const NUMBERS = ['0', '-1', '255', '65536', '2147483647', '4294967296', '1e308', '99999999999999999999']
const REPEATED_BYTES_MAX = 4_096

/** Changes of texts: words and numbers rather than bytes. `other` is a part of another document. */
const TEXT_WAYS: readonly ((text: string, random: Random, other: string) => string)[] = [
  (text, random) => replaceOne(text, /\d+/g, random, () => NUMBERS[random(NUMBERS.length)] ?? '0'),
  (text, random) => replaceOne(text, /\w+/g, random, () => ''),
  (text, random) => replaceOne(text, /[^\w\s]/g, random, (found) => found.repeat(1 + random(40))),
  (text, random) => {
    const found = text.slice(random(text.length)).slice(0, 1 + random(64))
    const at = random(text.length)
    return text.slice(0, at) + found.repeat(1 + random(REPEATED_BYTES_MAX / found.length)) + text.slice(at)
  },
  (text, random, other) => {
    const from = random(other.length)
    const at = random(text.length)
    return text.slice(0, at) + other.slice(from, from + 1 + random(200)) + text.slice(at + random(20))
  },
  (text, random) => {
    const lines = text.split(/(?<=[\n;>])/)
    const from = random(lines.length)
    const [line = ''] = lines.splice(from, 1)
    if (random(2) === 0) lines.splice(random(lines.length + 1), 0, line, line)
    return lines.join('')
  },
]

function replaceOne(text: string, pattern: RegExp, random: Random, by: (found: string) => string): string {
  const found = [...text.matchAll(pattern)]
  const one = found[random(Math.max(1, found.length))]
  return one === undefined ? text : text.slice(0, one.index) + by(one[0]) + text.slice(one.index + one[0].length)
}

function mutateText(source: Buffer, random: Random, other: Buffer): Buffer {
  let text = source.toString('latin1')
  for (let i = random(4); i >= 0; i--)
    text = TEXT_WAYS[random(TEXT_WAYS.length)]?.(text, random, other.toString('latin1')) ?? text
  return Buffer.from(text === '' ? 'x' : text, 'latin1')
}

const looksLikeText = (bytes: Buffer): boolean => !bytes.subarray(0, 512).includes(0)

function mutateLeaf(bytes: Buffer, random: Random, other: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from([random(256)])
  return looksLikeText(bytes) && random(3) > 0 ? mutateText(bytes, random, other) : mutate(bytes, random)
}

/** Repeats, exchanges or leaves out one of the records. */
function mutateList(records: readonly Buffer[], random: Random): Buffer[] {
  const list = [...records]
  const [record = Buffer.alloc(0)] = list.splice(random(list.length), 1)
  for (let i = random(3); i > 0; i--) list.splice(random(list.length + 1), 0, record)
  return list
}

/** Changes one part, so that the change reaches the analysers of its format; sometimes the whole. */
export function mutateParts(part: Part, random: Random, other: Buffer): Buffer {
  if (part.parts.length === 0) return part.write([mutateLeaf(part.content, random, other)])
  if (random(8) === 0) return mutateLeaf(part.bytes, random, other)
  const written = part.parts.map(({ bytes }) => bytes)
  if (part.kind === 'records' && random(3) === 0) return part.write(mutateList(written, random))
  for (let i = random(2); i >= 0; i--) {
    const chosen = random(part.parts.length)
    const child = part.parts[chosen]
    if (child !== undefined) written[chosen] = mutateParts(child, random, other)
  }
  return part.write(written)
}
