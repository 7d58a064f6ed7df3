/** Every format the analyser looks into. A new one gets a folder beside this file, and a line here. */

import type { Format } from '../visit.ts'
import { base64 } from './base64/base64.ts'
import { buriedArchive } from './buried.ts'
import { buriedDocuments } from './buried-documents.ts'
import { cab } from './cab/cab.ts'
import { diskImage } from './disk-image.ts'
import { executable, foreignArchive, hiddenProgram } from './foreign.ts'
import { gzipBehind } from './gzip/behind.ts'
import { gzip } from './gzip/gzip.ts'
import { mail } from './mail/mail.ts'
import { signedMail } from './mail/signed.ts'
import { unreadableMail } from './mail/unreadable.ts'
import { uuencoded } from './mail/uuencoded.ts'
import { activeMime, compressedObjects } from './ole/compressed.ts'
import { compressedRtf } from './ole/compressed-rtf.ts'
import { nativeData } from './ole/native.ts'
import { ole } from './ole/ole.ts'
import { onenote } from './onenote/onenote.ts'
import { fields } from './ooxml/fields.ts'
import { relationships } from './ooxml/relationships.ts'
import { encryptedPackage } from './package/encrypted.ts'
import { pdf } from './pdf/pdf.ts'
import { rtfObjects } from './rtf/objects.ts'
import { sevenZip } from './seven-zip/seven-zip.ts'
import { tar } from './tar/tar.ts'
import { utf16 } from './utf16.ts'
import { xmlEntities } from './xml-entities.ts'
import { zip } from './zip/zip.ts'

/** All that apply are asked, in this order: a document can be several things at once. */
export const FORMATS: readonly Format[] = [
  executable,
  foreignArchive,
  hiddenProgram,
  zip,
  encryptedPackage,
  relationships,
  fields,
  xmlEntities,
  gzip,
  tar,
  ole,
  pdf,
  mail,
  signedMail,
  unreadableMail,
  uuencoded,
  base64,
  rtfObjects,
  nativeData,
  compressedObjects,
  activeMime,
  compressedRtf,
  onenote,
  buriedDocuments,
  utf16,
  // After those that go deeper, so that an archive in an archive is told with its place.
  gzipBehind,
  cab,
  sevenZip,
  diskImage,
  buriedArchive,
]
