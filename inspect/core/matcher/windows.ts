/** Chooses the four bytes by which each literal is found, and groups them for the kernel. */

interface Pattern {
  /** In lower case if case is ignored. */
  bytes: Uint8Array
  /** Whether upper and lower case differ. */
  exact: boolean
}

/** Four bytes of one or more literals. */
export interface Window {
  /** Little-endian, folded. The last byte of a literal of three bytes is any, and zero here. */
  key: number
  length: number
  /** Of the first three bytes, upper case included where a literal ignores it. */
  nibbles: Nibbles
  /** How often it occurs by chance, relative to others. */
  chance: number
}

/** For each byte, a bit for every low nibble and, 16 bits higher, for every high nibble. */
type Nibbles = readonly number[]

/** Bytes that the kernel compares for each bucket. */
const COMPARED = 3
const NO_NIBBLES: Nibbles = [0, 0, 0]
const WINDOW_BYTES = 4
const BUCKETS = 16
/** ORed in to ignore ASCII case. It also merges other bytes, which the full comparison tells apart. */
export const FOLD_WORD = 0x2020_2020
const FOLD = 0x20

/** The most common characters of texts first. */
const COMMON = ' etaoinsrhldcumfpgwybvk\n'
/** Share of each byte in documents. Only the order of magnitude matters. */
const SHARES = sharesOfBytes()

function sharesOfBytes(): Float64Array {
  const weights = Float64Array.from({ length: 256 }, (_, byte) => {
    const rank = COMMON.indexOf(String.fromCharCode(byte))
    if (rank !== -1) return COMMON.length - rank + 2
    if (byte === 0 || byte === 0xff) return 6
    return /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? 1.5 : byte > 0x20 && byte < 0x7f ? 1 : 0.3
  })
  const sum = weights.reduce((total, one) => total + one)
  return weights.map((weight) => weight / sum)
}

/** Common words. A bucket that accepts a part of them would slow down the search in every text. */
const SAMPLE =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her ' +
  'she there would their we him been has when who will no more if out so up said what its about than into them can only other time new ' +
  'some could these two may first then do any like my now over such our man me even most made after also did many off before must well ' +
  'back through years where much your way down should because long each just those people good world make very still see own work know'
const TRIPLES = triplesOf(SAMPLE)

/** The nibbles of the first, second and third byte of each three neighbouring characters. */
function triplesOf(text: string): readonly Int32Array[] {
  const triples = [...new Set(Array.from(text.slice(2), (_, i) => text.slice(i, i + COMPARED)))]
  return [0, 1, 2].map((place) => Int32Array.from(triples, (triple) => nibblesIn(triple.charCodeAt(place))))
}

function nibblesIn(byte: number): number {
  return (1 << (byte & 15)) | (1 << (16 + (byte >> 4)))
}

/** A literal may share the window of another one if it is not much more common than its own best. */
const SHARED_CHANCE_MAX = 20
/** Texts of one repeated byte or pair occur in many documents, and attackers can produce them easily. */
const REPEATED = 1e9
const ALTERNATING = 1e3

/** Where a window is in a literal. */
interface Place {
  offset: number
  length: number
  key: number
  chance: number
}

/** The window of each literal, and its offset in the literal. */
export function chooseWindows(patterns: readonly Pattern[]): { window: Window; offset: number }[] {
  const chosen = new Map<string, Window>()
  const choices = new Map<Pattern, { window: Window; offset: number }>()
  // The shortest literals have the least choice.
  for (const pattern of patterns.toSorted((a, b) => a.bytes.length - b.bytes.length)) {
    const { offset, length, key, chance } = choosePlace(pattern, chosen)
    const window = chosen.get(nameOf({ key, length })) ?? { key, length, chance, nibbles: NO_NIBBLES }
    chosen.set(nameOf(window), window)
    window.nibbles = both(window.nibbles, nibblesOf(pattern, offset))
    choices.set(pattern, { window, offset })
  }
  return patterns.flatMap((pattern) => choices.get(pattern) ?? [])
}

const nameOf = ({ key, length }: { key: number; length: number }): string => `${key} ${length}`

function choosePlace(pattern: Pattern, chosen: ReadonlyMap<string, Window>): Place {
  const length = Math.min(WINDOW_BYTES, pattern.bytes.length)
  const places = Array.from({ length: pattern.bytes.length - length + 1 }, (_, offset) =>
    placeAt(pattern, offset, length),
  ).sort((a, b) => a.chance - b.chance)
  const best = places[0]
  if (best === undefined) throw new RangeError('A literal without bytes')
  const isShared = (place: Place): boolean => chosen.has(nameOf(place))
  return places.find((one) => one.chance < best.chance * SHARED_CHANCE_MAX && isShared(one)) ?? best
}

