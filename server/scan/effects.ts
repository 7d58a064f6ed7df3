/** Effects of an infected document, for people who do not know the technical terms. */

const MACROS = 'If you open it and allow its macros (“Enable content”), it'
const HARM = 'Attackers use this to steal passwords, to lock all files or to take over the computer.'
const STOLEN_SIGN_IN =
  'Windows sends your sign-in data to a computer of the sender, who can work out your password from it.'

/** Sentence, then the last two parts of the ids of the findings to which it applies. */
const ROWS: readonly (readonly [effect: string, ids: string])[] = [
  [
    `${MACROS} starts a program on your computer. ${HARM}`,
    'Vba.AutoProgram Vba.PowerShell Vba.Injection Vba.Stomped Xlm.Execute Sylk.Macro Odf.AutoMacro',
  ],
  [`${MACROS} downloads a harmful program from the internet and starts it. ${HARM}`, 'Vba.Downloader'],
  [`${MACROS} installs a program that starts again whenever you use the computer. ${HARM}`, 'Vba.AutoPersistence'],
  [`${MACROS} sends itself to the people in your address book, in your name.`, 'Vba.MassMailer'],
  [`${MACROS} sends information or files from your computer to a stranger.`, 'Vba.Exfiltration'],
  [`${MACROS} deletes files on your computer.`, 'Vba.Destructive'],
  [
    `${MACROS} switches off the warnings of Office. From then on, other documents can do harm without a question.`,
    'Vba.SecurityOff',
  ],
  [`${MACROS} copies itself into your other documents, and spreads with them.`, 'Vba.Replication'],
  [
    `When you open it, it starts a program on your computer, after at most a question or two. ${HARM}`,
    'Sheet.DdeCommand Excel.ProgramProvider Ooxml.DdeField Doc.DdeField Rtf.DdeField Pdf.LaunchCommand Ooxml.ProgramAction Link.HandlerAutomatic Html.ControlCommand',
  ],
  [
    'When you open it, it uses an error in the program that shows it to take over your computer, without asking you.',
    'Link.Troubleshooter Ole.EquationExploit Ole.ExploitedClass Ole.LinkMoniker Rtf.EquationEditor Rtf.ListOverflow Rtf.FontOverflow Rtf.ShapeOverflow Pdf.ScriptExploit Pdf.FontCode Odf.ScriptTraversal Ooxml.RemoteObject',
  ],
  [
    'When you open it, it loads its harmful part from a computer of the sender, who can change it at any time. That part can take over your computer.',
    'Ooxml.RemoteTemplate Ooxml.ExternalCore Ooxml.RemoteFrame Ooxml.RemoteRibbon Ooxml.AddInShare Rtf.RemoteTemplate Pdf.AutomaticProgram Pdf.AutomaticServer',
  ],
  [
    `When you open it, ${STOLEN_SIGN_IN}`,
    'Link.FileServerAutomatic Office.CredentialLeak Pdf.AutomaticShare Mail.ReminderShare',
  ],
  [`If you click in it, ${STOLEN_SIGN_IN}`, 'Link.Moniker Mail.SharingServer'],
  [`If you click a link in it, it runs commands of the sender on your computer. ${HARM}`, 'Link.HandlerProgram'],
  [
    'It asks for your password and sends what you type to a stranger, who can then use your account.',
    'Pdf.Phishing Html.Phishing Html.FalseLogin',
  ],
  [
    'It has you sign in to a real service, and asks for the code or address that you get there. Anyone who has it can use your account.',
    'Link.SignInCode Html.SignInCode',
  ],
  [
    'It has you sign in to a real service for somebody else: with a code that it gives you, or by a link that lets a program read your mail or files.',
    'Link.DeviceCode Link.Consent',
  ],
  [
    'It says that you paid for something, and gives a number to call. The person who answers wants to control your computer or to move your money.',
    'Link.Callback',
  ],
  [
    'It is in the name of a company that you may know. The page behind its link belongs to a stranger, who wants your password, your card or access to your computer.',
    'Link.Impersonation',
  ],
  [
    'In the mailbox of a web browser, it can read your mail and ask for your password in a forged window.',
    'Svg.AnimatedScript',
  ],
  [
    'It promises something and has you agree in your wallet. What you agree to lets a stranger take everything in it.',
    'Html.Wallet',
  ],
  [
    'It puts a false warning about an account into your calendar. Behind it, a stranger asks for your password, or for access to your computer by telephone.',
    'Mail.Invitation',
  ],
  [
    'On the page of a shop, it copies the cards of everybody who pays there and sends them to a stranger.',
    'Html.Skimmer',
  ],
  [
    'It replaces the account that you pay to by that of a stranger, also in what you copy or type.',
    'Html.AccountExchange',
  ],
  [
    'When you open it, it leads to a forged page, usually one that asks for your password.',
    'Html.HiddenScript Html.HiddenRedirect Svg.Redirect',
  ],
  [`When you open it, it downloads a harmful file. If you open that as well, it runs. ${HARM}`, 'Html.ProgramRedirect'],
  [
    'It shows a page that asks you to press keys, as a check that you are human or as a repair. Doing so gives your computer to the attacker.',
    'Html.ClickFix',
  ],
  [
    'When you open it, it puts together a harmful file and saves it to your computer, as if you had downloaded it.',
    'Html.Smuggling Html.SmuggledFile',
  ],
  [
    'When you open it, it runs code that is hidden from you and from virus scanners. Nobody hides harmless code in this way.',
    'Html.InvisibleCode Pdf.ScriptHidden Pdf.HiddenAction Pdf.HiddenDocument',
  ],
  ['When you open it, it reads files of your computer and sends them to a stranger.', 'Pdf.ScriptFileTheft'],
  [
    'It contains a program that looks harmless. If you double-click it, it runs with all your rights and can take over the computer.',
    'Ole.PackageProgram Mail.ProgramAttachment OneNote.Program Pdf.EmbeddedProgram Pdf.ScriptExport Embedded.Executable Embedded.Shortcut Rtf.EncodedExecutable Zip.ReversedName',
  ],
  [
    'It has a link to a program that poses as a document. If you open that file, it runs with all your rights and can take over the computer.',
    'Pdf.ProgramPage Link.DeceptiveFile',
  ],
  [
    `It is a small program, not a document. When you open it, it runs commands on your computer. ${HARM}`,
    'Script.Program Script.InlineCode Script.HostedProgram Script.ShellObject Shortcut.Command',
  ],
  [
    `It belongs to a software project. When you open its folder or install it, it runs commands on your computer. ${HARM}`,
    'Script.Project',
  ],
  [
    'It is a small program, not a document. When it runs, a stranger can control the computer, or gets the passwords that are stored on it.',
    'Script.RemoteControl',
  ],
  [
    `It is a small program, not a document. When you open it, it downloads another program and starts it. ${HARM}`,
    'Script.Dropper',
  ],
  [
    'It is a link that looks like a file. When you open it, it starts something from a computer of the sender.',
    'Shortcut.Remote',
  ],
  ['When you open it and confirm, it changes Windows so that a program of the sender starts.', 'Shortcut.Registry'],
  [
    'It does nothing on your screen, but a server that makes a preview of it runs a command of the sender.',
    'Svg.ImageCommand',
  ],
  [
    'Unpacking it fills the memory or the disk, so that computers and virus scanners stop working.',
    'Bomb.Ratio Bomb.Overlap Bomb.SharedEntry Bomb.Quine Bomb.Entities',
  ],
  [
    'What it would do is not known: it is protected with a password, and the operator of this service counts such documents as infected.',
    'Unscannable.Encrypted',
  ],
  [
    'What it would do is not known: it could not be read completely, and the operator of this service counts such documents as infected.',
    'Unscannable.TooComplex Unscannable.Damaged',
  ],
  ['Nothing. It contains the harmless EICAR test file, which shows that a virus scanner works.', 'Test.Eicar'],
]

/** By the id of the finding. */
export const EFFECTS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([effect, ids]) => ids.split(' ').map((id) => [`Docvet.${id}`, effect])),
)

/** Signatures of clamd. */
export const KNOWN_MALWARE = `It contains malware that a virus scanner knows. ${HARM}`
/** Rules of the operator, which are not in the catalogue. */
export const OPERATOR_RULE = 'The operator of this service marked documents like this one as harmful.'
