/** The name under which a document is shown: it is data from a stranger, never a path, and holds nothing that misleads. */

export const FILE_NAME_BYTES_MAX = 255
const NAMELESS = 'document'

/**
 * Control characters, separators of lines, bidirectional controls and everything else that takes part in a text without
 * being seen. The blank braille pattern is no such character to Unicode, but it is to the eye.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

const encoder = new TextEncoder()

function cut(name: string): string {
  // A UTF-16 unit is at most three bytes, so most names need not be measured.
  if (name.length * 3 <= FILE_NAME_BYTES_MAX) return name
  return name.slice(0, encoder.encodeInto(name, new Uint8Array(FILE_NAME_BYTES_MAX)).read)
}

export function shownFileName(reported: string): string {
  const segment = reported.slice(Math.max(reported.lastIndexOf('/'), reported.lastIndexOf('\\')) + 1)
  const name = cut(segment.replace(UNSEEN, '').normalize('NFC').trim()).trimEnd()
  return name === '' || name === '.' || name === '..' ? NAMELESS : name
}
