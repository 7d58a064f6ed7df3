/** How long the body of a response is by its headers. */
import type { IncomingHttpHeaders } from 'node:http'

/** Of all that is announced. None: it ends with its last chunk, or with the connection. */
export function announcedLengths({
  'content-length': length,
  'content-range': range = '',
}: IncomingHttpHeaders): number[] {
  const [, total] = /^bytes [\d*-]{1,40}\/(\d{1,15})$/.exec(range) ?? []
  return [length, total].flatMap((each) => (each === undefined ? [] : Number(each)))
}

/** The end of a body that is neither counted nor chunked is that of the connection, which may have been cut. */
export const hasEnd = ({ 'content-length': length, 'transfer-encoding': coding = '' }: IncomingHttpHeaders): boolean =>
  length !== undefined || /\bchunked\s*$/i.test(coding)
