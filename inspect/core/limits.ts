/** How much a document may unfold into before it counts as too complex, or as a bomb. */

export interface Limits {
  /** Bytes of the document itself. */
  inputBytesMax: number
  /** Bytes of everything unpacked from it, added up. */
  unpackedBytesMax: number
  /** Bytes of one unpacked member. */
  memberBytesMax: number
  /** Members inside members: the length of the longest path. */
  depthMax: number
  /** Archive entries, added up over all archives in the document. */
  entriesMax: number
  /** Streams of one PDF. They are no archive entries, but each costs a call of the decompressor. */
  pdfStreamsMax: number
  /** Rounds of hashing to try the default password of Office, added up. A document costs 50,000 or 100,000. */
  hashRoundsMax: number
  /** From this many unpacked bytes on, the ratio of expansion is judged. A blank bitmap stays below. */
  bombBytesMin: number
  /** Unpacked bytes for one packed byte that no real document reaches. Deflate itself ends at 1,032. */
  bombRatioMin: number
}

export const LIMITS: Readonly<Limits> = {
  inputBytesMax: 26_214_400,
  unpackedBytesMax: 400_000_000,
  memberBytesMax: 200_000_000,
  depthMax: 16,
  entriesMax: 10_000,
  pdfStreamsMax: 50_000,
  hashRoundsMax: 400_000,
  bombBytesMin: 64_000_000,
  bombRatioMin: 500,
}

/** Findings reported for one document. More say nothing new, and an attacker could make a million. */
export const FINDINGS_MAX = 100

/** Characters of a member's name in a path. */
export const NAME_MAX = 255
