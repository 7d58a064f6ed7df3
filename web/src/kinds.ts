/** Kinds of files as people name them. */
import type { ScanReport } from './api/schema.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const ODF = 'application/vnd.oasis.opendocument'
const PACKAGE = 'application/vnd.openxmlformats-package'
const OLE = 'application/x-ole-storage'

/** By the type of the content. */
const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF document',
  [`${OFFICE}wordprocessingml.document`]: 'Word document',
  [`${OFFICE}spreadsheetml.sheet`]: 'Excel workbook',
  [`${OFFICE}presentationml.presentation`]: 'PowerPoint presentation',
  'application/vnd.ms-visio.drawing': 'Visio drawing',
  [PACKAGE]: 'Office document',
  [OLE]: 'Office document (old format)',
  'application/msword': 'Word document (old format)',
  'application/rtf': 'Rich text document',
  'text/rtf': 'Rich text document',
  'application/onenote': 'OneNote page',
  'application/zip': 'ZIP archive',
  'application/epub+zip': 'E-book',
  [ODF]: 'OpenDocument file',
  [`${ODF}.text`]: 'OpenDocument text',
  [`${ODF}.spreadsheet`]: 'OpenDocument spreadsheet',
  [`${ODF}.presentation`]: 'OpenDocument presentation',
  'message/rfc822': 'E-mail',
  'text/html': 'Web page',
  'image/svg+xml': 'Drawing (SVG)',
  'application/xml': 'XML file',
  'application/json': 'JSON file',
  'text/plain': 'Text',
  'application/x-dosexec': 'Windows program',
  'application/x-elf': 'Linux program',
  'application/x-mach-binary': 'Mac program',
  'application/x-ms-shortcut': 'Windows shortcut',
  'application/java-vm': 'Java program',
  'application/vnd.rar': 'RAR archive',
  'application/x-7z-compressed': '7-Zip archive',
  'application/gzip': 'gzip archive',
  'application/x-tar': 'tar archive',
}

/** Formats that share one container, or that are text: only the name of the file tells them apart. */
const BY_ENDING: Readonly<Record<string, readonly [name: string, types: readonly string[]]>> = {
  doc: ['Word document (old format)', [OLE]],
  xls: ['Excel workbook (old format)', [OLE]],
  ppt: ['PowerPoint presentation (old format)', [OLE]],
  msg: ['Outlook message', [OLE]],
  // Under a password, a document of today is in the old container.
  docx: ['Word document', [PACKAGE, OLE]],
  docm: ['Word document', [PACKAGE, OLE]],
  xlsx: ['Excel workbook', [PACKAGE, OLE]],
  xlsm: ['Excel workbook', [PACKAGE, OLE]],
  xlsb: ['Excel workbook', [PACKAGE, OLE]],
  pptx: ['PowerPoint presentation', [PACKAGE, OLE]],
  pptm: ['PowerPoint presentation', [PACKAGE, OLE]],
  csv: ['Table (CSV)', ['text/plain']],
  md: ['Markdown text', ['text/plain']],
}
const FAMILIES: Readonly<Record<string, string>> = {
  image: 'Picture',
  audio: 'Sound file',
  video: 'Video',
  font: 'Font',
}
const MACROS = /^Docvet\.(?:Vba|Xlm|Sylk|Odf\.(?:Auto)?Macro)/

type Described = Pick<ScanReport, 'detectedType' | 'fileName' | 'contentType'> & Partial<Pick<ScanReport, 'findings'>>

/** "Word document with macros"; the type itself if it has no name. */
export function kindOf({ detectedType, contentType, fileName, findings = [] }: Described): string {
  const type = detectedType ?? contentType
  if (type === null) return 'Unknown kind of file'
  const [name, types] = BY_ENDING[fileName?.split('.').at(-1)?.toLowerCase() ?? ''] ?? []
  const family = FAMILIES[type.split('/')[0] ?? '']
  const known = types?.includes(type) ? name : NAMES[type]
  const kind = known ?? family ?? type
  return findings.some(({ id }) => MACROS.test(id)) ? `${kind} with macros` : kind
}
