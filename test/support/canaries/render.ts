/** Renders server/engines/canaries.json: each canary deflated, so that no scanner flags the file. */
import { constants, deflateRawSync } from 'node:zlib'
import { announcingTar, encryptedZip, largeMemberZip, nestedZip } from './archives.ts'
import * as documents from './documents.ts'

/** The harmless standard test threat (eicar.org), in pieces so that this file does not contain it. */
const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(''))
const BENIGN = 'A harmless text, sent by Docvet to check that a clean document is reported as clean.\n'
/** Above the highest limit that clamd accepts, and the largest size that it reads from a tar. */
const BEYOND_ANY_LIMIT = 2 ** 31 - 1
/** The largest part that the embedded engine inspects; larger ones get no verdict anyway. */
const MEMBER_BYTES_MAX = 200_000_000

const CANARIES: Record<string, Buffer> = {
  threat: EICAR,
  benign: Buffer.from(BENIGN),
  'an archive': nestedZip(EICAR, 1),
  nested: nestedZip(EICAR, 20),
  limit: announcingTar(BEYOND_ANY_LIMIT),
  // Only announced, because a complete member would take clamd a second. The same limits apply.
  'announced member': announcingTar(MEMBER_BYTES_MAX),
  encrypted: encryptedZip(EICAR),
  'a PDF': documents.pdfWithStream(EICAR),
  'encrypted PDF': documents.encryptedPdf(),
  'an Office document (OLE2)': documents.compoundFile(EICAR),
  'an Office document saved as XML': documents.wordXml(EICAR),
  'a mail': documents.mailWithAttachment(EICAR),
  'an HTML page': documents.htmlWithData(EICAR),
  'a OneNote file': documents.notebook(EICAR),
  'large member': largeMemberZip(EICAR, 110),
}

export function renderCanaries(): string {
  const packed = Object.entries(CANARIES).map(([name, bytes]) => [name, deflate(bytes).toString('base64')])
  return `${JSON.stringify(Object.fromEntries(packed), null, 2)}\n`
}

function deflate(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { strategy: constants.Z_RLE })
}
