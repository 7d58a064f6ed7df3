/** Reads the instruction of a Word field: its name and arguments. */

export interface FieldInstruction {
  /** In upper case. */
  name: string
  /** Without quotes and escapes. */
  values: readonly string[]
  /** Values by the letter of the switch before them, such as `\d "path"`. */
  switches: ReadonlyMap<string, string>
}

/** The target is the first argument, and no address that works is longer. */
export const INSTRUCTION_MAX = 4_096
export const TOKENS_MAX = 64

/** Word accepts any white space, and every character that is not ASCII, before the name. */
const NAME = /^[^\x21-\x7f]*([a-z]+)(?![a-z0-9_])/i
const TOKEN =
  /[\s\u00a0]*(?:["\u201c\u201d]((?:\\[\s\S]|[^"\\\u201c\u201d])*)["\u201c\u201d]?|\\([a-z*#@!])(?![\w\\])|((?:\\\\|[^\s"\u00a0\u201c\u201d])+))/iy

/** null: the text begins with no name. */
export function readInstruction(text: string): FieldInstruction | null {
  const instruction = text.slice(0, INSTRUCTION_MAX)
  const named = NAME.exec(instruction)
  if (named === null) return null
  const values: string[] = []
  const switches = new Map<string, string>()
  let pending: string | null = null
  TOKEN.lastIndex = named[0].length
  for (let count = 0; count < TOKENS_MAX; count++) {
    const token = TOKEN.exec(instruction)
    if (token === null) break
    const [, quoted, letter, plain] = token
    if (letter !== undefined) {
      pending = letter.toLowerCase()
      switches.set(pending, '')
      continue
    }
    const value = unescaped(quoted ?? plain ?? '')
    if (pending === null || values.length === 0) values.push(value)
    else switches.set(pending, value)
    pending = null
  }
  return { name: (named[1] ?? '').toUpperCase(), values, switches }
}

/** The start of a share is kept where its backslashes were not doubled. */
function unescaped(value: string): string {
  const plain = value.replace(/\\([\\"])/g, '$1').trim()
  return /^\\\\[^\\]/.test(value) ? `\\${plain}` : plain
}
