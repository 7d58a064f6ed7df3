/** Kinds of files by their extension. */

import type { Severity } from '#inspect/core/findings.ts'

/** `link`: opens an address or a query. `shortcut`: starts a command. `page`: HTML and SVG, which may contain scripts. */
export type FileKind =
  | 'program'
  | 'script'
  | 'shortcut'
  | 'link'
  | 'archive'
  | 'diskImage'
  | 'document'
  | 'page'
  | 'picture'
  | 'text'
  | 'data'

const KINDS: readonly (readonly [kind: FileKind, severity: Severity, extensions: string])[] = [
  [
    'program',
    'malicious',
    `exe com scr pif dll cpl sys ocx ax drv so dylib elf app appimage run xll wll msi msp mst msix msixbundle appx appxbundle
    appinstaller apk pkg mpkg jar gadget oxt vsto application appref-ms xbap`,
  ],
  ['program', 'suspicious', 'msu deb rpm ipa class crx xpi vsix swf ani deploy'],
  [
    'script',
    'malicious',
    `js jse vbs vbe wsf wsh ws wsc sct hta ps1 bat cmd command terminal scpt applescript a3x chm hlp inf reg wsb prf diagcab
    diagcfg diagpkg`,
  ],
  [
    'script',
    'suspicious',
    `ahk au3 bash sh py pyw pyc pyz pl rb php asp aspx jsp mjs psm1 ps1xml ps2 psc1 msh cdxml vb htc xsl xslt shtml mof bgi
    csproj proj hxs xaml mobileconfig workflow job`,
  ],
  ['shortcut', 'malicious', 'lnk scf shb shs xnk jnlp msc settingcontent-ms mad maf mag mam maq mar mas mav maw wcx'],
  [
    'link',
    'suspicious',
    `url website library-ms search-ms searchconnector-ms webloc inetloc fileloc iqy dqy oqy rqy odc udl rdp ica vnc desktop
    contact theme themepack deskthemepack asx wax wvx`,
  ],
  ['archive', 'notice', 'zip 7z rar gz tgz tar bz2 xz cab cpio zst r00 b64'],
  ['archive', 'suspicious', 'ace arj lzh lha z uue xxe'],
  ['diskImage', 'suspicious', 'iso img vhd vhdx avhd udf dmg daa nrg isz toast wim vmdk'],
  ['data', 'suspicious', 'accda accdb accde accdr ade adp mda mdb mde mat odb'],
  [
    'document',
    'notice',
    `pdf doc docx docm dot dotx dotm rtf odt xls xlsx xlsm xlsb xlt xltx xltm xla xlam slk ppt pptx pptm pot potx potm pps ppsx
    ppsm ppa ppam sldm ods odp odg vsd vsdx vsdm pub one onepkg eml msg oft ics epub xps hwp hwpx`,
  ],
  ['page', 'notice', 'htm html xhtml svg mht mhtml'],
  ['page', 'suspicious', 'svgz'],
  ['picture', 'notice', 'png jpg jpeg gif bmp tif tiff webp ico heic wmf emf'],
  ['text', 'notice', 'txt csv tsv md json xml log yml yaml css'],
]

const BY_EXTENSION: ReadonlyMap<string, { kind: FileKind; severity: Severity }> = new Map(
  KINDS.flatMap(([kind, severity, extensions]) =>
    extensions.split(/\s+/).map((extension) => [extension, { kind, severity }] as const),
  ),
)

export function kindOfExtension(extension: string): { kind: FileKind; severity: Severity } | null {
  return BY_EXTENSION.get(extension) ?? null
}

const extensionIn = (path: string): string => /\.(\w{1,8})["']?\s*$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** Files that run when they are opened. */
export const isDangerousName = (path: string): boolean =>
  kindOfExtension(extensionIn(path.split(/[?#]/)[0] ?? ''))?.severity === 'malicious'

/** Files that no program runs. */
export const isDataName = (path: string): boolean =>
  ['text', 'picture', 'document', 'page'].includes(kindOfExtension(extensionIn(path))?.kind ?? '')
