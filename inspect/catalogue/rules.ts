/** Findings of the bundled YARA rules that no other family has. A test compares the texts with those of the rules. */

import type { Definition } from './definition.ts'

export const RULES = {
  hostedProgram: {
    id: 'Docvet.Script.HostedProgram',
    severity: 'malicious',
    title: 'Page or script file that starts programs',
    reason: 'The file targets Windows Script Host and starts other programs, which a page in a browser cannot do.',
    technique: 'T1218.005',
    article: {
      danger: 'A double-click runs the script outside the browser, where it can do everything that you can do.',
      cause: 'Administrators write such files to set up computers. They do not send them as documents.',
      advice: 'Do not open it unless you know who wrote it and why.',
    },
  },
  shellObject: {
    id: 'Docvet.Script.ShellObject',
    severity: 'malicious',
    title: 'JavaScript that starts programs',
    reason: 'The script creates the Windows shell object, which starts programs.',
    technique: 'T1059.007',
    article: {
      danger: 'Windows runs the script at a double-click, and the script can start any program.',
      cause: 'Manuals about scripting show such code as an example.',
      advice: 'Do not open it. Read a manual in another format, such as PDF.',
    },
  },
  downloader: {
    id: 'Docvet.Script.Downloader',
    severity: 'suspicious',
    title: 'Script that downloads and starts a file',
    reason: 'The script does two of these: download from the web, write a file, start a program.',
    technique: 'T1105',
    article: {
      danger: 'The malware itself is not in the file, but is fetched when the script runs.',
      cause: 'Installation scripts and texts about scripting contain the same calls.',
      advice: 'Accept it from people who maintain your computers. Otherwise do not run it.',
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
  rtfProgram: {
    id: 'Docvet.Rtf.EncodedExecutable',
    severity: 'malicious',
    title: 'Program inside the RTF document',
    reason: 'An object in the document contains a program in hexadecimal digits.',
    technique: 'T1027.009',
    article: {
      danger: 'Word stores the program on the disk when the document is opened, and a click or an exploit starts it.',
      cause: null,
      advice: 'Do not open the document.',
    },
  },
  brokenStream: {
    id: 'Docvet.Ole.BrokenStream',
    severity: 'notice',
    title: 'Incomplete stream in the compound file',
    reason: 'A stream is shorter than the directory declares, so its end could not be inspected.',
    technique: null,
    article: {
      danger: 'None by itself. Attackers damage documents on purpose to confuse scanners.',
      cause: 'Interrupted downloads and faulty programs leave incomplete files.',
      advice: 'Ask the sender for the document again if it does not open.',
    },
  },
} as const satisfies Record<string, Definition>
