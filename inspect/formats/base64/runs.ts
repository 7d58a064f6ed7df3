/** Runs of Base64 that begin as an archive, a document or a program does, whatever stands around them. */

import { view } from '../../bytes.ts'

/** Digits that make a run, with line ends between them or without. Below it, there is no room for a file. */
export const RUN_MIN = 64
/** Digits in a row at the beginning of a run: what a file begins with must be seen in one piece. */
export const LINE_MIN = 8

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/[\t\n\r ]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Four bytes or so each, because every word of a text is asked; programs are told by more. */
const FILE_START =
  /^(?:UEsDB[A-P]|UEsFB[g-v]|UEsHCF|UEswMF|0M8R4K|JVBERi|e1xyd|H4sI[A-H]|N3q8r|UmFyI|TVNDR|Qlpo[MNO]|\/Td6W|KLUv\/|f0VMR|TAAAAAEU|5FJce4|TV[o-r].AA)/
const FIRST = Uint8Array.from({ length: 256 }, (_, code) =>
  'U0JeHNTQ/Kf5'.includes(String.fromCharCode(code)) ? 1 : 0,
)

/** Where such runs begin and end. They go on over line ends. No line can pass between the places that are asked. */
export function* runsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  const text = view(bytes)
  let from = 0
  for (let probe = LINE_MIN - 1; probe < bytes.length; probe += LINE_MIN) {
    if (probe < from || DIGIT[bytes[probe] as number] === 0) continue
    const start = firstOf(bytes, probe, from)
    from = digitsEnd(bytes, probe)
    if (from - start < LINE_MIN || FIRST[bytes[start] as number] === 0) continue
    if (!FILE_START.test(text.toString('latin1', start, start + LINE_MIN))) continue
    const { end, digits } = linesEnd(bytes, start)
    if (digits < RUN_MIN) continue
    yield { start, end }
    from = end
  }
}

function firstOf(bytes: Uint8Array, within: number, from: number): number {
  let at = within
  while (at > from && DIGIT[bytes[at - 1] as number] === 1) at -= 1
  return at
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
