/** Long runs of Base64 that begin as an archive, a document or a program does, whatever stands around them. */

import { view } from '../../bytes.ts'

/** Digits in a row, without a line end, that make a run. Below it, there is no room for a file. */
export const RUN_MIN = 64

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = new Set([0x09, 0x0a, 0x0d, 0x20])

/** Three bytes or more each, so that digits seldom look so by chance; programs are told by more. */
const FILE_START =
  /^(?:UEsD|UEsF|UEsH|0M8R4K|JVBER|e1xyd|H4sI|N3q8r|UmFyI|TVNDR|Qlpo|\/Td6W|KLUv\/|f0VMR|TAAAAAEU|5FJce4|TV[o-r].AA)/

/** Where such runs begin and end. They go on over line ends. */
export function* runsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  const text = view(bytes)
  for (let at = 0; at < bytes.length; ) {
    if (DIGIT[bytes[at] as number] === 0) {
      at += 1
      continue
    }
    const start = at
    while (at < bytes.length && DIGIT[bytes[at] as number] === 1) at += 1
    if (at - start < RUN_MIN) continue
    while (at < bytes.length && (DIGIT[bytes[at] as number] === 1 || SPACE.has(bytes[at] as number))) at += 1
    if (FILE_START.test(text.toString('latin1', start, start + 12))) yield { start, end: at }
  }
}
