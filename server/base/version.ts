/** The version in package.json, and how the commands of the service are called where that is installed. */
import { readFileSync } from 'node:fs'

const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const PACKAGE = '@docvet/server'

export const VERSION: string = version
/** Not in a clone. */
export const SERVICE_PACKAGE: string | null = name === PACKAGE ? PACKAGE : null
export const ADMIN_COMMAND = SERVICE_PACKAGE === null ? 'docvet admin' : `npx ${PACKAGE} admin`
/** In the folder of the service. */
export const ADMIN_FROM_FOLDER = SERVICE_PACKAGE === null ? `npx ${ADMIN_COMMAND}` : ADMIN_COMMAND
