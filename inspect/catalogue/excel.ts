/** Findings about workbooks: conversations with other programs, data connections and queries. */

import type { Definition } from './definition.ts'

export const EXCEL = {
  ddeCommand: {
    id: 'Docvet.Sheet.DdeCommand',
    severity: 'malicious',
    title: 'Formula that starts a program (DDE)',
    reason: 'A cell tells the spreadsheet program to start a command interpreter.',
    technique: 'T1559.002',
    article: {
      danger: 'After questions that readers tend to accept, the spreadsheet program runs the command.',
      cause: null,
      advice: 'Do not open it. If you expected it, ask the sender for a copy without this part.',
    },
  },
  ddeText: {
    id: 'Docvet.Sheet.DdeText',
    severity: 'suspicious',
    title: 'Text with a formula that starts a program',
    reason: 'A line would start a command interpreter if a spreadsheet program opened the text as a table.',
    technique: 'T1559.002',
    article: {
      danger: 'Under the name of a table, the text opens in a spreadsheet program, which offers to run the command.',
      cause: 'Articles on such attacks quote them.',
      advice: 'Do not open it in a spreadsheet program.',
    },
  },
  ddeFeed: {
    id: 'Docvet.Sheet.DdeFeed',
    severity: 'notice',
    title: 'Cells that read a data feed (DDE)',
    reason: 'Cells take values from another program while the workbook is open.',
    technique: 'T1559.002',
    article: {
      danger: 'Excel starts the program that provides the values if it is not running.',
      cause: 'Trading desks and laboratories read prices and measurements in this way.',
      advice: 'Decline the update if you do not know the program.',
    },
  },
  connection: {
    id: 'Docvet.Excel.Connection',
    severity: 'notice',
    title: 'Data connection',
    reason: 'The workbook has a connection or query to another source of data.',
    technique: 'T1204.002',
    article: {
      danger: 'Refreshing the data contacts the source that the workbook names.',
      cause: 'Reports of a company read databases and files.',
      advice: 'Enable connections only if you know their source.',
    },
  },
  remoteRefresh: {
    id: 'Docvet.Excel.RemoteRefresh',
    severity: 'suspicious',
    title: 'Query that runs on opening',
    reason: 'Opening the workbook fetches data from a web or file server.',
    technique: 'T1071.001',
    article: {
      danger: 'The server learns who opened the workbook, may receive credentials, and decides what the cells contain.',
      cause: 'Dashboards refresh themselves.',
      advice: 'Ask the sender which source the workbook reads before you enable its connections.',
    },
  },
  programProvider: {
    id: 'Docvet.Excel.ProgramProvider',
    severity: 'malicious',
    title: 'Connection that starts a program',
    reason: 'A connection or query contains a command or a script instead of a source of data.',
    technique: 'T1203',
    article: {
      danger: 'Enabling the connection runs the command.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  remoteFormula: {
    id: 'Docvet.Sheet.RemoteFormula',
    severity: 'suspicious',
    title: 'Formula that sends cells to a server or reads a file',
    reason: 'A formula appends cells to an address and fetches it, or reads a file of the reader as if it were one.',
    technique: 'T1048',
    article: {
      danger: 'Values of the workbook, such as what the reader typed, reach the server.',
      cause: 'Dashboards ask a web service about the values of cells.',
      advice: 'Ask the sender what the address is for.',
    },
  },
} as const satisfies Record<string, Definition>
