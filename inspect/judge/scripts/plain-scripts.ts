/** Scripts that show a message, list the computer or write a line to a file. */

import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { LISTING_CLASSES } from '#inspect/windows/classes.ts'
import { OPENED } from '#inspect/windows/extensions.ts'
import { basicEffects } from './host-scripts.ts'
import { languagesOf } from './language.ts'

const OBJECTS = pattern`^${LISTING_CLASSES}$`
/** Files that Windows runs, folders from which it runs them, and calls that change or start something. */
const CHANGES = anyCase`\.${OPENED}\b|startup|\.(?:delete|move|copy|create(?!textfile|folder))\w*|\b(?:delete|move|copy)(?:file|folder)|getobject|getref|\b(?:run|exec\w*|eval|shell\w*|chrw?|scriptfullname|mapnetworkdrive)\b|https?:|\\\\[\w.]+\\`

/** Whether the whole script is understood and does nothing else. */
export function showsOnly(name: string | null, source: string): boolean {
  if (CHANGES.test(source) || !languagesOf(name, source).includes('vbscript')) return false
  const { objects, ...effects } = basicEffects(source)
  const acts = effects.starts.length + effects.localStarts.length > 0 || effects.fetches || effects.runsText
  const isHidden = effects.isHidden || effects.doesHarm || effects.isUnclear || effects.isCut
  return !acts && !isHidden && objects.every((each) => OBJECTS.test(each)) && countCreated(source) === objects.length
}

/** Every creation of an object must have been read. */
function countCreated(source: string): number {
  return source.match(/createobject/gi)?.length ?? 0
}
