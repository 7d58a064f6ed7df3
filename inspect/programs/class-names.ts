/** Names of the classes that scripts create objects of. */

import { ownOf } from '#inspect/core/own.ts'
import { CLASS_IDS, LIBRARY_CLASSES } from '#inspect/windows/classes.ts'

const NUMBERED = /^(?:new:|clsid:)?\{?([0-9a-f-]{36})\}?$/i

/** The name of a class that may be given by its number, such as `new:{…}`. */
export function className(text: string): string {
  const name = text.trim()
  const clsid = NUMBERED.exec(name)?.[1]?.toLowerCase()
  return (clsid ? ownOf(CLASS_IDS, clsid) : ownOf(LIBRARY_CLASSES, name.toLowerCase())) ?? name
}
