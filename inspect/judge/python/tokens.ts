/** Splits Python into names, literals and signs. */

import { charge, keep } from '#inspect/core/work.ts'

export interface Token {
  kind: 'name' | 'text' | 'number' | 'sign' | 'end'
  text: string
}

const TOKEN =
  /(?<skip>#[^\r\n]*|\\\r?\n|[ \t\f]+)|(?<end>[\r\n;]+)|(?<prefix>[rbfu]{0,3})(?:"""(?<long>(?:[^\\]|\\[\s\S])*?)(?:"""|$)|'''(?<long2>(?:[^\\]|\\[\s\S])*?)(?:'''|$)|(?<!\\)"(?<double>(?:[^"\\\r\n]|\\[\s\S])*)"|(?<!\\)'(?<single>(?:[^'\\\r\n]|\\[\s\S])*)')|(?<number>\d[\w.]*)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>[\s\S])/giuy
const TOKEN_WORK = 1_500
const TOKEN_BYTES = 100

/** Statements end with a token of their own, also inside brackets. */
export function* tokensOf(source: string): Generator<Token> {
  for (const { 0: whole, groups = {} } of source.matchAll(TOKEN)) {
    charge(TOKEN_WORK + whole.length)
    if (groups.skip !== undefined) continue
    keep(TOKEN_BYTES + whole.length)
    if (groups.end !== undefined) yield { kind: 'end', text: '' }
    else if (groups.number !== undefined) yield { kind: 'number', text: whole }
    else if (groups.name !== undefined) yield { kind: 'name', text: whole.normalize('NFKC') }
    else if (groups.sign !== undefined) yield { kind: 'sign', text: whole }
    else yield readText(groups)
  }
}

/** An interpolated text is unknown: a sign in place of a value. */
function readText(groups: Record<string, string | undefined>): Token {
  const prefix = groups.prefix?.toLowerCase() ?? ''
  const body = groups.long ?? groups.long2 ?? groups.double ?? groups.single ?? ''
  if (prefix.includes('f') && body.includes('{')) return { kind: 'sign', text: '?' }
  return { kind: 'text', text: prefix.includes('r') ? body : unescaped(body) }
}

const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{1,3})|(\r?\n)|([\s\S]))/gi
const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (whole, hex, wide, long, octal, line, letter) => {
    const digits = hex ?? wide ?? long
    const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    return line === undefined ? (LETTERS[letter] ?? (/["'\\]/.test(letter) ? letter : whole)) : ''
  })
}
