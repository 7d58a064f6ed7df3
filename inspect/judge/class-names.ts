/** Names of the classes that scripts create objects of. */

import { CLASS_IDS, LIBRARY_CLASSES } from '#inspect/windows/classes.ts'

const NUMBERED = /^(?:new:|clsid:)?\{?([0-9a-f-]{36})\}?$/i

/** The name of a class that may be given by its number, such as `new:{…}`. */
export function className(text: string): string {
  const name = text.trim()
  const clsid = NUMBERED.exec(name)?.[1]?.toLowerCase()
  return (clsid ? CLASS_IDS[clsid] : LIBRARY_CLASSES[name.toLowerCase()]) ?? name
}
