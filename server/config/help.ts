/** The output of `--help`. */
import { ADMIN_FROM_FOLDER, SERVICE_PACKAGE } from '#base/version.ts'
import { SETTINGS, type Setting } from './settings.ts'

function describe({ name, default: fallback, unset = 'none', meaning, secret }: Setting): string {
  const shown = fallback ?? unset.replaceAll('`', '')
  const file = secret ? ` Can be read from the file named by ${name}_FILE.` : ''
  return `  ${name} (default: ${shown})\n      ${meaning}${file}\n`
}

const CLONE_USAGE = `Usage: npm start [-- OPTION]
   or: node server/main.ts [OPTION]
   or: ${ADMIN_FROM_FOLDER} --help
   or: npx docvet scan --help`
const PACKAGE_USAGE = `Usage: npx ${SERVICE_PACKAGE} [OPTION]
   or: ${ADMIN_FROM_FOLDER} --help`

export const helpText = (): string => `${SERVICE_PACKAGE === null ? CLONE_USAGE : PACKAGE_USAGE}

Starts the Docvet server. SIGINT or SIGTERM stops it gracefully.

Options:
  -h, --help     Print this help and exit.
  -v, --version  Print the version and exit.

Settings, given as environment variables:
${Object.values<Setting>(SETTINGS).map(describe).join('')}`
