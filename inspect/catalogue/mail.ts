/** Findings about mails, notes and web archives, and the files attached to them. */

import type { Definition } from './definition.ts'

export const MAIL = {
  attachment: {
    id: 'Docvet.Mail.Attachment',
    severity: 'notice',
    title: 'Mail with attachments',
    reason: 'The mail has attached files, which were inspected one by one.',
    technique: 'T1566.001',
    article: {
      danger: 'Attachments are the most common way to deliver malicious files.',
      cause: 'Most attachments are harmless.',
      advice: 'Nothing: other findings name the attachments that are dangerous.',
    },
  },
  program: {
    id: 'Docvet.Mail.ProgramAttachment',
    severity: 'malicious',
    title: 'Mail with an attached program or script',
    reason: 'An attachment is a program, script or shortcut, which runs when it is opened.',
    technique: 'T1566.001',
    article: {
      danger: 'Opening the attachment runs what the sender chose.',
      cause: 'Support staff send tools by mail, although most mail servers reject them.',
      advice: 'Do not open the attachment.',
    },
  },
  script: {
    id: 'Docvet.Mail.ScriptAttachment',
    severity: 'suspicious',
    title: 'Mail with an attached script',
    reason: 'An attachment is a script, which runs if the reader chooses to run it.',
    technique: 'T1566.001',
    article: {
      danger: 'Run by its reader, the script does what the sender chose.',
      cause: 'Administrators and developers send scripts to each other.',
      advice: 'Read the script before you run it.',
    },
  },
  disguise: {
    id: 'Docvet.Name.DoubleExtension',
    severity: 'suspicious',
    title: 'Attached file with a misleading name',
    reason: 'The name of an attached file hides its true extension.',
    technique: 'T1036.007',
    article: {
      danger: 'The reader takes a link, script or disk image for a document.',
      cause: null,
      advice: 'Do not open the file.',
    },
  },
  reminder: {
    id: 'Docvet.Mail.ReminderShare',
    severity: 'malicious',
    title: 'Reminder with a sound on a file server',
    reason: 'The message makes Outlook fetch the sound of its reminder from a file server (CVE-2023-23397).',
    technique: 'T1187',
    article: {
      danger: 'Outlook sends the credentials of the reader as a hash to the server, without a click.',
      cause: null,
      advice: 'Delete it, update Outlook, and block outgoing connections to file servers.',
    },
  },
  invitation: {
    id: 'Docvet.Mail.Invitation',
    severity: 'malicious',
    title: 'Invitation that demands a sign-in or a call',
    reason:
      'The entry of a calendar says that an account is about to be closed or was charged, and leads to a page or telephone of somebody else.',
    technique: 'T1566.002',
    article: {
      danger:
        'Calendars show such entries without a question, and remind of them. The page takes the password; whoever answers the telephone asks for access to the computer.',
      cause: null,
      advice: 'Delete the entry, do not call, and sign in only by the address that you know.',
    },
  },
  sharing: {
    id: 'Docvet.Mail.SharingServer',
    severity: 'malicious',
    title: 'Shared calendar on a file server',
    reason: 'A header of the message makes Outlook read a shared folder from a file server (CVE-2023-35636).',
    technique: 'T1187',
    article: {
      danger: 'One click sends the credentials of the reader as a hash to the server.',
      cause: null,
      advice: 'Delete it, update Outlook, and block outgoing connections to file servers.',
    },
  },
  note: {
    id: 'Docvet.OneNote.File',
    severity: 'notice',
    title: 'Note with attached files',
    reason: 'The note has attached files, which were inspected one by one.',
    technique: 'T1204.002',
    article: {
      danger: 'A click on an attachment opens it after one question.',
      cause: 'Notes collect documents and pictures.',
      advice: 'Nothing: other findings name the attachments that are dangerous.',
    },
  },
  noteProgram: {
    id: 'Docvet.OneNote.Program',
    severity: 'malicious',
    title: 'Note with an attached program or script',
    reason: 'A file in the note is a program, script or shortcut, which runs when it is clicked.',
    technique: 'T1204.002',
    article: {
      danger: 'Attackers hide such files under a picture of a button.',
      cause: null,
      advice: 'Do not click anything in the note.',
    },
  },
  activeMime: {
    id: 'Docvet.Mht.ActiveMime',
    severity: 'suspicious',
    title: 'Macros in a web archive or XML document',
    reason: 'A document saved as a web page or XML contains data of Office macros.',
    technique: 'T1027.006',
    article: {
      danger: 'Mail filters take the document for a text, while Word runs its macros.',
      cause: 'Word writes such data when a document with macros is saved as a web page.',
      advice: 'Ask the sender for the document without macros.',
    },
  },
} as const satisfies Record<string, Definition>
