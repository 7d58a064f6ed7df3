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
    title: 'Page that makes the reader run a command',
    reason:
      'The page puts a command that fetches code from a server on the clipboard, for the reader to paste and run.',
    technique: 'T1204.004',
    article: {
      danger: 'The reader is told to press keys as a check or repair, and thereby runs the command of the attacker.',
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
} as const satisfies Record<string, Definition>
