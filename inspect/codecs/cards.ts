/** Calendars and cards of contacts (RFC 5545, RFC 6350), whose long lines go on behind a blank. */

const CARD = /^(?:\ufeff|\xef\xbb\xbf)?BEGIN:V(?:CALENDAR|CARD|NOTE|TODO)/i
const FOLD = /\r?\n[ \t]/g

export const isCard = (text: string): boolean => CARD.test(text)

/** Of other texts, what they are. */
export function unfolded(text: string): string {
  return isCard(text) ? text.replace(FOLD, '').replace(/\\([,;])/g, '$1') : text
}

/** Its lines, of the bytes of a text: a fold may be inside of a character. */
export function linesOfCard(bytes: Buffer): string {
  return Buffer.from(unfolded(bytes.toString('latin1')).replace(/\\n/gi, '\n'), 'latin1').toString()
}
