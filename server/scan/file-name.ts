/** Makes a reported file name safe to display: no path, no invisible characters, at most 255 bytes. */

export const FILE_NAME_BYTES_MAX = 255
const NAMELESS = 'document'

/** Controls, line separators, bidirectional controls and other invisible characters; U+2800 is a blank braille pattern. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Nearly every name: nothing in it is removed or composed. */
const PLAIN = /^[ -~]*$/

const encoder = new TextEncoder()

function truncate(name: string): string {
  // A UTF-16 unit is at most three bytes, so short names need no measuring.
  if (name.length * 3 <= FILE_NAME_BYTES_MAX) return name
  return name.slice(0, encoder.encodeInto(name, new Uint8Array(FILE_NAME_BYTES_MAX)).read)
}

export function displayFileName(reported: string): string {
  const segment = reported.slice(Math.max(reported.lastIndexOf('/'), reported.lastIndexOf('\\')) + 1)
  const visible = PLAIN.test(segment) ? segment : segment.replace(INVISIBLE, '').normalize('NFC')
  const name = truncate(visible.trim()).trimEnd()
  return name === '' || name === '.' || name === '..' ? NAMELESS : name
}
