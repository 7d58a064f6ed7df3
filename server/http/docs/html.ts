/** HTML as a value: whatever is put into a template is escaped, unless a template made it. */

/** A symbol cannot come out of JSON, so no text from outside can pretend to be made here. */
const MADE: unique symbol = Symbol('html')

export interface Html {
  readonly [MADE]: string
}

export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] as string)

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  if (MADE in piece) return piece[MADE]
  return piece.map(render).join('')
}

/** Values may stand between tags and inside double-quoted attributes; no other place is safe. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  const text = pieces.map((piece, i) => render(piece) + (parts[i + 1] as string))
  return { [MADE]: (parts[0] as string) + text.join('') }
}

export const toText = (piece: Html): string => piece[MADE]
