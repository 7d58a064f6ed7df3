/** Limits past which a document is too complex, or a decompression bomb. */

export interface Limits {
  inputBytesMax: number
  /** Sum over everything unpacked from the document. */
  unpackedBytesMax: number
  /** One unpacked member. */
  memberBytesMax: number
  /** Length of the longest member path. */
  depthMax: number
  /** Sum over all archives in the document. */
  entriesMax: number
  /** Streams are not archive entries, but each costs a call of the decompressor. */
  pdfStreamsMax: number
  /** Sum of the hash rounds spent on the default password of Office. One document needs 50,000 or 100,000. */
  hashRoundsMax: number
  /** Units of work, each about a nanosecond of CPU time: the most expensive documents take 1.5 s. */
  workMax: number
  /** Memory on the heap for what is read from the document. */
  keptBytesMax: number
  /** The expansion ratio is judged from this many unpacked bytes on. A blank bitmap stays below. */
  bombBytesMin: number
  /** Unpacked bytes per packed byte. No real document reaches it; deflate ends at 1,032. */
  bombRatioMin: number
}

export const LIMITS: Readonly<Limits> = {
  inputBytesMax: 268_435_456,
  unpackedBytesMax: 400_000_000,
  memberBytesMax: 200_000_000,
  depthMax: 16,
  entriesMax: 10_000,
  pdfStreamsMax: 50_000,
  hashRoundsMax: 400_000,
  workMax: 1_500_000_000,
  keptBytesMax: 100_000_000,
  bombBytesMin: 64_000_000,
  bombRatioMin: 500,
}

/** The size of uploads. Larger documents, which are fetched, may cost more work in proportion to their size. */
export const USUAL_BYTES_MAX = 26_214_400

export const limitsFor = (limits: Limits, bytes: number): Limits =>
  bytes <= USUAL_BYTES_MAX ? limits : { ...limits, workMax: (limits.workMax * bytes) / USUAL_BYTES_MAX }

/** Passwords that are tried because the document itself names them. */
export const OFFERED_PASSWORDS_MAX = 20

/** Findings reported per document. An attacker could cause a million of them. */
export const FINDINGS_MAX = 100

/** Characters of a member name in a path. */
export const NAME_MAX = 255
