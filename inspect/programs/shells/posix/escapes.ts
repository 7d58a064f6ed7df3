/** Escapes in texts of Unix shells. */

const ESCAPE = /\\(?:x([\da-f]{1,2})|u([\da-f]{4})|0?([0-7]{1,3})|([\s\S]))/gi

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
}

export function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, hex?: string, wide?: string, octal?: string, letter?: string) => {
    if (letter !== undefined) return LETTERS[letter] ?? letter
    return String.fromCharCode(octal === undefined ? Number.parseInt(`${hex ?? wide}`, 16) : Number.parseInt(octal, 8))
  })
}
