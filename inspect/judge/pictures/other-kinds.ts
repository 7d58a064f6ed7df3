/** Pictures of kinds that are not searched for codes. They are named. */

import { view } from '#inspect/core/bytes.ts'

/** Texts in the head, and where they begin. */
type Head = readonly (readonly [at: number, text: string])[]

const BRANDS = ['avif', 'avis', 'heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1']
const OTHERS: readonly Head[] = [
  [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
  ...['II*\0', 'MM\0*', 'II\xbc\x01', '\0\0\0\x0cjP  ', '\0\0\0\x0cJXL '].map((text): Head => [[0, text]]),
  ...BRANDS.map((brand): Head => [[4, `ftyp${brand}`]]),
]
/** Drawings of Windows. */
const METAFILES: readonly Head[] = [
  [[0, '\xd7\xcd\xc6\x9a']],
  [
    [0, '\x01\0\0\0'],
    [40, ' EMF'],
  ],
]
const HEAD_BYTES = 44
/** Of the document itself. */
const THUMBNAIL = /thumbnail/i

export function isOtherPicture(bytes: Uint8Array, path: readonly string[]): boolean {
  const head = view(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const isOne = (heads: readonly Head[]): boolean =>
    heads.some((parts) => parts.every(([at, text]) => head.startsWith(text, at)))
  return isOne(OTHERS) || (isOne(METAFILES) && !THUMBNAIL.test(path.at(-1) ?? ''))
}
