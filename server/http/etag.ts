/** Entity tags, with which browsers ask whether their copy is still current. */
import { createHash } from 'node:crypto'

const ETAG_LENGTH = 22

export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, ETAG_LENGTH)}"`
}

/** Whether `If-None-Match` names the entity tag. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
