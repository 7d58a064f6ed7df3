/** Which form of a text is asked for, and whether it is whole. */
import { AppError } from '#base/errors.ts'
import type { DocumentText } from '#engines/engine.ts'

const NOTHING = 'No text was returned, and nothing was charged.'
/** As the analyser cuts it. */
const LENGTH_MAX = '2,000,000'

/** Plain text, unless JSON is named before it. */
export function wantsJson(accept = ''): boolean {
  const types = accept.toLowerCase().split(',', 20)
  const placeOf = (name: string) => types.findIndex((type) => type.trim().startsWith(name))
  const [json, plain] = [placeOf('application/json'), placeOf('text/')]
  return json !== -1 && (plain === -1 || json < plain)
}

/** Refuses a text of which a part is missing and would not be missed. */
export function requireWhole(text: DocumentText, isJson: boolean): DocumentText {
  const { pages, unread, isCut } = text
  if (isCut)
    throw new AppError(
      'document_too_complex',
      `The document has more than ${LENGTH_MAX} characters of text. ${NOTHING}`,
    )
  if (unread.length === 0 || (isJson && pages.length > 0)) return text
  const name = unread[0] === '' ? 'The text of this document' : `The text of ${unread[0]}`
  throw new AppError('document_too_complex', `${name} cannot be read. ${NOTHING}`)
}
