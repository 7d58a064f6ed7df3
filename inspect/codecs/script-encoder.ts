/** Decodes scripts that the Windows Script Encoder wrote (JSE, VBE, JScript.Encode, VBScript.Encode). */

import { charge } from '#inspect/core/work.ts'

/** The characters for the codes 32 to 127 in each of the three alphabets of the encoder, in hexadecimal digits. */
const ALPHABETS = [
  [
    '2e477a56426a2f26494134325b7672433839704568714f09624423754a7e4a5e40774a615d224b6f4e3b4c50672a7d74',
    '542b2d2c306e6b66352521644d52633f7b7829287359337f6d55537c3a5f65465831696c5a48275c3d24793760512036',
  ],
  [
    '2d755260715e495c627d2936207c7a7f6b63332b68516676316454434c3a4c7e4c452c2a7427374479592f6f26726a39',
    '7b3f387767534734785d30235a5b6c485570692e4c21244e5009567335614b583b57226d4d2528464a32413d5f4f4265',
  ],
  [
    '323021295b38333d583a3565395c5673664e456b6259785e7d4a6d714160415340422748727531374d5222546a47642d',
    '207f2e4c5d7e6c6f797443267625242b28234134092a443f773b55696163506751494f46687c36706e7a2f5f4b5a2c57',
  ],
].map((lines) => Buffer.from(lines.join(''), 'hex'))
/** The characters for a tab. */
const TAB = [0x57, 0x6e, 0x7b]
/** The alphabet at each position, in turns of 64. */
const TURNS = '0120121221210212021200122102122100212120200120210212001220012021'
/** Characters that would end the data are written as pairs. */
const PAIRS: Readonly<Record<string, string>> = { '@&': '\n', '@#': '\r', '@*': '>', '@!': '<', '@$': '@' }
/** These are never encoded. */
const PLAIN = new Set([0x3c, 0x3e, 0x40])

const ENCODED = /#@~\^[A-Za-z0-9+/]{6}==([\s\S]*?)(?:[A-Za-z0-9+/]{6}==\^#~@|$)/g
const CHARACTER_WORK = 60

/** The text of each encoded script. */
export function decodeScripts(text: string): string[] {
  charge(text.length)
  const scripts: string[] = []
  for (const [, body = ''] of text.matchAll(ENCODED)) {
    charge(body.length * CHARACTER_WORK)
    scripts.push(decoded(body))
  }
  return scripts
}

function decoded(body: string): string {
  const source = body.replace(/@[&#*!$]/g, (pair) => PAIRS[pair] ?? pair)
  const out = Buffer.from(source, 'latin1')
  let turn = 0
  for (let i = 0; i < out.length; i++) {
    const code = out[i] as number
    if (code >= 0x80) continue
    const alphabet = Number(TURNS[turn++ % TURNS.length])
    if (code === 0x09) out[i] = TAB[alphabet] ?? code
    else if (code >= 0x20 && !PLAIN.has(code)) out[i] = ALPHABETS[alphabet]?.[code - 0x20] ?? code
  }
  return out.toString('latin1')
}
