/** Splits YARA source into tokens. */

export interface Token {
  kind: 'word' | 'number' | 'text' | 'regex' | 'hex' | 'pattern' | 'sign'
  text: string
  start: number
  end: number
}

/** Internal: the source uses syntax that the prefilter does not support. The rule engine may still accept it. */
export class Unsupported extends Error {}

const SPACE = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)+/y
const TOKENS: readonly [Token['kind'], RegExp][] = [
  ['text', /"(?:\\.|[^"\\\n])*"/y],
  ['regex', /\/(?:\\.|[^/\\\n*])(?:\\.|[^/\\\n])*\/[is]*/y],
  // Identifiers of patterns, their counts, offsets and lengths. `!=` is a sign.
  ['pattern', /\$\w*\*?|[#@]\w*|!(?!=)\w*/y],
  ['number', /0x[0-9A-Fa-f]+|0o[0-7]+|[0-9]+(?:\.[0-9]+)?(?:KB|MB)?/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /\.\.|[=!<>]=|<<|>>|[{}()[\]:=,.<>+\-*\\%&|^~]/y],
]
/** Comments may contain a closing brace. */
const HEX = /\{(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/[^\n]*(?=\n|$)|[^}/])*\}/y

export function tokensOf(source: string): Token[] {
  // Only the rule engine knows whether a lone CR ends a line.
  if (/\r(?!\n)/.test(source)) throw new Unsupported('lone CR')
  const tokens: Token[] = []
  let at = 0
  const take = (kind: Token['kind'], expression: RegExp): boolean => {
    expression.lastIndex = at
    const [text] = expression.exec(source) ?? []
    if (text === undefined) return false
    tokens.push({ kind, text, start: at, end: at + text.length })
    at += text.length
    return true
  }
  while (true) {
    SPACE.lastIndex = at
    at += SPACE.exec(source)?.[0].length ?? 0
    if (at >= source.length) return tokens
    // A brace after `=` starts a hex pattern; every other brace is that of a rule.
    if (source[at] === '{' && tokens.at(-1)?.text === '=' && take('hex', HEX)) continue
    if (!TOKENS.some(([kind, expression]) => take(kind, expression))) throw new Unsupported(`character at ${at}`)
  }
}
