/** The manual page, from the declarations of the commands. */
import { VERSION } from '#base/version.ts'
import { COMMANDS, type Command, EXIT_STATUS } from './commands.ts'
import { spelled } from './usage.ts'

/** A line of text in roff: hyphens that can be copied, and no request at its start. */
const roff = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...').replace(/^[.']/, '\\&$&')

function section({ name, about, more, options }: Command): string[] {
  return [
    `.SS "docvet ${roff(name)}"`,
    roff(`${about}.`),
    ...(more === undefined ? [] : [roff(more)]),
    ...options.flatMap((option) => ['.TP', `\\fB${roff(spelled(option).trim())}\\fR`, roff(option.help)]),
  ]
}

export function manualPage(): string {
  return [
    `.TH DOCVET 1 "" "Docvet ${VERSION}" "User Commands"`,
    '.SH NAME',
    'docvet \\- scan documents for malware',
    '.SH SYNOPSIS',
    ...COMMANDS.flatMap(({ usage }, i) => [...(i === 0 ? [] : ['.br']), roff(usage)]),
    '.SH DESCRIPTION',
    'Docvet inspects documents in sandboxed processes, without a network and without running anything of them.',
    'A file that cannot be fully inspected is never reported as clean.',
    '.SH COMMANDS',
    ...COMMANDS.flatMap(section),
    '.SH EXIT STATUS',
    roff(EXIT_STATUS),
    '.SH ENVIRONMENT',
    '.TP',
    '\\fBDOCVET_KEY\\fR',
    roff('The API key for --server.'),
    '',
  ].join('\n')
}
