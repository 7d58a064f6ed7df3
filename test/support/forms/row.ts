/** Forms written byte by byte, for tables. */

export interface FormRow {
  what: string
  /** The Content-Type of the request. */
  type: string
  body: Buffer
  /** `clean`, or the code of a 400. */
  answer: string
}

export const BOUNDARY = 'form-boundary-7d1a'
export const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** The part that the sender wants scanned, and the one hidden from the scan. */
export const SHOWN = 'Good morning, this is a note.'
export const HIDDEN = 'This was not shown to the scanner.'

export const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
export const SECOND = 'Content-Disposition: form-data; name="file"; filename="b.txt"'
export const FIELD = 'Content-Disposition: form-data; name="note"'

/** One character per byte. */
export const bytes = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text, 'latin1') : text)

export const part = (head: string, content = SHOWN): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`
export const END = `--${BOUNDARY}--`

export const row = (what: string, answer: string, body: string | Buffer, type = TYPE): FormRow => ({
  what,
  answer,
  type,
  body: bytes(body),
})
