/** Findings about links, in documents of every format. */

import type { Definition } from './definition.ts'

export const LINKS = {
  troubleshooter: {
    id: 'Docvet.Link.Troubleshooter',
    severity: 'malicious',
    title: 'Link that abuses the Windows troubleshooter',
    reason: 'The document opens the Windows troubleshooter (ms-msdt), which can run commands.',
    technique: 'T1203',
    article: {
      danger: 'The troubleshooter runs the command in the link, as in the attack called Follina (CVE-2022-30190).',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  signIn: {
    id: 'Docvet.Link.SignInCode',
    severity: 'malicious',
    title: 'Link to a sign-in that shows its code',
    reason:
      'A link leads to a sign-in that returns its code to the computer of the reader, where only a tool for developers takes it.',
    technique: 'T1528',
    article: {
      danger:
        'The reader is asked to send the address that the browser then shows. Anyone who has it can use the account without a password.',
      cause: null,
      advice: 'Do not follow the link. If you sent such an address, sign out everywhere and tell your administrator.',
    },
  },
  deviceCode: {
    id: 'Docvet.Link.DeviceCode',
    severity: 'malicious',
    title: 'Message that asks to enter the code of a device',
    reason: 'The text gives the reader a code for a page on which a device of somebody else is signed in.',
    technique: 'T1528',
    article: {
      danger:
        'The code was requested by the attacker. Whoever enters it and signs in gives the attacker the account, without a false page and past the second factor.',
      cause: null,
      advice:
        'Enter no code that somebody sent you. If you did, sign out everywhere and tell your administrator at once.',
    },
  },
  consent: {
    id: 'Docvet.Link.Consent',
    severity: 'malicious',
    title: 'Link that gives a program the mails or files of the reader',
    reason:
      'The text gives a reason to sign in, and the link asks for the right of a program of somebody else to read or send mail, or to change files.',
    technique: 'T1528',
    article: {
      danger: 'Who accepts gives the program lasting access, which a new password does not end.',
      cause: null,
      advice:
        'Do not accept. If you did, remove the program from the settings of your account and tell your administrator.',
    },
  },
  callback: {
    id: 'Docvet.Link.Callback',
    severity: 'malicious',
    title: 'Payment that nobody made, and a number to call',
    reason:
      'The text confirms a payment that the reader has not made, and gives a number to call within hours. The person who answers wants control of the computer or the bank account.',
    technique: 'T1566.004',
    article: {
      danger: 'Who answers asks for access to the computer, and for a transfer that is said to be a refund.',
      cause: null,
      advice: 'Do not call. Look at the account itself, by the address or number that you know.',
    },
  },
  fraudRequest: {
    id: 'Docvet.Link.FraudRequest',
    severity: 'suspicious',
    title: 'Request that fraudsters make',
    reason:
      'The text asks for what no honest sender asks for: a secret chat group for payments, a call that gives control of the computer, or a download that only a Windows computer may open.',
    technique: 'T1656',
    article: {
      danger: 'Such requests are the first step to a transfer to a stranger, or to malware.',
      cause: 'A note about such a fraud can use the same words.',
      advice: 'Ask the person in whose name it was sent, by a number that you know.',
    },
  },
  impersonation: {
    id: 'Docvet.Link.Impersonation',
    severity: 'malicious',
    title: 'Mail in the name of a company that leads to another server',
    reason:
      'A stranger calls himself a known company, or a link shows its address, and the page behind it belongs to somebody else and asks for a sign-in, a payment or a command.',
    technique: 'T1566.002',
    article: {
      danger: 'The page takes passwords, cards or codes, or makes the reader run a command.',
      cause: null,
      advice: 'Do not follow the link. Type the address of the company, and report the mail.',
    },
  },
  handlerAutomatic: {
    id: 'Docvet.Link.HandlerAutomatic',
    severity: 'malicious',
    title: 'Address that starts a program without a click',
    reason: 'Opening the document opens an address whose scheme starts a program with arguments.',
    technique: 'T1203',
    article: {
      danger: 'The program receives arguments that the author of the document chose.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  handler: {
    id: 'Docvet.Link.Handler',
    severity: 'suspicious',
    title: 'Link that starts a program',
    reason: 'A link has a scheme that starts a program of Windows or Office with arguments.',
    technique: 'T1204.001',
    article: {
      danger: 'A click starts a program with arguments that the author of the document chose.',
      cause: 'SharePoint opens documents in Office programs by such links.',
      advice: 'Follow the link only if you know where it leads.',
    },
  },
  handlerProgram: {
    id: 'Docvet.Link.HandlerProgram',
    severity: 'malicious',
    title: 'Link that makes a program run code',
    reason: 'A link starts a program of Windows or Office and gives it code or a server to load code from.',
    technique: 'T1204.001',
    article: {
      danger: 'One click runs code that the author of the document chose.',
      cause: null,
      advice: 'Do not follow the link.',
    },
  },
  fileServer: {
    id: 'Docvet.Link.FileServer',
    severity: 'suspicious',
    title: 'Link to a file server',
    reason: 'A link leads to a file server or a WebDAV folder.',
    technique: 'T1187',
    article: {
      danger: 'A click sends the credentials of the reader to the server as a hash, and may start a program there.',
      cause: 'Documents made inside a company link to its file servers.',
      advice: 'Follow the link only if the server belongs to your company.',
    },
  },
  companyServer: {
    id: 'Docvet.Link.CompanyServer',
    severity: 'notice',
    title: 'Link to a file server of a company',
    reason: 'A link leads to a document or folder on a file server inside a network.',
    technique: 'T1187',
    article: {
      danger: 'A click sends the credentials of the reader to the server as a hash, if it exists in the network.',
      cause: 'Documents made inside a company link to its file servers.',
      advice: 'Nothing, if the server belongs to your company.',
    },
  },
  script: {
    id: 'Docvet.Link.Script',
    severity: 'notice',
    title: 'Script as the target of a link',
    reason: 'A link contains a script instead of an address.',
    technique: 'T1204.001',
    article: {
      danger: 'Office programs do not run such links, but programs that convert the document may.',
      cause: 'Text copied from a web page keeps its links.',
      advice: 'Nothing, unless the document is published as a web page.',
    },
  },
  deceptive: {
    id: 'Docvet.Link.Deceptive',
    severity: 'suspicious',
    title: 'Link that poses as another',
    reason: 'The address or the text of a link suggests another owner than the one that it leads to.',
    technique: 'T1566.002',
    article: {
      danger: 'The page behind it may look like the one that the reader expects, and ask for a password or a payment.',
      cause: 'Programs that send newsletters or protect mail replace addresses by their own.',
      advice: 'Do not follow the link. Type the address that you know, or ask the sender in another way.',
    },
  },
  deceptiveFile: {
    id: 'Docvet.Link.DeceptiveFile',
    severity: 'malicious',
    title: 'Link to a file that poses as another',
    reason: 'A link that poses as one of another owner downloads an archive, disk image, program or script.',
    technique: 'T1566.002',
    article: {
      danger: 'The reader expects a document of somebody else, and opens a program of the attacker.',
      cause: null,
      advice: 'Do not follow the link, and delete what it has downloaded.',
    },
  },
  moniker: {
    id: 'Docvet.Link.Moniker',
    severity: 'malicious',
    title: 'Link that avoids the questions of Outlook',
    reason:
      'A link to a file on the internet names an item in it, so that Outlook opens it without a question (CVE-2024-21413).',
    technique: 'T1187',
    article: {
      danger: 'A click sends the credentials of the reader as a hash to the server, and may run the file.',
      cause: null,
      advice: 'Do not click the link, update Outlook, and block outgoing connections to file servers.',
    },
  },
  fileServerAutomatic: {
    id: 'Docvet.Link.FileServerAutomatic',
    severity: 'malicious',
    title: 'Content loaded from a file server on the internet',
    reason: 'Opening the page loads a part from a file server, which receives the credentials of the reader as a hash.',
    technique: 'T1187',
    article: {
      danger: 'The server can use the hash to find the password or to sign in elsewhere.',
      cause: null,
      advice: 'Do not open it, and block outgoing connections to file servers.',
    },
  },
} as const satisfies Record<string, Definition>
