/** Findings in web pages, drawings and web archives. */

import type { Definition } from './definition.ts'

export const WEB = {
  script: {
    id: 'Docvet.Html.Script',
    severity: 'notice',
    title: 'Page with scripts',
    reason: 'The page contains scripts, which a browser runs when it is opened.',
    technique: 'T1059.007',
    article: {
      danger: 'Scripts can save files, replace the page and send what the reader types.',
      cause: 'Most web pages contain scripts.',
      advice: 'Open it only if you expected a page and know where it comes from.',
    },
  },
  links: {
    id: 'Docvet.Html.Links',
    severity: 'notice',
    title: 'Page with links to the web',
    reason: 'The page links to web servers or loads parts from them.',
    technique: 'T1204.001',
    article: {
      danger: 'Pictures from a server show when and where the page is read. Links may lead to fraudulent sites.',
      cause: 'Most web pages have links.',
      advice: 'Check the address before you follow a link.',
    },
  },
  smuggledFile: {
    id: 'Docvet.Html.SmuggledFile',
    severity: 'malicious',
    title: 'Page that builds and saves a dangerous file',
    reason: 'A script decodes an archive, disk image, program, script or shortcut from the page and saves it.',
    technique: 'T1027.006',
    article: {
      danger: 'The file bypasses checks of downloads, because it never crosses the network as a file.',
      cause: null,
      advice: 'Do not open it, and delete a file that it saved.',
    },
  },
  smugglingParts: {
    id: 'Docvet.Html.SmugglingParts',
    severity: 'suspicious',
    title: 'Page that builds and saves an unknown file',
    reason: 'A script decodes data from the page and saves it. Its content could not be determined.',
    technique: 'T1027.006',
    article: {
      danger: 'Attackers hide programs in pages this way.',
      cause: 'Reports that export their data may be built like this.',
      advice: 'Open it only if you know the program that made it.',
    },
  },
  download: {
    id: 'Docvet.Html.Download',
    severity: 'notice',
    title: 'Page that offers its own content as a file',
    reason: 'A script saves a table, text, picture or document that the page contains.',
    technique: 'T1027.006',
    article: {
      danger: 'None by itself: the content was inspected.',
      cause: 'Reports have buttons that export their tables.',
      advice: 'Nothing.',
    },
  },
  clickFix: {
    id: 'Docvet.Html.ClickFix',
    severity: 'malicious',
    title: 'Document that makes the reader run a command',
    reason:
      'The document asks the reader to paste and run a command that fetches code from a server, or code that sends secrets to one.',
    technique: 'T1204.004',
    article: {
      danger: 'It asks the reader to press keys as a check or repair, which runs the command of the attacker.',
      cause: null,
      advice: 'Do not follow its instructions. If you did, disconnect the computer and tell your administrator.',
    },
  },
  commandCopy: {
    id: 'Docvet.Html.CommandCopy',
    severity: 'suspicious',
    title: 'Page that copies a command',
    reason: 'The page puts a command of Windows on the clipboard, or asks the reader to paste and run one.',
    technique: 'T1204.004',
    article: {
      danger: 'The reader may paste and run a command without reading it.',
      cause: 'Documentation has buttons that copy commands.',
      advice: 'Read a command before you run it.',
    },
  },
  credentialForm: {
    id: 'Docvet.Html.CredentialForm',
    severity: 'suspicious',
    title: 'Page that sends a password to a server',
    reason: 'The page asks for a password and sends it to a web server, although it is a file.',
    technique: 'T1056.003',
    article: {
      danger: 'Phishing mails attach such pages, because a file has no address that a reader could check.',
      cause: 'A login page that was saved as a file.',
      advice: 'Enter no password. Open the site by its own address instead.',
    },
  },
  savedLogin: {
    id: 'Docvet.Html.SavedLogin',
    severity: 'notice',
    title: 'Saved login page',
    reason: 'The page was saved from a web site and sends a password to the same site.',
    technique: 'T1056.003',
    article: {
      danger: 'A page that only claims to be saved from the site sends the password elsewhere.',
      cause: 'A login page that was saved as a file.',
      advice: 'Enter no password. Open the site by its own address instead.',
    },
  },
  animatedScript: {
    id: 'Docvet.Svg.AnimatedScript',
    severity: 'malicious',
    title: 'Animation that makes a link a script',
    reason:
      'An animation changes the address of a link to a script, which programs for mail that filter scripts do not see.',
    technique: 'T1059.007',
    article: {
      danger:
        'In a webmail, the script can read all messages and show a false sign-in. Roundcube was attacked in this way (CVE-2024-37383).',
      cause: null,
      advice: 'Do not open it, and update the webmail.',
    },
  },
  phishing: {
    id: 'Docvet.Html.Phishing',
    severity: 'malicious',
    title: 'Hidden page that steals a password',
    reason: 'The page hides a password form or the address that it sends the password to.',
    technique: 'T1056.003',
    article: {
      danger: 'The password goes to the attacker.',
      cause: null,
      advice: 'Enter no password. If you did, change it at once.',
    },
  },
  falseLogin: {
    id: 'Docvet.Html.FalseLogin',
    severity: 'malicious',
    title: 'Page that poses as a sign-in page',
    reason:
      'The page poses as a known company, gives a reason that fraudsters give, asks for the words of a wallet, or waits for no answer, and sends what is entered to another server.',
    technique: 'T1056.003',
    article: {
      danger: 'The password, or the access to the wallet, goes to the attacker.',
      cause: null,
      advice: 'Enter nothing. If you did, change the password at once on the real site.',
    },
  },
  wallet: {
    id: 'Docvet.Html.Wallet',
    severity: 'malicious',
    title: 'Page that empties a wallet',
    reason: 'The page promises or threatens something, and has a wallet sign that others may take all that it holds.',
    technique: 'T1657',
    article: {
      danger: 'The author of the page takes the coins and tokens of the wallet.',
      cause: null,
      advice: 'Connect no wallet. If you signed something, move what is left to a new wallet at once.',
    },
  },
  skimmer: {
    id: 'Docvet.Html.Skimmer',
    severity: 'malicious',
    title: 'Script that copies cards',
    reason:
      'The script reads the number and code of a card from the form of a shop, and sends them to another server out of sight.',
    technique: 'T1056.003',
    article: {
      danger: 'Everybody who pays on the page gives the card to the attacker, and the payment still works.',
      cause: null,
      advice: 'Remove the script from the site, find out how it got there, and report the theft of cards.',
    },
  },
  accountExchange: {
    id: 'Docvet.Html.AccountExchange',
    severity: 'malicious',
    title: 'Script that exchanges the account of a payment',
    reason:
      'The script replaces account numbers or addresses of coins that the reader sees, copies or enters by those of somebody else.',
    technique: 'T1565.002',
    article: {
      danger: 'The payment goes to the attacker, although the reader has compared the number with the one on the page.',
      cause: null,
      advice: 'Remove the extension or script, and compare accounts of recent payments with the paper or by telephone.',
    },
  },
  signInCode: {
    id: 'Docvet.Html.SignInCode',
    severity: 'malicious',
    title: 'Page that steals a sign-in',
    reason:
      'The page leads to the sign-in of a known service, asks for the address or code that it returns, and sends it to another server.',
    technique: 'T1528',
    article: {
      danger: 'With the code, the attacker uses the account without its password and without a second factor.',
      cause: null,
      advice: 'Copy no address or code into the page. If you did, sign out everywhere and tell your administrator.',
    },
  },
  redirect: {
    id: 'Docvet.Html.Redirect',
    severity: 'suspicious',
    title: 'Page that only leads to another address',
    reason: 'The page shows nothing and opens an address on a server at once, or hides the address that it opens.',
    technique: 'T1566.002',
    article: {
      danger: 'The address of a fraudulent site is hidden from checks of mail.',
      cause: 'Pages that were moved leave such a page behind.',
      advice: 'Open it only if you know the address.',
    },
  },
  programRedirect: {
    id: 'Docvet.Html.ProgramRedirect',
    severity: 'malicious',
    title: 'Page that only downloads a script',
    reason:
      'The page shows nothing and leads at once to a script or shortcut of Windows on a server, or to a program that is called like a document.',
    technique: 'T1204.002',
    article: {
      danger: 'The browser saves the file. If it is opened, the attacker can control the computer.',
      cause: null,
      advice: 'Do not open what was downloaded. Delete it.',
    },
  },
  hiddenScript: {
    id: 'Docvet.Html.HiddenScript',
    severity: 'malicious',
    title: 'Page that hides the script it runs',
    reason: 'The page keeps a script, or the address of one, in coded form and runs it when it is opened.',
    technique: 'T1027.006',
    article: {
      danger: 'The script shows a forged sign-in page, which filters that read the attachment do not see.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  invisibleCode: {
    id: 'Docvet.Html.InvisibleCode',
    severity: 'malicious',
    title: 'Script in invisible characters',
    reason: 'A script turns a long run of invisible characters into code and runs it.',
    technique: 'T1027.010',
    article: {
      danger: 'Code is only written like this so that neither readers nor scanners see it.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  hiddenRedirect: {
    id: 'Docvet.Html.HiddenRedirect',
    severity: 'malicious',
    title: 'Page with an obfuscated redirect',
    reason: 'The page runs a script that it decodes first, and the script opens an address on a server.',
    technique: 'T1027.013',
    article: {
      danger: 'The address of a fraudulent site is hidden from the reader and from checks of mail.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  controlCommand: {
    id: 'Docvet.Html.ControlCommand',
    severity: 'malicious',
    title: 'Page that starts a program through a control',
    reason: 'The page contains a control of Windows with a command that it starts.',
    technique: 'T1218.001',
    article: {
      danger: 'Opened as a help file or application, the page runs the command.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  svgScript: {
    id: 'Docvet.Svg.Script',
    severity: 'suspicious',
    title: 'Drawing with a script',
    reason: 'The drawing contains a script, which a browser runs when it is opened.',
    technique: 'T1027.017',
    article: {
      danger: 'Drawings with scripts lead to fraudulent sites, and mail filters often pass them.',
      cause: 'Interactive charts and maps contain scripts.',
      advice: 'Open it only if you expected an interactive drawing.',
    },
  },
  svgInteraction: {
    id: 'Docvet.Svg.Interaction',
    severity: 'notice',
    title: 'Drawing with a plain script',
    reason: 'A script changes the drawing. It opens no address, sends nothing and saves at most the drawing itself.',
    technique: 'T1027.017',
    article: {
      danger: 'None by itself: the script was inspected.',
      cause: 'Flame graphs, interactive charts and maps contain scripts.',
      advice: 'Nothing.',
    },
  },
  svgRedirect: {
    id: 'Docvet.Svg.Redirect',
    severity: 'malicious',
    title: 'Drawing with a hidden script',
    reason: 'The drawing hides a script or the address that it opens.',
    technique: 'T1027.017',
    article: {
      danger: 'Opening it shows a fraudulent site or saves a file.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  svgHtml: {
    id: 'Docvet.Svg.Html',
    severity: 'notice',
    title: 'Drawing that contains HTML',
    reason: 'A part of the drawing is HTML.',
    technique: 'T1027.017',
    article: {
      danger: 'HTML in a drawing can contain forms.',
      cause: 'Diagram editors write labels as HTML.',
      advice: 'Nothing.',
    },
  },
  imageCommand: {
    id: 'Docvet.Svg.ImageCommand',
    severity: 'malicious',
    title: 'Drawing with a command for a converter',
    reason: 'The drawing contains a command that an image converter (ImageMagick) passes to a shell.',
    technique: 'T1203',
    article: {
      danger: 'A server that makes a preview of the drawing runs the command (CVE-2020-29599).',
      cause: null,
      advice: 'Do not convert it.',
    },
  },
  smuggling: {
    id: 'Docvet.Html.Smuggling',
    severity: 'malicious',
    title: 'Page that assembles and saves a program',
    reason: 'A script in the page builds a Windows program from Base64 and offers it as a download.',
    technique: 'T1027.006',
    article: {
      danger: 'The program passes filters, because it exists only after the page was opened.',
      cause: null,
      advice: 'Delete the page. If it was opened, do not run what it saved.',
    },
  },
} as const satisfies Record<string, Definition>
