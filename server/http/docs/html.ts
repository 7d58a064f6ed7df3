/** HTML templates that escape every value not made by a template. */
import { readFileSync } from 'node:fs'

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

type Values = Readonly<Record<string, Piece | ((argument: string) => Piece)>>

/** Reads an HTML file of this folder, in which `{{name}}` and `{{name argument}}` stand for values. */
export function readTemplate(file: string): (values: Values) => Html {
  const template = readFileSync(new URL(file, import.meta.url), 'utf8')
  return (values) => {
    const text = template.replace(/\{\{(\w+)(?: (\w+))?\}\}/g, (_all, name: string, argument: string) => {
      if (!Object.hasOwn(values, name)) throw new Error(`${file} names an unknown value: ${name}`)
      const value = values[name]
      return render(typeof value === 'function' ? value(argument) : value)
    })
    return { [MADE]: text }
  }
}

export const toText = (piece: Html): string => piece[MADE]
