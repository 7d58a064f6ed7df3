/** The commands and their options, declared once: for parsing, help, completions and the manual. */

export interface Option {
  name: string
  short?: string
  /** What stands for its value; without it, the option is a switch. */
  value?: string
  many?: true
  choices?: readonly string[]
  /** What a shell completes its value with. */
  completes?: 'file' | 'folder'
  help: string
}

export interface Command {
  name: string
  usage: string
  /** One sentence for the list of commands. */
  about: string
  /** Further sentences. */
  more?: string
  options: readonly Option[]
  /** What a shell completes its arguments with. */
  completes: 'file' | 'folder' | readonly string[]
}

export const FAIL_ON = ['infected', 'any', 'never'] as const
export const SHELLS = ['bash', 'zsh', 'fish'] as const
const UNSCANNABLE = ['leave', 'move'] as const
const UPDATES_ACTIONS = ['export', 'import', 'back'] as const
const CHANNEL_ACTIONS = ['key', 'root', 'sign', 'accept', 'publish', 'renew', 'check'] as const
export const QUARANTINE_ACTIONS = ['list', 'restore', 'delete'] as const

const HELP: Option = { name: 'help', short: 'h', help: 'Print this help.' }

/** How documents are judged, for every command that scans. */
const JUDGING: readonly Option[] = [
  { name: 'strict', help: 'Report suspicious files as infected.' },
  { name: 'password', value: 'TEXT', help: 'Open encrypted documents with this password.' },
  { name: 'rules', value: 'DIR', completes: 'folder', help: 'Use the YARA rules in this folder as well.' },
  { name: 'feeds', value: 'DIR', completes: 'folder', help: 'Use the lists of addresses and hashes in this folder.' },
  {
    ...{ name: 'policy', value: 'FILE', completes: 'file' },
    help: 'Rate findings as this policy says, like DOCVET_POLICY.',
  },
  { name: 'workers', value: 'N', help: 'Number of worker processes. Default: one per CPU core.' },
]

const SERVICE: readonly Option[] = [
  { name: 'server', value: 'URL', help: 'Let this service scan. The API key is in DOCVET_KEY or --key-file.' },
  { name: 'key-file', value: 'FILE', completes: 'file', help: 'The file with the API key for --server.' },
]

const CHOOSING: readonly Option[] = [
  {
    ...{ name: 'include', value: 'GLOB', many: true },
    help: 'Scan only files whose name, or path below the folder, matches. Can be repeated.',
  },
  {
    ...{ name: 'exclude', value: 'GLOB', many: true },
    help: 'Skip files and folders whose name or path matches. Can be repeated.',
  },
]

export const SCAN: Command = {
  name: 'scan',
  usage: 'docvet scan [OPTION]… [PATH]…',
  about: 'Scan files, and folders with everything in them',
  more: 'Works without a server. With - or without a path, standard input is scanned.',
  completes: 'file',
  options: [
    ...CHOOSING,
    {
      ...{ name: 'file-list', value: 'FILE', completes: 'file' },
      help: 'Scan the paths in this file, one a line. With -, those on standard input while they arrive.',
    },
    ...JUDGING,
    ...SERVICE,
    { name: 'move', value: 'DIR', completes: 'folder', help: 'Move infected files into this folder.' },
    { name: 'copy', value: 'DIR', completes: 'folder', help: 'Copy infected files into this folder.' },
    { name: 'remove', help: 'Remove infected files.' },
    {
      ...{ name: 'fail-on', value: 'WHAT', choices: FAIL_ON },
      help: 'Fail for infected files only, for any file that is not clean, or for none. Default: any.',
    },
    { name: 'json', help: 'Print one JSON document.' },
    { name: 'sarif', help: 'Print a SARIF 2.1.0 log.' },
    { name: 'notices', help: 'Have notices in the SARIF log, too.' },
    { name: 'infected', short: 'i', help: 'Print only infected files.' },
    { name: 'no-summary', help: 'Print no summary.' },
    HELP,
  ],
}

export const WATCH: Command = {
  name: 'watch',
  usage: 'docvet watch [OPTION]… DIR…',
  about: 'Scan files as they are written into folders, and move infected ones away',
  more: 'A file is scanned when it has not changed for two seconds. Links are not followed.',
  completes: 'folder',
  options: [
    { name: 'quarantine', value: 'DIR', completes: 'folder', help: 'Move infected files into this folder.' },
    {
      ...{ name: 'state', value: 'FILE', completes: 'file' },
      help: 'Remember scanned files here. Default: a file in the quarantine.',
    },
    {
      ...{ name: 'unscannable', value: 'WHAT', choices: UNSCANNABLE },
      help: 'Leave files that cannot be scanned, or move them as well. Default: leave.',
    },
    ...CHOOSING,
    ...JUDGING,
    { name: 'json', help: 'Print one JSON document a line.' },
    { name: 'infected', short: 'i', help: 'Print only infected files.' },
    HELP,
  ],
}

