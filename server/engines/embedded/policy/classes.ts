/** The classes of findings that a policy can name. */

interface FindingClass {
  /** For the documentation. */
  meaning: string
  /** Ids, or families that end in `.*`, without `Docvet.`. */
  findings: readonly string[]
}

/** `a.b` is a part of `a`. A finding can be in several classes; each is in at least one. */
export const CLASSES = {
  macros: {
    meaning: 'macros of every kind, harmless ones included',
    findings: [
      ...['Vba.*', 'Xlm.*', 'Sylk.*', 'Odf.Macro', 'Odf.MacroStart', 'Odf.AutoMacro', 'Odf.ScriptTraversal'],
      ...['Ooxml.MacroMismatch', 'Pdf.EmbeddedMacros', 'Mht.ActiveMime'],
    ],
  },
  'macros.auto': {
    meaning: 'macros that run when the document is opened or closed',
    findings: [
      ...['Vba.AutoStart', 'Vba.AutoProgram', 'Vba.AutoExecute', 'Xlm.AutoStart', 'Odf.MacroStart', 'Odf.AutoMacro'],
      'Sylk.Macro',
    ],
  },
  'macros.excel4': { meaning: 'Excel 4.0 macros', findings: ['Xlm.*', 'Sylk.*'] },
  'macros.hidden': {
    meaning: 'macros that are concealed',
    findings: [
      ...['Vba.Obfuscated', 'Vba.FormPayload', 'Vba.Stomped', 'Vba.SourceMissing', 'Vba.Purged', 'Vba.Hidden'],
      ...['Xlm.HiddenSheet', 'Ooxml.MacroMismatch', 'Mht.ActiveMime'],
    ],
  },
  javascript: {
    meaning: 'JavaScript in PDF documents, pages and drawings',
    findings: [
      ...['Pdf.JavaScript', 'Pdf.AutoScript', 'Pdf.ScriptNetwork', 'Pdf.ScriptObfuscated', 'Pdf.ScriptHidden'],
      ...['Pdf.ScriptExploit', 'Pdf.ScriptExport', 'Pdf.ScriptFileTheft', 'Pdf.RichMediaScript', 'Pdf.MarkupText'],
      'Html.InvisibleCode',
      ...['Html.Script', 'Svg.Script', 'Svg.Interaction'],
    ],
  },
  scripts: { meaning: 'script files, and commands in scripts', findings: ['Script.*'] },
  'external-links': {
    meaning: 'references to other files and servers, web links included',
    findings: [
      ...['Link.*', 'Ooxml.RemoteTemplate', 'Ooxml.WebTemplate', 'Ooxml.LocalTemplate', 'Rtf.RemoteTemplate'],
      ...['Rtf.WebTemplate', 'Ooxml.RemoteObject', 'Ooxml.FileServerObject', 'Ooxml.LinkedObject', 'Odf.RemoteObject'],
      ...['Ooxml.ExternalCore', 'Ooxml.ExternalPart', 'Ooxml.RemoteFrame', 'Ooxml.FileServerReference'],
      ...['Ooxml.RemotePicture', 'Office.RemoteText', 'Ooxml.MailMergeSource', 'Office.RemoteMailMerge'],
      ...['Office.ExternalLinks', 'Ooxml.RemoteRibbon', 'Ooxml.AddInLink', 'Ooxml.AddInShare', 'Excel.*'],
      ...['Sheet.RemoteFormula', 'Ole.LinkMoniker', 'Ole.LinkShare', 'Ole.PackageLink', 'Xml.ExternalEntity'],
      ...['Pdf.Link', 'Pdf.RemoteAction', 'Pdf.AutomaticShare', 'Pdf.XfaExternal', 'Pdf.SubmitForm'],
      'Pdf.ProgramLink',
      ...[
        'Html.Links',
        'Html.Redirect',
        'Html.HiddenRedirect',
        'Html.ProgramRedirect',
        'Svg.Redirect',
        'Mail.ReminderShare',
      ],
      ...['Shortcut.Remote', 'Shortcut.Web'],
    ],
  },
  'external-links.deceptive': { meaning: 'links that pose as others', findings: ['Link.Deceptive'] },
  'external-links.templates': {
    meaning: 'templates that are loaded from elsewhere',
    findings: [
      ...['Ooxml.RemoteTemplate', 'Ooxml.WebTemplate', 'Ooxml.LocalTemplate', 'Rtf.RemoteTemplate', 'Rtf.WebTemplate'],
    ],
  },
  'external-links.data': {
    meaning: 'data connections, mail merge sources and linked workbooks',
    findings: [
      ...['Excel.*', 'Sheet.RemoteFormula', 'Ooxml.MailMergeSource', 'Office.RemoteMailMerge', 'Office.ExternalLinks'],
    ],
  },
  'external-links.shares': {
    meaning: 'references to file servers, which learn a password hash of the user',
    findings: [
      ...['Link.FileServer', 'Link.FileServerAutomatic', 'Ooxml.FileServerObject', 'Ooxml.FileServerReference'],
      ...['Ooxml.AddInShare', 'Ole.LinkShare', 'Pdf.AutomaticShare', 'Mail.ReminderShare'],
    ],
  },
  'hidden-text': { meaning: 'text that readers do not see', findings: ['Hidden.*'] },
  'hidden-text.instructions': {
    meaning: 'hidden text for assistants',
    findings: ['Hidden.Instructions', 'Hidden.Unicode'],
  },
  'qr-codes': { meaning: 'QR codes, harmless ones included', findings: ['Qr.*'] },
  'qr-codes.phishing': { meaning: 'QR codes with a pretext', findings: ['Qr.Phishing'] },
  dde: {
    meaning: 'Dynamic Data Exchange',
    findings: [
      ...['Sheet.DdeCommand', 'Sheet.DdeText', 'Sheet.DdeFeed', 'Ooxml.DdeField', 'Doc.DdeField', 'Rtf.DdeField'],
      'Office.DdeDocument',
    ],
  },
  'embedded-files': {
    meaning: 'files attached to, embedded in or hidden in a document',
    findings: [
      ...['Embedded.*', 'Archive.*', 'OneNote.*', 'Mail.Attachment', 'Mail.ProgramAttachment', 'Name.*'],
      ...['Ole.PackageProgram', 'Ole.PackageLink', 'Ole.PackageName', 'Ole.PackageFile', 'Rtf.EncodedExecutable'],
      ...['Pdf.EmbeddedFile', 'Pdf.EmbeddedProgram', 'Pdf.EmbeddedRisk', 'Pdf.EmbeddedMacros', 'Pdf.SecondDocument'],
      ...['Pdf.HiddenDocument', 'Html.Smuggling', 'Html.SmuggledFile', 'Html.SmugglingParts', 'Html.Download'],
    ],
  },
  'embedded-files.programs': {
    meaning: 'programs and shortcuts among them',
    findings: [
      ...['Embedded.*', 'Archive.Executable', 'OneNote.Program', 'Mail.ProgramAttachment', 'Ole.PackageProgram'],
      ...['Rtf.EncodedExecutable', 'Pdf.EmbeddedProgram', 'Html.SmuggledFile'],
    ],
  },
  objects: {
    meaning: 'OLE objects and ActiveX controls',
    findings: ['Ole.*', 'Rtf.ObjectObfuscation', 'Rtf.ObjectUpdate'],
  },
  forms: {
    meaning: 'forms that collect or send data',
    findings: [
      'Pdf.SubmitForm',
      'Pdf.Xfa',
      'Pdf.XfaExternal',
      'Pdf.PasswordForm',
      'Pdf.Phishing',
      'Html.CredentialForm',
      'Html.SavedLogin',
      'Html.Phishing',
      'Html.FalseLogin',
    ],
  },
  'add-ins': {
    meaning: 'add-ins and ribbon extensions',
    findings: ['Office.AddIn', 'Ooxml.Ribbon', 'Ooxml.RemoteRibbon', 'Ooxml.AddInLink', 'Ooxml.AddInShare'],
  },
  actions: {
    meaning: 'actions that start programs or open files',
    findings: [
      ...['Pdf.LaunchFile', 'Pdf.LaunchCommand', 'Pdf.AutomaticProgram', 'Pdf.HiddenAction', 'Pdf.AmbiguousAction'],
      ...['Ooxml.ProgramAction', 'Ooxml.HoverAction', 'Html.ControlCommand', 'Html.ClickFix', 'Html.CommandCopy'],
      'Svg.ImageCommand',
    ],
  },
  shortcuts: { meaning: 'shortcuts, web shortcuts and similar files', findings: ['Shortcut.*', 'Embedded.Shortcut'] },
  archives: { meaning: 'archives that readers unpack differently', findings: ['Zip.*', 'Archive.*'] },
  office: {
    meaning: 'all findings of Office documents except macros, objects and RTF',
    findings: ['Ooxml.*', 'Office.*', 'Doc.*', 'Excel.*', 'Sheet.*', 'Xml.*', 'Mht.*'],
  },
  opendocument: { meaning: 'all findings of OpenDocument files', findings: ['Odf.*'] },
  rtf: { meaning: 'all findings of RTF documents', findings: ['Rtf.*'] },
  pdf: { meaning: 'all findings of PDF documents', findings: ['Pdf.*'] },
  pages: { meaning: 'all findings of HTML pages and SVG drawings', findings: ['Html.*', 'Svg.*'] },
  mail: { meaning: 'all findings of mail and notes', findings: ['Mail.*', 'Name.*', 'OneNote.*'] },
  bombs: { meaning: 'decompression bombs', findings: ['Bomb.*'] },
  'test-files': { meaning: 'the EICAR test file', findings: ['Test.*'] },
  encrypted: { meaning: 'documents that need a password', findings: ['Unscannable.Encrypted'] },
  'too-complex': { meaning: 'documents beyond a limit of the scanner', findings: ['Unscannable.TooComplex'] },
  damaged: { meaning: 'documents that cannot be read completely', findings: ['Unscannable.Damaged'] },
} as const satisfies Record<string, FindingClass>

const NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[]

export function contains(name: keyof typeof CLASSES, id: string): boolean {
  const { findings }: FindingClass = CLASSES[name]
  return findings.some((each) => {
    const wanted = `Docvet.${each}`
    return wanted.endsWith('.*') ? id.startsWith(wanted.slice(0, -1)) : id === wanted
  })
}

/** The names of the classes that contain the finding. */
export const classesOf = (id: string) => NAMES.filter((name) => contains(name, id))
