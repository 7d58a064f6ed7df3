/** Addresses of installers that makers of tools tell everyone to run. */

import { anyCase } from '#inspect/core/pattern.ts'
import { INSTALL_SERVERS, MAKERS } from '#inspect/windows/installers.ts'

/** Leaves the folder. */
const UP = String.raw`[^\s"'<>|)]*(?:\.\.|%2e)`
/**
 * More text would name another server or file: `get.scoop.sh.example.com`, `get.scoop.sh@example.com`. A shell joins a text
 * in quotes to the next, and other signs may belong to the name of a user, which ends at `@`.
 */
const END = String.raw`[/?#\s]|$|["'\x60](?!\s*\+|[\w.@:%$\\-])|[)<>|;,&\]}](?![^\s"'/?#@]*@)`
const INSTALLER = anyCase`^https://(?!${UP})(?:${MAKERS}|${INSTALL_SERVERS}/install(?:\.(?:sh|ps1))?)(?:${END})`

const ADDRESS = /^https?:[\\/]/i
const ADDRESSES = /(?=https?:[\\/])/i

/** Every address in the text is one of them, and there is one. */
export function isInstallerOnly(text: string): boolean {
  const addresses = text.split(ADDRESSES).filter((each) => ADDRESS.test(each))
  return addresses.length > 0 && addresses.every((each) => INSTALLER.test(each))
}
