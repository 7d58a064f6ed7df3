/** How often bytes occur in documents. Only the order of magnitude matters. */

/** Kinds of documents, each by a sample and its weight. */
const SAMPLES: readonly (readonly [string, number])[] = [
  // Words in any language.
  [`${'abcdefghijklmnopqrstuvwxyz'.repeat(2)}${' '.repeat(8)}.,\n`, 3],
  // English.
  [
    'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her ' +
      'she there would their we him been has when who will no more if out so up said what its about than into them can only other time new ' +
      'some could these two may first then do any like my now over such our man me even most made after also did many off before must well.\n',
    2,
  ],
  // Programs and markup.
  [
    '<div class="text-item" id="name_1"><a href="/path/to/file.html?id=20&amp;page=3">Title</a></div>\n' +
      "  const value = list[i + 1].map((one) => ({ ...one, count: 0 })) // TODO\n  if (!isOpen && state === 'READY') return null;\n" +
      '{ "key": "value", "number": 1234.5678, "list": [true, false] }\n',
    1,
  ],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 1],
  // Anything, and what binary formats are padded with.
  [`${String.fromCharCode(...Array(256).keys())}${'\0'.repeat(8)}${'\xff'.repeat(4)}`, 1],
]

/** For each sample the share of each byte. A product of three shares is to have the weight of the sample. */
const SHARES = SAMPLES.map(([text, weight]) => {
  const shares = new Float64Array(256)
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i)
    shares[byte] = (shares[byte] as number) + Math.cbrt(weight) / text.length
  }
  return shares
})

const known = new Map<number, readonly number[]>()

/** The shares of all bytes with these nibbles: a bit for every low nibble and, 16 bits higher, for every high nibble. */
export function sharesOf(nibbles: number): readonly number[] {
  let sums = known.get(nibbles)
  if (sums === undefined) {
    sums = sumsOf(nibbles)
    known.set(nibbles, sums)
  }
  return sums
}

/** An array that grows: typed arrays, and arrays of integers that become fractions, are slow to create. */
function sumsOf(nibbles: number): number[] {
  const sums: number[] = []
  for (const shares of SHARES) {
    let sum = 0
    for (let highs = nibbles >>> 16; highs !== 0; highs &= highs - 1)
      for (let lows = nibbles & 0xffff; lows !== 0; lows &= lows - 1)
        sum += shares[lowestBit(highs) * 16 + lowestBit(lows)] as number
    sums.push(sum)
  }
  return sums
}

/** Frees the memory of all results. */
export function forgetShares(): void {
  known.clear()
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
