/** The analyser alone, on texts and random bytes. */

import { createHash } from 'node:crypto'
import type { Inspector } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { type Random, randomFrom } from '#inspect/testing/random.ts'
import type { Measurement } from '#test/perf/report.ts'

const ROUNDS = 7
const WARM_UP_ROUNDS = 4
const SIZES = [
  { bytes: 1_000_000, times: 5 },
  { bytes: 10_000, times: 200 },
]
/** CPU time of the analyser, as a multiple of one SHA-256 of the same bytes. */
const TARGETS: Readonly<Record<string, number>> = { words: 4, sentence: 4, prose: 5, Base64: 25, random: 4 }

const COMMON =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her ' +
  'she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some'

const filled = (size: number, next: () => string): Buffer => {
  let text = ''
  while (text.length < size) text += next()
  return Buffer.from(text.slice(0, size))
}

function bytesOf(size: number, random: Random): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, () => random(256)))
}

function prose(size: number, random: Random): Buffer {
  const words = COMMON.split(' ')
  const endOf = (number: number): string => ['; ', '.\n', '.\n', '.\n', ', ', ', ', ', '][number] ?? ' '
  return filled(size, () => `${words[random(words.length)]}${endOf(random(60))}`)
}

const DOCUMENTS: Readonly<Record<string, (size: number, random: Random) => Buffer>> = {
  words: (size, random) =>
    filled(size, () => {
      const word = (random(2 ** 30) + 2 ** 20).toString(36).replace(/\d/g, 'x')
      return `${word}${random(12) === 0 ? '.\n' : ' '}`
    }),
  sentence: (size) => Buffer.alloc(size, 'The quick brown fox jumps over the lazy dog. '),
  prose,
  Base64: (size, random) => {
    const digits = bytesOf(size, random).toString('base64')
    return Buffer.from(digits.replace(/.{76}/g, '$&\n').slice(0, size))
  },
  random: bytesOf,
}

function cpuMs(work: () => void, times: number): number {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}

function measure(inspector: Inspector, name: string, document: Buffer, times: number): Measurement {
  const once = () => ({
    ours: cpuMs(() => inspector.inspect(document), times),
    base: cpuMs(() => createHash('sha256').update(document).digest(), times),
  })
  // Until the kernel is optimised.
  for (let i = 0; i < WARM_UP_ROUNDS; i++) once()
  return {
    what: `Inspecting ${document.length.toLocaleString('en')} bytes of ${name}`,
    unit: 'ms of CPU time',
    baseline: 'one SHA-256',
    rounds: Array.from({ length: ROUNDS }, once),
    ...(document.length >= 1_000_000 && { target: { atMost: TARGETS[name] ?? Number.NaN } }),
  }
}

export async function* measureAnalyser(): AsyncGenerator<Measurement> {
  const inspector = await ourInspector()
  for (const { bytes, times } of SIZES)
    for (const [name, create] of Object.entries(DOCUMENTS))
      yield measure(inspector, name, create(bytes, randomFrom(1)), times)
  inspector.dispose()
}
