/** Extensions of file names, and what opening such a file does. */

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

/** `runs`: opening the file runs code. `mayRun`: with a program that not everybody has, or after a question. */
export type Opened = 'runs' | 'mayRun' | 'shows'

const list = (names: string): readonly string[] => names.split(/\s+/)

export const FILE_KINDS: readonly (readonly [kind: FileKind, opened: Opened, extensions: readonly string[]])[] = [
  [
    'program',
    'runs',
    list(`exe com scr pif dll cpl sys ocx ax drv so dylib elf app appimage run xll wll msi msp mst msix msixbundle appx
    appxbundle appinstaller apk pkg mpkg jar gadget oxt vsto application appref-ms xbap`),
  ],
  ['program', 'mayRun', list('msu deb rpm ipa class crx xpi vsix swf ani deploy')],
  [
    'script',
    'runs',
    list(`js jse vbs vbe wsf wsh ws wsc sct hta ps1 bat cmd command terminal scpt applescript a3x chm hlp inf reg wsb prf
    diagcab diagcfg diagpkg`),
  ],
  [
    'script',
    'mayRun',
    list(`ahk au3 bash sh py pyw pyc pyz pl rb php asp aspx jsp mjs psm1 ps1xml ps2 psc1 msh cdxml vb htc xsl xslt shtml mof
    bgi csproj proj hxs xaml mobileconfig workflow job`),
  ],
  ['shortcut', 'runs', list('lnk scf shb shs xnk jnlp msc settingcontent-ms mad maf mag mam maq mar mas mav maw wcx')],
  [
    'link',
    'mayRun',
    list(`url website library-ms search-ms searchconnector-ms webloc inetloc fileloc iqy dqy oqy rqy odc udl rdp ica vnc
    desktop contact theme themepack deskthemepack asx wax wvx`),
  ],
  ['archive', 'shows', list('zip 7z rar gz tgz tar bz2 xz cab cpio zst r00 b64')],
  ['archive', 'mayRun', list('ace arj lzh lha z uue xxe')],
  ['diskImage', 'mayRun', list('iso img vhd vhdx avhd udf dmg daa nrg isz toast wim vmdk')],
  ['data', 'mayRun', list('accda accdb accde accdr ade adp mda mdb mde mat odb')],
  [
    'document',
    'shows',
    list(`pdf doc docx docm dot dotx dotm rtf odt xls xlsx xlsm xlsb xlt xltx xltm xla xlam slk ppt pptx pptm pot potx potm
    pps ppsx ppsm ppa ppam sldm ods odp odg vsd vsdx vsdm pub one onepkg eml msg oft ics epub xps hwp hwpx`),
  ],
  ['page', 'shows', list('htm html xhtml svg mht mhtml')],
  ['page', 'mayRun', list('svgz')],
  ['picture', 'shows', list('png jpg jpeg gif bmp tif tiff webp ico heic wmf emf')],
  ['text', 'shows', list('txt csv tsv md json xml log yml yaml css')],
]

export type ScriptLanguage = 'javascript' | 'vbscript' | 'powershell' | 'batch' | 'shell' | 'python'

/** The languages in which Windows, or a shell of another system, runs a file. */
export const SCRIPT_LANGUAGES: readonly (readonly [language: ScriptLanguage, extensions: readonly string[]])[] = [
  ['javascript', list('js jse mjs cjs')],
  ['vbscript', list('vbs vbe vb vba bas')],
  ['powershell', list('ps1 psm1')],
  ['batch', list('bat cmd')],
  ['shell', list('sh bash zsh command')],
  ['python', list('py pyw')],
]

/** Programs, which a command line finds without their extension. */
export const IMAGES = list('exe com')
export const BATCH_FILES = list('bat cmd')
export const PATH_FILES = [...IMAGES, ...BATCH_FILES]
/** Add-ins of Excel and Word, which are libraries. */
export const ADD_INS = list('xll wll')
export const LIBRARIES = [...list('dll ocx cpl'), ...ADD_INS]
/** Scripts for hosts that every Windows has. */
export const HOST_SCRIPTS = [...list('js jse vbs vbe wsf wsh wsc sct hta ps1'), ...BATCH_FILES]
/** Whatever a command starts or loads by its name, also in the middle of a text. */
export const RUNNABLE = [...IMAGES, ...LIBRARIES, ...HOST_SCRIPTS, ...list('scr pif lnk msi msp msc jar chm')]
/** The same for names of files: code has properties that are called like the others. */
export const OPENED = [...RUNNABLE, 'url', 'reg']
/** Scripts for interpreters that somebody installed. */
export const INSTALLED_SCRIPTS = list('py pyw pl php rb r sh sql ahk au3 lua')
/** Data, under whose names attackers keep scripts and programs. */
export const DISGUISES = list('txt dat tmp log bin css png jpg jpeg gif bmp ico pdf doc docx xls xlsx mp3 mp4')
/** Documents with macros, and templates, which may refer to one. */
export const MACRO_DOCUMENTS = [...list('docm dotm dot xlsm xltm xlsb xlam xla pptm potm ppsm ppam ppa'), ...ADD_INS]
/** Programs and installers that are archives or compound files, so that their content alone does not tell them. */
export const INSTALLERS = list('jar msi msp msix appx apk')
/** Files that a second extension imitates. */
export const IMITATED = list(
  'pdf doc docx xls xlsx ppt pptx rtf txt csv htm html jpg jpeg png gif bmp zip mp3 mp4 eml msg',
)
/** Names under which a browser or script host opens a text as a page. */
export const PAGES = list(
  'htm html xhtm xhtml xht hta wsf wsc sct svg svgz mht mhtml xml xsl xslt php asp aspx jsp shtm shtml',
)
/** Run by servers: a link to one is a page, and `.com` is the end of a name. */
export const SERVER_PAGES = list('com app php asp aspx jsp py pl rb')
/** Settings and data of programs. */
export const SETTINGS = list('ini cfg conf config properties xml json sap txt csv xls xlsx doc docx pdf mdb accdb')
/** Texts of programmers, which editors open. */
export const SOURCE_FILES = list(
  `yml yaml toml ini cfg conf properties sql tex bib po pot diff patch rules yar yara sigma nse rb pl pm php py go rs c cc cpp cxx
  h hpp cs java kt scala swift lua r sh bash zsh ps1 psm1 psd1 ps1xml bat cmd vbs vb vba bas cls frm js mjs cjs ts tsx jsx css
  scss less`,
)