export const QUARANTINE: Command = {
  name: 'quarantine',
  usage: 'docvet quarantine list|restore|delete DIR [ID]…',
  about: 'List, restore or delete what `docvet watch` moved away',
  more: 'An ID may be cut, as long as it names one file.',
  completes: QUARANTINE_ACTIONS,
  options: [{ name: 'all', help: 'Every file of the quarantine.' }, { name: 'json', help: 'Print JSON.' }, HELP],
}

export const MCP: Command = {
  name: 'mcp',
  usage: 'docvet mcp [OPTION]… [DIR]…',
  about: 'Scan for a program that speaks the Model Context Protocol',
  more: 'Speaks over standard input and output. Only files in these folders are scanned. Default: the current one.',
  completes: 'folder',
  options: [...JUDGING, ...SERVICE, HELP],
}

export const VERIFY: Command = {
  name: 'verify',
  usage: 'docvet verify --keys FILE RECEIPT [DOCUMENT]',
  about: 'Verify the receipt of a scan, and that it is about a document',
  more: 'Works without a network. Exit status: 0 the receipt is genuine and about this document, 1 it is not, 2 wrong usage or no key that is known.',
  completes: 'file',
  options: [
    {
      ...{ name: 'keys', value: 'FILE', completes: 'file' },
      help: 'The public keys of the service: its /.well-known/jwks.json, or a public key as PEM. An https URL is fetched.',
    },
    { name: 'json', help: 'Print JSON.' },
    HELP,
  ],
}

export const UPDATES: Command = {
  name: 'updates',
  usage: 'docvet updates export|import|back [OPTION]… [DIR]',
  about: 'Carry rules of the update channel to a service without a network',
  more: 'export fetches and verifies the channel and writes it into the folder; import verifies the folder, proves the rules on known documents and gives them to the service; back uses the set before again. Exit status: 0 done, 1 refused, 2 wrong usage.',
  completes: UPDATES_ACTIONS,
  options: [
    {
      name: 'root',
      value: 'FILE',
      completes: 'file',
      help: 'For export and import: the root of trust of the channel.',
    },
    { name: 'from', value: 'URL', help: 'For export: the channel.' },
    { name: 'proxy', value: 'URL', help: 'For export: the HTTP proxy through which the channel is reached.' },
    { name: 'data', value: 'DIR', completes: 'folder', help: 'For import and back: the data folder of the service.' },
    { name: 'allow-expired', help: 'For import: accept what has expired on its way, but nothing older than before.' },
    HELP,
  ],
}

const KEYS: readonly Option[] = (['root', 'targets', 'snapshot', 'timestamp'] as const).map((role) => ({
  ...{ name: `${role}-key`, value: 'FILE', many: true, completes: 'file' },
  help: role === 'root' ? 'For root: a public key of the root. Can be repeated.' : `A key of ${role}. Can be repeated.`,
}))

export const CHANNEL: Command = {
  name: 'channel',
  usage: 'docvet channel ACTION [OPTION]… FILE|DIR',
  about: 'Make and sign an update channel of your own',
  more: 'key FILE makes a key; root DIR drafts the next root with public keys; sign FILE signs it; accept DIR puts it into use; publish DIR proves and publishes a set; renew DIR signs anew what expires; check DIR reads the channel as a service does. Exit status: 0 done, 1 refused, 2 wrong usage.',
  completes: CHANNEL_ACTIONS,
  options: [
    ...KEYS,
    {
      name: 'key',
      value: 'FILE',
      many: true,
      completes: 'file',
      help: 'For sign: a key of the root. Can be repeated.',
    },
    { name: 'threshold', value: 'ROLE=N', many: true, help: 'For root: how many keys of a role must sign.' },
    { name: 'set', value: 'DIR', completes: 'folder', help: 'For publish: rules, tables and lists.' },
    {
      ...{ name: 'days', value: 'N' },
      help: 'Until what is signed expires. For check: refuse what expires within so many days.',
    },
    HELP,
  ],
}

export const COMPLETION: Command = {
  name: 'completion',
  usage: 'docvet completion bash|zsh|fish',
  about: 'Print the completions of a shell',
  more: 'For bash: docvet completion bash > ~/.local/share/bash-completion/completions/docvet',
  completes: SHELLS,
  options: [HELP],
}

export const COMMANDS: readonly Command[] = [SCAN, WATCH, QUARANTINE, VERIFY, MCP, UPDATES, CHANNEL, COMPLETION]

export const EXIT_STATUS =
  '0 every file is clean, 1 a file is infected, 2 none is infected but something was not scanned, 130 interrupted.'
