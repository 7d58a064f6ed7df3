/** The name of a document that was fetched. */
import { displayFileName } from '#scan/file-name.ts'

const EXTENDED = /(?:^|;)\s*filename\*\s*=\s*utf-8'[\w-]*'([^\s;"]+)/i
const PLAIN = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Null without one. A header is bytes, which most servers write in UTF-8. */
function nameInHeader(header: string | undefined): string | null {
  if (header === undefined) return null
  const extended = EXTENDED.exec(header)?.[1]
  const name = extended === undefined ? null : decoded(extended)
  if (name !== null) return name
  const [, quoted, token] = PLAIN.exec(header) ?? []
  const plain = quoted?.replace(/\\(.)/g, '$1') ?? token
  return plain === undefined ? null : Buffer.from(plain, 'latin1').toString()
}

/** The name that the client gives, else the server's, else the last part of the path. */
export function fileNameOf(url: string, given: string | undefined, disposition?: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return displayFileName(given ?? nameInHeader(disposition) ?? decoded(last) ?? last)
}
