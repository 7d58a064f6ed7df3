/** Runs of Base64 that begin as an archive, a document or a program does, whatever stands around them. */

import { view } from '../../bytes.ts'

/** Digits that make a run, with line ends between them or without. Below it, there is no room for a file. */
export const RUN_MIN = 64
/** Digits in a row at the beginning of a run: what a file begins with must be seen in one piece. */
export const LINE_MIN = 8

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/[\t\n\r ]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Four bytes or so each, because every word of a text is asked; programs are told by more. */
export const FILE_STARTS = [
  'UEsDB[A-P]',
  'UEsFB[g-v]',
  'UEsHCF',
  'UEswMF',
  '0M8R4K',
  'JVBERi',
  'e1xyd',
  'H4sI[A-H]',
  'N3q8r',
  'UmFyI',
  'TVNDR',
  'Qlpo[MNO]',
  '/Td6W',
  'KLUv/',
  'f0VMR',
  'TAAAAAEU',
  '5FJce4',
  'TV[o-r][A-Za-z0-9+/]AA',
]
const FILE_START = new RegExp(`^(?:${FILE_STARTS.join('|')})`)
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** Two neighbouring bytes are asked at every fourth place. */
const STEP = 4
/** By two neighbouring bytes: a bit for each place of a start where they may stand. */
const PAIRS = pairsOf(FILE_STARTS)

/** Where such runs begin and end. They go on over line ends. No start can pass between the places that are asked. */
export function* runsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  // Pairs are read at places that memory allows.
  const skipped = bytes.byteOffset % 2
  if (bytes.length < skipped + 2) return
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 1)
  let from = 0
  for (let at = nextNoticed(pairs, 0); at < pairs.length; at = nextNoticed(pairs, at + STEP / 2)) {
    const probe = skipped + at * 2
    const start = startAround(bytes, probe)
    if (start === null || start < from) continue
    const { end, digits } = linesEnd(bytes, start)
    if (digits >= RUN_MIN) yield { start, end }
    from = digits >= RUN_MIN ? end : digitsEnd(bytes, start)
  }
}

/** The next pair by which a start may be noticed; the length or more if there is none. */
function nextNoticed(pairs: Uint16Array, from: number): number {
  let at = from
  while (at < pairs.length && PAIRS[pairs[at] as number] === 0) at += STEP / 2
  return at
}

/** At most one run begins so near: in front of another there is something that is no digit. */
function startAround(bytes: Uint8Array, probe: number): number | null {
  const places = placesAt(bytes, probe)
  for (let place = 0; place < STEP; place++) {
    const start = probe - place
    if ((places & (1 << place)) !== 0 && (placesAt(bytes, start) & 1) === 1 && isStart(bytes, start)) return start
  }
  return null
}

/** Where in a start the two bytes from here may stand. */
function placesAt(bytes: Uint8Array, at: number): number {
  return PAIRS[pairOf(bytes[at] as number, bytes[at + 1] as number)] as number
}

/** As memory has them. */
function pairOf(first: number, second: number): number {
  return IS_LITTLE_ENDIAN ? first | (second << 8) : (first << 8) | second
}

function isStart(bytes: Uint8Array, at: number): boolean {
  if (at > 0 && DIGIT[bytes[at - 1] as number] === 1) return false
  if (!FILE_START.test(view(bytes).toString('latin1', at, at + LINE_MIN))) return false
  return digitsEnd(bytes, at) - at >= LINE_MIN
}

/** All that two neighbouring bytes can be, from the first to the fifth of a start. */
function pairsOf(starts: readonly string[]): Uint8Array {
  const pairs = new Uint8Array(1 << 16)
  const codes = Array.from(DIGIT, (isDigit, code) => (isDigit === 1 ? code : -1)).filter((code) => code >= 0)
  for (const start of starts) {
    const places = start.match(/\[[^\]]+\]|./g) ?? []
    const may = places.map((place) => codes.filter((code) => new RegExp(`^${place}$`).test(String.fromCharCode(code))))
    for (let at = 0; at < STEP; at++)
      for (const one of may[at] ?? [])
        for (const other of may[at + 1] ?? [])
          pairs[pairOf(one, other)] = (pairs[pairOf(one, other)] as number) | (1 << at)
  }
  return pairs
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && DIGIT[bytes[at] as number] === 1) at += 1
  return at
}

function linesEnd(bytes: Uint8Array, from: number): { end: number; digits: number } {
  let at = from
  let spaces = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (SPACE[byte] === 1) spaces += 1
    else if (DIGIT[byte] === 0) break
  }
  return { end: at, digits: at - from - spaces }
}
