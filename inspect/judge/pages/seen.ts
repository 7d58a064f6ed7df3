/** The text of a page with what may hide parts of it. */

import { createSeenText, type SeenText } from '../seen-text.ts'
import { createElements } from './elements.ts'
import { INLINE, readHtml } from './html-events.ts'

/** With one space for each sequence of white space. */
export function seenTextOf(source: string, isDrawing: boolean): SeenText {
  const seen = createSeenText()
  const elements = createElements({ isDrawing, knowsColours: true, isStrict: true })
  let hiding = elements.hiding()
  let hiders: readonly unknown[] = []
  let isSpaced = true

  function separate(name: string): void {
    if (!INLINE.has(name) && !isSpaced) seen.add(' ', hiders)
    isSpaced ||= !INLINE.has(name)
  }

  readHtml(source, {
    open(name, attributes, isEmpty) {
      separate(name)
      elements.open(name, attributes, isEmpty)
    },
    close(name) {
      separate(name)
      elements.close(name)
    },
    text(text) {
      const shown = text.replace(/\s+/g, ' ').slice(isSpaced && /^\s/.test(text) ? 1 : 0)
      if (shown === '') return
      if (elements.hiding() !== hiding) {
        hiding = elements.hiding()
        hiders = hiding.map(({ look }) => look)
      }
      isSpaced = shown.endsWith(' ')
      seen.add(shown, hiders)
    },
    comment: () => undefined,
    style: elements.style,
  })
  return seen.read()
}
