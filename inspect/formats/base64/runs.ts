/** Long runs of Base64 that begin as an archive, a document or a program does, whatever stands around them. */

import { view } from '../../bytes.ts'

/** Digits in a row, without a line end, that make a run. Below it, there is no room for a file. */
export const RUN_MIN = 64

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = new Set([0x09, 0x0a, 0x0d, 0x20])

/** Three bytes or more each, so that digits seldom look so by chance; programs are told by more. */
const FILE_START =
  /^(?:UEsD|UEsF|UEsH|0M8R4K|JVBER|e1xyd|H4sI|N3q8r|UmFyI|TVNDR|Qlpo|\/Td6W|KLUv\/|f0VMR|TAAAAAEU|5FJce4|TV[o-r].AA)/

/** Where such runs begin and end. They go on over line ends. A long run cannot pass between the places that are asked. */
export function* runsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  const text = view(bytes)
  let from = 0
  for (let probe = RUN_MIN - 1; probe < bytes.length; probe += RUN_MIN) {
    if (probe < from || DIGIT[bytes[probe] as number] === 0) continue
    const start = firstOf(bytes, probe, from)
    const end = digitsEnd(bytes, probe)
    if (end - start < RUN_MIN) continue
    from = linesEnd(bytes, end)
    if (FILE_START.test(text.toString('latin1', start, start + 12))) yield { start, end: from }
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

function linesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (DIGIT[bytes[at] as number] === 1 || SPACE.has(bytes[at] as number))) at += 1
  return at
}
