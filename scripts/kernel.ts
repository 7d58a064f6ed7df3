/** Assembles the WebAssembly kernel of the matcher. */

import { readFileSync } from 'node:fs'
import wabt from 'wabt'

const SOURCE = new URL('../inspect/core/matcher/kernel.wat', import.meta.url)

/** The module that contains the binary. A module, because a worker reads no other files. */
export async function renderKernel(): Promise<string> {
  const { parseWat } = await wabt()
  const parsed = parseWat('kernel.wat', readFileSync(SOURCE, 'latin1'), { simd: true, relaxed_simd: true })
  const digits = Buffer.from(parsed.toBinary({}).buffer).toString('base64')
  parsed.destroy()
  return [
    '/** The binary of kernel.wat, written by `npm run generate`. */\n',
    'export const KERNEL = Buffer.from(',
    ...(digits.match(/.{1,100}/g) ?? []).map(
      (line, i, lines) => `${i === 0 ? '  ' : '    '}'${line}'${i < lines.length - 1 ? ' +' : ','}`,
    ),
    "  'base64',",
    ')\n',
  ].join('\n')
}
