/** The output of `--help`. */
import { SETTINGS, type Setting } from './settings.ts'

function describe({ name, default: fallback, unset = 'none', meaning, secret }: Setting): string {
  const shown = fallback ?? unset.replaceAll('`', '')
  const file = secret ? ` Can be read from the file named by ${name}_FILE.` : ''
  return `  ${name} (default: ${shown})\n      ${meaning}${file}\n`
}

export const helpText = (): string => `Usage: npm start [-- OPTION]
   or: node server/main.ts [OPTION]
   or: npx docvet admin --help
   or: npx docvet scan --help

Starts the Docvet server. SIGINT or SIGTERM stops it gracefully.

Options:
  -h, --help     Print this help and exit.
  -v, --version  Print the version and exit.

Settings, given as environment variables:
${Object.values<Setting>(SETTINGS).map(describe).join('')}`
