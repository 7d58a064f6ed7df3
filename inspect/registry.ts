/** Every format and carver. Add a new one here. */

import { carvedArchive } from './carve/archives.ts'
import { base64 } from './carve/base64/base64.ts'
import { carvedDocuments } from './carve/documents.ts'
import { carvedGzip } from './carve/gzip.ts'
import { disguisedInstaller, embeddedProgram, executable, sideLoading } from './carve/programs.ts'
import { carvedZstandard } from './carve/zstandard.ts'
import type { Format } from './core/format.ts'
import { cab } from './formats/cab/cab.ts'
import { concealedMacros } from './formats/concealed-macros.ts'
import { diskImage } from './formats/disk-image.ts'
import { encodedText } from './formats/encoded-text.ts'
import { externalLinks } from './formats/external-links.ts'
import { flash } from './formats/flash.ts'
import { foreignArchive } from './formats/foreign-archive.ts'
import { gzip } from './formats/gzip.ts'
import { armored } from './formats/mail/armored.ts'
import { attachmentNames } from './formats/mail/attachments.ts'
import { calendar, sharedCalendar } from './formats/mail/calendar.ts'
import { mail } from './formats/mail/mail.ts'
import { openPgp } from './formats/mail/openpgp.ts'
import { outlookMessage } from './formats/mail/outlook.ts'
import { mailPasswords } from './formats/mail/passwords.ts'
import { signedMail } from './formats/mail/signed.ts'
import { tnef } from './formats/mail/tnef.ts'
import { unreadableMail } from './formats/mail/unreadable.ts'
import { uuencoded } from './formats/mail/uuencoded.ts'
import { notebooks } from './formats/notebooks.ts'
import { openDocument } from './formats/odf/odf.ts'
import { activeMime, compressedObjects, wordXmlMacros, xmlObject } from './formats/ole/compressed-objects.ts'
import { compressedRtf } from './formats/ole/compressed-rtf.ts'
import { hangulXml } from './formats/ole/hangul.ts'
import { binarySlides } from './formats/ole/links/slides.ts'
import { binaryWorkbook } from './formats/ole/links/workbook.ts'
import { nativeData } from './formats/ole/native-data.ts'
import { ole } from './formats/ole/ole.ts'
import { documentProperties } from './formats/ole/properties.ts'
import { onenote } from './formats/onenote.ts'
import { binaryExternalLink } from './formats/ooxml/binary-links.ts'
import { macroCallbacks } from './formats/ooxml/callbacks.ts'
import { connections } from './formats/ooxml/connections.ts'
import { controls } from './formats/ooxml/controls.ts'
import { officeExtensions } from './formats/ooxml/extensions.ts'
import { fields } from './formats/ooxml/fields.ts'
import { slideActions } from './formats/ooxml/hover.ts'
import { inlineReferences } from './formats/ooxml/inline-references.ts'
import { linkTexts } from './formats/ooxml/link-texts.ts'
import { officePackage } from './formats/ooxml/package.ts'
import { relationships } from './formats/ooxml/relationships.ts'
import { storedTexts } from './formats/ooxml/stored.ts'
import { encryptedPackage } from './formats/package-encryption.ts'
import { page } from './formats/page/page.ts'
import { pastedCommands } from './formats/pasted-commands.ts'
import { pdf } from './formats/pdf/pdf.ts'
import { cells } from './formats/pictures/cells.ts'
import { drawings } from './formats/pictures/drawings.ts'
import { officeShapes } from './formats/pictures/office-shapes.ts'
import { pictures } from './formats/pictures/pictures.ts'
import { shownWords } from './formats/pictures/shown-words.ts'
import { projectFiles } from './formats/projects/projects.ts'
import { rtf } from './formats/rtf/rtf.ts'
import { inlineCode } from './formats/scripts/inline-code.ts'
import { otherScripts } from './formats/scripts/other-languages.ts'
import { script } from './formats/scripts/script.ts'
import { sevenZip } from './formats/seven-zip.ts'
import { linkFiles } from './formats/shortcuts/link-files.ts'
import { windowsShortcut } from './formats/shortcuts/windows-shortcut.ts'
import { pageFormulas, sheetFormulas, tableFormulas } from './formats/table-formulas.ts'
import { tar } from './formats/tar.ts'
import { textLinks } from './formats/text-links.ts'
import { bookTexts } from './formats/texts/book.ts'
import { mailTexts } from './formats/texts/mail.ts'
import { mailRequests } from './formats/texts/mail-requests.ts'
import { officeTexts } from './formats/texts/office.ts'
import { openDocumentTexts } from './formats/texts/open-document.ts'
import { pageTexts } from './formats/texts/page.ts'
import { invisibleTexts, plainTexts } from './formats/texts/plain.ts'
import { rtfTexts } from './formats/texts/rtf.ts'
import { writtenTexts } from './formats/texts/written.ts'
import { biffMacros } from './formats/xlm/biff.ts'
import { packageMacros } from './formats/xlm/package.ts'
import { sylk } from './formats/xlm/sylk.ts'
import { xmlEntities } from './formats/xml-entities.ts'
import { xmlReferences } from './formats/xml-references.ts'
import { zip } from './formats/zip/zip.ts'
import { zlib } from './formats/zlib.ts'

/** All that apply analyse an item, in this order: a document can have several formats at once. */
export const FORMATS: readonly Format[] = [
  // Before the formats that open what the words may decrypt.
  mailPasswords,
  executable,
  sideLoading,
  disguisedInstaller,
  foreignArchive,
  flash,
  embeddedProgram,
  zip,
  encryptedPackage,
  officePackage,
  relationships,
  slideActions,
  linkTexts,
  inlineReferences,
  officeExtensions,
  macroCallbacks,
  connections,
  binaryExternalLink,
  controls,
  fields,
  storedTexts,
  openDocument,
  xmlEntities,
  xmlReferences,
  gzip,
  zlib,
  tar,
  ole,
  hangulXml,
  pdf,
  page,
  script,
  inlineCode,
  otherScripts,
  projectFiles,
  notebooks,
  linkFiles,
  windowsShortcut,
  mail,
  attachmentNames,
  outlookMessage,
  tnef,
  calendar,
  sharedCalendar,
  tableFormulas,
  pastedCommands,
  textLinks,
  sheetFormulas,
  pageFormulas,
  signedMail,
  openPgp,
  armored,
  unreadableMail,
  uuencoded,
  base64,
  rtf,
  nativeData,
  binarySlides,
  binaryWorkbook,
  documentProperties,
  compressedObjects,
  activeMime,
  xmlObject,
  biffMacros,
  packageMacros,
  sylk,
  wordXmlMacros,
  compressedRtf,
  onenote,
  carvedDocuments,
  encodedText,
  // After the formats that unpack, so that obstacles of inner archives keep their path.
  carvedGzip,
  carvedZstandard,
  cab,
  sevenZip,
  diskImage,
  carvedArchive,
  pictures,
  drawings,
  cells,
  officeShapes,
  shownWords,
  officeTexts,
  openDocumentTexts,
  pageTexts,
  bookTexts,
  rtfTexts,
  mailTexts,
  mailRequests,
  plainTexts,
  writtenTexts,
  invisibleTexts,
  externalLinks,
  concealedMacros,
]
