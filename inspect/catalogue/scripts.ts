/** Findings about script files, in any container. */

import type { Definition } from './definition.ts'

export const SCRIPTS = {
  program: {
    id: 'Docvet.Script.Program',
    severity: 'malicious',
    title: 'Script that starts dangerous programs',
    reason: 'Opening the script starts a command as attackers use them, or runs code that it hides.',
    technique: 'T1059',
    article: {
      danger: 'Windows runs script files with all rights of the reader.',
      cause: 'Administrators send such scripts to each other.',
      advice: 'Do not open it unless you know its author and have read it.',
    },
  },
  start: {
    id: 'Docvet.Script.Start',
    severity: 'suspicious',
    title: 'Script that starts another program',
    reason: 'Opening the script starts a program of the computer, or one that could not be determined.',
    technique: 'T1059',
    article: {
      danger: 'The program runs with all rights of the reader, and may have been delivered with the script.',
      cause: 'Administrators start programs by scripts.',
      advice: 'Open it only if you know its author.',
    },
  },
  download: {
    id: 'Docvet.Script.Dropper',
    severity: 'malicious',
    title: 'Script that downloads and runs code',
    reason: 'Opening the script fetches a file or a command from a server and runs it.',
    technique: 'T1105',
    article: {
      danger: 'The server decides what runs on the computer of the reader.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  project: {
    id: 'Docvet.Script.Project',
    severity: 'malicious',
    title: 'Project that runs a command by itself',
    reason:
      'A file of a project for developers runs a command that fetches code, as soon as the folder is opened or the package is installed.',
    technique: 'T1195.001',
    article: {
      danger:
        'Programs for developers follow such files without a question. The command then has all rights of the reader.',
      cause: null,
      advice:
        'Do not open the folder or install the package. Delete it, and ask the sender for a link to the original project.',
    },
  },
  remoteControl: {
    id: 'Docvet.Script.RemoteControl',
    severity: 'malicious',
    title: 'Script that gives control to another computer',
    reason:
      'The script runs what another computer sends, downloads and starts a program, or sends the secrets of the reader away.',
    technique: 'T1059',
    article: {
      danger: 'The person at the other computer can read and change everything that the reader can.',
      cause: 'People who test the security of computers keep such scripts.',
      advice: 'Do not run it. If it is on a server, treat the server as taken over.',
    },
  },
  help: {
    id: 'Docvet.Script.CompiledHelp',
    severity: 'suspicious',
    title: 'Compiled help file',
    reason: 'The help viewer of Windows runs scripts and programs that the pages of such a file name.',
    technique: 'T1218.001',
    article: {
      danger: 'Attackers send help files because they look like documents and run commands when they are opened.',
      cause: 'Old programs have their manual in this format.',
      advice: 'Open it only if it belongs to a program that you know.',
    },
  },
  inlineCode: {
    id: 'Docvet.Script.InlineCode',
    severity: 'malicious',
    title: 'Build file or stylesheet with attack code',
    reason: 'The file contains code that works on the memory of a process, or a command as attackers use them.',
    technique: 'T1127.001',
    article: {
      danger: 'Tools that are part of Windows compile and run the code, so that no program has to be installed.',
      cause: null,
      advice: 'Do not build or transform it.',
    },
  },
  fetch: {
    id: 'Docvet.Script.Fetch',
    severity: 'suspicious',
    title: 'Script that saves a file from a server',
    reason: 'The script fetches a file from a server and saves it, or contains a command that does.',
    technique: 'T1105',
    article: {
      danger: 'The file may be a program that another part starts.',
      cause: 'Installation and build scripts fetch what they need.',
      advice: 'Run it only if you know its author.',
    },
  },
  command: {
    id: 'Docvet.Script.Command',
    severity: 'suspicious',
    title: 'Text that is a command',
    reason: 'The text consists of a command that hides its content or its window, or fetches code from a server.',
    technique: 'T1059',
    article: {
      danger: 'Renamed or pasted into a window, the text runs.',
      cause: 'Notes of administrators.',
      advice: 'Do not run it unless you know what it does.',
    },
  },
  encoded: {
    id: 'Docvet.Script.Encoded',
    severity: 'suspicious',
    title: 'Encoded script',
    reason: 'The script is written in the form of the Windows Script Encoder, which hides its text.',
    technique: 'T1027.010',
    article: {
      danger: 'Attackers encode scripts so that they cannot be searched. Its text was decoded and inspected.',
      cause: 'Web pages of the nineties protected their scripts this way.',
      advice: 'Do not open it unless you know its author.',
    },
  },
  encodedPlain: {
    id: 'Docvet.Script.EncodedPlain',
    severity: 'notice',
    title: 'Encoded script that only shows or notes something',
    reason: 'The script is written in the form of the Windows Script Encoder. Decoded, it starts and fetches nothing.',
    technique: 'T1027.010',
    article: {
      danger: 'None by itself: its text was decoded and inspected.',
      cause: 'Administrators encode scripts so that users do not change them.',
      advice: 'Open it only if you know its author.',
    },
  },
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
  host: {
    id: 'Docvet.Script.File',
    severity: 'notice',
    title: 'Script file',
    reason: 'The file is a script, which runs when it is opened.',
    technique: 'T1059',
    article: {
      danger: 'Scripts run with the rights of the reader. Nothing dangerous was found in this one.',
      cause: 'Software and its sources contain scripts.',
      advice: 'Open it only if you expected a script.',
    },
  },
} as const satisfies Record<string, Definition>
