/** Locates undeclared Base64 that begins like an archive, a document or a program. */

import { view } from '#inspect/core/bytes.ts'
import { mark } from '#inspect/core/marks.ts'
import { LITERAL_BYTES_MIN } from '#inspect/core/matcher/matcher.ts'
import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Shortest run, without line ends. A shorter one cannot contain a file. */
export const RUN_MIN = 64
/** Contiguous digits at the start of a run, so that the file signature is in one piece. */
export const LINE_MIN = 8
/** Work for each pair that may begin a run and for each byte of a run, and memory for each run. */
const CANDIDATE_WORK = 150
const BYTE_WORK = 12
const RUN_BYTES = 120

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0))
const DIGITS = Array.from(DIGIT.keys(), (code) => String.fromCharCode(code)).filter((_, code) => DIGIT[code] === 1)
const SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/[\t\n\r ]/.test(String.fromCharCode(code)) ? 1 : 0))

/** About four bytes each, because every word of a text is compared; programs need a second check. */
export const FILE_STARTS =
  words(`UEsDB[A-P] UEsFB[g-v] UEsHCF UEswMF 0M8R4K JVBERi e1xyd H4sI[A-H] N3q8r UmFyI TVNDR Qlpo[MNO] /Td6W KLUv/
  f0VMR TAAAAAEU 5FJce4 TV[o-r][A-Za-z0-9+/]AA`)
/** Their first letters, without those that have alternatives after the third. */
export const FIRST_LETTERS = FILE_STARTS.flatMap(firstLettersOf)
export const FILE_START = mark(FIRST_LETTERS, { fits: isStart })
const FILE_START_PATTERN = new RegExp(`^(?:${FILE_STARTS.join('|')})`)
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** Adjacent bytes are compared as pairs, at every fourth offset. */
const STEP = 4
/** For each pair, and for the pair before it: a bit for every offset in a file start where it may occur. */
const { here: PAIRS, before: PAIRS_BEFORE } = tablesOf(FILE_STARTS)

/** Yields the runs, across line ends. Every file start includes a sampled offset. */
export function* runsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  // Pairs are read at aligned addresses.
  const skipped = bytes.byteOffset % 2
  if (bytes.length < skipped + 2) return
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 1)
  let from = 0
  for (let at = nextCandidate(pairs, 0); at < pairs.length; at = nextCandidate(pairs, at + STEP / 2)) {
    charge(CANDIDATE_WORK)
    const start = startAround(bytes, skipped + at * 2)
    if (start === null || start < from) continue
    const { end, digits } = linesEnd(bytes, start)
    charge((end - start) * BYTE_WORK)
    if (digits >= RUN_MIN) {
      keep(RUN_BYTES)
      yield { start, end }
    }
    from = digits >= RUN_MIN ? end : digitsEnd(bytes, start)
  }
}

/** Index of the next candidate pair; the length or more if there is none. */
function nextCandidate(pairs: Uint16Array, from: number): number {
  let at = from
  while (at < pairs.length && !isCandidate(pairs, at)) at += STEP / 2
  return at
}

/** Whether the pair may be in a file start after the previous pair. */
function isCandidate(pairs: Uint16Array, at: number): boolean {
  const places = PAIRS[pairs[at] as number] as number
  // Rejects most pairs. The first pair has no previous one.
  if (places === 0 || at === 0) return places !== 0
  return ((PAIRS_BEFORE[pairs[at - 1] as number] as number) & places) !== 0
}

/** At most one run starts this close: another character precedes each run. */
function startAround(bytes: Uint8Array, probe: number): number | null {
  const places = PAIRS[pairOf(bytes[probe] as number, bytes[probe + 1] as number)] as number
  for (let start = probe; start > probe - 2 * STEP; start--)
    if ((places & (1 << (probe - start))) !== 0 && isStart(bytes, start)) return start
  return null
}