function placeAt({ bytes, exact }: Pattern, offset: number, length: number): Place {
  let key = 0
  let chance = 1
  let [isRepeated, isAlternating] = [true, true]
  for (let i = 0; i < length; i++) {
    const byte = bytes[offset + i] as number
    key |= (byte | FOLD) << (8 * i)
    chance *= (SHARES[byte] as number) + (!exact && isLetter(byte) ? (SHARES[byte - FOLD] as number) : 0)
    isRepeated &&= byte === bytes[offset]
    isAlternating &&= byte === bytes[offset + (i % 2)]
  }
  return { offset, length, key, chance: chance * (isRepeated ? REPEATED : isAlternating ? ALTERNATING : 1) }
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

function nibblesOf(pattern: Pattern, offset: number): Nibbles {
  return Array.from(pattern.bytes.subarray(offset, offset + COMPARED), (byte) =>
    casesOf(byte, pattern).reduce((bits, one) => bits | nibblesIn(one), 0),
  )
}

function casesOf(byte: number, { exact }: Pattern): readonly number[] {
  return !exact && isLetter(byte) ? [byte, byte - FOLD] : [byte]
}

/** Windows that the kernel checks together: it accepts every combination of their nibbles. */
interface Bucket {
  windows: Set<Window>
  nibbles: Nibbles
  /** How often the kernel accepts a position by chance. */
  chance: number
}

const REFINEMENTS = 2

/** Groups windows so that few other bytes pass. */
export function groupWindows(windows: readonly Window[]): readonly ReadonlySet<Window>[] {
  const buckets = Array.from(
    { length: BUCKETS },
    (): Bucket => ({ windows: new Set(), nibbles: NO_NIBBLES, chance: 0 }),
  )
  const homes = new Map<Window, Bucket>()
  const place = (window: Window): void => {
    let best: Bucket | undefined
    let [nibbles, chance, growth] = [NO_NIBBLES, 0, Number.POSITIVE_INFINITY]
    for (const bucket of buckets) {
      const grown = both(bucket.nibbles, window.nibbles)
      const grownChance = chanceOf(grown)
      if (grownChance - bucket.chance >= growth) continue
      best = bucket
      ;[nibbles, chance, growth] = [grown, grownChance, grownChance - bucket.chance]
    }
    if (best === undefined) return
    best.windows.add(window)
    Object.assign(best, { nibbles, chance })
    homes.set(window, best)
  }
  for (const window of windows) place(window)
  for (let i = 0; i < REFINEMENTS; i++)
    for (const window of windows) {
      const home = homes.get(window)
      home?.windows.delete(window)
      const nibbles = [...(home?.windows ?? [])].reduce((sum, one) => both(sum, one.nibbles), NO_NIBBLES)
      if (home !== undefined) Object.assign(home, { nibbles, chance: home.windows.size === 0 ? 0 : chanceOf(nibbles) })
      place(window)
    }
  return buckets.map((bucket) => bucket.windows)
}

function both(one: Nibbles, other: Nibbles): Nibbles {
  return one.map((bits, i) => bits | (other[i] ?? 0))
}

function chanceOf(nibbles: Nibbles): number {
  let product = 1
  for (const bits of nibbles) {
    let sum = 0
    for (let highs = bits >>> 16; highs !== 0; highs &= highs - 1)
      for (let lows = bits & 0xffff; lows !== 0; lows &= lows - 1)
        sum += SHARES[lowestBit(highs) * 16 + lowestBit(lows)] as number
    product *= sum
  }
  return product + acceptedTriples(nibbles) * TRIPLE_CHANCE
}

/** A triple of the sample is this share of a text. */
const TRIPLE_CHANCE = 1 / 1_000

function acceptedTriples([first = 0, second = 0, third = 0]: Nibbles): number {
  const [firsts, seconds, thirds] = TRIPLES as [Int32Array, Int32Array, Int32Array]
  let count = 0
  for (let i = 0; i < firsts.length; i++) {
    if ((~first & (firsts[i] as number)) !== 0) continue
    if ((~second & (seconds[i] as number)) === 0 && (~third & (thirds[i] as number)) === 0) count += 1
  }
  return count
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
