/** Findings about shortcuts, link files and query files. */

import type { Definition } from './definition.ts'

export const SHORTCUTS = {
  command: {
    id: 'Docvet.Shortcut.Command',
    severity: 'malicious',
    title: 'Shortcut that runs a command',
    reason: 'Opening the file runs a command that it contains.',
    technique: 'T1204.002',
    article: {
      danger: 'The command can download and start any program, while the file looks like a document or a folder.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  remote: {
    id: 'Docvet.Shortcut.Remote',
    severity: 'malicious',
    title: 'Link file that leads to a server',
    reason: 'The link, library or query file opens a file server, a program or data on a server.',
    technique: 'T1187',
    article: {
      danger:
        'Opening it sends the credentials of the reader as a hash, or shows files of the attacker as a local folder.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  document: {
    id: 'Docvet.Shortcut.Document',
    severity: 'notice',
    title: 'Shortcut to a document or folder',
    reason: 'The shortcut opens a document or folder on the computer of the reader or inside a network.',
    technique: 'T1204.002',
    article: {
      danger: 'None by itself: it contains no command. What it leads to was not part of this scan.',
      cause: 'People pack shortcuts together with other files.',
      advice: 'Open it only if you know the place that it leads to.',
    },
  },
  program: {
    id: 'Docvet.Shortcut.Program',
    severity: 'notice',
    title: 'Shortcut to an installed program',
    reason: 'The shortcut starts a program or script in the folders for installed programs.',
    technique: 'T1204.002',
    article: {
      danger: 'None by itself: it contains no command of its own.',
      cause: 'People pack shortcuts together with other files.',
      advice: 'Open it only if you know the program.',
    },
  },
  file: {
    id: 'Docvet.Shortcut.File',
    severity: 'suspicious',
    title: 'Link file instead of a document',
    reason: 'The file is no document: it opens a file server, a program or data on a server.',
    technique: 'T1204.001',
    article: {
      danger: 'Opening it may send credentials to the server or start a program there.',
      cause: 'Companies distribute link and query files for their own servers.',
      advice: 'Open it only if the server belongs to your company.',
    },
  },
  web: {
    id: 'Docvet.Shortcut.Web',
    severity: 'notice',
    title: 'Link file to a web page',
    reason: 'The file opens a web page.',
    technique: 'T1204.001',
    article: {
      danger: 'The page may be fraudulent.',
      cause: 'Bookmarks are saved as such files.',
      advice: 'Check the address before you open it.',
    },
  },
  management: {
    id: 'Docvet.Shortcut.Management',
    severity: 'suspicious',
    title: 'Profile that hands over a phone or computer',
    reason:
      'The configuration profile enrols the device in the management of a server, and nobody has signed the profile.',
    technique: 'T1453',
    article: {
      danger:
        'The server can install apps, read what the device sends, lock and erase it. Fraudsters have people enrol their phones in the name of banks and authorities.',
      cause: 'Companies and schools enrol their own devices. Their profiles are signed as a rule.',
      advice: 'Install it only on a device of your company, and only if your administrator has announced it.',
    },
  },
  registry: {
    id: 'Docvet.Shortcut.Registry',
    severity: 'malicious',
    title: 'Registry file that installs a command',
    reason: 'Opening the file enters a command in the registry, which Windows then runs.',
    technique: 'T1112',
    article: {
      danger: 'The command runs at every sign-in, or whenever a file of some type is opened.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
} as const satisfies Record<string, Definition>