/** In the byte order of the machine. */
function pairOf(first: number, second: number): number {
  return IS_LITTLE_ENDIAN ? first | (second << 8) : (first << 8) | second
}

function firstLettersOf(start: string): string[] {
  let texts = ['']
  for (const [letter] of start.matchAll(/\[[^\]]+\]|./g)) {
    const isLong = texts.every((text) => text.length >= LITERAL_BYTES_MIN)
    if (isLong && letter.length > 1) return texts
    texts = texts.flatMap((text) => lettersOf(letter).map((one) => text + one))
  }
  return texts
}

function lettersOf(letter: string): string[] {
  return DIGITS.filter((digit) => new RegExp(`^${letter}$`).test(digit))
}

export function isStart(bytes: Uint8Array, at: number): boolean {
  if (at > 0 && DIGIT[bytes[at - 1] as number] === 1) return false
  if (!FILE_START_PATTERN.test(view(bytes).toString('latin1', at, at + LINE_MIN))) return false
  return digitsEnd(bytes, at) - at >= LINE_MIN
}

/** Four consecutive offsets cover every start. Where one is not distinctive, the next sampled offset is used. */
function tablesOf(starts: readonly string[]): { here: Uint8Array; before: Uint8Array } {
  const [here, before] = [new Uint8Array(1 << 16), new Uint8Array(1 << 16)]
  const add = (table: Uint8Array, firsts: readonly number[], seconds: readonly number[], bit: number): void => {
    for (const one of firsts)
      for (const other of seconds) table[pairOf(one, other)] = (table[pairOf(one, other)] as number) | bit
  }
  const all = Array.from(DIGIT.keys())
  const others = all.filter((code) => DIGIT[code] === 0)
  for (const start of starts) {
    const letters = (start.match(/\[[^\]]+\]|./g) ?? []).map((letter) => new RegExp(`^${letter}$`))
    const may = letters.map((letter) => all.filter((code) => letter.test(String.fromCharCode(code))))
    const at = (place: number): readonly number[] => (place < -1 ? all : place < 0 ? others : (may[place] ?? all))
    for (let first = 0; first < STEP; first++) {
      const seen = [first - 2, first - 1, first, first + 1].map((place) => at(place).join())
      const place = new Set(seen).size > 1 ? first : first + STEP
      add(here, at(place), at(place + 1), 1 << place)
      add(before, at(place - 2), at(place - 1), 1 << place)
    }
  }
  return { here, before }
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && DIGIT[bytes[at] as number] === 1) at += 1
  return at
}

function linesEnd(bytes: Uint8Array, from: number): { end: number; digits: number } {
  let at = from
  let digits = 0
  while (at < bytes.length) {
    const byte = bytes[at] as number
    const isDigit = DIGIT[byte] === 1
    const length = isDigit || SPACE[byte] === 1 ? 1 : escapeLength(bytes, at)
    if (length === 0) break
    if (isDigit) digits += 1
    at += length
  }
  return { end: at, digits }
}

const ESCAPE_STARTS = new Set([...'&\\%'].map((char) => char.charCodeAt(0)))
/** Line ends, spaces and the digits `+` and `/`: `&#xA;` in XML, `\n` and `\/` in JSON, `%0A` in URLs. */
const ESCAPE =
  /^(?:&#(?:0*(?:9|10|13|32|43|47)|[xX]0*(?:9|[aA]|[dD]|20|2[bB]|2[fF]));|\\[nrt/]|%(?:0[9aAdD]|20|2[bB]|2[fF]))/
const ESCAPE_MAX = 12

/** 0: no escape of a character that Base64 contains. */
function escapeLength(bytes: Uint8Array, at: number): number {
  if (!ESCAPE_STARTS.has(bytes[at] as number)) return 0
  return ESCAPE.exec(view(bytes).toString('latin1', at, at + ESCAPE_MAX))?.[0].length ?? 0
}
