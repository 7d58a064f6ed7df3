/** HTML templates that escape every value not made by a template. */

/** A symbol cannot come from JSON, so input cannot pass as trusted HTML. */
const MADE: unique symbol = Symbol('html')

export interface Html {
  readonly [MADE]: string
}

export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] as string)

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  if (MADE in piece) return piece[MADE]
  return piece.map(render).join('')
}

/** Values are safe only between tags and in double-quoted attributes. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  const text = pieces.map((piece, i) => render(piece) + (parts[i + 1] as string))
  return { [MADE]: (parts[0] as string) + text.join('') }
}

export const toText = (piece: Html): string => piece[MADE]
