/** Addresses of the web that a program opens: the browser shows them, unless they are files that run. */

import { GAP } from '#inspect/programs/basic/values.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'
import { isDangerousName } from '../extensions.ts'

const ADDRESS = /^(?:https?|ftp):\/\/[^\s"'<>|^]+$/i

/** Whether the path ends like a program. Names of hosts may as well: `http://example.com`. */
export function namesProgram(address: string): boolean {
  const path = address.replace(/^\s*(?:\w+:)?(?:\/\/|\\\\)[^\\/?#]*/, '')
  return isDangerousName(path)
}

/** Whether Windows hands the address to a program that runs what it says. */
export function runsHandler(command: string): boolean {
  const { kind, severity } = classifyTarget(command.trim())
  return kind === 'handler' && severity !== 'notice'
}

/** Whether a program only opens a page that it names as it is. `source` in lower case. */
export function opensPage(command: string, source: string): boolean {
  const address = command.trim().replace(/^"(.*)"$/, '$1')
  if (!ADDRESS.test(address) || classifyTarget(address).kind !== 'web' || namesProgram(address)) return false
  // The server is known, and not joined from pieces.
  const [known = ''] = address.toLowerCase().split(GAP)
  const server = /^\w+:\/\/[^/?#]+/.exec(known)?.[0] ?? ''
  return server !== '' && (known.length > server.length || known.length === address.length) && source.includes(server)
}
